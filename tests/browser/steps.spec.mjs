// The computation as a strip of its steps: what stands in it, and how one is chosen.

import { expect, idle, openPage, test } from './fixture.mjs';
import { address, choose, link, named, picture, readout } from './helpers.mjs';
import { cell, middle, plot } from './helpers-pixels.mjs';

/** Three rows and small vectors at random; no positions, so that Q, K and V come from X alone. */
const START = { text: 'we saw it', weights: 'random', seed: '3', d_model: '6', d_k: '4', heads: '2', head: '2', positions: 'none' };

const strip = (page) => page.locator('#steps-strip button');
const card = (page, step) => page.locator(`#steps-strip button[data-step="${step}"]`);
const listed = (page) => strip(page).evaluateAll((all) => all.map(({ dataset }) => dataset.step));
const shownStep = (page) => page.locator('#map').getAttribute('data-step');

/** Makes a step the large map. */
async function show(page, step) {
  await card(page, step).click();
  await idle(page);
  expect(await shownStep(page)).toBe(step);
}

/** The numbers of the table below the map, with their signs. */
async function numbers(page) {
  await page.locator('#as-table').evaluate((details) => void (details.open = true));
  await expect(page.locator('#as-table table')).toBeVisible();
  return page.locator('#as-table table').evaluate((table) =>
    [...table.tBodies[0].rows].map((row) => [...row.querySelectorAll('td')].map((own) => Number(own.textContent.replace('−', '-')))));
}

test('each step has a picture, a formula and a shape, and says them to those who listen', async ({ page }) => {
  await openPage(page, link({ ...START, mask: 'causal' }));
  await idle(page);
  const cards = await strip(page).evaluateAll((all) => all.map((own) => {
    const canvas = own.querySelector('canvas');
    // A copy, which may be read often.
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
    return {
      step: own.dataset.step,
      formulas: [...own.querySelectorAll('math')].map((formula) => formula.getBoundingClientRect().height > 8),
      isPainted: new Set(new Uint32Array(pixels.buffer)).size > 1,
    };
  }));
  expect(cards).toEqual((await listed(page)).map((step) => ({ step, formulas: [true], isPainted: true })));
  expect(cards).toHaveLength(12);
  await expect(card(page, 'q')).toHaveAccessibleName('queries Q = X W_Q; 3 rows, 4 columns');
  await expect(card(page, 'q').locator('.shape')).toHaveText(/3 × 4\s*n × dk/);
  const hue = (step, letter) => card(page, step).locator(`mi:text-is("${letter}")`).first().evaluate((own) => getComputedStyle(own).color);
  expect(await hue('scores', 'Q')).toBe(await page.locator('#cell .is-query-text').evaluate((own) => getComputedStyle(own).color));
  expect(await hue('scores', 'K')).not.toBe(await hue('scores', 'Q'));
});

