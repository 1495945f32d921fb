// What it costs: numbers equal their formulas, curves and crossings follow the toggles, measuring leaves the page alone.

import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { drag, expectShown, link } from './helpers.mjs';

const open = (settings = {}) => link({ open: 'cost', ...settings });

/** The exact number behind what stands there. */
const exact = async (page, id) => Number(await page.locator(`#cost-${id}`).getAttribute('title'));

/** "32.8 MFLOP" → 32.8e6. */
function amount(written) {
  const [, number, prefix] = /^([\d.]+)\u202f?([kMGT]?)/.exec(written);
  return Number(number) * { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 }[prefix];
}

/** The row of a kind of layer: name, value where the curves are read, and the rest. */
const row = (page, id) => page.locator(`#cost-layers tr:has(input[value="${id}"])`);
const value = async (page, id) => amount(await row(page, id).locator('td').first().innerText());

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

const [h, d, dk, n] = [4, 64, 16, 11];
const projections = (length) => length * d * dk * 3 * h + length * h * dk * d;

test('multiply-adds, FLOPs and bytes are those of the formulas', async ({ page }) => {
  await openPage(page, open({ positions: 'none' }));
  const multiplyAdds = projections(n) + 2 * h * n * n * dk;
  await idle(page);
  expect(await exact(page, 'all-multiply-adds')).toBe(multiplyAdds);
  expect(await exact(page, 'all-flops')).toBe(2 * multiplyAdds + 6 * h * n * n);
  expect(await exact(page, 'all-other')).toBe(6 * h * n * n);
  expect(await exact(page, 'matrix')).toBe(4 * h * n * n);
  // The queries of hand-built heads have a bias.
  expect(await exact(page, 'weights')).toBe(4 * (4 * d * h * dk + h * dk));
  expect(await exact(page, 'cache')).toBe(4 * n * 2 * h * dk);
  const names = await page.locator('#cost-steps th').allInnerTexts();
  expect(names).toEqual(['queries Q', 'keys K', 'values V', 'scores S', 'scaling', 'softmax A', 'weighted sums C', 'heads concatenated', 'output']);
});

test('curves come and go by keyboard, and say what they are where they are read', async ({ page }) => {
  await openPage(page, open());
  await expect(page.locator('#cost-chart .curve.recurrent')).toHaveCount(1);
  await row(page, 'recurrent').locator('input').focus();
  await page.keyboard.press('Space');
  await expect(page.locator('#cost-chart .curve.recurrent')).toHaveCount(0);
  await expect(page.locator('#cost-chart .name')).toHaveText(['this setting', 'projections of this setting', 'attention of this setting', 'self-attention', 'local', 'Linformer', 'convolution']);
  await page.locator('#cost-layers input[value="parts"]').focus();
  await page.keyboard.press('Space');
  await expect(page.locator('#cost-chart .name')).toHaveText(['this setting', 'self-attention', 'local', 'Linformer', 'convolution']);
  await page.locator('#cost-chart').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('#cost-at')).toHaveText('at n = 2048');
  const full = 2 * projections(2048) + h * 2048 ** 2 * (4 * dk + 6);
  expect(Math.abs(await value(page, 'full') / full - 1)).toBeLessThan(0.005);
  expect(Math.abs(await value(page, 'recurrent') / (4 * 2048 * d * d + 2048 * d) - 1)).toBeLessThan(0.005);
  await page.keyboard.press('Home');
  await expect(page.locator('#cost-chart')).toHaveAttribute('aria-valuenow', '4');
  await expect(page.locator('#cost-chart')).toHaveAttribute('aria-valuetext', /at n = 4; this setting .*self-attention/);
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
