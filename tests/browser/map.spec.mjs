// Pointer and keyboard on the map, the thumbnails, and the ways to colour it.

import { expect, idle, isolated, openPage, readCanvas, test } from './fixture.mjs';
import { address, choose, drag, expectShown, link, named, number, picture, readout, reveal, shown, table } from './helpers.mjs';
import { bar, cell, difference, expectPixelsSay, middle, plot } from './helpers-pixels.mjs';

/** Four rows, six columns. */
const START = { text: 'we saw it there', source: 'the old cat slept outside again', heads: '5', weights: 'random', seed: '3', cell: '1' };
const SIZE = [4, 6];

const hover = async (page, drawn, at) => {
  const { x, y } = await middle(page, drawn, SIZE, at);
  await page.mouse.move(x, y);
};

test('the pointer reads both tokens and the exact value of every cell', async ({ page }) => {
  await openPage(page, link(START));
  const { rows, columns, cells } = await table(page);
  const drawn = await plot(page);
  for (const at of [[0, 5], [3, 0], [2, 2]]) {
    await hover(page, drawn, at);
    await idle(page);
    expect(await readout(page)).toMatchObject({ query: rows[at[0]], key: columns[at[1]] });
    const { value } = await readout(page);
    expect(Math.abs(number(value) - cells[at[0]][at[1]])).toBeLessThan(0.00051);
    expect(value.replace(/\D/g, '').length, 'exact: more digits than the table').toBeGreaterThan(5);
  }
});

test('the pointer moves a crosshair over an unchanged picture', async ({ page }) => {
  await openPage(page, link(START));
  const [drawn, before] = [await plot(page), await readCanvas(page.locator('#map .overlay'))];
  await hover(page, drawn, [2, 3]);
  await idle(page);
  expect((await readout(page)).key).toBe('slept');
  const after = await readCanvas(page.locator('#map .overlay'));
  expect(Buffer.compare(before.data, after.data)).not.toBe(0);
  expect(difference(drawn, await plot(page))).toBe(0);
  await page.mouse.move(2, 2);
  await idle(page);
  expect(Buffer.compare(before.data, (await readCanvas(page.locator('#map .overlay'))).data)).toBe(0);
});

test('click locks a cell, Escape releases it', async ({ page }) => {
  await openPage(page, link(START));
  const drawn = await plot(page);
  await hover(page, drawn, [1, 2]);
  await page.mouse.down();
  await page.mouse.up();
  await idle(page);
  expect(named(await address(page)).cell).toBe('2,3');
  await hover(page, drawn, [3, 5]);
  await idle(page);
  expect(await readout(page)).toMatchObject({ query: 'saw', key: 'cat' });
  await page.keyboard.press('Escape');
  await hover(page, drawn, [3, 4]);
  await idle(page);
  expect(await readout(page)).toMatchObject({ query: 'there', key: 'outside' });
  expect(named(await address(page)).cell).not.toBe('2,3');
});

test('arrow keys walk from cell to cell and stop at the edges', async ({ page }) => {
  await openPage(page, link({ ...START, cell: '1,1' }));
  await page.locator('#map').focus();
  const at = () => readout(page).then(({ query, key }) => [query, key]);
  for (const [key, tokens] of [
    ['ArrowRight', ['we', 'old']], ['ArrowDown', ['saw', 'old']], ['End', ['saw', 'again']], ['ArrowRight', ['saw', 'again']],
    ['Home', ['saw', 'the']], ['Control+End', ['there', 'again']], ['ArrowUp', ['it', 'again']], ['Control+Home', ['we', 'the']],
    ['PageDown', ['saw', 'the']],
  ]) {
    await page.keyboard.press(key);
    await idle(page);
    expect(await at(), key).toEqual(tokens);
  }
  await expect(page.locator('#map-cell')).toContainText('saw');
  await expect(page.locator('#map-cell')).toContainText('the');
});

test('words have the tint of their weights; with Linformer a column is no word', async ({ page }) => {
  const tints = () => page.locator('#text-shade span').evaluateAll((words) => words.map((word) => word.style.getPropertyValue('--weight')));
  await openPage(page);
  await idle(page);
  expect(await tints()).toContain('33%');
  await openPage(page, link({ linformer: '1' }));
  await expect(page.locator('#text-shade .is-query')).toHaveText('it');
  await idle(page);
  expect([...new Set(await tints())]).toEqual(['0%']);
});

