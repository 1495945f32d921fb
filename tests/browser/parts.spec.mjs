// What a link leaves out is not there, and what it locks cannot be moved: by pointer, by keyboard, or by any detour.

import { violations } from './axe.mjs';
import { soakOnly } from './extent.mjs';
import { expect, idle, openPage, test } from './fixture.mjs';
import { address, choose, expectShown, link, named, picture, reveal } from './helpers.mjs';

test('nothing but the map', async ({ page }) => {
  await openPage(page, link({ show: 'map' }));
  for (const gone of ['#share-open', '#text', '#heads', '#all-heads', '.setup', '.reading', '.panels-below', '.switches', '#as-table', '.legend', '.foot [data-t=foot]']) {
    await expect(page.locator(gone).first(), gone).toBeHidden();
  }
  await expect(page.locator('#map canvas.picture')).toBeVisible();
  await page.locator('#map').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('#cell .value')).not.toBeEmpty();
  // The page keeps its name for those who do not see it.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Attention Playground');
});

test('the map and two sliders, in any language, and what is needed all the same', async ({ page }) => {
  await openPage(page, `${link({ show: 'heads,window', mask: 'local', lang: 'zh' })}&nothing=1`);
  await expect(page.locator('#heads')).toBeVisible();
  await expect(page.locator('#window')).toBeVisible();
  for (const gone of ['#d-k', '[name=mask]', '#scaled', '#more', '#seed', '#presets']) {
    await expect(page.locator(gone).first(), gone).toBeHidden();
  }
  await expect(page.locator('.notices li')).toContainText('nothing');
  await page.locator('#heads').press('ArrowRight');
  await expectShown(page, { heads: '5' });
  expect(await address(page)).toContain('show=heads,window');
});

test('one panel and no other', async ({ page }) => {
  await openPage(page, link({ show: 'cost', open: 'cost' }));
  await expect(page.locator('#cost-summary')).toBeVisible();
  await expect(page.locator('#panel-steps')).toBeHidden();
  await expect(page.locator('#panel-compare')).toBeHidden();
});

test('a part that is folded away is in sight when it is shown by name', async ({ page }) => {
  await openPage(page, link({ show: 'temperature' }));
  await expect(page.locator('#temperature')).toBeVisible();
});

test('everything locked: no control can be moved, no detour leads round it', async ({ page }) => {
  await openPage(page, link({ lock: 'all', mask: 'local' }));
  const before = await address(page);
  const moved = page.locator('.setup input, .setup select, .setup button:not(.help, #all-settings), .sentences select, .sentences input, .legend input, .legend select, .walk button, .rail button');
  await expect(moved.first()).toBeDisabled();
  expect(await moved.evaluateAll((all) => all.filter((one) => !one.matches(':disabled')).map((one) => one.id || one.outerHTML.slice(0, 80)))).toEqual([]);
  expect(await page.locator('#text').evaluate((text) => text.readOnly)).toBe(true);
  await page.locator('label[for=heads]').dblclick({ force: true });
  await page.locator('#text').press('x');
  await page.locator('#map').focus();
  for (const key of ['ArrowDown', 'Space', 'ArrowRight', 'Space']) await page.keyboard.press(key);
  await (await reveal(page.locator('label:has([name=theme][value=dark])'))).click({ force: true });
  await page.keyboard.press('Escape');
  await page.locator('#steps-strip button').first().press('Enter');
  await expect(page.locator('.notices li')).toContainText('locked');
  const { cell, ...rest } = named(await address(page));
  expect(rest).toEqual(named(before));
  // Reading goes on: a cell can be chosen and a panel opened.
  await page.keyboard.press('Enter');
  await page.locator('#open-cost').click();
  await expect(page.locator('#cost-summary')).toBeVisible();
  expect(cell, 'the space bar chooses, and paints nothing').toBeDefined();
});

/** The padlock that stands behind a name, or null. */
const padlock = (element) => element.evaluate((element) => {
  const { content, width, clipPath, backgroundColor } = getComputedStyle(element, '::after');
  return content === '""' && width === '10px' && clipPath.startsWith('path(') ? backgroundColor : null;
});

