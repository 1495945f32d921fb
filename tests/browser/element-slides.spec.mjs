// The element on slides: scaled by the deck, which turns its slides by keys and fingers as well.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { allReady, expect, expectPicture, test, withElement } from './element.mjs';
import { subset } from './extent.mjs';
import { idle } from './fixture.mjs';
import { readout } from './helpers.mjs';
import { plot } from './helpers-pixels.mjs';

const TOKENS = ['the', 'cat', 'sat', 'on', 'our', 'mat'];
const ELEMENT = `<attention-playground tokens="${TOKENS.join(' ')}" heads="4" controls="heads mask paint save"></attention-playground>`;
const SCALES = subset([0.6, 1.1, 1.5], (scale) => scale !== 1.1);
const WIDE = 960;
const HIGH = 700;

const deck = createRequire(import.meta.url).resolve('reveal.js');
const [SCRIPT, STYLE] = await Promise.all(['reveal.js', 'reveal.css'].map((name) => readFile(new URL(name, `file://${deck}`))));

/** Where the middle of a cell is in the window, however the map is scaled there. */
async function cellAt(page, [row, column]) {
  const { left, top, width, height, image } = await plot(page);
  const box = await page.locator('#map canvas.picture').boundingBox();
  const n = TOKENS.length;
  return {
    x: box.x + ((left + ((column + 0.5) * width) / n) * box.width) / image.width,
    y: box.y + ((top + ((row + 0.5) * height) / n) * box.height) / image.height,
  };
}

const chosen = (page) => withElement(page, ({ snapshot }) => snapshot.cell && [snapshot.cell.query, snapshot.cell.key]);
const settings = (page) => withElement(page, ({ settings }) => settings);

/** The map means the cell that is seen below the mouse, at its ends too. */
async function expectMouseRight(page, said) {
  for (const cell of [[0, 0], [5, 5], [2, 4]]) {
    const { x, y } = await cellAt(page, cell);
    await page.mouse.move(x, y);
    await expect.poll(async () => { const { query, key } = await readout(page); return [query, key]; }, said).toEqual(cell.map((at) => TOKENS[at]));
    await page.mouse.click(x, y);
    await expect.poll(() => chosen(page), said).toEqual(cell);
    await page.keyboard.press('Escape');
  }
}

/** A finger that comes down, moves and leaves. */
async function swipe(page, from, to) {
  const touch = await page.context().newCDPSession(page);
  const send = (type, ...touchPoints) => touch.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', from);
  for (const share of [0.25, 0.5, 0.75, 1]) await send('touchMove', { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) });
  await send('touchEnd');
  await touch.detach();
}

const slide = (page) => page.evaluate(() => globalThis.Reveal.getIndices().h);

const HEAD = '<link rel="stylesheet" href="/reveal.css"><style>html, body, main { height: 100%; margin: 0 } main > :not(.reveal) { display: none }</style>';
const inDeck = (slides) => `<div class="reveal"><div class="slides">${slides}</div></div><script src="/reveal.js"></script>`;

const serveDeck = ({ pages }) => {
  pages.set('/reveal.js', { body: SCRIPT, headers: { 'content-type': 'text/javascript' } });
  pages.set('/reveal.css', { body: STYLE, headers: { 'content-type': 'text/css' } });
};

/** Opens a deck whose second of three slides is the element. */
async function openDeck(page, host) {
  serveDeck(host);
  const slides = `<section><h2>First</h2></section><section><h2 id="head" style="margin: 0">Attention</h2>${ELEMENT}</section><section><h2>Third</h2></section>`;
  await host.open(page, inDeck(slides), { head: HEAD });
  await page.evaluate(([width, height]) => globalThis.Reveal.initialize({ width, height, margin: 0, minScale: 0.1, maxScale: 3, hash: false, transition: 'none', touch: true }), [WIDE, HIGH]);
}

async function scaleDeck(page, scale) {
  await page.setViewportSize({ width: Math.round(WIDE * scale), height: Math.round(HIGH * scale) });
  await expect.poll(() => page.evaluate(() => globalThis.Reveal.getScale())).toBeCloseTo(scale, 2);
  await page.evaluate(() => globalThis.Reveal.slide(1));
  await idle(page.locator('.mount'));
}

test.use({ hasTouch: true });

