// A frame whose sandbox gives it no origin, in a second browser engine.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { serve } from '../server.mjs';
import { start } from './firefox.mjs';

const sites = {};
let [host, session] = [];

before(async () => {
  sites.shared = await serve();
  sites.bare = await serve({ isShared: false });
  host = createServer(({ url }, response) => {
    const site = sites[url.slice(1)];
    const body = site && `<!doctype html><html lang="en"><title>host</title><link rel="icon" href="data:,">
      <script>globalThis.heard = []; addEventListener('message', ({ data }) => heard.push(data.type));</script>
      <iframe sandbox="allow-scripts" width="700" height="500" src="${site.origin}/#embed&amp;v=1"></iframe></html>`;
    response.writeHead(body ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(body);
  });
  await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
  session = await start();
});
after(async () => {
  await session?.close();
  host?.close();
  for (const site of Object.values(sites)) await site.close();
});

async function open(name) {
  const page = await session.browser.newPage();
  await page.goto(`http://localhost:${host.address().port}/${name}`);
  const frame = await (await page.$('iframe')).contentFrame();
  return { page, frame };
}

test('works where the site of the files lets every origin read them', async () => {
  const { page, frame } = await open('shared');
  await page.waitForFunction(() => globalThis.heard.includes('ready'));
  assert.deepEqual(await frame.evaluate(() => [origin, document.querySelector('#map').dataset.step]), ['null', 'weights']);
});

test('is told in plain words where it does not', async () => {
  const { frame } = await open('bare');
  await frame.waitForSelector('.stranded p', { visible: true });
  const [words, hidden] = await frame.evaluate(() => [document.querySelector('.stranded').textContent, document.querySelector('#playground').getClientRects().length === 0]);
  for (const said of ['allow-same-origin', '注意力游乐场未能启动']) assert.ok(words.includes(said), words);
  assert.ok(hidden);
});
