// Modules from memory: each file gets an address there, and the others name it by that. For pages that have no folder of files.

/** Imports the module `entry` of `files`, contents by names; what they name as './name' in quotes is among them, or left out. */
export function importFrom(files, entry) {
  const types = { wasm: 'application/wasm', js: 'text/javascript' };
  const addresses = new Map();
  const named = (text) => text.replace(/(["'`])\.\/([\w./-]+)\1/g, (_, quote, name) => quote + addressOf(name) + quote);
  const addressOf = (name) => {
    // No request is made for what is left out.
    if (!files.has(name)) return 'data:,';
    if (!addresses.has(name)) {
      const ending = name.split('.').at(-1);
      const content = ending === 'wasm' ? files.get(name) : named(new TextDecoder().decode(files.get(name)));
      addresses.set(name, URL.createObjectURL(new Blob([content], { type: types[ending] })));
    }
    return addresses.get(name);
  };
  return import(addressOf(entry));
}

/** In a worker that is given files: keeps the other messages until their `worker.js` hears them. */
function startWorker() {
  let waiting = null;
  onmessage = async ({ data }) => {
    if (waiting) return void waiting.push(data);
    waiting = [];
    await importFrom(data, 'worker.js').catch((error) => postMessage({ failed: String(error) }));
    for (const message of waiting) onmessage({ data: message });
  };
}

/** A worker from `files`. It gets these themselves: a page of a disk has addresses that nobody else can open. */
export function workerFrom(files) {
  const address = URL.createObjectURL(new Blob([`${importFrom}\n(${startWorker})();`], { type: 'text/javascript' }));
  const worker = new Worker(address);
  worker.postMessage(files);
  return worker;
}
