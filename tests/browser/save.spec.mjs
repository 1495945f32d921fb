// Taking pictures away: files that show what the page shows, by pointer and by keyboard.

import fs from 'node:fs';
import { subset } from './extent.mjs';
import { expect, isolated, openPage, test } from './fixture.mjs';
import { cell, plot } from './helpers-pixels.mjs';
import { link } from './helpers.mjs';

const WORDS = ['The', 'animal', "didn't", 'cross', 'the', 'street', 'because', 'it', 'was', 'too', 'tired'];

const pick = (page, name, value) => page.locator(`label:has(input[name="save-${name}"][value="${value}"])`).click();

/** Saves what is chosen: the name of the file and its bytes. */
async function take(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save-take').click()]);
  return { name: download.suggestedFilename(), bytes: fs.readFileSync(await download.path()) };
}

/** Opens the panel and saves the large map as it is, or as these choices say. */
async function saveMap(page, choices = {}) {
  await page.locator('#save').click();
  for (const [name, value] of Object.entries(choices)) await pick(page, name, value);
  return take(page);
}

/** A picture's pixels as `{ width, height, data }`, drawn by the browser `scale` times as large. */
async function pixels(page, bytes, type, scale = 1) {
  const drawn = await page.evaluate(async ([base64, type, scale]) => {
    const image = new Image();
    image.src = `data:${type};base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: Math.round(image.naturalWidth * scale), height: Math.round(image.naturalHeight * scale) });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let text = '';
    for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
    return { width: canvas.width, height: canvas.height, text: btoa(text) };
  }, [bytes.toString('base64'), type, scale]);
  return { width: drawn.width, height: drawn.height, data: Buffer.from(drawn.text, 'base64') };
}

/** What a file of shapes says: valid XML with these texts, its size, and where its cells lie. */
const read = (page, bytes) => page.evaluate((file) => {
  const xml = new DOMParser().parseFromString(file, 'image/svg+xml');
  if (xml.querySelector('parsererror')) throw new Error(xml.documentElement.textContent);
  const number = (node, name) => Number(node.getAttribute(name));
  const maps = [...xml.querySelectorAll('g[shape-rendering]')].map((group) => {
    const [left, top] = group.parentNode.getAttribute('transform').match(/[\d.]+/g).map(Number);
    const rects = [...group.children].map((rect) => ({
      x: left + number(rect, 'x'), y: top + number(rect, 'y'), width: number(rect, 'width'), height: number(rect, 'height'), fill: rect.getAttribute('fill'),
    }));
    return rects;
  });
  return {
    texts: [...xml.querySelectorAll('text')].map((text) => text.textContent),
    title: xml.querySelector('title').textContent,
    description: xml.querySelector('desc').textContent,
    lang: xml.documentElement.getAttribute('lang'),
    ground: xml.querySelector('rect').getAttribute('fill'),
    width: xml.documentElement.getAttribute('width'),
    elements: [...new Set([...xml.querySelectorAll('*')].map((node) => node.localName))],
    maps,
  };
}, bytes.toString('utf8'));

const colour = ({ width, data }, x, y) => {
  const at = 4 * (Math.floor(y) * width + Math.floor(x));
  return (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
};

const isCausal = (row, column) => column <= row;

/** Every visible cell of the page's map with its colour there, as [row, column, colour]. */
async function onPage(page, size, isVisible = () => true) {
  const map = await plot(page);
  const cells = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const { flat } = cell(map, [size, size], [row, column]);
      if (isVisible(row, column)) cells.push([row, column, flat]);
    }
  }
  return cells;
}

/** The first cell's upper left corner and the size of a cell: the plot of a map without hidden corners on its diagonal. */
function grid(rects, size) {
  const [left, top] = [Math.min(...rects.map((rect) => rect.x)), Math.min(...rects.map((rect) => rect.y))];
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.height));
  const side = (bottom - top) / size;
  return { at: (row, column, share = 0.12) => [left + (column + share) * side, top + (row + share) * side], side };
}

test('the file of shapes has the words as text and the colours of the map', async ({ page }) => {
  await openPage(page, link({ mask: 'causal' }));
  const cells = await onPage(page, 11, isCausal);
  expect(cells).toHaveLength(66);
  const { name, bytes } = await saveMap(page);
  expect(name).toBe('attention-head-1-weights-causal.svg');
  const file = await read(page, bytes);
  for (const word of WORDS) expect(file.texts.filter((text) => text === word).length, word).toBeGreaterThanOrEqual(2);
  expect(file.texts).toEqual(expect.arrayContaining(['query ↓', 'key →', '0.68', 'hidden by the mask', 'weights · head 1 · pronoun → noun']));
  expect(file.width).toMatch(/^1[67]\d(\.\d+)?mm$/);
  expect(file.title).toBe('weights · head 1 · pronoun → noun');
  expect(file.description).toContain('mask=causal');
  expect(file.ground).toBe('#ffffff');
  expect(file.elements).not.toContain('script');
  const image = await pixels(page, bytes, 'image/svg+xml', 2);
  const { at } = grid(file.maps[0], 11);
  for (const [row, column, wanted] of cells) {
    const [x, y] = at(row, column);
    expect(colour(image, 2 * x, 2 * y), `${row}, ${column}`).toBe(wanted);
  }
});

test('the file of pixels has the colours of the map, and says its density', async ({ page }) => {
  const scale = 2;
  await openPage(page, link({ mask: 'causal' }));
  const cells = await onPage(page, 11, isCausal);
  const { bytes: shapes } = await saveMap(page);
  const { at } = grid((await read(page, shapes)).maps[0], 11);
  await pick(page, 'format', 'png');
  await pick(page, 'scale', scale);
  await expect(page.locator('#save-size')).toContainText(`${96 * scale} per inch`);
  const said = (await page.locator('#save-size').textContent()).match(/\d+/g).map(Number);
  const { name, bytes } = await take(page);
  expect(name).toBe('attention-head-1-weights-causal.png');
  const image = await pixels(page, bytes, 'image/png');
  expect([image.width, image.height]).toEqual(said.slice(0, 2));
  for (const [row, column, wanted] of cells) {
    const [x, y] = at(row, column);
    expect(colour(image, scale * x, scale * y), `${row}, ${column}`).toBe(wanted);
  }
  const place = bytes.indexOf('pHYs');
  expect(place).toBe(37);
  expect(Math.abs(bytes.readUInt32BE(place + 4) * 0.0254 - 96 * scale)).toBeLessThan(0.1);
  expect(bytes[place + 12]).toBe(1);
});

/** Natively each subject has a figure. */
const PICTURES = {
  heads: ['attention-all-heads-causal.svg', 4],
  compare: ['attention-head-1-compared-causal.svg', 3],
  cost: ['attention-cost.svg', 0],
};

test('a chart, the comparison and all heads can be saved', async ({ page }) => {
  await openPage(page, link({ mask: 'causal', open: 'compare,cost,analysis', against: 'mask=local' }));
  await expect(page.locator('#versus-maps')).toBeVisible();
  await page.locator('#save').click();
  for (const [subject, [wanted, maps]] of Object.entries(PICTURES)) {
    await page.locator('#save-subject').selectOption(subject);
    const { name, bytes } = await take(page);
    expect(name).toBe(wanted);
    const file = await read(page, bytes);
    expect(file.maps, subject).toHaveLength(maps);
    expect(file.texts.length, subject).toBeGreaterThan(6);
    expect(file.texts.join(' '), subject).not.toMatch(/[{}]|NaN|undefined/);
    await pixels(page, bytes, 'image/svg+xml');
  }
});

test('the button of each chart opens the panel with its own picture, and gets the focus back', async ({ page }) => {
  await openPage(page, link({ open: 'compare,cost,analysis', view: 'curves', against: 'mask=local' }));
  await expect(page.locator('#versus-maps')).toBeVisible();
  await expect(page.locator('#chart-similar td').first()).toBeVisible();
  for (const subject of ['curves', 'compare', 'similar']) {
    const button = page.locator(`[data-picture="${subject}"]`).first();
    await button.scrollIntoViewIfNeeded();
    await button.press('Enter');
    await expect(page.locator('#save-panel')).toBeVisible();
    await expect(page.locator('#save-subject')).toHaveValue(subject);
    await expect(page.locator('#save-preview')).toHaveAttribute('src', /^blob:/);
    await page.keyboard.press('Escape');
    await expect(page.locator('#save-panel')).toBeHidden();
    await expect(button).toBeFocused();
  }
});

isolated('a panel that is closed holds nothing of its picture', async ({ page, context }) => {
  await openPage(page);
  const devtools = await context.newCDPSession(page);
  // A picture of shapes is a document of its own to the browser.
  const documents = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Memory.getDOMCounters')).documents;
  };
  const preview = page.locator('#save-preview');
  await expect.poll(documents).toBe(1);
  for (let round = 0; round < 2; round++) {
    await page.locator('#save').click();
    await expect(preview).toHaveJSProperty('complete', true);
    await expect(preview).toHaveAttribute('src', /^blob:/);
    await expect.poll(documents, 'the page and the picture').toBe(2);
    await page.keyboard.press('Escape');
    await expect.poll(documents, 'the page alone').toBe(1);
    await expect(preview).not.toHaveAttribute('src');
  }
});

test('with the keyboard alone, and the focus comes back', async ({ page }) => {
  await openPage(page);
  await page.locator('#save').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#save-subject')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('#save-take')).toHaveText('Save as PNG');
  for (let press = 0; press < 12 && !(await page.locator('#save-take').evaluate((own) => own === document.activeElement)); press++) {
    await page.keyboard.press('Tab');
  }
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toBe('attention-head-1-weights.png');
  await expect(page.locator('#save-said')).toHaveText('Saved: attention-head-1-weights.png');
  await page.keyboard.press('Escape');
  await expect(page.locator('#save')).toBeFocused();
});

test('many cells are an embedded picture, which is said in words and is in the file of pixels as well', async ({ page }) => {
  await openPage(page, link({ text: Array.from({ length: 101 }, (_, at) => `w${at}`).join(' '), weights: 'random' }));
  await page.locator('#save').click();
  await expect(page.locator('#save-note')).toContainText('More than 10000 cells');
  await pick(page, 'format', 'png');
  await expect(page.locator('#save-note')).toHaveText('');
  const png = await take(page);
  const image = await pixels(page, png.bytes, 'image/png');
  const colours = new Set();
  for (let x = 0; x < image.width; x += 3) colours.add(colour(image, x, image.height / 2));
  expect(colours.size, 'the cells are on the picture').toBeGreaterThan(8);
});

const LOOKS = { 'light': [1280, {}], 'dark, Chinese': [1280, { theme: 'dark', lang: 'zh' }], '390 px': [390, {}], 'dark, 390 px': [390, { theme: 'dark' }] };

for (const [look, [width, settings]] of subset(Object.entries(LOOKS), (_, at) => [0, 3].includes(at))) {
  test(`the open panel is inside the window: ${look}`, async ({ page }) => {
    test.slow();
    await page.setViewportSize({ width, height: 800 });
    await openPage(page, link(settings));
    await page.locator('#save').click();
    await pick(page, 'format', 'png');
    // A picture that has come may make the panel higher, which then moves.
    await expect.poll(() => page.locator('#save-preview').evaluate((own) => own.complete && own.naturalWidth)).toBeGreaterThan(0);
    await expect(async () => {
      const box = await page.locator('#save-panel').boundingBox();
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y + box.height).toBeLessThanOrEqual(800);
    }).toPass({ timeout: 15_000 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}
