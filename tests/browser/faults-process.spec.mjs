// The browser's own GPU process is ended while somebody drags: nothing that is on screen or set is lost.

import { kill } from 'node:process';
import { chromiumFlags, gpuFlags, headlessShell } from './browsers.mjs';
import { subset } from './extent.mjs';
import { expect, openPage, isolated as test } from './fixture.mjs';
import { expectRowsSumToOne, expectShown, link, picture, table } from './helpers.mjs';
import { gpuProcess } from './memory.mjs';

// A browser of our own: it is harmed. Chromium itself gives up on GPUs after some such losses, and on pages that saw them, without these.
const NEVER_GIVE_UP = ['--disable-gpu-process-crash-limit', '--disable-domain-blocking-for-3d-apis'];
test.use({ launchOptions: { executablePath: headlessShell(), args: [...chromiumFlags, ...gpuFlags, ...NEVER_GIVE_UP] } });

const PATIENCE = { timeout: 90_000 };
const STATE = { weights: 'random', mask: 'causal', heads: '5' };

const onGpu = async (page) => expect(await picture(page)).toMatchObject({ backend: 'webgpu' });

test("the browser's GPU process ends while a slider is dragged", async ({ page, browser, quiet }) => {
  // Chromium itself tells of a context that it lost.
  quiet.allow(/context.*lost|CONTEXT_LOST/i);
  await openPage(page, link({ ...STATE, backend: 'webgpu' }));
  await onGpu(page);
  for (const [round, d_k] of subset([['first', '33'], ['second', '48']], (_, at) => at === 0)) {
    const ended = await gpuProcess(browser);
    expect(ended, `a GPU process, ${round} time`).toBeGreaterThan(1);
    const slider = page.locator('#heads');
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.3, y);
    await page.mouse.down();
    for (let step = 0; step < 20; step++) {
      if (step === 10) kill(ended, 'SIGKILL');
      await page.mouse.move(box.x + box.width * (0.3 + 0.02 * step), y);
      await page.waitForTimeout(15);
    }
    await page.mouse.up();
    const heads = await slider.inputValue();
    await expectShown(page, { weights: 'random', mask: 'causal', heads });
    expectRowsSumToOne((await table(page)).cells);
    await expect(page.locator('#notices')).toContainText(/The graphics card (was lost|is back)/, PATIENCE);
    await page.locator('#d-k-number').fill(d_k);
    await page.locator('#d-k-number').press('Enter');
    await expectShown(page, { d_k, heads });
    await expect(page.locator('[data-failure]')).toBeHidden();
    await onGpu(page);
    expect(await gpuProcess(browser), 'another process').not.toBe(ended);
  }
});
