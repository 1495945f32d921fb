// The custom element in a second browser engine, on a page of another origin.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { serve } from '../server.mjs';
import { start } from './firefox.mjs';

let [site, host, session, page] = [];

before(async () => {
  site = await serve();
  const body = `<!doctype html><html lang="zh"><meta charset="utf-8"><title>host</title><link rel="icon" href="data:,">
    <script type="module" src="${site.origin}/attention-playground.js"></script>
    <div id="around"><attention-playground tokens="the cat sat" heads="4" mask="causal" controls="heads"></attention-playground></div></html>`;
  host = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body));
  await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
  session = await start();
  page = await session.browser.newPage();
  await page.goto(`http://localhost:${host.address().port}/`);
});
after(async () => {
  await session?.close();
  host?.close();
  await site?.close();
});

test('comes alive, speaks the language around, and follows properties', async () => {
  const found = await page.evaluate(async () => {
    const one = await document.querySelector('attention-playground').ready;
    const told = new Promise((resolve) => one.addEventListener('change', ({ detail }) => resolve([detail.by, detail.state.settings.heads]), { once: true }));
    one.heads = 8;
    return [await told, one.getAttribute('heads'), one.shadowRoot.querySelector('#backend-name').dataset.t ?? '', one.shadowRoot.querySelector('[data-t="heads"]').textContent];
  });
  assert.deepEqual(found, [['host', 8], '8', '', '头数']);
});

test('refuses a number each time that it is typed', async () => {
  const field = await page.$('attention-playground >>> #heads-number');
  const other = await page.$('attention-playground >>> #heads');
  for (const typed of ['99', 'abc', 'abc']) {
    await field.click({ count: 3 });
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
  }
  await field.click({ count: 3 });
  await page.keyboard.type('abc');
  await other.focus();
  assert.deepEqual(await field.evaluate(({ value, validity }) => [value, validity.badInput]), ['8', false]);
});

test('hears that the colours around have changed', async () => {
  const [light, dark] = await page.evaluate(async () => {
    const one = document.querySelector('attention-playground');
    const map = () => one.shadowRoot.querySelector('#map canvas').toDataURL();
    const light = map();
    document.getElementById('around').style.colorScheme = 'dark';
    while (map() === light) await new Promise((resolve) => setTimeout(resolve, 20));
    return [light.length > 100, getComputedStyle(one.shadowRoot.querySelector('.mount')).backgroundColor];
  });
  assert.deepEqual([light, dark], [true, 'rgb(20, 22, 28)']);
});

test('goes without a trace', async () => {
  const left = await page.evaluate(async () => {
    const one = document.querySelector('attention-playground');
    one.remove();
    for (let time = 0; time < 500 && one.shadowRoot.childElementCount; time++) await new Promise((resolve) => setTimeout(resolve, 20));
    return one.shadowRoot.childElementCount;
  });
  assert.equal(left, 0);
});
