// Handing a setting on: what is copied opens as it was, whatever the sentence holds, and nothing in it becomes anything but text.

import { subset } from './extent.mjs';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { address, expectShown, link, named, shown } from './helpers.mjs';

const open = async (page) => {
  await page.locator('#share-open').click();
  await expect(page.locator('#share')).toBeVisible();
};
const text = (page) => page.locator('#share-text').inputValue();
const form = (page, name) => page.locator(`label:has([name=share-form][value=${name}])`).click();
const extent = (page, name) => page.locator(`[name=share-extent][value=${name}]`).check();
const wishes = (page) => page.locator('#share-wishes > summary').click();
const fragment = (url) => url.slice(url.indexOf('#') + 1);

test('the link opens the very numbers', async ({ page, context }) => {
  await openPage(page, link({ text: 'she sees it', weights: 'random', seed: '7', mask: 'causal', heads: '3', cell: '2,1' }));
  const own = await shown(page);
  await open(page);
  const other = await context.newPage();
  await other.goto(await text(page));
  expect(await shown(other)).toEqual(own);
  expect(named(fragment(await text(page)))).toEqual(named(await address(page)));
});

test('copying says so, with the clipboard of the browser', async ({ page, context, browserName }) => {
  test.skip(browserName !== 'chromium', 'only Chromium lets a test read the clipboard');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPage(page);
  await open(page);
  await page.locator('#share-copy').click();
  await expect(page.locator('#share-said')).toHaveText('Copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await text(page));
});

isolated('where the browser refuses to copy, the text is there to be copied by hand', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  });
  await openPage(page, link({ lang: 'zh' }));
  await open(page);
  await page.locator('#share-copy').press('Enter');
  await expect(page.locator('#share-said')).toContainText('Ctrl');
  const selected = await page.locator('#share-text').evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
  expect(selected).toBe(await text(page));
});

test('the preview is the page itself, only while it is looked at', async ({ page }) => {
  await openPage(page, link({ seed: '7', weights: 'random' }));
  await open(page);
  await form(page, 'iframe');
  await expect(page.locator('#share-frame iframe')).toHaveCount(0);
  await page.locator('#share-preview > summary').click();
  const inside = page.frameLocator('#share iframe');
  await expect(page.locator('#share iframe')).toHaveCount(1);
  await idle(page);
  await expectShown(inside, { seed: '7' });
  const entries = await page.evaluate(() => history.length);
  await page.locator('#share-wishes > summary').click();
  await extent(page, 'map');
  await expect(inside.locator('#text')).toBeHidden();
  await page.locator('label:has([name=share-width][value="320"])').click();
  expect(await page.locator('#share iframe').evaluate((frame) => frame.clientWidth)).toBe(320);
  expect(await page.evaluate(() => history.length), 'nothing to go back to').toBe(entries);
  await page.keyboard.press('Escape');
  await expect(page.locator('#share')).toBeHidden();
  await expect(page.locator('#share iframe')).toHaveCount(0);
});

test('a long list of parts: in groups, with the way out in sight', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await openPage(page);
  await open(page);
  await wishes(page);
  await extent(page, 'chosen');
  await expect(page.locator('#share-parts h3')).toHaveText(['the page', 'mask', 'Set-up', 'the map', 'panels']);
  await page.locator('#share-parts > section').last().scrollIntoViewIfNeeded();
  await expect(page.locator('#share-close')).toBeInViewport();
  // Of a compact page only what is there can be locked.
  await extent(page, 'compact');
  await expect(page.locator('#share-parts [role=group]:visible')).toHaveText([/^sentence/i, /^head thumbnails/i]);
  await expect(page.locator('#share-parts h3:visible')).toHaveText(['the page', 'the map']);
});

test('by keyboard: opened, left with Escape, and the focus is back', async ({ page }) => {
  await openPage(page);
  await page.locator('#share-open').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#share')).toBeVisible();
  await page.locator('[name=share-form][value=link]').focus();
  await page.keyboard.press('ArrowRight');
  expect(await text(page)).toContain('<iframe');
  await page.locator('#share-enlarge').press('Enter');
  await expect(page.locator('#share-large')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('#share-large')).toBeHidden();
  await expect(page.locator('#share-enlarge')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.locator('#share')).toBeHidden();
  await expect(page.locator('#share-open')).toBeFocused();
});

test('a lesson is written from here, or the one that is taken is changed', async ({ page }) => {
  const source = page.locator('#lesson-source');
  const write = async (name) => {
    await open(page);
    await page.locator('#share').getByRole('button', { name }).click();
    await idle(page);
    await expect(page.locator('#share')).toBeHidden();
    await expect(page.locator('#lesson')).toBeFocused();
  };
  await openPage(page);
  await write('Write a lesson');
  await expect(source).toHaveValue(/^---\ntitle: /);
  await source.fill('mine');
  await write('Write a lesson');
  await expect(source, 'what is being written stays').toHaveValue('mine');
  await openPage(page, link({ lesson: '06-masks' }));
  await write('Change this lesson');
  await expect(source).toHaveValue(/^---\ntitle: Masks\n/);
});

test('a QR code in a lecture hall: dark on white, as large as the screen', async ({ page }) => {
  await openPage(page, link({ theme: 'dark' }));
  await open(page);
  await page.locator('#share-enlarge').click();
  const { fill, ground, width } = await page.locator('#share-large-code').evaluate((code) => ({
    fill: getComputedStyle(code.querySelector('path')).fill,
    ground: getComputedStyle(code).backgroundColor,
    width: Math.min(code.clientWidth, code.clientHeight),
  }));
  expect([fill, ground]).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  expect(width).toBeGreaterThan(500);
  await page.locator('#share-large-close').click();
  // A frame that measures may still be loading: the next test would take it away.
  await idle(page);
});

for (const [name, width, height] of subset([['a phone', 390, 844], ['a laptop', 1280, 860]], (_, at) => at === 0)) {
  test(`what is copied stays in sight while parts are ticked: ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openPage(page);
    await open(page);
    await wishes(page);
    await extent(page, 'chosen');
    const last = page.locator('#share-parts input:visible').last();
    await last.focus();
    await page.keyboard.press('Space');
    await expect(page.locator('#share-text')).toBeInViewport({ ratio: 0.9 });
    await expect(page.locator('#share-copy')).toBeInViewport({ ratio: 0.9 });
    // Back by keyboard: what has the focus is never below what stays.
    const first = page.locator('#share-parts input:visible').first();
    await first.focus();
    await expect(first).toBeInViewport({ ratio: 1 });
    const [box, text] = [await first.boundingBox(), await page.locator('.share-hand').boundingBox()];
    expect(box.y).toBeGreaterThanOrEqual(text.y + text.height);
  });
}
