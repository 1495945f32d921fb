// The panels below the map: opened and closed by pointer and keyboard, kept in the link, and nothing while they are closed.

import { expect, openPage, test } from './fixture.mjs';
import { address, link, named } from './helpers.mjs';

const PANELS = ['steps', 'curves', 'streaming', 'compare', 'analysis', 'cost', 'data'];

const open = (page) => page.locator('.panel-body:visible').evaluateAll((bodies) => bodies.map((body) => body.id.replace('-body', '')));

test('a first visit has the steps open, and every name opens its panel in place', async ({ page }) => {
  await openPage(page);
  expect(await open(page)).toEqual(['steps']);
  for (const panel of PANELS.slice(1)) {
    await page.locator(`#open-${panel}`).click();
    await expect(page.locator(`#open-${panel}`)).toHaveAttribute('aria-expanded', 'true');
    await expect(page.locator(`#open-${panel}`)).toHaveAttribute('aria-controls', `${panel}-body`);
  }
  expect(await open(page)).toEqual(PANELS);
  await expect.poll(async () => named(await address(page)).open).toBe(PANELS.join(','));
});

test('keys open and close them, and back undoes it', async ({ page }) => {
  await openPage(page);
  await page.locator('#open-cost').press('Enter');
  await page.locator('#open-steps').press('Space');
  expect(await open(page)).toEqual(['cost']);
  await expect(page.locator('#open-steps')).toBeFocused();
  await page.locator('#open-cost').press('Enter');
  await expect.poll(async () => named(await address(page)).open).toBe('none');
  await page.goBack();
  await expect.poll(() => open(page)).toEqual(['cost']);
});

test('a link says which are open, in every language', async ({ page }) => {
  await openPage(page, link({ open: 'analysis,compare', lang: 'zh' }));
  expect(await open(page)).toEqual(['compare', 'analysis']);
  await expect(page.locator('#open-compare')).toHaveText('并排对比');
});
