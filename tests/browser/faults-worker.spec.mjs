// A GPU that takes the worker with it, again and again: it is left alone, and the page goes on.

import { expect, openPage, isolated as test } from './fixture.mjs';
import { picture } from './helpers.mjs';

test('a GPU that keeps killing workers is no longer asked for', async ({ page, quiet }) => {
  quiet.allow(/on purpose/);
  let workers = 0;
  page.on('worker', () => { workers += 1; });
  await page.route(/\/worker-\w+\.js$/, async (route) => {
    const response = await route.fetch();
    const deadly = `
      globalThis.GPUAdapter.prototype.requestDevice = () => {
        setTimeout(() => { throw new Error('on purpose'); });
        return new Promise(() => {});
      };
    `;
    await route.fulfill({ response, body: deadly + (await response.text()) });
  });
  await openPage(page);
  await expect(page.locator('#backend')).toHaveAttribute('data-reason', 'rejected', { timeout: 20_000 });
  const found = await page.evaluate(async () => (await attentionPlayground.backends()).webgpu);
  expect(found).toMatchObject({ available: false, reason: { code: 'rejected' } });
  expect(found.reason.message).toContain('on purpose');
  await expect.poll(() => workers, 'two died, and there is a third one').toBe(3);
  await page.waitForTimeout(1_500);
  expect(workers, 'which stays').toBe(3);
  expect(await picture(page)).toMatchObject({ backend: 'cpu' });
  await expect(page.locator('[data-failure]')).toBeHidden();
});
