// Starts the engine, once the page's markup is there. `boot.js` hears of whatever goes wrong here.

import init from './engine.js';
import './offline.js';

const ask = (cache) => fetch(new URL('./engine.wasm', import.meta.url), { cache, integrity: 'integrity of ./engine.wasm' });

// What the browser has kept may be broken while the server is right: then it is asked for anew.
await init({ module_or_path: ask('default').catch(() => ask('reload')) });
