// The analysis: numbers beside the API's own, the table by pointer and keyboard, charts and map linked both ways.

import { expect, idle, openPage, test } from './fixture.mjs';
import { address, link, named, table } from './helpers.mjs';
import { plot } from './helpers-pixels.mjs';

const OPEN = { open: 'analysis', heads: '8' };
const TOKENS = 'The animal didn\'t cross the street because it was too tired'.split(' ');

/** Waits until the panel has been shown something: it follows the map in a frame of its own. */
const written = (page) => expect(page.locator('#analysis-heads tbody tr')).not.toHaveCount(0);

/** The table as it stands: a name and the shown cells for each head, in the order of the page. */
async function heads(page) {
  await written(page);
  return page.locator('#analysis-heads').evaluate((table) => {
    const shown = (row) => [...row.cells].filter((cell) => !cell.hidden).map((cell) => cell.textContent);
    const columns = [...table.tHead.rows[0].cells].filter((cell) => !cell.hidden);
    const text = (part) => columns.map((column) => column.querySelector(part).textContent);
    return { columns: text('button'), ranges: text('.range'), rows: [...table.tBodies[0].rows].map((row) => ({ head: Number(row.dataset.head), cells: shown(row) })) };
  });
}

const chart = (page, name) => page.locator(`#chart-${name} .plot`);
const said = (page, name) => page.locator(`#chart-${name} .value`);

/** Points at a bar of a chart, counted from 0. */
async function pointAt(page, name, bar, bars) {
  await written(page);
  await chart(page, name).scrollIntoViewIfNeeded();
  const box = await chart(page, name).boundingBox();
  await page.mouse.move(box.x + ((bar + 0.5) * box.width) / bars, box.y + box.height / 2);
}

/** The token whose row is read beside the map. */
const read = (page) => page.locator('#story .is-query-text').textContent();

/** The weights of one head again through the public API, from the numbers of the table: softmax(ln A · I) is A. */
const computed = (page, cells) => page.evaluate(async (cells) => {
  const n = cells.length;
  const q = [cells.map((row) => row.map((weight) => Math.log(Math.max(weight, 1e-9))))];
  const k = [cells.map((_, i) => cells.map((_, j) => Number(i === j)))];
  await attentionPlayground.ready;
  const { stats } = await attentionPlayground.compute({ q, k, v: k, scale: 1, want: ['stats'], backend: 'cpu' });
  return { ...stats[0], n, self_weight: [...stats[0].self_weight], histogram: [...stats[0].histogram] };
}, cells);

test('the numbers are those of the API', async ({ page }) => {
  await openPage(page, link({ ...OPEN, head: '8' }));
  const { cells } = await table(page);
  const stats = await computed(page, cells);
  const { columns, rows } = await heads(page);
  const number = (column) => Number.parseFloat(rows.find((row) => row.head === 7).cells[columns.indexOf(column)]);
  expect(number('mean self-attention')).toBeCloseTo(stats.diagonal_mean, 2);
  expect(number('mean attention to others')).toBeCloseTo(stats.off_diagonal_mean, 2);
  expect(Math.abs(number('mean entropy') - stats.entropy_mean)).toBeLessThan(0.02);
  expect(Math.abs(number('… of the maximum') / 100 - stats.entropy_mean / Math.log(11))).toBeLessThan(0.02);
  expect(Number(rows.find((row) => row.head === 7).cells[columns.indexOf('sink')].split(' ').at(-1))).toBeCloseTo(cells.reduce((sum, row) => sum + row[0], 0) / 11, 2);
  expect(number('next token')).toBeCloseTo(cells.slice(0, 10).reduce((sum, row, i) => sum + row[i + 1], 0) / 10, 2);
  const distance = cells.map((row, i) => row.reduce((sum, weight, j) => sum + weight * Math.abs(i - j), 0));
  expect(Math.abs(number('mean distance') - distance.reduce((sum, one) => sum + one, 0) / 11)).toBeLessThan(0.03);
  for (const bar of [3]) {
    await pointAt(page, 'entropy', bar, 11);
    await expect(said(page, 'entropy')).toHaveText(new RegExp(`^${TOKENS[bar]}: \\d`));
    const [, value, most] = (await said(page, 'entropy').textContent()).match(/: ([\d.]+) nats of at most ([\d.]+)/);
    expect(Math.abs(Number(value) - stats.entropy_per_query[bar])).toBeLessThan(0.03);
    expect(Number(most)).toBeCloseTo(Math.log(11), 2);
    await pointAt(page, 'itself', bar, 11);
    await expect(said(page, 'itself')).toHaveText(`${TOKENS[bar]}: ${cells[bar][bar].toFixed(3)}`);
    await pointAt(page, 'first', bar, 11);
    await expect(said(page, 'first')).toHaveText(`${TOKENS[bar]}: ${cells[bar][0].toFixed(3)}`);
  }
  await pointAt(page, 'weights', 0, 20);
  await expect(said(page, 'weights')).toHaveText(`0.00 to 0.05: ${stats.histogram[0]} of 121 cells`);
});

test('bars stand in their own charts, and buttons keep their pictures', async ({ page }) => {
  await openPage(page, link(OPEN));
  await chart(page, 'entropy').scrollIntoViewIfNeeded();
  await expect(chart(page, 'entropy').locator('.bars')).toHaveAttribute('d', /z$/);
  for (const name of ['entropy', 'itself', 'first', 'weights']) {
    const [plot, bars] = await chart(page, name).evaluate((plot) => [plot, plot.querySelector('.bars')].map((one) => one.getBoundingClientRect().toJSON()));
    expect(bars.left, name).toBeGreaterThanOrEqual(plot.left - 1);
    expect(bars.right, name).toBeLessThanOrEqual(plot.right + 1);
    // Every token has a bar here.
    if (name === 'entropy') expect(bars.width).toBeGreaterThan(0.9 * plot.width);
    await expect(page.locator(`#chart-${name} figcaption svg`)).toHaveAttribute('viewBox', '0 0 12 12');
  }
});

test('charts are read and rows chosen with the keyboard', async ({ page }) => {
  await openPage(page, link({ ...OPEN, head: '7', cell: '8' }));
  await chart(page, 'entropy').focus();
  await expect(chart(page, 'entropy')).toHaveAttribute('aria-valuetext', /^it: 0\.\d\d nats of at most 2\.40$/);
  await page.keyboard.press('ArrowRight');
  await expect(chart(page, 'entropy')).toHaveAttribute('aria-valuetext', /^was: /);
  await idle(page);
  expect(await read(page)).toBe('was');
  await page.keyboard.press('Home');
  await expect(chart(page, 'entropy')).toHaveAttribute('aria-valuetext', /^The: /);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('End');
  await expect(chart(page, 'entropy')).toHaveAttribute('aria-valuenow', '11');
  await page.keyboard.press('Enter');
  await idle(page);
  expect(named(await address(page)).cell).toBe('11');
  await page.keyboard.press('ArrowLeft');
  await idle(page);
  expect(await read(page)).toBe('too');
  await page.keyboard.press('Escape');
  await idle(page);
  expect(await read(page)).toBe('tired');
});
