// The public API in a second browser engine: results, refusals, layers, aborts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TRAINED_BITS, trainedBits } from '../training-bits.mjs';
import { start } from './firefox.mjs';

let session;
let page;
before(async () => {
  session = await start();
  page = await session.open();
});
after(() => session?.close());

test('computes, and every row of weights sums to 1', async () => {
  const sums = await page.evaluate(async () => {
    const tensor = (...shape) => ({ shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(7 * i)) });
    const layer = await attentionPlayground.layer({ heads: 2, weights: { w_q: tensor(6, 4), w_k: tensor(6, 4), w_v: tensor(6, 8) } });
    const { weights, output } = await layer.compute({ queries: tensor(3, 6), keys_values: tensor(5, 6), mask: { kind: 'local', window: 1 } });
    layer.free();
    const rows = Array.from({ length: 6 }, (_, row) => weights.data.slice(row * 5, row * 5 + 5).reduce((a, b) => a + b));
    return { rows, shapes: [weights.shape, output.shape] };
  });
  assert.deepEqual(sums.shapes, [[2, 3, 5], [3, 8]]);
  for (const sum of sums.rows) assert.ok(Math.abs(sum - 1) < 1e-6, String(sum));
});

test('refuses by name what only JavaScript can think of', async () => {
  const codes = await page.evaluate(async () => {
    const code = (request) => attentionPlayground.compute(request).then(() => null, ({ name, code, field }) => `${name} ${code} ${field}`);
    const cycle = [];
    cycle.push(cycle);
    return Promise.all([
      code({ q: () => 1, k: 1, v: 1 }),
      code({ q: new Array(4e9), k: 1, v: 1 }),
      code({ q: cycle, k: 1, v: 1 }),
      code(new Proxy({ q: 1 }, { get() { throw new Error('no'); } })),
      code(),
    ]);
  });
  const wanted = ['shape_mismatch q', 'shape_mismatch q', 'not_finite q', 'shape_mismatch q', 'missing_field request'];
  assert.deepEqual(codes, wanted.map((code) => `AttentionError ${code}`));
});

test('a short call overtakes a long one, which an abort ends', async () => {
  const found = await page.evaluate(async () => {
    const zeros = (...shape) => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)) });
    const controller = new AbortController();
    let isOver = false;
    const slow = attentionPlayground
      .compute({ q: zeros(4, 12_000, 32), k: zeros(4, 12_000, 32), v: zeros(4, 12_000, 32), want: ['context'], signal: controller.signal })
      .catch(({ code }) => code)
      .finally(() => { isOver = true; });
    const quick = await attentionPlayground.compute({ q: zeros(1, 3, 4), k: zeros(1, 5, 4), v: zeros(1, 5, 2), want: ['weights'] });
    const overtook = !isOver;
    controller.abort();
    return { overtook, quick: quick.weights.shape, slow: await slow };
  });
  assert.deepEqual(found, { overtook: true, quick: [1, 3, 5], slow: 'aborted' });
});

test('training gives the bits that it gives natively and in Chromium', async () => {
  assert.equal(await page.evaluate(trainedBits), TRAINED_BITS);
});

test('the console stays silent', () => page.assertQuiet());
