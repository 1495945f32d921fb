// Positions, temperature and the mask after the softmax through the API: numbers known by hand, on each backend.

import { ACCURACY, compute, distance, openApi, putHelpers } from './api.mjs';
import { expect, test } from './fixture.mjs';

test.beforeEach(async ({ page, backend }) => {
  await openApi(page);
  await putHelpers(page, backend);
});

/** One head on given rows, whose scores are plain products. */
const given = (backend, q, k) => ({ backend, q: [q], k: [k], v: [k.map(() => [1])], scale: 1 });

const refusal = (page, request) =>
  page.evaluate((request) => attentionPlayground.compute(request).then(() => null, ({ code, field }) => [code, field]), request);

test('rotary scores of equal rows are those of their distance', async ({ page, backend }) => {
  const row = [1, 0, 0, 2];
  const { q, scores } = await compute(page, { ...given(backend, Array(4).fill(row), Array(6).fill(row)), position: 'rotary' });
  const wanted = Array.from({ length: 24 }, (_, cell) => Math.floor(cell / 6) - (cell % 6)).map((apart) => Math.cos(apart) + 4 * Math.cos(apart / 100));
  expect(distance(scores.data, wanted)).toBeLessThan(10 * ACCURACY[backend].weights);
  const turned = [Math.cos(3), Math.sin(3), -2 * Math.sin(0.03), 2 * Math.cos(0.03)];
  expect(distance(Array.from(q.data).slice(12), turned)).toBeLessThan(ACCURACY[backend].weights);
});

test('ALiBi takes the slope of its head off for each step away', async ({ page, backend }) => {
  const rows = (n) => Array(n).fill([0, 0, 0]);
  const request = { backend, q: [rows(4), rows(4)], k: [rows(6)], v: [rows(6)], position: 'alibi' };
  const wanted = (strength) => [1 / 16, 1 / 256].flatMap((slope) =>
    Array.from({ length: 24 }, (_, cell) => -strength * slope * Math.abs(Math.floor(cell / 6) - (cell % 6))));
  for (const alibi_strength of [undefined, 3]) {
    const { scores } = await compute(page, { ...request, alibi_strength });
    expect(distance(scores.data, wanted(alibi_strength ?? 1))).toBeLessThan(ACCURACY[backend].weights);
  }
});

test('a temperature takes roots and powers of shares', async ({ page, backend }) => {
  for (const [temperature, share] of [[1, 4 / 5], [2, 2 / 3], [0.5, 16 / 17]]) {
    const { weights } = await compute(page, { ...given(backend, [[1]], [[0], [Math.log(4)]]), temperature });
    expect(distance(weights.data, [1 - share, share]), String(temperature)).toBeLessThan(ACCURACY[backend].weights);
  }
});

test('a mask after the softmax leaves a row its visible share', async ({ page, backend }) => {
  const request = { ...given(backend, [[1]], [[0], [Math.log(3)]]), mask: { kind: 'causal' } };
  for (const [mask_after_softmax, share] of [[false, 1], [true, 0.25]]) {
    const { weights } = await compute(page, { ...request, mask_after_softmax });
    expect(distance(weights.data, [share, 0])).toBeLessThan(ACCURACY[backend].weights);
  }
});

test('what does not go together is refused by name', async ({ page, backend }) => {
  const request = given(backend, [[1]], [[0], [2]]);
  const cases = [
    [{ temperature: 0 }, ['unknown_option', 'temperature']],
    [{ temperature: NaN }, ['not_finite', 'temperature']],
    [{ mask_after_softmax: 1 }, ['unknown_option', 'mask_after_softmax']],
    [{ mask_after_softmax: true, masked_score: -1e9 }, ['not_applicable', 'mask_after_softmax']],
    [{ alibi_strength: 1 }, ['not_applicable', 'alibi_strength']],
    [{ position: 'alibi', alibi_strength: 1e7 }, ['unknown_option', 'alibi_strength']],
    [{ position: 'alibi', linformer: { e: [[1, 1]], f: [[1, 1]] } }, ['not_applicable', 'linformer']],
  ];
  for (const [options, wanted] of cases) {
    expect(await refusal(page, { ...request, ...options })).toEqual(wanted);
  }
});
