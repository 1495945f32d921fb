// What the API refuses: each code once, and what only JavaScript can think of.

import { openApi, putHelpers } from './api.mjs';
import { expect, test } from './fixture.mjs';

test.beforeEach(async ({ page, backend }) => {
  await openApi(page);
  await putHelpers(page, backend);
});

/** Runs each `make` in the page and compares `[code, field]`; afterwards the engine still computes. */
async function expectRefused(page, cases) {
  for (const [name, make, code, field] of cases) {
    const found = await page.evaluate(`caught((${make})())`);
    expect(found, name).toMatchObject({ name: 'AttentionError', code, field, isError: true });
    expect(found.message, name).toContain(field);
    expect(typeof found.value, name).toBe('string');
  }
  expect(await page.evaluate(() => caught(attentionPlayground.compute(small())))).toBeNull();
}

const WITHOUT_ADAPTER = [
  ['backend', () => attentionPlayground.compute({ ...small(), backend: 'webgpu' }), 'backend_unavailable', 'backend'],
  ['backend of a layer', () => attentionPlayground.layer({ ...layerOf(), backend: 'webgpu' }), 'backend_unavailable', 'backend'],
];

test('each code', async ({ page, backend }) => {
  // Only where there is no adapter is WebGPU itself refused.
  if (backend === 'cpu') await expectRefused(page, WITHOUT_ADAPTER);
  await expectRefused(page, [
    ['shape', () => attentionPlayground.compute({ ...small(), k: tensor(2, 5, 3) }), 'shape_mismatch', 'k'],
    ['ragged', () => attentionPlayground.compute({ ...small(), q: [[[1, 2], [3]]] }), 'shape_mismatch', 'q'],
    ['NaN', () => attentionPlayground.compute(spoilt(NaN)), 'not_finite', 'q'],
    ['infinite', () => attentionPlayground.compute(spoilt(1 / 0)), 'not_finite', 'q'],
    ['infinite in 32 bits', () => attentionPlayground.compute(spoilt(1e39)), 'not_finite', 'q'],
    ['scale', () => attentionPlayground.compute({ ...small(), scale: NaN }), 'not_finite', 'scale'],
    ['heads', () => attentionPlayground.compute({ ...layerOf(3), queries: tensor(3, 6) }), 'heads_do_not_divide', 'heads'],
    ['half a head', () => attentionPlayground.compute({ ...layerOf(2.5), queries: tensor(3, 6) }), 'heads_do_not_divide', 'heads'],
    ['kv_heads', () => attentionPlayground.compute({ ...layerOf(), kv_heads: 0, queries: tensor(3, 6) }), 'kv_heads_do_not_divide', 'kv_heads'],
    ['option', () => attentionPlayground.compute({ ...small(), scoring: 'cosine' }), 'unknown_option', 'scoring'],
    ['field', () => attentionPlayground.compute({ ...small(), query: 1 }), 'unknown_option', 'query'],
    ['too large', () => attentionPlayground.compute({ ...small(), q: { shape: [1e9, 1e9, 4], data: [] } }), 'too_large', 'q'],
    ['linformer', () => attentionPlayground.compute({ ...small(), linformer: { e: tensor(2, 5), f: tensor(2, 5) }, mask: { kind: 'causal' } }), 'not_applicable', 'linformer'],
    ['missing', () => attentionPlayground.compute({ q: tensor(2, 3, 4), k: tensor(2, 3, 4) }), 'missing_field', 'v'],
    ['nothing', () => attentionPlayground.compute(), 'missing_field', 'request'],
    ['aborted', () => attentionPlayground.compute({ ...small(), signal: AbortSignal.abort() }), 'aborted', 'signal'],
    ['aborted layer', () => attentionPlayground.layer({ ...layerOf(), signal: AbortSignal.abort() }), 'aborted', 'signal'],
    ['freed', async () => {
      const layer = await attentionPlayground.layer(layerOf());
      layer.free();
      return layer.compute({ queries: tensor(3, 6) });
    }, 'freed', 'layer'],
    ["a layer's own", async () => (await attentionPlayground.layer(layerOf())).compute({ queries: tensor(3, 6), heads: 2 }), 'not_applicable', 'heads'],
  ]);
});

