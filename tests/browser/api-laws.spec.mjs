// Laws of attention through the API, on whichever backend the project asks for: they need no reference to compare with.

import { ACCURACY, compute, distance, openApi, putHelpers } from './api.mjs';
import { expect, test } from './fixture.mjs';

test.beforeEach(async ({ page, backend }) => {
  await openApi(page);
  await putHelpers(page, backend);
});

/** Numbers that differ from place to place, as plain lists. */
const tensor = (...shape) => ({ shape, data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.fround(Math.sin(7 * i + shape.length))) });

const layer = () => ({
  heads: 6,
  kv_heads: 2,
  weights: { w_q: tensor(17, 30), b_q: tensor(30), w_k: tensor(17, 10), w_v: tensor(17, 14), b_v: tensor(14), w_o: tensor(42, 9), b_o: tensor(9) },
});

/** Rows of the last axis in another order. */
function reordered({ shape, data }, order) {
  const width = shape.at(-1);
  const [rows, count] = [shape.at(-2), data.length / width / shape.at(-2)];
  const picked = Array.from({ length: count }, (_, part) => order.map((row) => data.slice((part * rows + row) * width, (part * rows + row + 1) * width)));
  return { shape, data: picked.flat(2) };
}

test('a causal prefix does not know the rest', async ({ page, backend }) => {
  const call = (n) => compute(page, { ...layer(), backend, mask: { kind: 'causal' }, queries: { shape: [n, 17], data: tensor(11, 17).data.slice(0, n * 17) } });
  const [whole, prefix] = [await call(11), await call(7)];
  expect(distance(prefix.output.data, whole.output.data.slice(0, 7 * 9))).toBeLessThan(10 * ACCURACY[backend].weights);
  expect([whole.backend, prefix.backend]).toEqual([backend, backend]);
});

test('another order of keys changes no output', async ({ page, backend }) => {
  const [queries, keys] = [tensor(11, 17), tensor(13, 17)];
  const order = [5, 0, 12, 3, 1, 9, 7, 2, 11, 4, 10, 8, 6];
  const [plain, turned] = [keys, reordered(keys, order)].map((keys_values) => compute(page, { ...layer(), backend, queries, keys_values }));
  expect(distance((await turned).output.data, (await plain).output.data)).toBeLessThan(10 * ACCURACY[backend].weights);
});

test('masks that hide nothing are no masks', async ({ page, backend }) => {
  const call = (mask) => compute(page, { ...layer(), backend, queries: tensor(11, 17), mask });
  const plain = await call(null);
  const ones = { shape: [6, 11, 11], data: Array(6 * 121).fill(1) };
  for (const mask of [{ kind: 'padding', valid: 11 }, { kind: 'local', window: 11 }, { kind: 'strided', stride: 1 }, [], ones]) {
    expect(distance((await call(mask)).weights.data, plain.weights.data), JSON.stringify(mask).slice(0, 40)).toBeLessThan(ACCURACY[backend].weights);
  }
});

test('a row with nothing visible is zero and counted, or uniform where a number is written over it', async ({ page, backend }) => {
  const request = { ...layer(), backend, queries: tensor(5, 17), mask: { kind: 'padding', valid: 0 } };
  const left_out = await compute(page, request);
  expect(left_out.weights.data.every((weight) => weight === 0)).toBe(true);
  expect(left_out.empty_rows).toBe(5);
  for (const masked_score of [-1e9, -3.4028234663852886e38, 0]) {
    const overwritten = await compute(page, { ...request, masked_score });
    expect(distance(overwritten.weights.data, Array(6 * 25).fill(0.2)), String(masked_score)).toBeLessThan(1e-6);
    expect(overwritten.empty_rows).toBe(0);
  }
});

test('entries of a batch do not see each other', async ({ page, backend }) => {
  const queries = tensor(3, 7, 17);
  const batch = await compute(page, { ...layer(), backend, queries });
  for (const b of [0, 1, 2]) {
    const alone = await compute(page, { ...layer(), backend, queries: { shape: [7, 17], data: queries.data.slice(b * 119, (b + 1) * 119) } });
    expect(distance(batch.output.data.slice(b * 63, (b + 1) * 63), alone.output.data)).toBeLessThan(10 * ACCURACY[backend].weights);
  }
});

