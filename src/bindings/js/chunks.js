// Code splitting: functions that opening a page does not call stand in WebAssembly modules of their own, the chunks, which
// `scripts/dist/chunks.mjs` takes out of the engine's. The build puts this at the end of `engine.js`. A call into a chunk finds it loaded, or
// loads it synchronously. Where that fails the page stops, since nobody can go on from the middle of a call: so whoever may need a chunk asks
// before the engine is entered, and says so where it cannot be had.

/** Imports that stand for a chunk's functions: each loads the chunk when it is first called. */
const stubs = (chunk) => new Proxy({}, {
  get(_, key) {
    let linked;
    return (...given) => (linked ??= exportsOf(chunk, key)[key])(...given);
  },
});

const chunks = Object.entries(CHUNKS).map(([name, file]) => ({ name, ...file, module: null, loading: null, exports: null, hasFailed: false }));
const imports = Object.fromEntries(chunks.map((chunk) => [chunk.name, stubs(chunk)]));

/** What the engine and all its chunks import. */
const withChunks = (own) => Object.assign(imports, own);

/** The chunks with one of `names`, and before each the one that it needs. */
const withNeeded = (names) => chunks.filter(({ name }) => names.includes(name)).flatMap((chunk) => [...withNeeded([chunk.needs]), chunk]);

const unavailable = ({ name }) => new WebAssembly.RuntimeError(`The chunk "${name}" of the engine could not be loaded.`);

function exportsOf(chunk, key) {
  if (!chunk.exports) {
    chunk.module ??= compiledSync(chunk, key);
    // What it needs is called without a stub in between.
    const needed = withNeeded([chunk.needs]).map((own) => [own.name, exportsOf(own, key)]);
    chunk.exports = new WebAssembly.Instance(chunk.module, { ...imports, ...Object.fromEntries(needed), engine: wasm }).exports;
  }
  return chunk.exports;
}

/**
 * A chunk from the server, past the browser's cache where what that has is none: browsers do not ask a service worker for what a window waits
 * for. The caller waits, since a call cannot be made later. No digest can be checked meanwhile; what is cut short or of another kind does not
 * compile, and a file of another build has another name.
 */
function compiledSync(chunk, key) {
  for (const address of [chunk.url, `${chunk.url}?anew`]) {
    try {
      return new WebAssembly.Module(readSync(`${address}#${key}`));
    } catch {
      // The next address, or none.
    }
  }
  chunk.hasFailed = true;
  throw unavailable(chunk);
}

/** The address says what was called: after `#` stands the name of the function in the chunk, and `target/chunks.txt` has its name in the sources. */
function readSync(address) {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  const isWindow = typeof document === 'object';
  // A window is given no bytes synchronously, but a text with a character for each.
  if (isWindow) request.overrideMimeType('text/plain; charset=x-user-defined');
  else request.responseType = 'arraybuffer';
  request.send();
  return isWindow ? Uint8Array.from(request.response, (character) => character.charCodeAt(0)) : request.response;
}

async function load(chunk) {
  const ask = (cache) => fetch(chunk.url, { cache, integrity: chunk.integrity });
  try {
    // What the browser has kept may be broken while the server is right.
    const response = await ask('default').catch(() => ask('reload'));
    const module = await WebAssembly.compile(await response.arrayBuffer());
    chunk.module ??= module;
  } catch {
    throw unavailable(chunk);
  }
}

/** Loads chunks with those that they need, each once, so that no call waits for them. A load that has failed may be tried again. */
export const loadChunks = (...names) => Promise.all([...new Set(withNeeded(names))].filter(({ module }) => !module).map((chunk) => {
  chunk.loading ??= load(chunk).finally(() => { chunk.loading = null; });
  return chunk.loading;
}));

/** Whether this copy of the engine was packed without a chunk: `in_memory.js` gives it a data URL. */
const isLeftOut = (name) => withNeeded([name]).some(({ url }) => url.startsWith('data:'));

/** Whether a chunk is loaded, with what it needs. */
const isLoaded = (name) => withNeeded([name]).every(({ module }) => module);

