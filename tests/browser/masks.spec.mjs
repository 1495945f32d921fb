// The mask as an instrument: rules that combine, paint by pointer and keyboard, counts, and what hiding does in numbers.

import { violations } from './axe.mjs';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { address, choose, expectShown, link, named, reveal, table } from './helpers.mjs';
import { middle, plot } from './helpers-pixels.mjs';

/** Six tokens with random weights, so that every weight is another one. */
const START = { text: 'one small cat and two dogs', weights: 'random', seed: '3' };
const SIZE = [6, 6];

const hiddenCells = async (page) => (await table(page)).cells.flatMap((row, at) => row.flatMap((cell, key) => (cell === null ? [`${at},${key}`] : [])));

/** Drags over the map from one cell to another, as a hand does. */
async function stroke(page, from, to) {
  const drawn = await plot(page);
  const [start, end] = [await middle(page, drawn, SIZE, from), await middle(page, drawn, SIZE, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
  await idle(page);
}

/** Two fingers come down, one after the other, move a little and leave. */
async function pinch(context, page, [first, second]) {
  const touch = await context.newCDPSession(page);
  const send = (type, ...points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point, id) => ({ ...point, id })) });
  await send('touchStart', first);
  await send('touchStart', first, second);
  await send('touchMove', { ...first, y: first.y + 1 }, { ...second, x: second.x + 1 });
  await send('touchEnd');
}

test('a stroke over the map hides what it crosses, is undone, and survives its link', async ({ page }) => {
  await openPage(page, link(START));
  await stroke(page, [1, 1], [3, 3]);
  expect(await hiddenCells(page), 'without the brush').toEqual([]);
  await page.locator('#paint').click();
  await expect(page.locator('#paint')).toHaveAttribute('aria-pressed', 'true');
  await stroke(page, [1, 0], [4, 3]);
  expect(await hiddenCells(page)).toEqual(['1,0', '2,1', '3,2', '4,3']);
  await expect(page.locator('#mask-count')).toContainText('32 of 36 cells are visible, 88.9');
  await expect(page.locator('#mask-rule')).toContainText('0 shown, 4 hidden');
  await stroke(page, [2, 1], [2, 4]);
  expect(await hiddenCells(page), 'the first cell was hidden, so the stroke shows').toEqual(['1,0', '3,2', '4,3']);
  await page.locator('#paint-undo').click();
  await idle(page);
  expect(await hiddenCells(page)).toEqual(['1,0', '2,1', '3,2', '4,3']);
  await stroke(page, [0, 2], [0, 5]);
  expect(await hiddenCells(page)).toHaveLength(8);
  await page.goBack();
  await idle(page);
  expect(await hiddenCells(page), 'a stroke is one entry of the history').toEqual(['1,0', '2,1', '3,2', '4,3']);
  const own = await address(page);
  await openPage(page);
  await openPage(page, own);
  expect(await hiddenCells(page)).toEqual(['1,0', '2,1', '3,2', '4,3']);
  expect(named(await address(page)).paint).toBe(named(own).paint);
  await page.locator('#paint').click();
  await page.locator('#paint-clear').click();
  await idle(page);
  expect(await hiddenCells(page)).toEqual([]);
  expect(named(await address(page)).paint).toBeUndefined();
  await page.locator('#paint-undo').click();
  await idle(page);
  expect(await hiddenCells(page), 'clearing can be taken back as well').toHaveLength(4);
});

test('only the main button paints', async ({ page }) => {
  await openPage(page, link(START));
  await page.locator('#paint').click();
  const { x, y } = await middle(page, await plot(page), SIZE, [2, 2]);
  for (const button of ['right', 'middle']) await page.mouse.click(x, y, { button });
  await page.mouse.click(x, y);
  await idle(page);
  expect(await hiddenCells(page)).toEqual(['2,2']);
  await page.mouse.click(x, y, { button: 'right' });
  await page.locator('#paint-undo').click();
  await idle(page);
  expect(await hiddenCells(page), 'the right button has made no stroke').toEqual([]);
});

test('the space bar paints the cell that the arrow keys stand on', async ({ page }) => {
  await openPage(page, link(START));
  await page.locator('#paint').focus();
  await page.keyboard.press('Enter');
  await page.locator('#map').focus();
  for (const key of ['Control+Home', 'ArrowDown', 'ArrowRight', 'Space']) await page.keyboard.press(key);
  await idle(page);
  expect(await hiddenCells(page)).toEqual(['1,1']);
  await expect(page.locator('#map-cell')).toHaveText('query small, key small: hidden by the mask');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await idle(page);
  expect(await hiddenCells(page)).toEqual(['1,1', '1,2']);
  await page.keyboard.press('Space');
  await idle(page);
  expect(await hiddenCells(page)).toEqual(['1,1']);
  await page.keyboard.press('Escape');
  await expect(page.locator('#paint')).toHaveAttribute('aria-pressed', 'false');
  await page.locator('#paint-undo').focus();
  await page.keyboard.press('Enter');
  await idle(page);
  expect(await hiddenCells(page)).toEqual(['1,1', '1,2']);
});