test('lengths of nothing and of one', async ({ page, backend }) => {
  const found = await page.evaluate(async () => {
    const shape = async (n, m) => (await attentionPlayground.compute({ ...small(), q: tensor(2, n, 4), k: tensor(2, m, 4), v: tensor(2, m, 6) })).weights.shape;
    return [await shape(0, 3), await shape(3, 0), await shape(0, 0), await shape(1, 1), await shape(1, 65), await shape(65, 1)];
  });
  expect(found).toEqual([[2, 0, 3], [2, 3, 0], [2, 0, 0], [2, 1, 1], [2, 1, 65], [2, 65, 1]]);
});

test('32 heads, and heads 256 wide', async ({ page, backend }) => {
  for (const [heads, n, width] of [[32, 9, 3], [2, 17, 256]]) {
    const given = { q: tensor(heads, n, width), k: tensor(heads / 2, n, width), v: tensor(heads / 2, n, width) };
    // Not given to both: what the processor gives was compared with the definition elsewhere.
    const [found, wanted] = [await compute(page, { ...given, heads, kv_heads: heads / 2, backend }), await compute(page, { ...given, heads, kv_heads: heads / 2, backend: 'cpu' })];
    expect(distance(found.weights.data, wanted.weights.data), `${heads} heads`).toBeLessThan(ACCURACY[backend].weights);
    expect(found.backend).toBe(backend);
  }
});

test('calls that overlap get their own results', async ({ page }) => {
  const found = await page.evaluate(async () => {
    const call = async (n) => {
      const { weights } = await attentionPlayground.compute({ ...small(), q: tensor(2, n, 4) });
      const alone = Array.from(weights.data.slice(0, 5)).reduce((a, b) => a + b, 0);
      return [weights.shape[1], Math.round(alone * 1e4) / 1e4];
    };
    return Promise.all(Array.from({ length: 20 }, (_, i) => call(1 + ((i * 7) % 20))));
  });
  expect(found).toEqual(Array.from({ length: 20 }, (_, i) => [1 + ((i * 7) % 20), 1]));
});

test('an abort ends a call, and the next one is computed', async ({ page, backend }) => {
  const found = await page.evaluate(async () => {
    const run = async (n) => {
      const controller = new AbortController();
      const slow = caught(attentionPlayground.compute({ ...long(n), signal: controller.signal }));
      setTimeout(() => controller.abort(), 150);
      const quick = await attentionPlayground.compute(small());
      return { slow: (await slow)?.code, quick: quick.weights.shape, backend: quick.backend };
    };
    const first = await run(3_000);
    // Where it was over before it was to be ended, a longer one is needed.
    return first.slow ? first : run(8_000);
  });
  expect(found).toEqual({ slow: 'aborted', quick: [2, 3, 5], backend });
});

test('a layer keeps its weights for many calls, also those that overlap', async ({ page, backend }) => {
  const found = await page.evaluate(async () => {
    const [layer, other] = [await attentionPlayground.layer(layerOf()), await attentionPlayground.layer({ ...layerOf(), scale: 0 })];
    const data = async (promise) => Array.from((await promise).output.data);
    const queries = () => tensor(5, 6);
    const [a, b, c] = await Promise.all([data(layer.compute({ queries: queries() })), data(other.compute({ queries: queries() })), data(layer.compute({ queries: queries() }))]);
    layer.free();
    const freed = (await caught(layer.compute({ queries: queries() }))).code;
    const direct = await attentionPlayground.compute({ ...layerOf(), queries: queries() });
    return { a, b, c, direct: Array.from(direct.output.data), freed, backend: direct.backend };
  });
  expect(found.c).toEqual(found.a);
  expect(found.direct).toEqual(found.a);
  expect(distance(found.a, found.b)).toBeGreaterThan(1e-3);
  expect([found.freed, found.backend]).toEqual(['freed', backend]);
});
