// Files out of another browser, and into it.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { npy, npz } from '../helpers-files.mjs';
import { start } from './firefox.mjs';

let session;
let page;
before(async () => { session = await start(); });
after(() => session?.close());
afterEach(async () => {
  page?.assertQuiet();
  await page?.close();
  page = undefined;
});

const SETTING = 'v=1&text=the+cat+saw+the+dog&weights=random&heads=4&kv_heads=2&d_k=3&d_model=10&mask=causal';

const pick = (name, value) => page.click(`label:has(input[name="${name}"][value="${value}"])`);
const text = (selector) => page.$eval(selector, ({ textContent }) => textContent);

/** Chunks of a PNG, their sums checked. */
function chunks(bytes) {
  assert.deepEqual([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const found = {};
  let at = 8;
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at);
    found[bytes.toString('latin1', at + 4, at + 8)] ??= bytes.subarray(at + 8, at + 8 + length);
    at += 12 + length;
  }
  assert.equal(at, bytes.length);
  assert.deepEqual(Object.keys(found).at(-1), 'IEND');
  return found;
}

/** Pixels of a picture, drawn once more: how many colours, and whether its corner is of the ground. */
const drawn = (bytes, type) => page.evaluate(async (base64, type) => {
  const image = new Image();
  image.src = `data:${type};base64,${base64}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const data = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return { width: canvas.width, height: canvas.height, corner: [...new Uint8Array(data.slice(0, 1).buffer)], colours: new Set(data).size };
}, bytes.toString('base64'), type);

for (const lang of ['en', 'zh']) {
  test(`a PNG has the size that the panel says (${lang})`, async () => {
    page = await session.open(`${SETTING}&lang=${lang}`);
    await page.click('#save');
    await pick('save-format', 'png');
    for (const [scale, perMetre] of [['3', 11339], ['1', 3780]]) {
      await pick('save-scale', scale);
      const [width, height] = (await text('#save-size')).match(/\d+/g).map(Number);
      const { name, bytes } = await session.saved(() => page.click('#save-take'));
      assert.equal(name, 'attention-head-1-weights-causal.png');
      const { IHDR, pHYs } = chunks(bytes);
      assert.deepEqual([IHDR.readUInt32BE(0), IHDR.readUInt32BE(4)], [width, height]);
      assert.deepEqual([pHYs.readUInt32BE(0), pHYs.readUInt32BE(4), pHYs[8]], [perMetre, perMetre, 1]);
      const picture = await drawn(bytes, 'image/png');
      assert.deepEqual([picture.width, picture.height, picture.corner], [width, height, [255, 255, 255, 255]]);
      assert.ok(picture.colours > 20, `${picture.colours} colours`);
      assert.ok((await text('#save-said')).includes(name));
    }
  });
}

test('an SVG is a picture with the words of the map', async () => {
  page = await session.open(SETTING);
  await page.click('#save');
  const { name, bytes } = await session.saved(() => page.click('#save-take'));
  assert.equal(name, 'attention-head-1-weights-causal.svg');
  const words = await page.evaluate((file) => {
    const xml = new DOMParser().parseFromString(file, 'image/svg+xml');
    return [...xml.querySelectorAll('text')].map(({ textContent }) => textContent);
  }, bytes.toString('utf8'));
  for (const word of ['the', 'cat', 'saw', 'dog']) assert.ok(words.includes(word), words.join(' '));
  assert.ok((await drawn(bytes, 'image/svg+xml')).colours > 20);
});

test('an archive holds every tensor, the numbers of the map among them', async () => {
  page = await session.open(`${SETTING}&open=data`);
  const { name, bytes } = await session.saved(() => page.click('#data-all'));
  assert.equal(name, 'attention.npz');
  assert.equal(bytes.toString('latin1', 0, 2), 'PK');
  const tensors = npz(bytes);
  assert.deepEqual([tensors.weights.shape, tensors.k.shape], [[4, 5, 5], [2, 5, 3]]);
  await page.click('#save');
  await page.select('#numbers-kind', 'npy');
  const map = await session.saved(() => page.click('#numbers-take'));
  const { shape, data } = npy(map.bytes);
  assert.deepEqual(shape, [5, 5]);
  assert.deepEqual(data, tensors.weights.data.slice(0, 25));
});

/** Finished weights of two heads, three queries and five keys. */
const WEIGHTS = [1, 2].map((head) => [0, 1, 2].map((query) => {
  const raw = Array.from({ length: 5 }, (_, key) => Math.exp(Math.sin(7 * head + 5 * query + key)));
  return raw.map((weight) => weight / raw.reduce((a, b) => a + b));
}));

/** What the map shows, as its table says it. */
const table = async (rows, columns) => {
  const size = { rows: String(rows), columns: String(columns) };
  await page.waitForFunction((size) => Object.entries(size).every(([name, value]) => document.querySelector('#map').dataset[name] === value), {}, size);
  await page.evaluate(() => void (document.querySelector('#as-table').open = true));
  await page.waitForFunction((rows) => document.querySelectorAll('#as-table tbody tr').length === rows, {}, rows);
  return page.$$eval('#as-table tbody tr', (rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))));
};

const assertNear = (cells, wanted) => wanted.flat().forEach((weight, at) => assert.ok(Math.abs(cells.flat()[at] - weight) < 0.001, `${at}: ${cells.flat()[at]}, not ${weight}`));

test('a file that is chosen becomes the map, is saved with its setting, and comes back where that is dropped', async () => {
  page = await session.open('v=1&open=data');
  const path = join(session.folder, 'attention.json');
  await writeFile(path, JSON.stringify(WEIGHTS));
  await (await page.$('#import-file')).uploadFile(path);
  await page.waitForSelector('#import-dialog-take', { visible: true });
  assert.match(await text('#import-dialog-parts'), /\[2, 3, 5\] = heads × queries × keys/);
  await page.click('#import-dialog-take');
  assertNear(await table(3, 5), WEIGHTS[0]);
  const { bytes } = await session.saved(() => page.click('#imported-save'));
  await page.click('#imported-clear');
  await table(11, 11);
  // Puppeteer has no hand that holds a file over a page.
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'setting.json'));
    for (const type of ['dragover', 'drop']) document.querySelector('#map').dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
  }, bytes.toString('utf8'));
  assertNear(await table(3, 5), WEIGHTS[0]);
});

test('a file that is no numbers is refused in words and changes nothing', async () => {
  page = await session.open('v=1&open=data');
  const path = join(session.folder, 'broken.npy');
  await writeFile(path, 'not an array');
  await (await page.$('#import-file')).uploadFile(path);
  // The dialog is there before the file is read.
  await page.waitForFunction(() => /broken/.test(document.querySelector('#import-dialog-refusal').textContent));
  assert.ok(await page.$eval('#import-dialog', (dialog) => dialog.checkVisibility()));
  assert.equal(await text('#import-dialog-refusal'), 'broken.npy: This is none of the supported formats: CSV, JSON, NPY, NPZ, safetensors.');
  assert.equal(await page.$eval('#map', ({ dataset }) => dataset.rows), '11');
});
