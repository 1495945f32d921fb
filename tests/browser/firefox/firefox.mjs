// Firefox for the suites in this folder: Playwright cannot drive a distribution's Firefox, puppeteer can.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { firefox } from '../browsers.mjs';
import { atRest } from '../idle.mjs';
import { tellViolations } from '../policy.mjs';
import { serve } from '../server.mjs';

/** WebGPU, which Firefox switches off on Linux, on whatever driver there is. */
export const WEBGPU = { 'dom.webgpu.enabled': true, 'gfx.webgpu.ignore-blocklist': true };

/** What makes the system say that it has no Vulkan driver. */
export const NO_DRIVER = { VK_DRIVER_FILES: '/nonexistent', VK_ICD_FILENAMES: '/nonexistent' };

/** How long a busy machine may take for what is done in a second. */
const PATIENCE = 60_000;

/** What makes Firefox save every file in `folder`. Otherwise it asks in a window of its own, which takes the focus from the page. */
const savingIn = (folder) => ({
  'browser.download.folderList': 2,
  'browser.download.dir': folder,
  'browser.download.useDownloadDir': true,
  'browser.download.always_ask_before_handling_new_types': false,
  'browser.download.alwaysOpenPanel': false,
});

/**
 * Starts a server and Firefox with these preferences and variables; resolves to `{ origin, browser, folder, open, saved, close }`.
 * `saved(act)` resolves to name and bytes of the one file that `act` makes the page save.
 */
export async function start({ preferences = {}, variables = {} } = {}) {
  const [server, folder] = [await serve(), await mkdtemp(join(tmpdir(), 'saved-'))];
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox(),
    headless: true,
    timeout: 2 * PATIENCE,
    extraPrefsFirefox: { ...savingIn(folder), ...preferences },
    env: { ...process.env, ...variables },
  });
  return {
    origin: server.origin,
    browser,
    folder,
    open: (fragment, options) => open(browser, options?.origin ?? server.origin, fragment, options),
    saved: (act) => saved(folder, act),
    close: async () => {
      await Promise.all([browser.close(), server.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The files of `folder` that are whole: Firefox keeps a place for one by an empty file, and writes into another beside it. */
async function whole(folder) {
  const names = await readdir(folder);
  const files = await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
  return names.some((name) => name.endsWith('.part')) ? [] : files.filter(({ bytes }) => bytes.length > 0);
}

async function saved(folder, act, patience = PATIENCE) {
  for (const name of await readdir(folder)) await rm(join(folder, name));
  await act();
  for (const end = Date.now() + patience; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) {
    // A file that is moved between two looks is seen the next time.
    const files = await whole(folder).catch(() => []);
    if (files.length) {
      assert.equal(files.length, 1, files.map(({ name }) => name).join(' '));
      return files[0];
    }
  }
  throw new Error(`nothing was saved: ${await readdir(folder)}`);
}

/**
 * A fresh page with a state in its address, its first heatmap painted. `page.assertQuiet()` fails on console errors and warnings,
 * uncaught errors and requests to another origin seen so far, `page.problems()` says which. `before` may prepare the page.
 */
async function open(browser, origin, fragment = '', { folder = '/', before = () => {} } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await before(page);
  const problems = [];
  page.on('console', (message) => ['error', 'warn'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (url.startsWith('http') && !url.startsWith(`${origin}/`)) problems.push(`request to another origin: ${url}`);
  });
  await page.evaluateOnNewDocument(tellViolations);
  page.problems = () => problems;
  page.assertQuiet = () => assert.deepEqual(problems, []);
  await page.goto(origin + folder + (fragment && `#${fragment}`));
  await idle(page);
  return page;
}

/** Waits until the page is idle, with the picture of its state. */
export async function idle(page) {
  const root = await page.waitForSelector(':root');
  assert.equal(await root.evaluate(atRest, PATIENCE), '', 'data-idle');
}
