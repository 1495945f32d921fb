// Pointer and keyboard on the map, the thumbnails, and the ways to colour it.

import { expect, idle, isolated, openPage, readCanvas, test } from './fixture.mjs';
import { address, choose, drag, expectShown, link, named, number, picture, readout, shown, table } from './helpers.mjs';
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
  for (const at of [[0, 0], [0, 5], [3, 0], [3, 5], [1, 4], [2, 2]]) {
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
    ['Home', ['saw', 'the']], ['ArrowLeft', ['saw', 'the']], ['Control+End', ['there', 'again']], ['ArrowDown', ['there', 'again']],
    ['ArrowUp', ['it', 'again']], ['Control+Home', ['we', 'the']], ['ArrowUp', ['we', 'the']], ['PageDown', ['saw', 'the']],
  ]) {
    await page.keyboard.press(key);
    await idle(page);
    expect(await at(), key).toEqual(tokens);
  }
  await expect(page.locator('#map-cell')).toContainText('saw');
  await expect(page.locator('#map-cell')).toContainText('the');
});

test('a hidden cell says so instead of a number', async ({ page }) => {
  await openPage(page, link({ ...START, mask: 'causal', cell: '1,1' }));
  await hover(page, await plot(page), [0, 4]);
  await page.keyboard.press('Escape');
  await page.locator('#map').focus();
  await page.keyboard.press('End');
  await idle(page);
  expect((await readout(page)).value).toMatch(/^\D+$/);
});

test('the row that is chosen is read out: a bar per key, the largest first, and the sentence above', async ({ page }) => {
  await openPage(page, link({ ...START, cell: '3' }));
  const { columns, cells } = await table(page);
  const bars = await page.locator('#bars li').evaluateAll((items) =>
    items.map((item) => [item.querySelector('.token').textContent, Number(item.querySelector('.value').textContent)]));
  const row = columns.map((token, at) => [token, cells[2][at]]).sort((a, b) => b[1] - a[1]);
  expect(bars.map(([token]) => token).sort()).toEqual([...columns].sort());
  for (const [at, [, weight]] of bars.entries()) expect(Math.abs(weight - row[at][1])).toBeLessThan(0.0011);
  await expect(page.locator('#story')).toContainText(row[0][0]);
  await expect(page.locator('#story')).toContainText('it');
});

test("the head's numbers are those of its table", async ({ page }) => {
  await openPage(page, link({ text: 'one two three four five', heads: '3', head: '2', weights: 'random', cell: '4' }));
  const { cells } = await table(page);
  const own = async (id) => Number((await page.locator(`#${id}`).textContent()).match(/[\d.]+/)[0]);
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const entropies = cells.map((row) => -row.reduce((sum, w) => sum + (w > 0 ? w * Math.log(w) : 0), 0));
  expect(Math.abs(await own('diagonal') - mean(cells.map((row, at) => row[at])))).toBeLessThan(0.0015);
  expect(Math.abs(await own('off-diagonal') - mean(cells.flatMap((row, r) => row.filter((_, c) => c !== r))))).toBeLessThan(0.0015);
  expect(Math.abs(await own('entropy') - mean(entropies))).toBeLessThan(0.01);
  expect(Math.abs(await own('entropy-share') / 100 - mean(entropies) / Math.log(5))).toBeLessThan(0.011);
  expect(Math.abs(await own('self-weight') - cells[3][3])).toBeLessThan(0.0015);
});

test('each line of the strongest links names the key with the most weight, the token itself among them, and selects its row', async ({ page }) => {
  await openPage(page, link({ text: 'one two three four five', weights: 'random', cell: '4' }));
  const { columns, cells } = await table(page);
  const lines = page.locator('#most li button');
  await expect(lines).toHaveCount(5);
  for (const [row, weights] of cells.entries()) {
    const most = weights.indexOf(Math.max(...weights));
    await expect(lines.nth(row)).toContainText(most === row ? 'itself' : columns[most]);
  }
  await lines.nth(1).click();
  await idle(page);
  expect(named(await address(page)).cell).toBe('2');
  await expect(page.locator('#story')).toContainText('two');
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
  await expect(name('auto (all heads)')).toBeChecked();
  await openPage(page, link({ ...START, text: 'we saw it there '.repeat(9) }));
  await expect(name('auto (this head)')).toBeChecked();
  await choose(page, 'scale', 'even');
  await expectShown(page, { scale: 'even' });
  await expect(name('all heads')).toBeDisabled();
  await expect(page.locator('#colours')).toBeDisabled();
});

test('every colour map recolours map and bar', async ({ page }) => {
  await openPage(page, link(START));
  const bars = new Set();
  for (const colours of ['blues', 'ylorrd', 'greys', 'tide']) {
    await page.locator('#colours').selectOption(colours);
    // Map and bar are drawn together, and what a link leaves out is the first of the list.
    expect((await shown(page)).colours ?? 'tide').toBe(colours);
    bars.add(String(await bar(page)));
    await expectPixelsSay(page, (await table(page)).cells);
  }
  expect(bars.size).toBe(4);
});

isolated('maps are sharp on a screen of high density', async ({ browser, server }) => {
  for (const density of [1, 1.5, 2]) {
    const page = await browser.newPage({ baseURL: server.origin, deviceScaleFactor: density });
    await openPage(page, link(START));
    const canvas = page.locator('#map .picture');
    const [own, box] = [await canvas.evaluate(({ width, height }) => ({ width, height })), await canvas.boundingBox()];
    expect(Math.abs(own.width - box.width * density)).toBeLessThan(1);
    expect(Math.abs(own.height - box.height * density)).toBeLessThan(1);
    await expectPixelsSay(page, (await table(page)).cells);
    await page.close();
  }
});

test('the wheel over the map scrolls the page', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await openPage(page, link(START));
  await hover(page, await plot(page), [1, 2]);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
});

test('a row that sees nothing is marked and told apart', async ({ page }) => {
  await openPage(page, link({ text: 'one two three', mask: 'padding', valid: '0' }));
  expect((await table(page)).cells.flat()).toEqual(new Array(9).fill(null));
  expect(await picture(page)).toMatchObject({ rows: 3, columns: 3 });
  await expect(page.locator('#map-notes')).not.toBeEmpty();
});
