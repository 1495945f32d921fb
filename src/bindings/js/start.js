// Starts the engine, once the page's markup is there. `boot.js` hears of whatever goes wrong here.

import init from './engine.js';
import './offline.js';

await init({ module_or_path: fetch(new URL('./engine.wasm', import.meta.url), { integrity: 'integrity of ./engine.wasm' }) });
