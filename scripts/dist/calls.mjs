// Which functions of the engine a visit calls. In a build for that, every function counts its calls; `tests/browser/calls.mjs` visits it and
// writes the list of those that opening the page does not call.

import { writeFile } from 'node:fs/promises';
import { moduleOf, textOf } from './binaryen.mjs';
import { itemsOf } from './wat.mjs';

/** The name of a function without hashes, which every release of a crate or of the compiler changes. Several may have one. */
export const plainName = (name) => name.replace(/^\$"?|"$/g, '').replace(/(::h[0-9a-f]{16}|\[[0-9a-f]{16}\])/g, '').replace(/(_|\.)\d+$/, '');

/** The text of a module whose functions each call `calls.count` with their place among `names`. */
export function counting(text) {
  const names = [];
  const lines = itemsOf(text).flatMap(({ kind, name, lines }) => {
    if (kind !== 'func') return lines;
    const count = `  (call $count_calls (i32.const ${names.push({ name, length: lines.join('').length }) - 1}))`;
    const body = lines.findIndex((line, at) => at > 0 && !line.startsWith('  (local '));
    return lines.toSpliced(body, 0, count);
  });
  return { names, text: ['(module', ' (import "calls" "count" (func $count_calls (param i32)))', ...lines, ')'].join('\n') };
}

export default async function calls(site) {
  const { names, text } = counting(await textOf(site.files.get('engine.wasm')));
  site.files.set('engine.wasm', await moduleOf(text));
  site.write('engine.js', `${site.text('engine.js')}\nconst calls = globalThis.calls = new Uint32Array(${names.length});\nimports.calls = { count: (at) => { calls[at]++; } };\n`);
  await writeFile(site.counted, JSON.stringify(names));
}
