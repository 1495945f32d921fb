// What a page holds after collection.

/**
 * `{ javascript, nodes, wasm }`: bytes of JavaScript objects, nodes of the document, and bytes of the WebAssembly memories of page
 * and workers. A WebAssembly memory grows to what the largest run needed and never shrinks.
 */
export async function memory(page) {
  const session = await page.context().newCDPSession(page);
  for (let pass = 0; pass < 3; pass++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize: javascript } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  await session.detach();
  const glue = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name).find((name) => /attention-playground[^/]*\.js$/.test(name)));
  // The module that runs already: a second initialisation hands out what is there.
  const wasm = async (glue) => (await import(glue)).initSync().memory.buffer.byteLength;
  const sizes = await Promise.all([page, ...page.workers()].map((one) => one.evaluate(wasm, glue)));
  return { javascript, nodes, wasm: sizes.reduce((sum, size) => sum + size, 0) };
}
