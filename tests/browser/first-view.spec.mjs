// What stands where when the page is opened, before anything is done.

import { subset } from './extent.mjs';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { link } from './helpers.mjs';

/** Where parts are in the window, from its top left corner. */
const boxes = (page) => page.evaluate(() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();
  return { map: box('#map .picture'), heads: box('#all-heads > :last-child'), walk: box('#walk'), story: box('#story'), setup: box('.setup'), reading: box('.reading') };
});

// The map is at least this wide: 400 px in a window of 1024 was too small.
for (const [width, height, least] of subset([[1024, 768, 450], [1440, 900, 480], [1920, 1080, 700]], (_, at) => at !== 1)) {
  isolated(`at ${width} × ${height} the headline stands above the map, which takes the room there is`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openPage(page, '');
    const { map, heads, walk, story } = await boxes(page);
    expect(map.width).toBeGreaterThan(least);
    expect(story.bottom).toBeLessThanOrEqual(map.top);
    expect(await page.locator('#story').evaluate((own) => parseFloat(getComputedStyle(own).fontSize))).toBeGreaterThanOrEqual(26);
    expect([walk.top >= 0, walk.bottom <= map.top], 'words and arrows of the walk above the map').toEqual([true, true]);
    if (width < 1200) return;
    expect(heads.bottom, 'all heads are in the window').toBeLessThanOrEqual(height);
    expect(map.bottom, 'and the map').toBeLessThanOrEqual(height);
  });
}

isolated('on a phone the set-up comes before the reading', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, '');
  const { map, setup, reading } = await boxes(page);
  expect(map.bottom).toBeLessThan(setup.top);
  expect(setup.bottom).toBeLessThanOrEqual(reading.top);
});

test('the legend names what is on the map', async ({ page }) => {
  await openPage(page);
  await expect(page.locator('.legend .of-hidden')).toBeHidden();
  await openPage(page, link({ mask: 'causal' }));
  await expect(page.locator('.legend .of-hidden')).toBeVisible();
  await openPage(page, link({ mask: 'causal', step: 'input' }));
  await expect(page.locator('.legend .of-hidden')).toBeHidden();
});

test('a difference that is 0 everywhere has no colour bar', async ({ page }) => {
  await openPage(page, link({ open: 'compare' }));
  const bar = page.locator('.versus-maps .of-difference .bar');
  await expect(bar).toBeHidden();
  await page.locator('.versus-set-ups label').first().click();
  await idle(page);
  await expect(bar).toBeVisible();
});

test('a processor is a state, not a fault', async ({ page, backend }) => {
  test.skip(backend !== 'cpu', 'there is a graphics card');
  await openPage(page);
  await expect(page.locator('#backend-name')).toHaveText('CPU');
  await expect(page.locator('#backend-beside'), 'why stands in its panel').toBeHidden();
  await expect(page.locator('[role=alert]:visible')).toHaveCount(0);
});

test('the foot of the page leads to how it works, to lecturers’ notes and to a citation', async ({ page }) => {
  await openPage(page);
  for (const [id, said] of [['how', /√d/], ['lecturers', /nothing to install/], ['cite', /@software|@misc/]]) {
    await page.locator(`footer [popovertarget=${id}], .foot [popovertarget=${id}]`).first().click();
    await expect(page.locator(`#${id}`)).toBeVisible();
    await expect(page.locator(`#${id}`)).toContainText(said);
    await page.keyboard.press('Escape');
    await expect(page.locator(`#${id}`)).toBeHidden();
  }
});

test('a finished matrix has no settings: their column goes to the map', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPage(page);
  const before = await boxes(page);
  await page.locator('#open-own').click();
  await page.locator('#import-file').setInputFiles({ name: 'weights.json', mimeType: '', buffer: Buffer.from('[[0.7,0.2,0.1],[0.1,0.8,0.1],[0.2,0.3,0.5]]') });
  await page.locator('#import-dialog-take').click();
  await idle(page);
  await expect(page.locator('.setup .when-finished')).toBeVisible();
  const after = await boxes(page);
  expect(after.map.left).toBeLessThan(before.map.left - 200);
  expect(after.setup.top).toBeGreaterThan(after.reading.bottom - 1);
});