const NEEDED_FOR_INPUT = chunks.filter(({ isForInput }) => isForInput).map(({ name }) => name);

/** Loads what any window may need after its first input. */
export const loadChunksForInput = () => loadChunks(...NEEDED_FOR_INPUT);

const INPUT_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'wheel', 'dragenter', 'beforeprint'];
/** How long a failure to load is left alone, unless somebody needs what has not come. */
const REST_MS = 2_000;

/** Does so at that input. A browser may send a pointer's move without one, where a layout has put something else below it. */
export function loadChunksOnInput() {
  const begin = (event) => {
    if (event.type === 'pointermove' && !event.movementX && !event.movementY) return;
    for (const type of INPUT_EVENTS) removeEventListener(type, begin, true);
    loadChunksForInput().catch(() => setTimeout(loadChunksOnInput, REST_MS));
  };
  for (const type of INPUT_EVENTS) addEventListener(type, begin, { capture: true, passive: true });
}

/** Events that change something. What else a window hears of, such as a pointer that moves, needs no chunk. */
const CHANGING = new Set(['click', 'dblclick', 'keydown', 'input', 'change', 'pointerdown', 'touchstart', 'toggle', 'beforetoggle', 'close', 'hashchange', 'popstate']);
/** Of these, what the engine hears of later where it cannot now. */
const DEFERRED = new Set(['input', 'change', 'toggle', 'hashchange', 'popstate']);
/** Settings, what unfolds them, hints, panels' names, the map and links, for which `input` is enough. */
const SETTINGS = '[data-lock]:not([data-lock="data"], [data-lock="compare"]), .panel-names button, .with-menu > button, #coach, #all-settings, #map, a[href]';

/** All that a window may need is there. */
let isComplete = false;

/** What is done once the chunks have come: by what was clicked, or by the listener that could not hear of the newest event. */
const unheard = new Map();

/** What the engine may need for an event, if that is not there: it is loaded synchronously, unless that has failed before. */
function missingFor({ type, target, ctrlKey, metaKey }) {
  const isOfPage = target instanceof Node || target === globalThis.window;
  isComplete ||= NEEDED_FOR_INPUT.every(isLoaded);
  if (isComplete || !CHANGING.has(type) || !isOfPage) return [];
  // With these keys something is copied.
  const names = target.closest?.(SETTINGS) && !ctrlKey && !metaKey ? ['input'] : ['input', 'more'];
  try {
    for (const chunk of withNeeded(names)) {
      if (!chunk.module && chunk.hasFailed) return names;
      exportsOf(chunk, type);
    }
    return [];
  } catch {
    return names;
  }
}

/** Asks once more for chunks that have not come, and says so where they still do not. Once they are there, everything is heard that was done meanwhile. */
async function askAgain(target, ...names) {
  const line = (target.getRootNode?.() ?? document).querySelector('[data-missing]');
  line.querySelector('button').onclick = () => askAgain(target, ...names);
  try {
    await loadChunks(...names);
  } catch {
    line.hidden = false;
    return;
  }
  line.hidden = true;
  const waiting = [...unheard.values()];
  unheard.clear();
  for (const act of waiting) act();
  // The engine looks at the page once more.
  dispatchEvent(new Event('resize'));
}

/** Calls `call` for events of a type at a target, in which the engine does what is to be done; what is returned ends that. */
function listen(target, type, isCapturing, call) {
  const heard = (event) => {
    const names = missingFor(event);
    if (names.length === 0) return call(event);
    if (type === 'click') {
      // Nor does the browser open or check what the engine would not know of.
      event.preventDefault();
      const clicked = event.target.closest('button, label, input, summary') ?? event.target;
      unheard.set(clicked, () => clicked.click?.());
    } else if (DEFERRED.has(type)) {
      unheard.set(heard, () => heard(event));
    }
    void askAgain(event.target, ...names);
  };
  target.addEventListener(type, heard, isCapturing);
  return () => {
    unheard.delete(heard);
    target.removeEventListener(type, heard, isCapturing);
  };
}
