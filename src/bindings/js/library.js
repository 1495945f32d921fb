// The engine in somebody else's page: loaded once, when it is first asked for, and shared by everything there.

import { calls } from './calls.js';

const listeners = new Set();
let engine = null;
let arrival = null;

export const unavailable = (message) =>
  Object.assign(new Error(message), { name: 'AttentionError', code: 'backend_unavailable', field: 'backend', value: 'wasm' });

const SOURCE = 'source of worker.js';

// A worker has to come from the page's own origin; where this file does not, a small one of its own imports the engine from there.
// Asked for before: some browsers throw, others only tell later.
let isInSandbox = false;

const ownWorker = () => {
  if (!isInSandbox && new URL(import.meta.url).origin === location.origin) return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const address = URL.createObjectURL(new Blob([SOURCE], { type: 'text/javascript' }));
  const made = new Worker(address, { type: 'module' });
  made.addEventListener('message', () => URL.revokeObjectURL(address), { once: true });
  return made;
};

let worker = ownWorker;

/** Sets the function that starts the worker. To be called before the engine is loaded. */
export function useWorker(make) {
  worker = make;
}

// What is told first is the cause; what follows from it says less.
let failure = null;
const fail = (message) => {
  if (failure) return;
  failure = unavailable(message);
  for (const listener of listeners) listener(failure);
};

async function start(chunks) {
  const module_or_path = fetch(new URL('./engine.wasm', import.meta.url));
  // Told by whoever waits for it below, if it fails while the script is still on its way.
  module_or_path.catch(() => {});
  const glue = await import('./engine.js');
  // What does not come now is loaded when it is called.
  glue.loadChunks(...chunks).catch(() => {});
  await glue.default({ module_or_path });
  // A script that is served with a sandbox, as by notebooks, makes a worker of no origin, which may import nothing.
  const { headers } = await module_or_path;
  isInSandbox = /\bsandbox\b/.test(headers.get('content-security-policy') ?? '');
  glue.loadChunksOnInput();
  engine = glue.engine({ worker: () => worker(), fail });
  // Whoever awaits it learns why it failed.
  engine.ready().catch(() => {});
  return { engine, glue };
}

/** The engine and its module, with chunks of it that are needed at once; a load that has failed may be tried again. */
export function load(...chunks) {
  arrival ??= start(chunks).catch((error) => {
    arrival = null;
    throw error?.code ? error : unavailable(String(error));
  });
  return arrival;
}

/** Calls `listener` with an error when the engine has stopped for good, soon where it has done so before; the way to stop that is returned. */
export function onStopped(listener) {
  listeners.add(listener);
  if (failure) queueMicrotask(() => listeners.has(listener) && listener(failure));
  return () => listeners.delete(listener);
}

const whenReady = () => load().then(({ engine }) => engine.ready());

export const { compute, backends, layer, model, open, tasks } = calls({
  engine: () => engine,
  arrival: () => load().then(({ engine }) => engine),
  loadChunks: () => load().then(({ glue }) => glue.loadChunks('more', 'host')),
  unavailable,
});

/** Resolves when the engine can compute. Nothing is loaded before somebody waits for it. */
export const ready = Object.freeze({
  then: (...ends) => whenReady().then(...ends),
  catch: (...ends) => whenReady().catch(...ends),
  finally: (...ends) => whenReady().finally(...ends),
  [Symbol.toStringTag]: 'Promise',
});

/** Where the whole page is, if it is known. */
export const page = 'address of the page';

export const version = 'version of the package';
