// Code splitting: functions that opening a page does not call stand in WebAssembly modules of their own, the chunks, which
// `scripts/dist/chunks.mjs` takes out of the engine's. The build puts this at the end of `engine.js`. A call into a chunk finds it loaded, or
// loads it synchronously; where that fails the page stops, as it does without its engine.

/** Imports that stand for a chunk's functions: each loads the chunk when it is first called. */
const stubs = (chunk) => new Proxy({}, {
  get(_, key) {
    let linked;
    return (...given) => (linked ??= exportsOf(chunk, key)[key])(...given);
  },
});

const chunks = Object.entries(CHUNKS).map(([name, file]) => ({ name, ...file, module: null, loading: null, exports: null }));
const imports = Object.fromEntries(chunks.map((chunk) => [chunk.name, stubs(chunk)]));

/** What the engine and all its chunks import. */
const withChunks = (own) => Object.assign(imports, own);

/** The chunks with one of `names`, and before each the one that it needs. */
const withNeeded = (names) => chunks.filter(({ name }) => names.includes(name)).flatMap((chunk) => [...withNeeded([chunk.needs]), chunk]);

function exportsOf(chunk, key) {
  if (!chunk.exports) {
    chunk.module ??= new WebAssembly.Module(readSync(chunk, key));
    // What it needs is called without a stub in between.
    const needed = withNeeded([chunk.needs]).map((own) => [own.name, exportsOf(own, key)]);
    chunk.exports = new WebAssembly.Instance(chunk.module, { ...imports, ...Object.fromEntries(needed), engine: wasm }).exports;
  }
  return chunk.exports;
}

/**
 * The bytes of a chunk, from the server: browsers do not ask a service worker for what a window waits for. The caller waits, since a call
 * cannot be made later. The address says what was called: `key` is the name of the function in the chunk, and `target/chunks.txt` has its name
 * in the sources.
 */
function readSync(chunk, key) {
  const missing = () => new WebAssembly.RuntimeError(`The chunk "${chunk.name}" of the engine could not be loaded.`);
  const request = new XMLHttpRequest();
  request.open('GET', `${chunk.url}#${key}`, false);
  const isWindow = typeof document === 'object';
  // A window is given no bytes synchronously, but a text with a character for each.
  if (isWindow) request.overrideMimeType('text/plain; charset=x-user-defined');
  else request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {
    throw missing();
  }
  if (request.status !== 200) throw missing();
  return isWindow ? Uint8Array.from(request.response, (character) => character.charCodeAt(0)) : request.response;
}

async function load(chunk) {
  const response = await fetch(chunk.url, { integrity: chunk.integrity });
  const module = await WebAssembly.compile(await response.arrayBuffer());
  chunk.module ??= module;
}

/** Loads chunks with those that they need, each once, so that no call waits for them. A load that has failed may be tried again. */
export const loadChunks = (...names) => Promise.all([...new Set(withNeeded(names))].filter(({ module }) => !module).map((chunk) => {
  chunk.loading ??= load(chunk).catch((error) => {
    chunk.loading = null;
    throw error;
  });
  return chunk.loading;
}));

/** Loads what any window may need after its first input. */
export const loadChunksForInput = () => loadChunks(...chunks.filter(({ isForInput }) => isForInput).map(({ name }) => name));

const INPUT_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'wheel', 'dragenter', 'beforeprint'];

/** Does so at that input. A browser may send a pointer's move without one, where a layout has put something else below it. */
export function loadChunksOnInput() {
  const begin = (event) => {
    if (event.type === 'pointermove' && !event.movementX && !event.movementY) return;
    for (const type of INPUT_EVENTS) removeEventListener(type, begin, true);
    loadChunksForInput().catch(loadChunksOnInput);
  };
  for (const type of INPUT_EVENTS) addEventListener(type, begin, { capture: true, passive: true });
}
