// Imports modules from blob URLs, for documents that have no server to load files from.

/** Imports the module `entry` of `files` (contents by name). Every './name' in quotes becomes the blob URL of that file. */
export function importFrom(files, entry) {
  const types = { wasm: 'application/wasm', js: 'text/javascript' };
  const addresses = new Map();
  const named = (text) => text.replace(/(["'`])\.\/([\w./-]+)\1/g, (_, quote, name) => quote + addressOf(name) + quote);
  const addressOf = (name) => {
    // A file that is left out becomes an empty data URL, so that loading it fails without a request.
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

/** Runs in the worker: imports `worker.js` of the files in the first message, and queues later messages until then. */
function startWorker() {
  let waiting = null;
  onmessage = async ({ data }) => {
    if (waiting) return void waiting.push(data);
    waiting = [];
    await importFrom(data, 'worker.js').catch((error) => postMessage({ failed: String(error) }));
    for (const message of waiting) onmessage({ data: message });
  };
}

/** Starts a worker on `files`. It is sent the contents: under a `file:` URL, Chromium's workers cannot load the document's blob URLs. */
export function workerFrom(files) {
  const address = URL.createObjectURL(new Blob([`${importFrom}\n(${startWorker})();`], { type: 'text/javascript' }));
  const worker = new Worker(address);
  worker.postMessage(files);
  return worker;
}
