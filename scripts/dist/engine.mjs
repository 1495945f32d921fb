// The engine's two files get short names, and the script that starts them is a file: trunk's own stands in the page, which a policy
// without 'unsafe-inline' forbids.

import { digest } from './integrity.mjs';
import calls from './calls.mjs';
import chunks from './chunks.mjs';
import opening from './opening.mjs';

const INLINE = /<script type="module">\nimport init, \* as bindings[^]*?<\/script>\n?/g;
const PRELOADS = /<link rel="modulepreload"[^>]*><link rel="preload"[^>]*as="fetch"[^>]*>/g;
const HINTS = [
  '<link rel="modulepreload" href="./engine.js">',
  '<link rel="modulepreload" href="./offline.js">',
  '<link rel="preload" href="./engine.wasm" as="fetch" type="application/wasm" crossorigin>',
  '<script type="module" src="./start.js"></script>',
].join('\n');

export default async function engine(site) {
  site.move('attention-playground.js', 'engine.js');
  site.move('attention-playground_bg.wasm', 'engine.wasm');
  site.replace('engine.js', "'attention-playground_bg.wasm'", "'./engine.wasm'");
  await opening(site);
  await chunks(site);
  site.write('engine.js', site.text('engine.js') + site.text('parent_messages.js'));
  site.files.delete('parent_messages.js');
  if (site.counted) await calls(site);
  // Bundlers and browsers alike understand this form, so that the worker may have any name beside the engine.
  site.replace('engine.js', 'import.meta.worker', "new URL('./worker.js', import.meta.url).href");
  site.replace('start.js', 'integrity of ./engine.wasm', digest(site.files.get('engine.wasm')));
  site.replace('index.html', INLINE, '');
  site.replace('index.html', PRELOADS, `${HINTS}\n`);
}
