// What every browser test shares: a server of its own, a watch on everything that should stay silent, and ways to open and read the page.

import { expect, test as base } from '@playwright/test';
import { tellViolations } from './policy.mjs';
import { serve, SUB_FOLDER } from './server.mjs';

export { expect, SUB_FOLDER };

const ALWAYS_ALLOWED = ['data:', 'blob:', 'about:'];

/** Playwright says so of each page whose service worker it holds back. */
const BLOCKED = /Service Worker registration blocked by Playwright/;

/** Collects what a healthy page never does: console errors and warnings, uncaught errors, failed loads, requests to another origin. */
async function watch(context, origin) {
  const problems = [];
  const note = (kind, text) => {
    if (!BLOCKED.test(text)) problems.push(`${kind}: ${text}`);
  };
  await context.addInitScript(tellViolations);
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`console ${message.type()}`, message.text());
  });
  context.on('weberror', (error) => note('uncaught', error.error()?.stack ?? String(error.error())));
  context.on('request', (request) => {
    const url = request.url();
    const allowed = url.startsWith(`${origin}/`) || ALWAYS_ALLOWED.some((scheme) => url.startsWith(scheme));
    if (!allowed) note('request to another origin', url);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) note(`status ${response.status()}`, response.url());
  });
  return problems;
}

/** Lets `script` run in the page's workers before anything of ours does. */
export async function beforeWorker(page, script) {
  await page.route(/\/worker-\w+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${script};\n${await response.text()}` });
  });
}

/** Runs in the worker: what a browser says of an adapter that is a graphics card. */
function disguise() {
  const info = { vendor: 'test', architecture: 'card', description: '', isFallbackAdapter: false, subgroupMinSize: 4, subgroupMaxSize: 4 };
  Object.defineProperty(GPUAdapter.prototype, 'info', { get: () => info });
}

/**
 * Playwright's `test` with three fixtures more:
 * - `backend`: what the project's tests ask for, `cpu` or `webgpu`; with `isCard` the adapter says that it is a graphics card, so that
 *   the kernels for those are used;
 * - `server`: `{ origin }` of the server that this worker process runs; relative addresses in `page.goto` lead there;
 * - `quiet`: watches the page by itself and fails the test at its end. A test that provokes a problem on purpose names it with
 *   `quiet.allow(/pattern/)`; `quiet.problems()` gives what has been seen so far and is not allowed.
 */
export const test = base.extend({
  backend: ['cpu', { option: true }],
  isCard: [false, { option: true }],
  page: async ({ page, isCard }, use) => {
    if (isCard) await beforeWorker(page, `(${disguise})()`);
    await use(page);
  },
  server: [
    async ({}, use) => {
      const server = await serve();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  quiet: [
    async ({ context, server }, use) => {
      const seen = await watch(context, server.origin);
      const allowed = [];
      const problems = () => seen.filter((problem) => !allowed.some((pattern) => pattern.test(problem)));
      await use({ allow: (pattern) => allowed.push(pattern), problems });
      expect(problems(), 'the page must stay silent').toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits for two frames: panels follow a picture in frames of their own, and by then a browser has said what is in sight. */
export const twoFrames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Waits for the first heatmap of the document that is there, and for the two frames in which the open panels follow it. */
export async function firstMap(page) {
  await page.waitForFunction(() => performance.getEntriesByName('first-map').length > 0);
  await twoFrames(page);
}

/**
 * Opens the page with a state in its address (the fragment, without `#`) and waits for the first heatmap with its panels.
 * `folder` may be `SUB_FOLDER`; `map: false` returns as soon as the document is loaded.
 */
export async function openPage(page, fragment = '', { folder = '/', map = true } = {}) {
  await page.goto(fragment ? `${folder}#${fragment}` : folder);
  if (map) await firstMap(page);
}

/** Opens a page with nothing in it, in our origin: nothing but the test itself can be what is seen there. */
export async function openBlank(page) {
  const body = '<!doctype html><html lang="en"><title>blank</title><link rel="icon" href="data:,"></html>';
  await page.route('/blank', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('/blank');
}

/**
 * The pixels of a canvas as `{ width, height, data }`, RGBA row by row. Read from a copy: Chromium warns of repeated reading of a
 * canvas that was not made for it, and a test must not change what it looks at.
 */
export async function readCanvas(locator) {
  const { width, height, text } = await locator.evaluate((canvas) => {
    const copy = document.createElement('canvas');
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let text = '';
    for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
    return { width: copy.width, height: copy.height, text: btoa(text) };
  });
  return { width, height, data: new Uint8Array(Buffer.from(text, 'base64')) };
}