test('what cannot change anything says why', async ({ page }) => {
  const [turns, divides, seed] = ['positions-note-single', 'scaled-one', 'seed-note-teaching'].map((name) => page.locator(`[data-t="${name}"]`));
  await openPage(page, link({ ...START, positions: 'rotary', d_k: '1' }));
  await expect(turns).toBeVisible();
  await expect(divides).toBeVisible();
  const alone = await table(page);
  await page.locator('#positions').selectOption('none');
  await expectShown(page, { positions: 'none' });
  expect((await table(page)).cells, 'one component is not turned').toEqual(alone.cells);
  await page.locator('#scaled').uncheck();
  await expectShown(page, { scaled: '0' });
  expect((await table(page)).cells, '√1 divides nothing').toEqual(alone.cells);
  await page.locator('#d-k').press('ArrowRight');
  await expect(divides).toBeHidden();
  await expect(seed).toBeHidden();
  await choose(page, 'origin', 'teaching');
  await expect(seed).toBeVisible();
});

test('the small mask becomes the large map and goes back', async ({ page }) => {
  await openPage(page, link({ ...START, mask: 'causal' }));
  await page.locator('#mask-map').click();
  await idle(page);
  expect(named(await address(page)).step).toBe('mask');
  await expect(page.locator('#mask-map')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('#head-name')).toHaveText(/mask/i);
  await page.locator('#mask-map').press('Enter');
  await idle(page);
  expect(named(await address(page)).step).toBeUndefined();
});

test('what does not apply says why and cannot be moved', async ({ page }) => {
  await openPage(page, link({ ...START, mask: 'causal', linformer: '1', positions: 'alibi', scoring: 'additive' }));
  await expect(page.locator('input[name="mask"][value="local"]')).toBeDisabled();
  await expect(page.locator('#scaled')).toBeDisabled();
  await expect(page.locator('#mask-rule')).toContainText('a mask cannot hide single keys');
  await expect(page.locator('[data-t="positions-note-off"]')).toBeVisible();
  await expect(page.locator('[data-t="scaled-off"]')).toBeVisible();
  await expect(page.locator('#more')).toHaveAttribute('open', '');
  await page.locator('#linformer').uncheck();
  await expectShown(page, { linformer: '0', mask: 'causal' });
  await expect(page.locator('input[name="mask"][value="causal"]')).toBeChecked();
  expect(await hiddenCells(page)).toHaveLength(15);
});

test('the slider of key/value heads says who shares', async ({ page }) => {
  await openPage(page, link({ ...START, heads: '6' }));
  const [slider, said] = [page.locator('#kv-heads'), page.locator('#sharing-sentence')];
  await expect(said).toHaveText(/^multi-head/);
  await reveal(slider);
  await slider.press('ArrowLeft');
  await expect(said).toHaveText('grouped-query (GQA): 2 heads share each set: 1–2, 3–4, 5–6');
  await slider.press('Home');
  await expect(said).toHaveText(/^multi-query/);
  await expect(page.locator('#sharing .is-key')).toHaveAttribute('d', /^M[^M]*$/);
});

isolated('in Chinese on a phone it paints under a finger, and axe finds nothing', async ({ browser, server }) => {
  test.slow();
  const context = await browser.newContext({ baseURL: server.origin, viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'zh-CN' });
  const page = await context.newPage();
  await openPage(page, link({ ...START, mask: 'causal', hiding: 'after' }));
  await expect(page.locator('#mask-rule')).toHaveText('每个词能看见自己和前面的词。');
  await expect(page.locator('#mask-count')).toContainText('36 格中有 21 格可见');
  await page.locator('#paint').tap();
  await page.locator('#map').scrollIntoViewIfNeeded();
  const { x, y } = await middle(page, await plot(page), SIZE, [3, 0]);
  await page.touchscreen.tap(x, y);
  await idle(page);
  expect(await hiddenCells(page)).toContain('3,0');
  const before = await hiddenCells(page);
  const drawn = await plot(page);
  await pinch(context, page, [await middle(page, drawn, SIZE, [5, 0]), await middle(page, drawn, SIZE, [4, 4])]);
  const more = async () => (await hiddenCells(page)).filter((cell) => !before.includes(cell));
  await idle(page);
  expect(await more()).not.toEqual([]);
  await idle(page);
  expect(await more(), 'a second finger joins nothing to the stroke').toEqual(['5,0']);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
  expect(await violations(page, '.setup')).toEqual([]);
  await context.close();
});
