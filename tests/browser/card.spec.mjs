// The disguise of the project `card` works: without it, its other suites would try the kernels for software adapters once more.

import { openApi } from './api.mjs';
import { expect, test } from './fixture.mjs';

test('the adapter is taken for a graphics card', async ({ page }) => {
  await openApi(page);
  const { webgpu } = await page.evaluate(() => attentionPlayground.backends());
  expect(webgpu).toMatchObject({ available: true, adapter: 'test card', is_software: false });
});
