// The public compute API as a page's author meets it.

import { addHelpers, openApi } from './api.mjs';
import { expect, openPage, isolated as test } from './fixture.mjs';

test.beforeEach(({ page }) => addHelpers(page));

test('the API is there before the page has a body, and names its version', async ({ page }) => {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      globalThis.atBody = Object.keys(globalThis.attentionPlayground ?? {});
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  await openPage(page, '', { map: false });
  expect(await page.evaluate(() => globalThis.atBody)).toEqual(['version', 'ready', 'compute', 'backends', 'layer', 'model', 'open', 'tasks']);
  expect(await page.evaluate(() => attentionPlayground.version)).toMatch(/^\d+\.\d+\.\d+$/);
});

test('a call made before the engine is there computes with the numbers of that moment', async ({ page }) => {
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      const request = small();
      globalThis.early = attentionPlayground.compute(request);
      request.q.data.fill(0);
      globalThis.earlyAborted = caught(attentionPlayground.compute({ ...small(), signal: AbortSignal.abort() }));
    }, { once: true });
  });
  await openApi(page);
  const [early, later, aborted] = await page.evaluate(async () => {
    const data = async (promise) => Array.from((await promise).context.data);
    return [await data(early), await data(attentionPlayground.compute(small())), await earlyAborted];
  });
  expect(early).toEqual(later);
  expect(aborted.code).toBe('aborted');
});

test('results have the shapes that the reference says', async ({ page }) => {
  await openApi(page);
  const shapes = await page.evaluate(async () => {
    const of = (trace) =>
      Object.fromEntries(Object.entries(trace).map(([name, value]) => [name, value?.shape ?? (Array.isArray(value) ? value.length : typeof value)]));
    const one = await attentionPlayground.compute({ ...layerOf(), queries: tensor(3, 6), keys_values: tensor(5, 6) });
    const batch = await attentionPlayground.compute({ ...layerOf(), queries: tensor(7, 3, 6), keys_values: tensor(7, 5, 6) });
    const isTyped = Object.values(one).filter((value) => value?.shape).every(({ data }) => data instanceof Float32Array);
    return { one: of(one), batch: of(batch), statsOfBatch: batch.stats.map((heads) => heads.length), isTyped };
  });
  expect(shapes.one).toEqual({
    backend: 'string', q: [2, 3, 2], k: [2, 5, 2], v: [2, 5, 4], scores: [2, 3, 5], weights: [2, 3, 5], context: [2, 3, 4],
    output: [3, 3], empty_rows: 'number', stats: 2, elapsed_ms: 'number',
  });
  expect(shapes.batch).toMatchObject({ q: [7, 2, 3, 2], weights: [7, 2, 3, 5], output: [7, 3, 3], stats: 7 });
  expect(shapes.statsOfBatch).toEqual([2, 2, 2, 2, 2, 2, 2]);
  expect(shapes.isTyped).toBe(true);
});

test('tensors may be nested lists, lists of typed arrays, any typed array, or views into something larger', async ({ page }) => {
  await openApi(page);
  const contexts = await page.evaluate(async () => {
    const shape = [2, 3, 4];
    const numbers = Array.from({ length: 24 }, (_, i) => ((i * 5) % 7) - 3);
    const rows = (of) => [0, 1].map((g) => [0, 1, 2].map((i) => of(numbers.slice((g * 3 + i) * 4, (g * 3 + i + 1) * 4))));
    const view = (Type) => {
      const large = new Type(1000);
      large.set(numbers, 100);
      return large.subarray(100, 124);
    };
    const forms = [
      { shape, data: numbers },
      rows((row) => row),
      rows((row) => Float32Array.from(row)),
      ...[Float32Array, Float64Array, Int8Array, Int16Array, Int32Array].map((Type) => ({ shape, data: Type.from(numbers) })),
      { shape: Uint8Array.from(shape), data: view(Float32Array) },
      { shape, data: view(Float64Array) },
    ];
    const { k, v } = small();
    return Promise.all(forms.map(async (q) => Array.from((await attentionPlayground.compute({ q, k, v })).context.data)));
  });
  for (const context of contexts) expect(context).toEqual(contexts[0]);
});

