// What a page holds after collection, and a way to make it work.

import { readFile } from 'node:fs/promises';

/**
 * `{ javascript, buffers, nodes, listeners, wasm }`: bytes of JavaScript objects and of array buffers, nodes and listeners of the document, and
 * bytes of the WebAssembly memories of page and workers. A WebAssembly memory grows to what the largest run needed and never shrinks.
 */
export async function memory(page) {
  const session = await page.context().newCDPSession(page);
  for (let pass = 0; pass < 3; pass++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize: javascript, backingStorageSize: buffers } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners: listeners } = await session.send('Memory.getDOMCounters');
  await session.detach();
  const glue = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name).find((name) => /\/engine-\w+\.js$/.test(name)));
  // The module that runs already: a second initialisation hands out what is there.
  const wasm = async (glue) => (await import(glue)).initSync().memory.buffer.byteLength;
  const sizes = await Promise.all([page, ...page.workers()].map((one) => one.evaluate(wasm, glue)));
  return { javascript, buffers, nodes, listeners, wasm: sizes.reduce((sum, size) => sum + size, 0) };
}

/** The process that the browser itself names as its GPU process; nothing while there is none. */
export async function gpuProcess(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.find(({ type }) => /gpu/i.test(type))?.id;
}

/** Bytes of that process; 0 where the system does not say. */
export async function gpuBytes(browser) {
  const status = await readFile(`/proc/${await gpuProcess(browser)}/statm`, 'utf8').catch(() => '0 0');
  return Number(status.split(' ')[1]) * 4096;
}

/** Moves the slider of d_k `count` times, each time to another stop and each time to a picture; ends where it began. */
export const changes = (page, count) => page.evaluate(async (count) => {
  const slider = document.getElementById('d-k');
  for (let at = 1; at <= count; at++) {
    slider.value = String(at % 2 ? 5 : 4);
    for (const event of ['input', 'change']) slider.dispatchEvent(new Event(event, { bubbles: true }));
    // Away with the first event, and there again after the last picture.
    while (!('idle' in document.documentElement.dataset)) await new Promise((resolve) => setTimeout(resolve, 2));
  }
}, count);
