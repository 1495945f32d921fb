// Functions that no page needs to come up stand in modules of their own, the parts; `scripts/dist/parts.mjs` says which. The build puts this
// at the end of `engine.js`. A call finds its part loaded, or loads it on the spot; where that fails the page stops, as it does without its engine.

/** What stands for a part's functions until it is there, and leads to them from then on. */
const links = (part) => new Proxy({}, {
  get(_, key) {
    let linked;
    return (...given) => (linked ??= functionsOf(part, key)[key])(...given);
  },
});

const parts = Object.entries(PARTS).map(([name, file]) => ({ name, ...file, module: null, functions: null }));
const imports = Object.fromEntries(parts.map((part) => [part.name, links(part)]));

/** What the module and all its parts import. */
const withParts = (own) => Object.assign(imports, own);

function functionsOf(part, key) {
  if (!part.functions) {
    part.module ??= new WebAssembly.Module(readNow(part, key));
    part.functions = new WebAssembly.Instance(part.module, { ...imports, engine: wasm }).exports;
  }
  return part.functions;
}

const missing = (part) => new WebAssembly.RuntimeError(`The part "${part.name}" of the page could not be loaded.`);

/**
 * A part's bytes. The page waits for them, since what was called cannot be called later. The address says what was: `key` is a function's name
 * in the part, and `target/parts.txt` has that of the sources.
 */
function readNow(part, key) {
  const request = new XMLHttpRequest();
  request.open('GET', `${part.url}#${key}`, false);
  const isText = typeof document === 'object';
  // A window is given no bytes in this way, but a text with a character for each.
  if (isText) request.overrideMimeType('text/plain; charset=x-user-defined');
  else request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {
    throw missing(part);
  }
  if (request.status !== 200) throw missing(part);
  return isText ? Uint8Array.from(request.response, (character) => character.charCodeAt(0)) : request.response;
}

async function load(part) {
  const response = await fetch(part.url, { integrity: part.integrity });
  const module = await WebAssembly.compile(await response.arrayBuffer());
  part.module ??= module;
}

let loading = null;

/** Loads the parts that a window needs, once, so that no call waits for them. A load that has failed may be tried again. */
export function prepare() {
  loading ??= Promise.all(parts.filter((part) => part.isOfWindow && !part.module).map(load)).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'wheel', 'dragenter', 'beforeprint'];

/** Loads them as soon as somebody does anything. */
export function prepareOnInput() {
  const begin = () => {
    for (const sign of SIGNS) removeEventListener(sign, begin, true);
    prepare().catch(prepareOnInput);
  };
  for (const sign of SIGNS) addEventListener(sign, begin, { capture: true, passive: true });
}
