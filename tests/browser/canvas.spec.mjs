// The browser empties every canvas when its GPU process ends, whether the page computes there or not: nobody is left with a blank map.

import { chromiumFlags, headlessShell } from './browsers.mjs';
import { expect, openPage, readCanvas, isolated as test } from './fixture.mjs';

/** Ends the browser's own GPU process, by its process id. */
async function endGpuProcess(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const gpu = processInfo.find(({ type }) => type === 'GPU');
  expect(gpu, 'the browser has a GPU process').toBeDefined();
  process.kill(gpu.id, 'SIGKILL');
}

/** How much of each canvas that can be seen is painted, as one number each; closed panels paint nothing. */
async function painted(page) {
  const canvases = await page.locator('canvas:visible').all();
  const pictures = await Promise.all(canvases.map(readCanvas));
  return pictures.map(({ data }) => data.filter((alpha, at) => at % 4 === 3 && alpha > 0).length);
}

test('every canvas is painted again after the browser has lost them all', async ({ browser, server }) => {
  // A browser of its own: one that has lost its GPU process often gives up on it.
  const own = await browser.browserType().launch({ executablePath: headlessShell(), args: chromiumFlags });
  try {
    const page = await own.newPage({ baseURL: server.origin, viewport: { width: 1280, height: 900 } });
    await openPage(page);
    await page.evaluate(() => {
      globalThis.lost = 0;
      addEventListener('contextlost', () => globalThis.lost++, true);
    });
    const strip = page.locator('#steps-strip canvas');
    await expect.poll(() => strip.count(), 'the strip is painted too').toBeGreaterThan(9);
    await expect.poll(async () => Math.min(...(await painted(page))), 'all are painted').toBeGreaterThan(0);
    const before = await painted(page);
    await endGpuProcess(own);
    await expect.poll(() => page.evaluate(() => globalThis.lost), 'all are lost').toBeGreaterThanOrEqual(before.length);
    await expect.poll(() => painted(page), { timeout: 30_000 }).toEqual(before);
  } finally {
    await own.close();
  }
});
