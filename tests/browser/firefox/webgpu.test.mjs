// WebGPU in a second, independent implementation: Firefox compiles the shaders with naga, where Chromium has Tint.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ACCURACY, distance } from '../distance.mjs';
import { goldens, largest, outputOf, requestsOf, wantedOf } from '../goldens.mjs';
import { idle, start, WEBGPU } from './firefox.mjs';

const ALLOWED = ACCURACY.webgpu;

let session;
let page;
before(async () => {
  session = await start({ preferences: WEBGPU });
  page = await session.open('v=1&weights=random&mask=causal&backend=webgpu');
});
after(() => session?.close());

const compute = (request) => page.evaluate(async (request) => {
  const trace = await attentionPlayground.compute(request);
  for (const value of Object.values(trace)) {
    if (value?.data) value.data = Array.from(value.data);
  }
  return trace;
}, request);

const near = (what, found, wanted, tolerance) => {
  const apart = distance(found, wanted);
  assert.ok(apart <= tolerance, `${what}: ${apart} apart, ${tolerance} allowed`);
};

test('there is an adapter', async () => {
  const { webgpu } = await page.evaluate(() => attentionPlayground.backends());
  assert.equal(webgpu.available, true, `no WebGPU in this Firefox (${webgpu.reason?.message}): run ./dev setup, or name another in FIREFOX`);
});

test('every golden, as precise as promised', async () => {
  for (const file of (await goldens()).filter(({ kind }) => kind !== 'PositionalEncoding')) {
    const wanted = wantedOf(file);
    for (const request of requestsOf(file)) {
      const found = await compute({ ...request, backend: 'webgpu' });
      assert.equal(found.backend, 'webgpu');
      assert.deepEqual(found.weights.shape, wanted.weights.shape);
      near(`${file.name}: weights`, found.weights.data, wanted.weights.data, ALLOWED.weights);
      near(`${file.name}: output`, outputOf(file, found).data, wanted.output.data, ALLOWED.output * largest(wanted.output));
    }
  }
});

test('sizes that no block divides, and scores of ten thousand that differ by one', async () => {
  const tensor = (size, little, ...shape) => {
    const width = shape.at(-1);
    const data = Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.fround(size * (1 + Math.cos(3 * (i % width)) / 4) + little * Math.sin(7 * i)));
    return { shape, data };
  };
  for (const [size, little] of [[0, 1], [100, 0.02], [0, 100]]) {
    const given = { q: tensor(size, little, 6, 67, 33), k: tensor(size, little, 2, 71, 33), v: tensor(0, 1, 2, 71, 5), heads: 6, kv_heads: 2, mask: { kind: 'local', window: 9 } };
    const [found, wanted] = [await compute({ ...given, backend: 'webgpu' }), await compute({ ...given, backend: 'cpu' })];
    assert.deepEqual([found.backend, wanted.backend], ['webgpu', 'cpu']);
    near(`weights of ${size} ± ${little}`, found.weights.data, wanted.weights.data, ALLOWED.weights);
    near(`context of ${size} ± ${little}`, found.context.data, wanted.context.data, ALLOWED.output * largest(wanted.context));
  }
});

test('the page draws what WebGPU computed, and the badge says so', async () => {
  await idle(page);
  assert.equal(await page.$eval('#map', ({ dataset }) => dataset.backend), 'webgpu');
  await page.evaluate(() => void (document.querySelector('#as-table').open = true));
  await idle(page);
  assert.equal(await page.$eval('#backend', ({ dataset }) => dataset.backend), 'webgpu');
  const sums = await page.evaluate(() => {
    const rows = [...document.querySelectorAll('#as-table tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent) || 0));
    return rows.map((row) => row.reduce((a, b) => a + b, 0));
  });
  for (const sum of sums) assert.ok(Math.abs(sum - 1) < 0.0005 * sums.length + 1e-6, String(sum));
});

test('the console stays silent', () => page.assertQuiet());