test('a thumbnail for each head; choosing one enlarges it', async ({ page }) => {
  await openPage(page, link(START));
  const buttons = page.locator('#all-heads button');
  await expect(buttons).toHaveCount(5);
  const seen = [await plot(page)];
  for (const head of [4, 2, 5]) {
    await buttons.nth(head - 1).click();
    await expectShown(page, { head: String(head) });
    await expect(page.locator('#all-heads button[aria-pressed="true"]')).toHaveCount(1);
    await expect(buttons.nth(head - 1)).toHaveAttribute('aria-pressed', 'true');
    const now = await plot(page);
    for (const before of seen) expect(difference(before, now)).toBeGreaterThan(0.2);
    await expectPixelsSay(page, (await table(page)).cells);
    seen.push(now);
  }
});

test('a thumbnail has the colours of its map', async ({ page }) => {
  await openPage(page, link(START));
  const [drawn, image] = [await plot(page), await readCanvas(page.locator('#all-heads canvas').first())];
  expect([image.height, image.width]).toEqual(SIZE);
  for (const at of [[0, 0], [2, 4], [3, 5]]) {
    const start = 4 * (at[0] * 6 + at[1]);
    expect((image.data[start] << 16) | (image.data[start + 1] << 8) | image.data[start + 2]).toBe(cell(drawn, SIZE, at).flat);
  }
});

test('a log scale spreads small weights, and its colours still say the numbers', async ({ page }) => {
  await openPage(page, link({ ...START, seed: '12', d_k: '64', scaled: '0' }));
  const before = await plot(page);
  await choose(page, 'scale', 'log');
  await expectShown(page, { scale: 'log' });
  expect(difference(before, await plot(page))).toBeGreaterThan(0.2);
  const { cells } = await table(page);
  await expectPixelsSay(page, cells, { scale: 'log' });
});

test('the range of the colours holds still while a slider is dragged, and settles when it is let go', async ({ page }) => {
  await openPage(page, link({ ...START, temperature: '0.05' }));
  const numbers = async () => (await idle(page), (await readCanvas(page.locator('#colour-bar canvas'))).data);
  const before = await numbers();
  await drag(page, 'temperature', 1, { lets: false });
  expect(Buffer.compare(before, await numbers()), 'while it is held').toBe(0);
  await page.mouse.up();
  expect(Buffer.compare(before, await numbers()), 'when it is let go').not.toBe(0);
  await expectPixelsSay(page, (await table(page)).cells);
});

test('the control of the range shows what "auto" stands for, and rests while even is the middle', async ({ page }) => {
  const name = (words) => page.getByRole('radio', { name: words, exact: true });
  await openPage(page, link(START));
  await page.locator('#open-colours').click();
  await expect(name('auto (all heads)')).toBeChecked();
  await openPage(page, link({ ...START, text: 'we saw it there '.repeat(9) }));
  await page.locator('#open-colours').click();
  await expect(name('auto (this head)')).toBeChecked();
  await choose(page, 'scale', 'even');
  await expectShown(page, { scale: 'even' });
  await expect(name('all heads')).toBeDisabled();
  await expect(page.locator('#colours')).toBeDisabled();
});

test('another colour map recolours map and bar', async ({ page }) => {
  await openPage(page, link(START));
  const bars = new Set();
  for (const colours of ['greys', 'tide']) {
    await (await reveal(page.locator('#colours'))).selectOption(colours);
    // Map and bar are drawn together, and what a link leaves out is the first of the list.
    expect((await shown(page)).colours ?? 'tide').toBe(colours);
    bars.add(String(await bar(page)));
    await expectPixelsSay(page, (await table(page)).cells);
  }
  expect(bars.size).toBe(2);
});

isolated.describe('a screen of high density', () => {
  isolated.use({ deviceScaleFactor: 1.5 });
  isolated('has sharp maps', async ({ page }) => {
    await openPage(page, link(START));
    const canvas = page.locator('#map .picture');
    const [own, box] = [await canvas.evaluate(({ width, height }) => ({ width, height })), await canvas.boundingBox()];
    expect(Math.abs(own.width - box.width * 1.5)).toBeLessThan(1);
    expect(Math.abs(own.height - box.height * 1.5)).toBeLessThan(1);
    await expectPixelsSay(page, (await table(page)).cells);
  });
});

test('the wheel over the map scrolls the page', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await openPage(page, link(START));
  await hover(page, await plot(page), [1, 2]);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
});
