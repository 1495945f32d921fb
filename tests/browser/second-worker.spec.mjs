// The second worker: half of the heads of long runs, to the same bits, and nothing lost with it. Every order of events is held natively
// (`crates/engine/src/runs/tests`).

import { addHelpers, openApi } from './api.mjs';
import { expect, idle, isolated as test, openPage } from './fixture.mjs';

test.beforeEach(async ({ page }) => {
  await addHelpers(page);
  await page.addInitScript(() => {
    const numbers = (rows, columns, seed) => ({ shape: [rows, columns], data: Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(7 * i + seed) / 8) });
    const w = (columns, seed) => numbers(192, columns, seed);
    // More than 10^8 operations; sizes that are odd but for the heads. Not everything is wanted: halves of each kind of tensor.
    globalThis.layerOfMany = () => ({
      heads: 6, kv_heads: 2, position: 'alibi', backend: 'cpu',
      weights: { w_q: w(6 * 31, 1), w_k: w(2 * 31, 2), w_v: w(2 * 33, 3), w_o: numbers(6 * 33, 57, 4), b_o: { shape: [57], data: numbers(1, 57, 5).data } },
    });
    globalThis.manyRows = (n = 467) => ({ queries: numbers(n, 192, 6), mask: { kind: 'causal' }, want: ['q', 'k', 'v', 'context', 'weights', 'output', 'stats'] });
    globalThis.bitsOf = async ({ elapsed_ms: _, ...trace }) => {
      const hash = async (data) => Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', data))).join();
      const parts = Object.entries(trace).map(async ([name, value]) => [name, value.data ? [value.shape, await hash(value.data)] : value]);
      return JSON.stringify(await Promise.all(parts));
    };
  });
});

/** Counts in the first worker what it posts to the second, and keeps that one at hand. */
async function watch(page) {
  await openApi(page);
  const [worker] = page.workers();
  await worker.evaluate(() => {
    globalThis.posted = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...more) {
      globalThis.second = this;
      posted.push(message.kind ?? 'module');
      return postMessage.call(this, message, ...more);
    };
  });
  return {
    worker,
    count: (kind) => worker.evaluate((kind) => posted.filter((posted) => posted === kind).length, kind),
  };
}

/** Makes long calls until one of them is shared; the bits of the last. */
async function callUntilShared(page, { count }, rows) {
  const before = await count('half');
  let bits;
  await expect.poll(async () => {
    bits = await page.evaluate(async (rows) => bitsOf(await layer.compute(manyRows(rows))), rows);
    return count('half');
  }).toBeGreaterThan(before);
  return bits;
}

test('a long call is shared by two workers, to the same bits, and whole where the second one fails', async ({ page }) => {
  const first = await watch(page);
  const alone = await page.evaluate(async () => {
    globalThis.layer = await attentionPlayground.layer(layerOfMany());
    return bitsOf(await layer.compute(manyRows()));
  });
  expect(await first.count('half')).toBe(0);
  expect(await callUntilShared(page, first)).toBe(alone);
  expect(await first.count('layer')).toBe(1);
  const shared = await page.evaluate(() => layer.compute(manyRows()).then(({ backend, elapsed_ms }) => ({ backend, isTimed: elapsed_ms > 0 })));
  expect(shared).toEqual({ backend: 'cpu', isTimed: true });
  const whole = await page.evaluate(() => attentionPlayground.compute({ ...layerOfMany(), ...manyRows() }).then(bitsOf));
  expect(whole).toBe(alone);
  // Of a size that is new, one of two calls is shared, and the next as well. The second mask is read from rows so long that what they do not see is
  // not copied: where the first worker keeps its half, the weights of the first mask stand there still.
  const before = await first.count('half');
  const [full, causal] = await page.evaluate(async () => {
    const { data } = manyRows(4_800).queries;
    const rows = (first, count) => ({ shape: [2, count, 192], data: data.subarray(first * 192, (first + 2 * count) * 192) });
    const given = { ...manyRows(), queries: rows(4_200, 300), keys_values: rows(0, 2_100) };
    const call = (mask) => layer.compute({ ...given, mask }).then(bitsOf);
    return [[await call(), await call()], [await call({ kind: 'causal' }), await call({ kind: 'causal' })]];
  });
  expect([full[0], causal[0]]).toEqual([full[1], causal[1]]);
  expect(full[0]).not.toBe(causal[0]);
  expect(await first.count('half')).toBe(before + 2);
  await page.evaluate(() => layer.free());
  await expect.poll(() => first.count('free')).toBe(1);
  await first.worker.evaluate(() => void second.dispatchEvent(new ErrorEvent('error', { message: 'gone' })));
  expect(await page.evaluate(() => attentionPlayground.compute({ ...layerOfMany(), ...manyRows() }).then(bitsOf))).toBe(alone);
  expect(await first.count('half')).toBe(before + 2);
  // The browser reports the end of a worker later than the answer that was computed after it.
  await expect.poll(() => page.workers().length).toBe(1);
});

test('a long run of the page is shared, to the same picture, and a newer one replaces it', async ({ page }) => {
  const first = await watch(page);
  const text = Array.from({ length: 1_100 }, (_, i) => `w${i}`).join('+');
  const at = (temperature) => `v=1&weights=random&backend=cpu&temperature=${temperature}&text=${text}`;
  const pictures = { 1: new Set(), 2: new Set() };
  for (const temperature of [1, 2, 1, 2, 1, 2]) {
    await openPage(page, at(temperature));
    pictures[temperature].add(await page.locator('#map canvas').first().evaluate((canvas) => canvas.toDataURL()));
  }
  expect([pictures[1].size, pictures[2].size]).toEqual([1, 1]);
  expect(pictures[1]).not.toEqual(pictures[2]);
  expect(await first.count('half')).toBeGreaterThan(0);
  // Six changes at once: those in between are given up, in the second worker too.
  const last = at(1);
  await page.evaluate((links) => links.forEach((link) => { location.hash = link; }), [at(2), at(3), at(2), at(5), last]);
  await idle(page);
  expect(await page.locator('#map canvas').first().evaluate((canvas) => canvas.toDataURL())).toBe([...pictures[1]][0]);
});
