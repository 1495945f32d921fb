// Numbers that were brought, computed on WebGPU: what the page then hands out is what the processor finds.

import { distance } from './distance.mjs';
import { expect, openPage, test } from './fixture.mjs';
import { npz, saved } from './helpers-files.mjs';
import { choose, expectShown, link, picture, table } from './helpers.mjs';
import { openPanel } from './helpers-backend.mjs';

const TOLERANCE = 1.1e-4;
const RESULTS = ['q', 'k', 'v', 'scores', 'weights', 'context', 'output'];

/** A tensor of numbers between −1 and 1 that look random, the same each time. */
function tensor(shape, seed) {
  let state = Math.imul(seed, 747796405) + 1;
  const next = () => Math.fround(((state = Math.imul(state, 1664525) + 1013904223) >>> 8) / 8388608 - 1);
  return { shape, data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, next) };
}

const LAYER = {
  w_q: tensor([24, 20], 11), b_q: tensor([20], 12),
  w_k: tensor([24, 10], 13), b_k: tensor([10], 14),
  w_v: tensor([24, 6], 15), b_v: tensor([6], 16),
  w_o: tensor([12, 9], 17), b_o: tensor([9], 18),
};

/** How masks, scorings, biases and temperatures go together is tested natively on every backend: this is the way of a file to it. */
const BROUGHT = { heads: '4', rows: 11, columns: 11, settings: { scoring: 'additive', hiding: 'after', mask: 'local', window: '2' } };

/** Brings a file to a page that computes on WebGPU. */
async function bring(page, { heads, settings }) {
  await openPage(page, link({ ...settings, backend: 'webgpu', open: 'data' }));
  await page.locator('#import-file').setInputFiles([{ name: 'imported.json', mimeType: '', buffer: Buffer.from(JSON.stringify(LAYER)) }]);
  await page.locator('#import-dialog-form > summary').click();
  await page.locator('#import-dialog-heads').fill(heads);
  await page.locator('#import-dialog-heads').press('Tab');
  await expect(page.locator('#import-dialog-refusal')).toHaveText('');
  await page.locator('#import-dialog-take').click();
  await expect(page.locator('#imported')).toBeVisible();
}

/** Every result that the page has, as the archive holds it, and what the table says. */
async function results(page, { rows, columns }, backend) {
  await expectShown(page, { backend });
  expect(await picture(page)).toMatchObject({ rows, columns, backend });
  const { bytes } = await saved(page, () => page.locator('#data-all').click());
  return { tensors: npz(bytes), cells: (await table(page)).cells };
}

test('a layer with biases, on the sentence, additive: WebGPU finds what the processor finds', async ({ page }) => {
  await bring(page, BROUGHT);
  const here = await results(page, BROUGHT, 'webgpu');
  await openPanel(page);
  await choose(page, 'backend', 'cpu');
  await page.keyboard.press('Escape');
  const there = await results(page, BROUGHT, 'cpu');
  expect(Object.keys(here.tensors)).toEqual(Object.keys(there.tensors));
  for (const one of RESULTS.filter((one) => one in there.tensors)) {
    const [found, wanted] = [here.tensors[one], there.tensors[one]];
    expect(found.shape, one).toEqual(wanted.shape);
    const largest = Math.max(1, ...wanted.data.map(Math.abs));
    expect(distance(found.data, wanted.data), one).toBeLessThanOrEqual(TOLERANCE * largest);
  }
  expect(here.tensors.weights.shape.slice(-2)).toEqual([BROUGHT.rows, BROUGHT.columns]);
  here.cells.flat().forEach((cell, at) => {
    const wanted = there.cells.flat()[at];
    if (cell === null) expect(wanted).toBeNull();
    else expect(Math.abs(cell - wanted)).toBeLessThan(0.0016);
  });
});
