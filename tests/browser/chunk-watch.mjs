// Which chunks of the engine (`scripts/dist/chunks.mjs`) a page asks for, and when.

/** The chunks that were requested, and those that a call in the window had to wait for, with the function's name in `target/chunks.txt`. */
export async function watched(page) {
  const asked = [];
  await page.addInitScript(() => {
    globalThis.awaited = [];
    const { open } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (method, url, ...more) {
      globalThis.awaited.push(/engine-.*/.exec(url)[0].replace(/-\w+\.wasm#/, ' '));
      open.call(this, method, url, ...more);
    };
  });
  page.on('request', (request) => {
    const [, chunk] = /\/engine-(\w+)-\w+\.wasm$/.exec(request.url()) ?? [];
    // On a busy machine the worker may compute the first run, and then loads for itself what the window has loaded; `awaited` has the window's.
    const isOfWorker = request.resourceType() === 'xhr' && asked.includes(chunk);
    if (chunk && !isOfWorker) asked.push(chunk);
  });
  return { asked, awaited: () => page.evaluate(() => globalThis.awaited) };
}
