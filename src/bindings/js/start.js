// Starts the engine once the page's markup has been parsed. `boot.js` handles every error that is thrown here.

import init, { loadChunks, loadChunksOnInput } from './engine.js';
import './offline.js';

const ask = (cache) => fetch(new URL('./engine.wasm', import.meta.url), { cache, integrity: 'integrity of ./engine.wasm' });

attentionPlayground.host.setChunkLoader(loadChunks);

// What the browser has kept may be broken while the server is right: then it is asked for anew.
const module_or_path = ask('default').catch(() => ask('reload'));
// These settings show what is in a chunk. Where it has not come in time, whatever is called waits for it.
loadChunksOnInput();
if (/[#&](open|view|against|data)=/.test(location.hash)) await loadChunks().catch(() => {});
await init({ module_or_path });
attentionPlayground.host.replayInput();