test('choosing a step makes it the large map, by pointer and by keyboard', async ({ page }) => {
  await openPage(page, link(START));
  await expect(card(page, 'weights')).toHaveAttribute('aria-pressed', 'true');
  await show(page, 'q');
  expect(await picture(page)).toMatchObject({ rows: 3, columns: 4, head: 1 });
  expect(named(await address(page)).step).toBe('q');
  await expect(card(page, 'q')).toHaveAttribute('aria-pressed', 'true');
  await expect(card(page, 'weights')).toHaveAttribute('aria-pressed', 'false');
  await expect(page.locator('#head-name')).toHaveText(/^queries\s·\shead 2/);
  await expect(page.locator('#map')).toHaveAttribute('aria-label', /^queries\. /);
  await expect(page.locator('.of-weights').first()).toBeHidden();

  await card(page, 'q').focus();
  await page.keyboard.press('ArrowRight');
  await expect(card(page, 'k')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(card(page, 'input')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(card(page, 'input'), 'the strip ends there').toBeFocused();
  await page.keyboard.press('Enter');
  await idle(page);
  expect(await shownStep(page)).toBe('input');
  expect(await picture(page)).toMatchObject({ rows: 3, columns: 6 });
  await expect(card(page, 'input'), 'the focus stays').toBeFocused();
  await page.keyboard.press('Tab');
  await expect(card(page, 'q')).toBeFocused();

  await show(page, 'weights');
  await expect(page.locator('.of-weights').first()).toBeVisible();
  expect(named(await address(page)).step).toBeUndefined();
});

test('pointer, lock and keys work on every matrix', async ({ page }) => {
  await openPage(page, link({ ...START, step: 'k' }));
  await idle(page);
  expect(await shownStep(page)).toBe('k');
  const values = await numbers(page);
  const read = () => page.locator('#cell').textContent();
  const { x, y } = await middle(page, await plot(page), [3, 4], [1, 2]);
  await page.mouse.move(x, y);
  await idle(page);
  expect(await read()).toMatch(/^saw·component 3/);
  const written = await page.locator('#cell .value').textContent();
  expect(Math.abs(Number(written.replace('−', '-')) - values[1][2])).toBeLessThan(0.00051);
  await page.mouse.click(x, y);
  await idle(page);
  expect(named(await address(page)).cell).toBe('2,3');
  await page.locator('#map').focus();
  await page.keyboard.press('End');
  await idle(page);
  expect(named(await address(page)).cell).toBe('2,4');
  await expect(page.locator('#map-cell')).toHaveText(/row saw, column component 4: /);
  await show(page, 'v');
  expect(named(await address(page)).cell, 'the same column of another kind of vector is another one').toBe('2');
  await show(page, 'weights');
  expect((await readout(page)).query).toBe('saw');
});

test('another head, another mechanism: strip and map follow', async ({ page }) => {
  await openPage(page, link({ ...START, step: 'q' }));
  await idle(page);
  expect(await shownStep(page)).toBe('q');
  const before = await numbers(page);
  await page.locator('#all-heads button').first().click();
  expect((await picture(page)).head).toBe(0);
  expect(await numbers(page)).not.toEqual(before);
  await expect(page.locator('#steps-whose')).toContainText('head 1');
  await choose(page, 'mask', 'causal').catch(() => page.locator('label:has(input[value="causal"])').first().click());
  await expect(card(page, 'masked')).toBeVisible();
  await show(page, 'mask');
  await expect(page.locator('#colour-bar')).toBeHidden();
  const drawn = await plot(page);
  expect(cell(drawn, [3, 3], [2, 0]).flat, 'visible').not.toBeNull();
  expect(cell(drawn, [3, 3], [0, 2]).all.size, 'hidden cells are hatched').toBeGreaterThan(2);
});

test('at 390 px the strip scrolls by itself and the page does not', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, link({ mask: 'causal' }));
  await expect(card(page, 'output')).toBeAttached();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
  const list = page.locator('#steps-strip');
  await list.scrollIntoViewIfNeeded();
  const { x, y } = await list.boundingBox();
  const before = await page.evaluate(() => scrollY);
  await page.mouse.move(x + 40, y + 40);
  await page.mouse.wheel(0, -200);
  await expect.poll(() => page.evaluate(() => scrollY), 'the wheel scrolls the page').toBeLessThan(before);
  await card(page, 'output').focus();
  const box = await card(page, 'output').boundingBox();
  expect(box.x >= 0 && box.x + box.width <= 391, 'what has the focus is in sight').toBe(true);
  await page.locator('#player-next').click();
  await idle(page);
  expect(await shownStep(page)).toBe('context');
  await expect.poll(async () => {
    const { x, width } = await card(page, 'context').boundingBox();
    return x >= 0 && x + width <= 391;
  }, 'so is what was chosen beside the strip').toBe(true);
});

test('a step that is in sight moves nothing, also where it comes with other steps', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPage(page, link({ mask: 'causal', step: 'weights' }));
  const list = page.locator('#steps-strip');
  // A test before may have scrolled it.
  await list.evaluate((list) => { list.scrollLeft = 0; });
  await page.evaluate((fragment) => void (location.hash = fragment), link({ mask: 'causal,padding', valid: '3', hiding: 'after', step: 'softmax' }));
  await idle(page);
  const [box, room] = [await card(page, 'softmax').boundingBox(), await list.boundingBox()];
  expect(box.x + box.width, 'it is in sight by itself').toBeLessThanOrEqual(room.x + room.width);
  expect(await list.evaluate((list) => [list.scrollLeft, list.scrollWidth > list.clientWidth])).toEqual([0, true]);
});
