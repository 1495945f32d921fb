// Two settings side by side where the graphics card computes: B goes where A goes, and both agree with the processor.

import { expect, openPage, isolated as test } from './fixture.mjs';
import { link, picture } from './helpers.mjs';

const settings = { open: 'compare', text: 'she sees it and he sees her', against: 'mask=causal&scaled=0' };

/** Entropy of both and how far outputs and weights are apart, as soon as they are those of `backend`. */
const read = (page) => page.locator('#versus-numbers tbody').evaluate((body) => ['entropy', 'weights', 'moved', 'largest', 'mean', 'cosine']
  .map((name) => [...body.querySelector(`[data-row="${name}"]`).cells].slice(1).map((cell) => parseFloat(cell.textContent.replace('−', '-')))).flat());

async function numbers(page, backend) {
  await openPage(page, link({ ...settings, backend }));
  expect((await picture(page)).backend).toBe(backend);
  return read(page);
}

test('A and B agree on both backends', async ({ page }) => {
  await page.addInitScript(() => {
    globalThis.ran = [];
    globalThis.Worker = class extends Worker {
      set onmessage(hear) {
        super.onmessage = hear && ((event) => {
          if (event.data.result?.weights) globalThis.ran.push(event.data.result.backend);
          hear(event);
        });
      }
    };
  });
  const webgpu = await numbers(page, 'webgpu');
  expect(await page.evaluate(() => globalThis.ran.slice(-2))).toEqual(['webgpu', 'webgpu']);
  const cpu = await numbers(page, 'cpu');
  expect(await page.evaluate(() => globalThis.ran.slice(-2))).toEqual(['cpu', 'cpu']);
  for (const [at, value] of cpu.entries()) {
    if (Number.isNaN(value)) expect(webgpu[at]).toBeNaN();
    else expect(Math.abs(webgpu[at] - value), `number ${at}`).toBeLessThan(2e-3 * Math.max(1, Math.abs(value)));
  }
});
