// What Chromium asks of a page before it offers to install it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromium as program, chromiumFlags } from './browsers.mjs';
import { expect, isolated as test } from './fixture.mjs';
import { ODD_FOLDER } from './server.mjs';

/** A private window can install nothing, and Playwright's own are private. */
async function inProfile(act) {
  const folder = await mkdtemp(join(tmpdir(), 'profile-'));
  const context = await chromium.launchPersistentContext(folder, { executablePath: program(), args: chromiumFlags, serviceWorkers: 'allow' });
  try {
    await act(await context.newPage());
  } finally {
    await context.close();
    // A part of the browser may still be writing into it.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

test('the page in a folder of an odd name can be installed', async ({ server }) => {
  const folder = ODD_FOLDER;
  test.slow();
  await inProfile(async (page) => {
    await page.goto(server.origin + folder);
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    const devtools = await page.context().newCDPSession(page);
    await expect.poll(async () => (await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
    const { manifest, errors } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const own = encodeURI(server.origin + folder);
    expect(manifest.name).toBe('Attention Playground');
    expect(manifest.display).toMatch(/standalone/i);
    expect([manifest.startUrl, manifest.scope, manifest.id].map(encodeURIOnce)).toEqual([own, own, own]);
  });
});

/** Chromium writes some signs as they are that `encodeURI` leaves alone as well; what is written with % stays. */
const encodeURIOnce = (url) => encodeURI(decodeURI(url));

test('the icons are pictures of the sizes they say', async ({ page, server }) => {
  await page.goto('/');
  const { icons } = await page.evaluate(() => fetch(document.querySelector('link[rel=manifest]').href).then((response) => response.json()));
  for (const { src, sizes, type } of icons) {
    const size = await page.evaluate((src) => new Promise((resolve, reject) => {
      const image = Object.assign(new Image(), { onload: () => resolve(`${image.naturalWidth}x${image.naturalHeight}`), onerror: reject, src });
    }), new URL(src, server.origin).href);
    if (type === 'image/png') expect(size).toBe(sizes);
  }
  expect(icons.map(({ purpose }) => purpose)).toContain('maskable');
});
