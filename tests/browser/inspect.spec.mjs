// How a number came about: the same numbers as the compute API's, and a way to each number that went into them.

import { expect, idle, openPage, readCanvas, test } from './fixture.mjs';
import { address, expectShown, link, named, shown } from './helpers.mjs';
import { outputWeights, request } from './helpers-seeded.mjs';

const TOKENS = ['one', 'small', 'dog', 'saw', 'the', 'other'];
const SETTINGS = {
  weights: 'random', text: TOKENS.join(' '), heads: '2', d_k: '8', d_model: '16', head: '2', mask: 'causal', positions: 'sinusoidal',
};
const HEAD = 1;

/** A number as the page writes it exactly: "−0.618034", "1.23457×10⁻⁸". */
function number(written) {
  const [mantissa, power = ''] = written.replace('−', '-').split('×10');
  const exponent = [...power].map((sign) => ('⁰¹²³⁴⁵⁶⁷⁸⁹'.includes(sign) ? '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign) : '-')).join('');
  return Number(mantissa) * 10 ** Number(exponent || 0);
}

const value = async (page) => number(await page.locator('#inspector-cell .value').textContent());

/** The terms that are shown: the numbers of each line, last the term itself. */
const terms = (page) => page.locator('#inspector-body tbody tr').evaluateAll((rows) =>
  rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));

/** Opens another step and cell of the page that is open. */
async function go(page, step, row, column, settings = SETTINGS) {
  const fragment = link({ ...settings, step, cell: `${row + 1},${column + 1}` });
  await page.evaluate((fragment) => { location.hash = fragment; }, fragment);
  await expectShown(page, { step, cell: `${row + 1},${column + 1}` });
  await expect(page.locator('#map')).toHaveAttribute('data-step', step);
  await expect(page.locator('#inspector')).toBeVisible();
}

/** Six digits are shown of a number. */
const close = (found, wanted, what) => expect(Math.abs(found - wanted), `${what}: ${found} for ${wanted}`).toBeLessThan(2e-6 + 1e-5 * Math.abs(wanted));

/** Everything that the compute API gives, asked from within the page, as a function of name and indices. */
async function trace(page) {
  const settings = await shown(page);
  const asked = { ...request(settings, TOKENS, TOKENS), want: ['q', 'k', 'v', 'scores', 'weights', 'context', 'output'] };
  asked.weights.w_o = outputWeights(settings);
  const tensors = await page.evaluate(async (asked) => {
    await attentionPlayground.ready;
    const found = await attentionPlayground.compute(asked);
    return Object.fromEntries(asked.want.map((name) => [name, { shape: found[name].shape, data: [...found[name].data] }]));
  }, asked);
  return (name, ...place) => {
    const { shape, data } = tensors[name];
    return data[place.reduce((at, index, axis) => at * shape[axis] + index, 0)];
  };
}

/** Steps, with what is which number of a trace: of the head, or for the output of all. Natively every number of every step is explained. */
const CELLS = [
  ['q', 'q', 3, 5], ['k', 'k', 0, 7], ['v', 'v', 5, 2], ['scaled', 'scores', 4, 1], ['weights', 'weights', 4, 2], ['context', 'context', 5, 6],
  ['output', 'output', 2, 11],
];

test('the numbers in the cell inspector equal those of the compute API', async ({ page }) => {
  await openPage(page, link({ ...SETTINGS, step: CELLS[0][0], cell: '1,1' }));
  const api = await trace(page);
  for (const [step, tensor, row, column] of CELLS) {
    await go(page, step, row, column);
    const wanted = tensor === 'output' ? api(tensor, row, column) : api(tensor, HEAD, row, column);
    await idle(page);
    close(await value(page), wanted, step);
  }
});

test('every term can be shown, in its order, by pointer and by keyboard', async ({ page }) => {
  const unfold = page.locator('#inspector-body [data-unfold]');
  const names = () => page.locator('#inspector-body tbody th').allTextContents();
  await openPage(page, link({ ...SETTINGS, d_k: '32', step: 'scores', cell: '5,2' }));
  const [all, some] = [await unfold.textContent(), await names()];
  expect(all).toBe('show all 32');
  expect(some).toHaveLength(8);
  await unfold.click();
  await idle(page);
  expect(await names()).toEqual(Array.from({ length: 32 }, (_, at) => String(at + 1)));
  await expect(unfold).toHaveAttribute('aria-expanded', 'true');
  const products = (await terms(page)).map(([q, k]) => number(q) * number(k));
  close(products.reduce((a, b) => a + b, 0), await value(page), 'all products');
  await expect(unfold, 'the focus has not gone with the button').toBeFocused();
  await page.keyboard.press('Enter');
  await idle(page);
  expect(await names()).toEqual(some);
  await expect(unfold).toBeFocused();
  await page.keyboard.press('Enter');
  await idle(page);
  expect((await names()).length).toBe(32);
  await page.locator('#map').focus();
  await page.keyboard.press('ArrowRight');
  await idle(page);
  expect((await names()).length, 'another cell begins with the largest').toBe(8);
});

test('the cells that a number came from are seen beside it, and those of a term that is pointed at', async ({ page }) => {
  await openPage(page, link({ ...SETTINGS, step: 'scores', cell: '5,2', open: 'none' }));
  const pixels = async (step) => (await readCanvas(page.locator(`.source[data-of="${step}"] canvas`))).data.toString('base64');
  const sources = () => page.locator('.source').evaluateAll((all) => all.map(({ dataset }) => dataset.of));
  expect(await sources()).toEqual(['q', 'k']);
  await expect(page.locator('.source').first()).toBeInViewport();
  const [q, k] = [await pixels('q'), await pixels('k')];
  const [query, key] = ['q', 'k'].map((step) => page.locator(`#inspector-body tbody button[data-step="${step}"]`).first());
  await query.hover();
  await idle(page);
  expect(await pixels('q')).not.toBe(q);
  const one = await pixels('q');
  await key.focus();
  await idle(page);
  expect(await pixels('k')).not.toBe(k);
  await page.locator('#inspector-body tbody th').nth(1).hover();
  await idle(page);
  expect(await pixels('q'), 'a line lights both of its numbers').not.toBe(one);
  await page.mouse.move(0, 0);
  await page.locator('#text').focus();
  await idle(page);
  expect(await pixels('q')).toBe(q);
  expect(await pixels('k')).toBe(k);
  await go(page, 'weights', 4, 2);
  await idle(page);
  expect(await sources()).toEqual(['masked']);
  await go(page, 'q', 1, 2);
  await idle(page);
  expect(await sources()).toEqual(['input', 'positions']);
  await go(page, 'input', 1, 2);
  await idle(page);
  expect(await sources()).toEqual([]);
});

test('a number leads to where it stands, by pointer and by keyboard', async ({ page }) => {
  await openPage(page, link({ ...SETTINGS, step: 'scores', cell: '5,2' }));
  const first = page.locator('#inspector-body tbody tr').first().locator('button');
  const [written, column] = [await first.nth(1).textContent(), await first.nth(1).getAttribute('data-column')];
  await first.nth(1).click();
  await idle(page);
  expect(named(await address(page))).toMatchObject({ step: 'k', cell: `2,${Number(column) + 1}` });
  await expect(page.locator('#inspector-cell .value')).toHaveText(written);
  await expect(page.locator('#inspector'), 'the focus has not gone with the button').toBeFocused();

  await page.keyboard.press('Tab');
  await expect(page.locator('#inspector-close')).toBeFocused();
  await page.keyboard.press('Tab');
  const place = await page.evaluate(() => ({ ...document.activeElement.dataset }));
  await page.keyboard.press('Enter');
  const wanted = { step: place.step, cell: `${Number(place.row) + 1},${Number(place.column) + 1}` };
  await idle(page);
  expect(named(await address(page))).toMatchObject(wanted);
  await expect(page.locator('#inspector')).toBeFocused();

  await page.locator('#inspector-close').press('Enter');
  await expect(page.locator('#inspector')).toBeHidden();
  await expect(page.locator('#map')).toBeFocused();
});

test('numbers that are pointed at are lit where they stand, by pointer and by keyboard', async ({ page }) => {
  await openPage(page, link({ ...SETTINGS, step: 'scores', cell: '5,2', open: 'steps' }));
  const pixels = async (step) => (await readCanvas(page.locator(`.step[data-step="${step}"] canvas`))).data.toString('base64');
  const [q, k] = [await pixels('q'), await pixels('k')];
  const [query, key] = ['q', 'k'].map((step) => page.locator(`#inspector-body tbody button[data-step="${step}"]`).first());
  await query.hover();
  await idle(page);
  expect(await pixels('q')).not.toBe(q);
  expect(await pixels('k')).toBe(k);
  await key.focus();
  await idle(page);
  expect(await pixels('k')).not.toBe(k);
  expect(await pixels('q')).toBe(q);
  await page.locator('#text').focus();
  await idle(page);
  expect(await pixels('k')).toBe(k);
});

test('the map stays where it is when a cell is explained', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await openPage(page);
  const box = () => page.locator('#map').evaluate((map) => JSON.stringify(map.getBoundingClientRect()));
  await page.locator('#map').focus();
  const before = await box();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.locator('#inspector')).toBeVisible();
  expect(await box()).toBe(before);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
});
