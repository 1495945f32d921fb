// Measuring here on both backends.

import { addFaults, inWorker } from './faults.mjs';
import { expect, isolated, openPage, test } from './fixture.mjs';
import { link, picture } from './helpers.mjs';

test('both backends are measured, one after the other', async ({ page }) => {
  await openPage(page, link({ open: 'cost', backend: 'webgpu' }));
  await page.locator('#cost-most').selectOption('128');
  await page.locator('#cost-run').click();
  await expect(page.locator('#cost-said li')).toHaveText(['processor: measured up to n = 128.', 'graphics card: measured up to n = 128.'], { timeout: 60_000 });
  await expect(page.locator('#cost-times td')).toHaveText(Array(4).fill(/ms|µs/));
  await expect(page.locator('#cost-chart circle.time')).toHaveCount(2);
  await expect(page.locator('#cost-chart rect.time')).toHaveCount(2);
});

isolated('a device that is lost ends its series with the reason, and the processor\'s times stay', async ({ page, quiet }) => {
  quiet.allow(/./);
  await addFaults(page);
  await openPage(page, link({ open: 'cost', backend: 'webgpu' }));
  expect(await picture(page)).toMatchObject({ backend: 'webgpu' });
  await page.locator('#cost-most').selectOption('1024');
  // The device is checked, the page's own run is over and the processor submits nothing: what is counted is the device's series.
  await inWorker(page, () => { faults.next = { submissions: 4, act: 'destroy' }; });
  await page.locator('#cost-run').click();
  await expect(page.locator('#cost-said li').nth(1)).toHaveText('graphics card: ended. The browser lost the graphics card; it will be tried once more.', { timeout: 60_000 });
  await expect(page.locator('#cost-run')).toBeVisible();
  expect(await page.locator('#cost-times tr').count()).toBeGreaterThan(1);
});
