// The service worker in another browser: one visit, then no network.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { publish } from '../helpers-host.mjs';
import { idle, start } from './firefox.mjs';

let session;
let site;
after(() => Promise.all([session?.close(), site?.remove()]));

test('after one visit the page opens and computes without a network', async () => {
  [session, site] = [await start(), await publish()];
  const page = await session.open('', { origin: site.origin });
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await site.stop();
  await page.goto('about:blank');
  await page.goto(`${site.origin}/#v=1&weights=random&heads=3`);
  await idle(page);
  const backend = await page.evaluate(async () => (await attentionPlayground.compute({ q: [[[1, 2]]], k: [[[1, 2]]], v: [[[3]]], backend: 'cpu' })).backend);
  assert.equal(backend, 'cpu');
  assert.equal(await page.$eval('#heads-number', (field) => field.value), '3');
});
