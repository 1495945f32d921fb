// A build in which every function of the engine counts its calls: `tests/browser/calls.mjs` visits it, and writes the list of those that opening
// the page does not call.

import { writeFile } from 'node:fs/promises';
import { moduleOf, textOf } from '../../tools/wasm-chunks/binaryen.mjs';
import { counting } from '../../tools/wasm-chunks/calls.mjs';

export default async function calls(site) {
  const { names, text } = counting(await textOf(site.files.get('engine.wasm')));
  site.files.set('engine.wasm', await moduleOf(text));
  site.write('engine.js', `${site.text('engine.js')}\nconst calls = globalThis.calls = new Uint32Array(${names.length});\nimports.calls = { count: (at) => { calls[at]++; } };\n`);
  await writeFile(site.counted, JSON.stringify(names));
}
