// The cases of tests/golden, computed by independent PyTorch code, through the public API in a real browser.

import { ACCURACY, compute, distance, expectClose, openApi } from './api.mjs';
import { expect, test } from './fixture.mjs';
import { goldens, largest, outputOf, requestsOf, wantedOf } from './goldens.mjs';

function expectStats(name, found, wanted, tolerance) {
  for (const [measure, value] of Object.entries(wanted)) {
    // The measure of the first course page, kept in the files beside the right one.
    if (measure.startsWith('seed_')) continue;
    if (measure === 'most_attended_other') expect(found[measure], `${name}: ${measure}`).toEqual(value);
    else expect(distance([found[measure]].flat(), [value].flat()), `${name}: ${measure}`).toBeLessThanOrEqual(tolerance);
  }
  expect(found.histogram.length).toBe(20);
  expect(found.self_weight.length).toBe(found.entropy_per_query.length);
}

test('every golden comes out of the API', async ({ page, backend }) => {
  await openApi(page);
  const files = await goldens();
  const allowed = ACCURACY[backend];
  expect(files.length).toBe(17);
  for (const file of files.filter(({ kind }) => kind !== 'PositionalEncoding')) {
    for (const request of requestsOf(file)) {
      const found = await compute(page, { ...request, backend });
      const wanted = wantedOf(file);
      expectClose(`${file.name}: weights`, found.weights, wanted.weights, allowed.weights);
      expectClose(`${file.name}: output`, outputOf(file, found), wanted.output, allowed.output * largest(wanted.output));
      const batches = file.kind === 'sdpa' ? found.stats.map((head) => [head]) : found.stats;
      // Entropy adds up what the weights of a row are off by.
      const tolerance = backend === 'cpu' ? allowed.weights : 5 * allowed.weights;
      wanted.stats?.forEach((heads, b) => heads.forEach((head, g) => expectStats(file.name, batches[b][g], head, tolerance)));
      expect(found.backend).toBe(backend);
    }
  }
});

test('sinusoidal positions are what they add to the queries', async ({ page, backend }) => {
  await openApi(page);
  const file = (await goldens()).find(({ kind }) => kind === 'PositionalEncoding');
  const { n, d_model } = file;
  const identity = Array.from({ length: d_model }, (_, i) => Array.from({ length: d_model }, (_, j) => Number(i === j)));
  const queries = Array.from({ length: n }, (_, i) => Array.from({ length: d_model }, (_, j) => Math.sin(i + 3 * j) / 4));
  const weights = { w_q: identity, w_k: identity, w_v: identity };
  const [plain, placed] = await Promise.all(
    ['none', 'sinusoidal'].map((position) => compute(page, { queries, weights, position, backend, want: ['q'] })),
  );
  const difference = placed.q.data.map((value, i) => value - plain.q.data[i]);
  expect(placed.q.shape).toEqual([1, n, d_model]);
  expect(distance(difference, file.encoding.data)).toBeLessThanOrEqual(1e-6);
});

test('the comparison can fail', () => {
  expect(distance([1, 2], [1])).toBe(Infinity);
  expect(distance([NaN], [1])).toBe(Infinity);
  expect(distance([1, 5], [1, 2])).toBe(3);
});
