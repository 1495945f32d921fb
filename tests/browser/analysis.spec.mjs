// The analysis: numbers beside the API's own, the table by pointer and keyboard, charts and map linked both ways.

import { expect, idle, openPage, readCanvas, test } from './fixture.mjs';
import { address, expectShown, link, named, table } from './helpers.mjs';
import { middle, plot } from './helpers-pixels.mjs';

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

test('choosing a head in the table or on the map of heads chooses it everywhere', async ({ page }) => {
  await openPage(page, link(OPEN));
  await page.locator('#analysis-heads tbody tr').nth(3).locator('td').nth(2).click();
  await expectShown(page, { head: '4' });
  await expect(page.locator('#analysis-heads [aria-pressed="true"]')).toHaveText('head 4 · first token');
  await expect(page.locator('#all-heads [data-head="3"]')).toHaveAttribute('aria-pressed', 'true');
  await page.locator('#analysis-heads tbody button').nth(5).focus();
  await page.keyboard.press('Enter');
  await expectShown(page, { head: '6' });

  const pair = (one, other) => page.locator('#chart-similar tbody tr').nth(one).locator('td').nth(other);
  await expect(pair(0, 0)).toHaveAttribute('aria-label', 'head 1 and head 1: 1.00');
  expect(await pair(2, 6).textContent()).toBe(await pair(6, 2).textContent());
  await pair(2, 6).hover();
  await expect(page.locator('#chart-similar .value')).toHaveText(/^head 3 and head 7: 0\.9\d$/);
  await pair(0, 0).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(pair(1, 7)).toBeFocused();
  await expect(page.locator('#chart-similar .value')).toHaveText(/^head 2 and head 8/);
  await page.keyboard.press('Enter');
  await expectShown(page, { head: '2' });
  await expect(pair(1, 7), 'the focus stays').toBeFocused();
});

test('a bar points out its row on the map, and the map its bar', async ({ page }) => {
  await openPage(page, link({ ...OPEN, head: '7', cell: '8' }));
  expect(await read(page)).toBe('it');
  await pointAt(page, 'entropy', 1, 11);
  await idle(page);
  expect(await read(page)).toBe('animal');
  await expect(said(page, 'first'), 'the other charts follow').toHaveText(/^animal: /);
  await pointAt(page, 'first', 4, 11);
  await idle(page);
  expect(await read(page)).toBe('the');
  await expect(page.locator('#cell'), 'with the first key').toContainText('The');
  await pointAt(page, 'first', 4, 11);
  await page.mouse.down();
  await page.mouse.up();
  await idle(page);
  expect(named(await address(page)).cell).toBe('5');
  await page.mouse.move(2, 2);
  await idle(page);
  expect(await read(page)).toBe('the');

  const small = await page.locator('.small-map').boundingBox();
  await page.mouse.move(small.x + (10.5 / 11) * small.width, small.y + (2.5 / 11) * small.height);
  await idle(page);
  expect(await read(page), 'from the map in small').toBe("didn't");
  await expect(page.locator('#cell')).toContainText('tired');
  await expect(said(page, 'itself')).toHaveText(/^didn't: /);

  await page.locator('#map').scrollIntoViewIfNeeded();
  const { x, y } = await middle(page, await plot(page), [11, 11], [9, 2]);
  await page.mouse.move(x, y);
  await expect(said(page, 'entropy')).toHaveText(/^too: /);
  await expect(chart(page, 'entropy')).toHaveAttribute('aria-valuenow', '10');
  await expect(said(page, 'weights'), 'the bin of the cell').toHaveText(/^0\.00 to 0\.05/);
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

test('a bin outlines exactly its cells on the map', async ({ page }) => {
  await openPage(page, link({ ...OPEN, head: '6', cell: '8' }));
  const { cells } = await table(page);
  const drawn = await plot(page);
  const overlay = () => readCanvas(page.locator('#map .overlay'));
  const before = await overlay();
  await pointAt(page, 'weights', 8, 20);
  await expect(said(page, 'weights')).toHaveText(/^0\.40 to 0\.45: 2\d of 121 cells$/);
  await idle(page);
  expect(Buffer.compare(before.data, (await overlay()).data)).not.toBe(0);
  const lit = await overlay();
  // A pixel just inside the middle of each cell's left edge.
  const alpha = (image, i, j) => {
    const x = Math.floor(drawn.left + (j * drawn.width) / 11 + drawn.density);
    const y = Math.floor(drawn.top + ((i + 0.5) * drawn.height) / 11);
    return image.data[4 * (y * image.width + x) + 3];
  };
  const rows = cells.flatMap((row, i) => row.map((weight, j) => ({ i, j, weight }))).filter(({ i }) => i !== 7);
  expect(rows.filter(({ i, j }) => alpha(lit, i, j) > 128).map(({ i, j }) => [i, j])).toEqual(
    rows.filter(({ weight }) => weight >= 0.4 && weight < 0.45).map(({ i, j }) => [i, j]));
  const outlined = async () => (await page.locator('.small-map .lit').getAttribute('d')).match(/M/g)?.length;
  await idle(page);
  expect(await outlined(), 'on the map in small too').toBe(cells.flat().filter((weight) => weight >= 0.4 && weight < 0.45).length);
  await page.mouse.move(2, 2);
  await idle(page);
  expect(Buffer.compare(before.data, (await overlay()).data)).toBe(0);
  await expect(page.locator('.small-map .lit')).toHaveAttribute('d', '');
});

test('where the large map shows another step, charts point out what it has', async ({ page }) => {
  await openPage(page, link({ ...OPEN, head: '7', cell: '8', step: 'q' }));
  await pointAt(page, 'first', 1, 11);
  await idle(page);
  expect(await read(page)).toBe('animal');
  await expect(page.locator('.small-map .row-of')).toHaveAttribute('d', /^M0 1h/);
});

test('between two texts nothing is said of a diagonal', async ({ page }) => {
  await openPage(page, link({ ...OPEN, text: 'J\'adore l\'apprentissage automatique', source: 'I love machine learning', head: '3' }));
  const { columns, rows } = await heads(page);
  expect(columns).toEqual(['head', 'what it does', 'mean entropy', '… of the maximum', 'sink', 'most similar']);
  expect(rows.map((row) => row.cells[1]).join()).not.toMatch(/itself|previous|next/);
  expect(rows[2].cells[1]).toBe('same word');
  await expect(page.locator('#analysis-note')).toBeVisible();
  for (const gone of ['#chart-itself', '#diagonal', '#off-diagonal', '#self-weight']) await expect(page.locator(gone)).toBeHidden();
  await page.locator('label:has(input[name="kind"][value="self"])').click();
  await idle(page);
  for (const back of ['#chart-itself', '#diagonal', '#off-diagonal', '#self-weight']) await expect(page.locator(back)).toBeVisible();
  await expect(page.locator('#analysis-note')).toBeHidden();
});
