// Firefox for the suites in this folder: Playwright cannot drive a distribution's Firefox, puppeteer can.

import assert from 'node:assert/strict';
import puppeteer from 'puppeteer-core';
import { firefox } from '../browsers.mjs';
import { tellViolations } from '../policy.mjs';
import { serve } from '../server.mjs';

/** WebGPU, which Firefox switches off on Linux, on whatever driver there is. */
export const WEBGPU = { 'dom.webgpu.enabled': true, 'gfx.webgpu.ignore-blocklist': true };

/** What makes the system say that it has no Vulkan driver. */
export const NO_DRIVER = { VK_DRIVER_FILES: '/nonexistent', VK_ICD_FILENAMES: '/nonexistent' };

/** Starts a server and Firefox with these preferences and variables; resolves to `{ origin, browser, open, close }`. */
export async function start({ preferences = {}, variables = {} } = {}) {
  const server = await serve();
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox(),
    headless: true,
    extraPrefsFirefox: preferences,
    env: { ...process.env, ...variables },
  });
  return {
    origin: server.origin,
    browser,
    open: (fragment, options) => open(browser, options?.origin ?? server.origin, fragment, options),
    close: () => Promise.all([browser.close(), server.close()]),
  };
}

/**
 * A fresh page with a state in its address, its first heatmap painted. `page.assertQuiet()` fails on console errors and warnings,
 * uncaught errors and requests to another origin seen so far, `page.problems()` says which. `before` may prepare the page.
 */
async function open(browser, origin, fragment = '', { folder = '/', before = () => {} } = {}) {
  const page = await browser.newPage();
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
  await page.waitForFunction(() => performance.getEntriesByName('first-map').length > 0, { timeout: 15_000 });
  return page;
}
