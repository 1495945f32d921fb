// Zooming into a large map: a frame, the wheel with Ctrl, keys, the overview, full screen.

import { expect, idle, isolated, openPage, readCanvas, test } from './fixture.mjs';
import { address, link, readout } from './helpers.mjs';
import { plot } from './helpers-pixels.mjs';

/** Forty rows and columns, each with a name of its own. */
const TOKENS = Array.from({ length: 40 }, (_, at) => `w${at + 1}`);
const START = { text: TOKENS.join(' '), weights: 'random', heads: '2', cell: '1' };

const said = async (page) => (await idle(page), page.locator('#live-region').textContent());

/** The middle of a cell in the window, where the plot has `size` cells along each side, the first of them `from`. */
async function at(page, [row, column], from = [0, 0], size = 40) {
  await page.locator('#readout').scrollIntoViewIfNeeded();
  const [box, drawn] = [await page.locator('#map .picture').boundingBox(), await plot(page)];
  const scale = box.width / drawn.image.width;
  const along = (start, length, cell) => scale * (start + ((cell + 0.5) * length) / size);
  return { x: box.x + along(drawn.left, drawn.width, column - from[1]), y: box.y + along(drawn.top, drawn.height, row - from[0]) };
}

async function frame(page, one, other) {
  const [from, to] = [await at(page, one), await at(page, other)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}

test('a frame drawn with Shift is shown alone, is read and walked on, and Escape goes back', async ({ page }) => {
  await openPage(page, link(START));
  await idle(page);
  await at(page, [0, 0]);
  const [whole, box] = [await plot(page), await page.locator('#map').boundingBox()];
  const before = await address(page);
  await page.keyboard.down('Shift');
  await frame(page, [10, 4], [19, 13]);
  await page.keyboard.up('Shift');
  expect(await said(page)).toBe('rows 11–20, columns 5–14');
  expect(await page.locator('#map').boundingBox()).toEqual(box);
  const zoomed = await plot(page);
  expect([zoomed.left, zoomed.top, zoomed.width, zoomed.height]).toEqual([whole.left, whole.top, whole.width, whole.height]);
  const inside = await at(page, [12, 6], [10, 4], 10);
  await page.mouse.move(inside.x, inside.y);
  await idle(page);
  expect(await readout(page)).toMatchObject({ query: 'w13', key: 'w7' });
  await expect(page.locator('#map .overview')).toBeVisible();
  await page.locator('#map').focus();
  for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowDown');
  expect(await said(page)).toBe('rows 13–22, columns 5–14');
  await page.keyboard.press('Escape');
  expect(await said(page)).toBe('the whole map');
  await expect(page.locator('#map .overview')).toBeHidden();
  expect(await address(page), 'the link knows nothing of it').toBe(before);
});

test('the button zooms without Shift, and its click chooses no cell', async ({ page }) => {
  await openPage(page, link(START));
  await page.getByRole('button', { name: 'zoom', exact: true }).click();
  await frame(page, [3, 3], [12, 12]);
  expect(await said(page)).toBe('rows 4–13, columns 4–13');
  expect(await address(page)).not.toContain('cell=13');
  await page.getByRole('button', { name: 'whole map' }).click();
  expect(await said(page)).toBe('the whole map');
});

test('Ctrl and the wheel zoom about the pointer, the wheel alone scrolls, the overview moves what is shown', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await openPage(page, link(START));
  const { x, y } = await at(page, [30, 8]);
  await page.mouse.move(x, y);
  await page.keyboard.down('Control');
  for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await expect.poll(() => said(page)).toBe('rows 19–35, columns 6–22');
  await page.mouse.move(x + 1, y);
  await idle(page);
  expect(await readout(page)).toMatchObject({ query: 'w31', key: 'w9' });
  const overview = page.locator('#map .overview');
  const pixels = async () => (await idle(page), (await readCanvas(overview)).data);
  const before = await pixels();
  await overview.click({ position: { x: 5, y: 5 } });
  expect(await said(page)).toMatch(/rows 1–\d+, columns 1–\d+/);
  expect(Buffer.compare(before, await pixels())).not.toBe(0);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('plus, minus and 0 zoom about the chosen cell; small maps stay whole', async ({ page }) => {
  await openPage(page, link({ ...START, cell: '20,30' }));
  await page.locator('#map').focus();
  await page.keyboard.press('+');
  const near = await said(page);
  expect(near).toMatch(/rows \d+–\d+, columns/);
  await page.keyboard.press('+');
  expect(await said(page)).not.toBe(near);
  await page.keyboard.press('-');
  await page.keyboard.press('0');
  expect(await said(page)).toBe('the whole map');
  await openPage(page, link({ ...START, text: 'three small words' }));
  await page.locator('#map').focus();
  await page.keyboard.press('+');
  expect(await said(page)).not.toContain('rows');
  await expect(page.getByRole('button', { name: 'zoom', exact: true })).toBeHidden();
});

test('masks are painted on what is shown', async ({ page }) => {
  await openPage(page, link({ ...START, step: 'mask' }));
  await page.locator('#paint').click();
  await page.keyboard.down('Shift');
  await frame(page, [10, 4], [19, 13]);
  await page.keyboard.up('Shift');
  const { x, y } = await at(page, [15, 9], [10, 4], 10);
  await page.mouse.click(x, y);
  await idle(page);
  await page.mouse.move(x, y + 1);
  await idle(page);
  expect(await readout(page)).toMatchObject({ query: 'w16', key: 'w10' });
  expect((await readout(page)).value).toMatch(/^\D+$/);
});

isolated('two fingers zoom', async ({ browser, server }) => {
  const page = await browser.newPage({ baseURL: server.origin, hasTouch: true, viewport: { width: 390, height: 844 } });
  await openPage(page, link(START));
  const { x, y } = await at(page, [20, 20]);
  const client = await page.context().newCDPSession(page);
  const touch = (type, apart) => client.send('Input.dispatchTouchEvent', {
    type, touchPoints: apart === null ? [] : [{ x: x - apart, y, id: 1 }, { x: x + apart, y, id: 2 }],
  });
  await touch('touchStart', 20);
  for (const apart of [30, 40, 60]) await touch('touchMove', apart);
  await touch('touchEnd', null);
  await expect.poll(() => said(page)).toMatch(/rows 1\d–2\d, columns 1\d–2\d/);
  await page.close();
});

test('the map fills the screen and comes back', async ({ page }) => {
  await openPage(page, link(START));
  const width = () => page.locator('#map .picture').evaluate((own) => own.clientWidth);
  const before = await width();
  await page.getByRole('button', { name: 'full screen' }).click();
  await expect(page.getByRole('button', { name: 'full screen' })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await idle(page), width())).not.toBe(before);
  await page.getByRole('button', { name: 'full screen' }).click();
  await expect.poll(async () => (await idle(page), width())).toBe(before);
});