test('on slides of every scale: mouse, finger and keys mean the cell that is seen, and turn no slide', async ({ page, host }) => {
  test.setTimeout(120_000);
  await openDeck(page, host);
  for (const scale of SCALES) {
    await scaleDeck(page, scale);
    const said = { message: `at ${scale}` };
    await expectMouseRight(page, said);

    const tapped = await cellAt(page, [4, 1]);
    await page.touchscreen.tap(tapped.x, tapped.y);
    await expect.poll(() => chosen(page), said).toEqual([4, 1]);
    const slider = await page.locator('#heads').boundingBox();
    const level = slider.y + slider.height / 2;
    await swipe(page, { x: slider.x + slider.width / 2, y: level }, { x: slider.x + slider.width - 2, y: level });
    await expect.poll(async () => (await settings(page)).heads, said).toBe(8);
    await withElement(page, (one) => { one.heads = 4; });
    await expectPicture(page.locator('attention-playground'), 'text=the');
    await page.locator('#paint').click();
    await swipe(page, await cellAt(page, [3, 1]), await cellAt(page, [3, 4]));
    await expect(page.locator('#mask-count'), said).toContainText('32 of 36');
    await page.locator('#paint-clear').click();
    await page.locator('#paint').click();
    expect(await slide(page), `by finger, at ${scale}`).toBe(1);

    await page.locator('#map').focus();
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowDown', ' ', 'Home', 'End', 'Escape']) await page.keyboard.press(key);
    await page.locator('#paint').focus();
    for (const key of ['Space', 'Enter']) await page.keyboard.press(key);
    expect(await page.evaluate(() => [globalThis.Reveal.getIndices().h, globalThis.Reveal.isOverview(), globalThis.Reveal.isPaused()]), `by key, at ${scale}`).toEqual([1, false, false]);
  }

  await page.locator('#map').focus();
  await page.keyboard.press('b');
  expect(await page.evaluate(() => globalThis.Reveal.isPaused()), 'a letter of the deck').toBe(true);
  await page.keyboard.press('b');
  const before = await chosen(page);
  await page.keyboard.press('PageDown');
  expect([await slide(page), await chosen(page)], 'a presenter').toEqual([2, before]);
  await page.keyboard.press('PageUp');
  const head = await page.locator('#head').boundingBox();
  await swipe(page, { x: head.x + head.width / 2 + 100, y: head.y + 20 }, { x: head.x + head.width / 2 - 100, y: head.y + 20 });
  expect(await slide(page), 'a finger on the slide itself').toBe(2);
});

test('within zoom: the mouse means the cell that is seen, and what opens stands by its button', async ({ page, host }) => {
  await page.setViewportSize({ width: 1500, height: 1100 });
  await host.open(page, `<div id="around" style="width: ${WIDE}px">${ELEMENT}</div>`);
  for (const zoom of SCALES) {
    await page.locator('#around').evaluate((around, zoom) => { around.style.zoom = zoom; }, zoom);
    await idle(page.locator('.mount'));
    await expectMouseRight(page, { message: `zoom ${zoom}` });
    await page.locator('#save').click();
    const [button, panel] = [await page.locator('#save').boundingBox(), await page.locator('#save-panel').boundingBox()];
    const side = Math.max(8, button.x + button.width - panel.width);
    expect(Math.abs(panel.x - side), `zoom ${zoom}: ${JSON.stringify([button, panel])}`).toBeLessThan(1.5);
    await page.keyboard.press('Escape');
    await expect(page.locator('#save-panel')).toBeHidden();
  }
});

test('a deck and a book hold it as the course page says', async ({ page, host, server }) => {
  const text = (await readFile(new URL('../../docs/course.md', import.meta.url), 'utf8')).replaceAll('https://playground.example', server.origin);
  const blocks = (language) => [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code);
  const [section, start] = ['<section>', 'Reveal.initialize'].map((part) => blocks('html').find((block) => block.includes(part)));
  serveDeck(host);
  await page.setViewportSize({ width: 1500, height: 900 });
  await host.open(page, inDeck(section) + start, { head: HEAD, script: false });
  await expect(page.locator('.reveal.ready')).toBeVisible();
  // Laid out as it is: in the middle of a slide that is 700 px high. Scaled by it, each of six rows is whole pixels of another size.
  const { top, height } = await page.locator('.slides > section').evaluate((one) => ({ top: one.offsetTop, height: one.offsetHeight }));
  expect(height).toBeGreaterThan(500);
  expect(Math.abs(2 * top + height - HIGH)).toBeLessThan(6);

  const module = blocks('js').find((block) => block.includes('export default { render'));
  host.pages.set('/attention.mjs', { body: module, headers: { 'content-type': 'text/javascript' } });
  await host.open(page, '<div id="cell"></div>', { script: false });
  await page.evaluate(async () => {
    const { default: widget } = await import('/attention.mjs');
    widget.render({ el: document.getElementById('cell') });
  });
  await allReady(page);
  await expectPicture(page.locator('#cell > attention-playground'), 'lesson=06-masks');
});
