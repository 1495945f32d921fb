// The main path once more in another browser: real numbers, a slider that changes the picture, texts, links.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { idle, start } from './firefox.mjs';

let session;
let page;
before(async () => { session = await start(); });
after(() => session?.close());
afterEach(async () => {
  page?.assertQuiet();
  await page?.close();
});
beforeEach(() => { page = undefined; });

const shown = () => page.$eval('#map', (map) => ({ ...map.dataset }));
const until = async (settings) => {
  await idle(page);
  const found = Object.fromEntries(new URLSearchParams(await page.evaluate(() => location.hash.slice(1))));
  for (const [key, value] of Object.entries(settings)) assert.equal(found[key], value, key);
};

/** A number that stands for the pixels of the map (FNV-1a). */
const pixels = () => page.$eval('#map .picture', (canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5);
});

const table = async () => {
  await page.evaluate(() => void (document.querySelector('#as-table').open = true));
  await idle(page);
  return page.$$eval('#as-table tbody tr', (rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))));
};

const assertSums = (cells) => cells.forEach((row, at) => {
  const sum = row.reduce((sum, cell) => sum + cell, 0);
  assert.ok(Math.abs(sum - 1) < 0.0005 * row.length + 1e-6, `row ${at} sums to ${sum}`);
});

test('the first picture holds real numbers', async () => {
  page = await session.open();
  const { rows, columns, backend } = await shown();
  assert.deepEqual([rows, columns, backend], ['12', '12', 'cpu']);
  const cells = await table();
  assert.equal(cells.length, 12);
  assertSums(cells);
  assert.ok(cells[7][1] > 0.4, '"it" looks at "animal"');
});

test('a slider changes the pixels and back', async () => {
  page = await session.open('v=1&weights=random');
  const before = await pixels();
  await page.focus('#d-k');
  await page.keyboard.press('ArrowRight');
  await until({ d_k: '32' });
  assert.notEqual(await pixels(), before);
  await page.keyboard.press('ArrowLeft');
  await until({ d_k: undefined });
  assert.equal(await pixels(), before);
});

test('a text is typed, and Chinese is split per character', async () => {
  page = await session.open('v=1');
  await page.focus('#text');
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type('two cats');
  await until({ text: 'two cats' });
  assert.equal((await shown()).rows, '2');
  await page.keyboard.type('我爱猫。');
  await until({ text: 'two cats我爱猫。' });
  assert.equal((await shown()).rows, '6');
  assertSums(await table());
});

test('a link opens with its numbers, reloaded too, and back goes back', async () => {
  page = await session.open('v=1&text=a+link+with+five+words&weights=random&seed=5&heads=3&head=2&theme=dark&lang=zh');
  const [cells, before] = [await table(), await pixels()];
  assert.equal(cells.length, 5);
  await page.reload();
  await idle(page);
  assert.deepEqual(await table(), cells);
  assert.equal(await pixels(), before);
  assert.match(await page.$eval('h1', (title) => title.textContent), /\p{Script=Han}/u);
  await page.click('#scaled');
  await until({ scaled: '0' });
  await page.goBack();
  await until({ scaled: undefined });
  assert.equal(await pixels(), before);
});

test('cross-attention and a mask', async () => {
  page = await session.open();
  await page.select('#presets', 'translation');
  await until({ source: 'I love machine learning' });
  const { rows, columns } = await shown();
  assert.deepEqual([rows, columns], ['5', '4']);
  assertSums(await table());
  await page.select('#presets', 'animal');
  // Until the map has its size again, what stands below it moves away from a click.
  await idle(page);
  await page.click('input[name="mask"][value="causal"]');
  await until({ mask: 'causal' });
  assert.equal((await shown()).rows, '11');
});