// `tests/js` holds what a request becomes before it is posted; here are the engine's own words for what then arrives.
test('values that only JavaScript has', async ({ page }) => {
  await expectRefused(page, [
    ['a function', () => attentionPlayground.compute({ ...small(), q: () => 1 }), 'shape_mismatch', 'q'],
    ['a function as an option', () => attentionPlayground.compute({ ...small(), scoring() {} }), 'unknown_option', 'scoring'],
    ['a function in a list', () => attentionPlayground.compute(spoilt(alert)), 'not_finite', 'q'],
    ['a function as request', () => attentionPlayground.compute(() => 1), 'unknown_option', 'request'],
    ['an element', () => attentionPlayground.compute({ ...small(), q: document.body }), 'shape_mismatch', 'q'],
    ['a bigint', () => attentionPlayground.compute({ ...small(), heads: 2n }), 'unknown_option', 'heads'],
    ['bigints', () => attentionPlayground.compute({ ...small(), q: { shape: [1, 1, 4], data: new BigInt64Array(4) } }), 'shape_mismatch', 'q'],
    ['a list of bigints', () => attentionPlayground.compute(spoilt(1n)), 'not_finite', 'q'],
    ['a text as a number', () => attentionPlayground.compute(spoilt('1')), 'not_finite', 'q'],
    ['null in a list', () => attentionPlayground.compute(spoilt(null)), 'not_finite', 'q'],
    ['a hole', () => {
      const request = spoilt(0);
      delete request.q.data[5];
      return attentionPlayground.compute(request);
    }, 'not_finite', 'q'],
    ['an enormous list of holes', () => attentionPlayground.compute({ ...small(), q: new Array(4e9) }), 'shape_mismatch', 'q'],
    ['enormous data of holes', () => attentionPlayground.compute({ ...small(), q: { shape: [1, 1, 4], data: new Array(3e8) } }), 'shape_mismatch', 'q'],
    ['many lists of holes', () => attentionPlayground.compute({ ...small(), q: Array.from({ length: 100 }, () => new Array(2 ** 20 - 1)) }), 'not_finite', 'q'],
    ['names without end', () => attentionPlayground.compute({ ...small(), ...Object.fromEntries(Array.from({ length: 1e5 }, (_, at) => [`name ${at}`, at])) }), 'unknown_option', 'name 0'],
    ['a list in itself', () => {
      const cycle = [];
      cycle.push(cycle, cycle);
      return attentionPlayground.compute({ ...small(), q: cycle });
    }, 'not_finite', 'q'],
    ['an explosion of lists', () => {
      let list = [0, 'x'];
      for (let i = 0; i < 40; i += 1) list = [list, list];
      return attentionPlayground.compute({ ...small(), q: list });
    }, 'too_large', 'request'],
    ['an object in itself', () => {
      const request = small();
      request.mask = { any: [] };
      request.mask.any.push(request.mask);
      return attentionPlayground.compute(request);
    }, 'unknown_option', 'mask.any'],
    ['a detached array', () => {
      const request = small();
      structuredClone(request.q.data, { transfer: [request.q.data.buffer] });
      return attentionPlayground.compute(request);
    }, 'shape_mismatch', 'q'],
    ['a buffer', () => attentionPlayground.compute({ ...small(), q: { shape: [1, 1, 4], data: new ArrayBuffer(16) } }), 'shape_mismatch', 'q'],
    ['a map', () => attentionPlayground.compute({ ...small(), mask: new Map([['kind', 'causal']]) }), 'shape_mismatch', 'mask'],
    ['a date', () => attentionPlayground.compute(new Date(0)), 'missing_field', 'queries'],
    ['a list as request', () => attentionPlayground.compute([1, 2]), 'unknown_option', 'request'],
    ['a text as request', () => attentionPlayground.compute('x'.repeat(1e6)), 'unknown_option', 'request'],
    ['a name without end', () => attentionPlayground.compute({ ...small(), ['x'.repeat(1e6)]: 1 }), 'unknown_option', `${'x'.repeat(60)}…`],
    ['__proto__', () => attentionPlayground.compute({ ...small(), ...JSON.parse('{"__proto__": {"a": 1}}') }), 'unknown_option', '__proto__'],
  ]);
});

test('minus zero is zero, and nothing is absent', async ({ page }) => {
  const weights = await page.evaluate(async () => {
    const request = { ...small(), mask: undefined, masked_score: null, signal: null, transfer: undefined, kv_heads: null };
    const zero = await attentionPlayground.compute({ ...request, scale: -0 });
    return Array.from(zero.weights.data);
  });
  for (const weight of weights) expect(weight).toBeCloseTo(0.2, 6);
});

test('a refusal that nobody awaits is the only noise it makes', async ({ page, quiet }) => {
  await page.evaluate(() => {
    void attentionPlayground.compute({}).catch(() => {});
  });
  expect(quiet.problems()).toEqual([]);
});

test('a typed array that lies about its length has the numbers that it has', async ({ page }) => {
  const [lied, told] = await page.evaluate(() => Promise.all([1e6, undefined].map(async (length) => {
    const request = small();
    if (length) Object.defineProperty(request.q.data, 'length', { value: length });
    const { weights } = await attentionPlayground.compute(request);
    return [...weights.data];
  })));
  expect(lied).toEqual(told);
});