test('what is passed in is copied, and moves only when asked to', async ({ page }) => {
  await openApi(page);
  const lengths = await page.evaluate(async () => {
    const [copied, moved, shared] = [small(), small(), small()];
    const changed = attentionPlayground.compute(copied);
    copied.q.data.fill(9);
    const wanted = await attentionPlayground.compute(small());
    const before = await changed;
    await attentionPlayground.compute({ ...moved, transfer: true });
    // One buffer behind three tensors moves once.
    const all = new Float32Array(24 + 40 + 60);
    shared.q.data = all.subarray(0, 24);
    shared.k.data = all.subarray(24, 64);
    shared.v.data = all.subarray(64);
    await attentionPlayground.compute({ ...shared, transfer: true });
    const layered = layerOf();
    const layer = await attentionPlayground.layer({ ...layered, transfer: true });
    const queries = tensor(3, 6);
    await layer.compute({ queries, transfer: true });
    before.context.data[0] += 1;
    return {
      same: before.weights.data.every((value, i) => value === wanted.weights.data[i]),
      copied: copied.q.data.length,
      moved: [moved.q, moved.k, moved.v].map(({ data }) => data.length),
      shared: all.length,
      layer: [layered.weights.w_q.data.length, layered.weights.b_o.data.length, queries.data.length],
    };
  });
  expect(lengths).toEqual({ same: true, copied: 24, moved: [0, 0, 0], shared: 0, layer: [0, 0, 0] });
});

test('calls that overlap get their own results', async ({ page }) => {
  await openApi(page);
  const sizes = await page.evaluate(async () => {
    const call = async (n) => (await attentionPlayground.compute({ q: tensor(1, n, 4), k: tensor(1, 5, 4), v: tensor(1, 5, 3) })).weights.shape[1];
    const refused = caught(attentionPlayground.compute({ q: 1 }));
    const found = await Promise.all(Array.from({ length: 40 }, (_, i) => call((i * 7) % 40)));
    return { found, refused: (await refused).code };
  });
  expect(sizes.found).toEqual(Array.from({ length: 40 }, (_, i) => (i * 7) % 40));
  expect(sizes.refused).toBe('shape_mismatch');
});

test('a layer keeps its weights for many calls, until it is freed', async ({ page }) => {
  await openApi(page);
  const result = await page.evaluate(async () => {
    const layer = await attentionPlayground.layer(layerOf());
    const other = await attentionPlayground.layer({ ...layerOf(1), scale: 1 });
    const data = async (promise) => Array.from((await promise).output.data);
    const inputs = () => ({ queries: tensor(5, 6), mask: { kind: 'causal' } });
    const found = await Promise.all([data(layer.compute(inputs())), data(other.compute(inputs())), data(layer.compute(inputs()))]);
    const direct = await data(attentionPlayground.compute({ ...layerOf(), ...inputs() }));
    const underWay = data(layer.compute(inputs()));
    layer.free();
    layer.free();
    const afterwards = await caught(layer.compute(inputs()));
    return { found, direct, underWay: await underWay, afterwards, other: await data(other.compute(inputs())) };
  });
  expect(result.found[0]).toEqual(result.direct);
  expect(result.found[2]).toEqual(result.direct);
  expect(result.found[1]).not.toEqual(result.direct);
  expect(result.underWay).toEqual(result.direct);
  expect(result.other).toEqual(result.found[1]);
  expect(result.afterwards).toMatchObject({ name: 'AttentionError', code: 'freed', isError: true });
});

test('masks: empty rows are counted and zero, or uniform where a number is written over them', async ({ page }) => {
  await openApi(page);
  const [left, filled] = await page.evaluate(async () => {
    const mask = { shape: [3, 5], data: [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1] };
    const rows = async (masked_score) => {
      const { weights, empty_rows } = await attentionPlayground.compute({ ...small(), mask, masked_score });
      return { row: Array.from(weights.data.slice(5, 10)), empty_rows };
    };
    return [await rows(null), await rows(-1e9)];
  });
  expect(left).toEqual({ row: [0, 0, 0, 0, 0], empty_rows: 1 });
  expect(filled.empty_rows).toBe(0);
  for (const weight of filled.row) expect(weight).toBeCloseTo(0.2, 6);
});

test('want returns what was asked for and nothing else', async ({ page }) => {
  await openApi(page);
  const names = await page.evaluate(async () => Object.keys(await attentionPlayground.compute({ ...small(), want: ['weights', 'stats'] })));
  expect(names).toEqual(['backend', 'weights', 'empty_rows', 'stats', 'elapsed_ms']);
});
