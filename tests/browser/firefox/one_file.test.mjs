// The page as one file, in a second browser engine: from a disk, and in a frame whose sandbox gives it no origin.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { start } from './firefox.mjs';

const SITE = new URL('../../../dist/one-file.html', import.meta.url);

let session;
before(async () => { session = await start(); });
after(() => session?.close());

/** Shape of the weights, once the worker has given them, and what the page says of a failure. */
const alive = (page) => page.evaluate(async () => {
  const element = document.querySelector('attention-playground');
  for (let tries = 0; !element.ready && tries < 400; tries++) await new Promise((next) => setTimeout(next, 50));
  await element.ready;
  const { shape } = await element.tensor('weights');
  return { shape, failure: element.shadowRoot.querySelector('[data-failure]').getClientRects().length };
});

test('opens from a disk, at the setting of a link', async () => {
  const page = await session.browser.newPage();
  await page.goto(`${SITE.href}#v=1&text=a+b+c&heads=3`);
  assert.deepEqual(await alive(page), { shape: [3, 3, 3], failure: 0 });
  await page.close();
});

test('opens in a sandbox', async () => {
  const text = await readFile(SITE);
  const host = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(url === '/file' ? text : '<!doctype html><title>host</title><iframe sandbox="allow-scripts" src="/file" width="900" height="700"></iframe>');
  });
  await new Promise((listening) => host.listen(0, '127.0.0.1', listening));
  const page = await session.browser.newPage();
  await page.goto(`http://127.0.0.1:${host.address().port}/`);
  const frame = await (await page.$('iframe')).contentFrame();
  assert.deepEqual((await alive(frame)).failure, 0);
  await page.close();
  host.closeAllConnections();
  host.close();
});
