// WebGPU as a visitor and a caller meet it: what is said about it is true, and it shows what the processor shows.

import { putHelpers } from './api.mjs';
import { expect, openPage, readCanvas, test } from './fixture.mjs';
import { expectShown, link, picture, table } from './helpers.mjs';

/** Numbers of every mechanism are compared natively on each backend: here is how they reach the picture. */
const PICTURES = {
  'the opening page': {},
  'another of many heads, two masks': { weights: 'random', mask: 'causal,local', heads: '8', kv_heads: '2', head: '5', d_k: '33', temperature: '0.3' },
};

/** The largest difference of one channel of one pixel. */
function farthest(a, b) {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  return a.data.reduce((worst, value, at) => Math.max(worst, Math.abs(value - b.data[at])), 0);
}

const canvas = (page) => readCanvas(page.locator('#map .picture'));

test('the API says what there is, and computes where it is told to', async ({ page }) => {
  await openPage(page);
  await putHelpers(page);
  const found = await page.evaluate(async () => {
    const there = await attentionPlayground.backends();
    const on = async (backend) => (await attentionPlayground.compute({ ...small(), backend })).backend;
    return { there, webgpu: await on('webgpu'), cpu: await on('cpu'), auto: await on('auto') };
  });
  expect(found.there).toMatchObject({ cpu: true, webgpu: { available: true, is_software: true, reason: null } });
  expect(found.there.webgpu.adapter).toMatch(/swiftshader/i);
  expect([found.webgpu, found.cpu, found.auto], 'a software adapter is not taken by itself: the processor is faster').toEqual(['webgpu', 'cpu', 'cpu']);
});

for (const [name, settings] of Object.entries(PICTURES)) {
  test(`${name}: the same picture from both backends`, async ({ page }) => {
    const seen = async (backend) => {
      await openPage(page, link({ ...settings, backend }));
      expect(await picture(page)).toMatchObject({ backend });
      return [await canvas(page), await table(page)];
    };
    const [[own, here], [other, there]] = [await seen('webgpu'), await seen('cpu')];
    expect(farthest(own, other), 'of 255').toBeLessThanOrEqual(2);
    expect([here.rows, here.columns]).toEqual([there.rows, there.columns]);
    here.cells.forEach((row, i) => row.forEach((cell, j) => {
      if (cell === null) expect(there.cells[i][j]).toBeNull();
      else expect(Math.abs(cell - there.cells[i][j])).toBeLessThan(0.0016);
    }));
  });
}

test('a burst of changes on WebGPU ends with the last one', async ({ page }) => {
  await openPage(page, link({ backend: 'webgpu', weights: 'random' }));
  expect(await picture(page)).toMatchObject({ backend: 'webgpu' });
  await page.evaluate(async () => {
    const slider = document.getElementById('heads');
    for (let at = 1; at <= 40; at++) {
      slider.value = String(1 + (at % 8));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    slider.value = '3';
    for (const event of ['input', 'change']) slider.dispatchEvent(new Event(event, { bubbles: true }));
  });
  await expectShown(page, { heads: '3' });
  expect(await picture(page)).toMatchObject({ backend: 'webgpu' });
});
