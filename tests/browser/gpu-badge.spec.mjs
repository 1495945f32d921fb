// The page on a real adapter, if only a software one: chosen by hand, told, compared.

import { expect, openPage, test } from './fixture.mjs';
import { badge, openPanel } from './helpers-backend.mjs';
import { choose, expectShown, link, picture, table } from './helpers.mjs';
import { difference, expectPixelsSay, plot } from './helpers-pixels.mjs';

/** Opens the page, waits for the check, and computes on the graphics card. */
async function onCard(page, fragment) {
  await openPage(page, fragment);
  await openPanel(page);
  await choose(page, 'backend', 'webgpu');
  await expectShown(page, { backend: 'webgpu' });
  expect((await picture(page)).backend).toBe('webgpu');
}

test('by itself the page uses no adapter that is only software, and says so', async ({ page }) => {
  await openPage(page);
  expect((await badge(page)).reason).toMatch(/^(slow|sooner)$/);
  await openPanel(page);
  await expect(page.locator('#backend-sentence')).toHaveText(/^Your processor computed this picture\. (WebGPU runs in software here|At this size)/);
  await expect(page.locator('#backend-adapter')).toContainText('(software)');
  await expect(page.locator('#compare')).toBeEnabled();
});

test('switched by hand, both backends give the same picture', async ({ page }) => {
  await onCard(page, link({ weights: 'random', heads: '3', mask: 'causal', d_k: '7' }));
  expect(await badge(page)).toMatchObject({ name: 'WebGPU', backend: 'webgpu', reason: undefined });
  expect((await badge(page)).beside).not.toBe('');
  await expect(page.locator('#backend-sentence')).toContainText('only software');
  const [there, cells] = [await plot(page), await table(page)];
  await expectPixelsSay(page, cells.cells);
  await choose(page, 'backend', 'cpu');
  expect((await picture(page)).backend).toBe('cpu');
  expect(await badge(page)).toMatchObject({ name: 'CPU', reason: 'chosen' });
  expect(difference(there, await plot(page)), 'share of pixels that differ').toBeLessThan(0.001);
  expect((await table(page)).rows).toEqual(cells.rows);
});

test('the largest difference is shown on request, and is within the promise', async ({ page }) => {
  await onCard(page, link({ d_model: '37', heads: '5' }));
  await page.locator('#compare').click();
  await expect(page.locator('#comparison')).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('#comparison-verdict')).toHaveText(/within the promised|the same weights/);
  const [cpu, , webgpu] = await page.locator('#comparison tbody td').allTextContents();
  expect(Math.abs(Number(cpu) - Number(webgpu))).toBeLessThan(1e-4);
  await expect(page.locator('#comparison thead td')).toHaveText(/^head [1-5]: /);
  await choose(page, 'backend', 'cpu');
  expect((await picture(page)).backend).toBe('cpu');
  await page.locator('#compare').click();
  await expect(page.locator('#comparison-verdict'), 'whatever is chosen').toHaveText(/within the promised|the same weights/, { timeout: 20_000 });
  await expect(page.locator('#comparison tbody td').last()).not.toBeEmpty();
});