test('what is locked can be told from what is free: a padlock, and why', async ({ page }) => {
  const why = 'Locked by whoever shared this page.';
  await openPage(page, link({ lock: 'heads,mask,scaled,positions,weights,theme,colours,presets,sentence,small,pager' }));
  const marked = ['label[for=heads]', 'fieldset:has([name=mask]) > legend', 'label:has(#scaled) > span', 'label[for=positions]', 'fieldset:has([name=origin]) > legend', 'fieldset:has([name=theme])', 'label:has(#colours)', '.sentence-tools', 'label[for=text]', '.walk .at'];
  for (const name of marked) expect(await padlock(page.locator(name).last()), name).toBe('rgb(79, 76, 69)');
  expect(await padlock(page.locator('#all-heads [aria-pressed=true] .which'))).toBe('rgb(79, 76, 69)');
  expect(await padlock(page.locator('#all-heads [aria-pressed=false] .which').first())).toBeNull();
  for (const name of ['label[for=d-k]', 'label[for=seed]', 'fieldset:has([name=scale])']) expect(await padlock(page.locator(name)), name).toBeNull();
  await expect(page.locator('.control:has(#heads)')).toHaveAttribute('title', why);
  await expect(page.locator('label[for=heads]'), 'it is not reset either').toHaveAttribute('title', why);
  await expect(page.locator('#heads')).toHaveAccessibleDescription(why);
  await expect(page.locator('#scaled')).toHaveAccessibleDescription(why);
  await expect(page.locator('#text')).toHaveAccessibleDescription(why);
  await expect(page.locator('#d-k')).toHaveAccessibleDescription('');
  await page.evaluate(() => { location.hash = 'v=1&lock=heads&lang=zh'; });
  await expect(page.locator('#heads')).toHaveAccessibleDescription('已由分享此页的人锁定。');
  await expect(page.locator('label[for=heads]')).toHaveAttribute('title', '已由分享此页的人锁定。');
  await page.evaluate(() => { location.hash = 'v=1&lang=en'; });
  await expect(page.locator('#heads')).toHaveAccessibleDescription('');
  await expect(page.locator('label[for=heads]')).toHaveAttribute('title', 'Double-click to reset');
  expect(await padlock(page.locator('label[for=heads]'))).toBeNull();
});

test('a locked sentence of a compact page has its padlock beside it, and no second one comes', async ({ page }) => {
  await openPage(page, `#embed&${link({ lock: 'sentence' }).slice(1)}`);
  const [text, label] = [await page.locator('#text').boundingBox(), await page.locator('label[for=text]').boundingBox()];
  expect(await padlock(page.locator('label[for=text]'))).not.toBeNull();
  expect(label.x).toBeGreaterThanOrEqual(text.x + text.width);
  await expect(page.locator('#second')).toBeHidden();
});

test('a double click on what is locked says that it is locked', async ({ page }) => {
  await openPage(page, link({ lock: 'heads', heads: '2', lang: 'zh' }));
  await page.locator('label[for=heads]').dblclick({ force: true });
  await expect(page.locator('.notices li')).toContainText('锁定');
  await expectShown(page, { heads: '2' });
});

test('one control locked leaves the others free, and the next link frees it', async ({ page }) => {
  await openPage(page, link({ lock: 'mask,scaled', scoring: 'additive' }));
  await expect(page.locator('[name=mask][value=causal]')).toBeDisabled();
  await page.locator('#heads').press('ArrowRight');
  await expectShown(page, { heads: '5' });
  await page.evaluate(() => { location.hash = 'v=1'; });
  await expectShown(page, { heads: '4' });
  await expect(page.locator('[name=mask][value=causal]')).toBeEnabled();
  await expect(page.locator('#scaled')).toBeEnabled();
  await choose(page, 'mask', 'causal');
  await expectShown(page, { mask: 'causal' });
  await idle(page);
});

soakOnly(test)('axe finds nothing where the map is alone, at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  await openPage(page, link({ show: 'map' }));
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
