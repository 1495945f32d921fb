// What it costs: curves are read where the pointer is, measuring leaves the page alone.

import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { drag, expectShown, link } from './helpers.mjs';

const open = (settings = {}) => link({ open: 'cost', ...settings });

/** Waits until the panel has been shown something: it follows the map in a frame of its own. */
const written = (page) => expect(page.locator('#cost-chart svg')).toBeVisible();

/** Lets the panel believe that this device is fast, so that measuring goes on to lengths that take it a minute. */
const measureLong = (page) => page.addInitScript(() => {
  globalThis.measured = 0;
  const ids = new Set();
  globalThis.Worker = class extends Worker {
    set onmessage(hear) {
      super.onmessage = hear && ((event) => {
        const { id, result } = event.data;
        if (ids.has(id) && result) result.elapsed_ms /= 1000;
        hear(event);
      });
    }

    postMessage(message, ...rest) {
      if (message.kind === 'measure') {
        globalThis.measured += 1;
        ids.add(message.id);
      }
      super.postMessage(message, ...rest);
    }
  };
});

test('the pointer reads the curves where it stands', async ({ page }) => {
  await openPage(page, open());
  const chart = page.locator('#cost-chart');
  await written(page);
  await chart.scrollIntoViewIfNeeded();
  const tick = await page.locator('#cost-chart .x', { hasText: '4096' }).boundingBox();
  const box = await chart.boundingBox();
  await page.mouse.move(tick.x + tick.width / 2, box.y + 100);
  await idle(page);
  expect(Number(await chart.getAttribute('aria-valuenow'))).toBeGreaterThan(3900);
  expect(Number(await chart.getAttribute('aria-valuenow'))).toBeLessThan(4300);
  await expect(chart.locator('.reading circle')).toHaveCount(8);
});

isolated('measuring here gives times, and a sentence on each backend', async ({ page }) => {
  await openPage(page, open());
  await written(page);
  await page.locator('#cost-most').selectOption('128');
  await page.locator('#cost-run').click();
  await expect(page.locator('#cost-said li')).toHaveText(['processor: measured up to n = 128.', /^graphics card: ended\. The browser has WebGPU, but found no graphics card|^graphics card: ended\. This browser has no WebGPU/]);
  await expect(page.locator('#cost-times th')).toHaveText(['64', '128']);
  await expect(page.locator('#cost-times td')).toHaveText([/ms|µs/, '–', /ms|µs/, '–']);
  await expect(page.locator('#cost-chart circle.time')).toHaveCount(2);
  await drag(page, 'd-k', 1);
  await expectShown(page, { d_k: '128' });
  await expect(page.locator('#cost-stale')).not.toBeEmpty();
  await expect(page.locator('#cost-chart .time')).toHaveCount(0);
});

isolated('while it measures the sliders answer, stopping is heard, and a panel that is closed measures nothing', async ({ page }) => {
  await measureLong(page);
  await openPage(page, open({ weights: 'random', d_model: 512, d_k: 128, heads: 8 }));
  await written(page);
  await page.locator('#cost-run').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#cost-stop')).toBeFocused();
  await expect(page.locator('#cost-said')).toContainText('processor: measuring n =');
  await drag(page, 'heads', 0);
  // It is at work, and so not idle, as long as it measures.
  await expect(page.locator('#all-heads button')).toHaveCount(1);
  await expect(page.locator('#cost-said')).toContainText('processor: measuring n =');
  await page.locator('#cost-stop').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#cost-said')).toContainText(/processor: stopped (after n = |before a length)/);
  await expect(page.locator('#cost-run')).toBeFocused();

  const measured = () => page.evaluate(() => globalThis.measured);
  const first = await measured();
  await page.locator('#cost-run').click();
  await expect.poll(measured).toBeGreaterThan(first);
  await page.locator('#open-cost').click();
  const before = await measured();
  await drag(page, 'heads', 1);
  await idle(page);
  expect(await measured()).toBe(before);
  await page.locator('#open-cost').click();
  await expect(page.locator('#cost-said li').first()).toHaveText(/^processor: stopped (after n = |before a length)/);
  await expect(page.locator('#cost-run')).toBeVisible();
});
