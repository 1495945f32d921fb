// Starts the engine once the page's markup has been parsed. `boot.js` handles every error that is thrown here.

import init, { loadChunks, loadChunksOnInput, openPage } from './engine.js';
import { isKept } from './offline.js';

const ask = (cache) => fetch(new URL('./engine.wasm', import.meta.url), { cache, integrity: 'integrity of ./engine.wasm' });

attentionPlayground.host.setChunkLoader(() => loadChunks('more', 'host'));

// What the browser has kept may be broken while the server is right: then it is asked for anew.
const asked = ask('default').catch(() => ask('reload')).catch(() => { throw new Error('The engine could not be loaded.'); });
// Not every host says what the module is; browsers compile only what is said to be one as it comes.
const isNamed = (response) => response.headers.get('content-type') === 'application/wasm';
const compiled = asked.then(async (response) => {
  // To compile now would delay the paint of a picture that is being drawn. One that has not come yet is not waited for.
  await attentionPlayground.host.painted();
  return isNamed(response) ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
});
compiled.catch(() => {}); // Told below.
// What this visit needs of chunks, as far as it can be told. Where one has not come in time, whatever is called waits for it.
loadChunksOnInput();
const isLink = location.hash.length > 1;
const useful = [isKept() && 'input', /[#&](open|view|cell)=/.test(location.hash) && 'more', window.parent !== window && 'host', attentionPlayground.host.language()];
await loadChunks(...useful).catch(() => {});
// What a link says cannot be read without them.
await loadChunks(isLink && 'input', /[#&](against|data)=/.test(location.hash) && 'more');
const module_or_path = await compiled;
await attentionPlayground.host.layerCame;
// The module is compiled, started and opens the page in three tasks, so that none is long.
const task = () => new Promise((resolve) => setTimeout(resolve));
await task();
await init({ module_or_path });
await task();
attentionPlayground.host.endOpening();
openPage();
if (attentionPlayground.host.hasInput()) await loadChunks('input').catch(() => {});
attentionPlayground.host.replayInput();
