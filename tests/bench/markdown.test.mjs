import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chart } from '../browser/bench/chart.mjs';
import { markdown as coldMarkdown, phases } from '../browser/bench/cold.mjs';
import { exponent, markdown as growthMarkdown } from '../browser/bench/growth.mjs';
import { markdown as kernelsMarkdown } from '../browser/bench/kernels.mjs';
import { markdown as mechanismsMarkdown } from '../browser/bench/mechanism-times.mjs';
import { mechanismOf, NAMES } from '../browser/bench/mechanisms.mjs';
import { peersMarkdown } from '../browser/bench/peers/table.mjs';
import { coldRows, latencyRows } from '../browser/bench/summary.mjs';

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

const peers = {
  adapter: null,
  contestants: [{ name: 'ours', title: 'this project, cpu' }, { name: 'other', title: 'a <library>, 1 thread' }],
  sizes: { 128: { times: { ours: [1, 10, 4], other: [2, 20, 2] } }, 512: { times: { ours: [20, 20, 20], other: [200, 200, 200] } } },
};

const start = (firstMap) => ({
  html: 10,
  resources: [{ path: '/ours/style-0a.css', responseEnd: 20 }, { path: '/ours/engine-0a.wasm', responseEnd: 30 }],
  times: { 'module compiled': 40 },
  marks: { 'first-map': firstMap },
  paints: {},
  idle: firstMap + 5,
});

const cold = (visits) => ({
  networks: { local: visits.map((firstMap) => ({ phases: phases(start(firstMap)), longest: firstMap > 90 ? 60 : 0 })) },
  shifts: { '390 × 844': 0.0104 },
  forMap: { raw: 700, brotli: 600 },
  untilMap: { raw: 1000, brotli: 2000 },
  untilIdle: { raw: 3000, brotli: 4000 },
});

test('the exponent of n² is 2, that of n³ is 3, whatever the factor', () => {
  near(exponent([[128, 3 * 128 ** 2], [512, 3 * 512 ** 2], [8192, 3 * 8192 ** 2]]), 2);
  near(exponent([[2, 8], [4, 64]]), 3);
});

test('growth is written with both exponents, memories and buffers', () => {
  const sizes = [100, 200, 400, 800].map((n) => ({ n, times: [n * (n === 100 ? 100 : n), 1e9, 1], memory: { wasm: 5e6, javascript: 1e6, buffers: 2e6 } }));
  const text = growthMarkdown({ growth: { 'output only': sizes } });
  assert.match(text, /output only, grows like n\^2\.00; over the last three sizes like n\^2\.00/);
  assert.match(text, /\| 800 \| 640000 ms \| 1\.0 ms \| 5\.0 MB \| 3\.0 MB \|/);
});

test('a product of 512³ in 5.37 ms is 50 GFLOP/s', () => {
  const text = kernelsMarkdown({ products: [{ axes: [512, 512, 512], times: [5.368709, 6, 5] }] });
  assert.match(text, /\| 512 \| 512 \| 512 \| 50\.0 \| 53\.7 \|/);
});

test('other builds stand beside the first with their ratio', () => {
  const text = mechanismsMarkdown({ mechanisms: { causal: { ours: [10, 20, 30], 'ours-2': [5, 10, 60] } } });
  assert.match(text, /\| causal \| 20\.0 \(10\.0\) \| 10\.0 \(5\.0\) · 0\.50 × \|/);
});

test('every mechanism differs from full attention in what its name says', () => {
  const shape = { n: 5, dModel: 6, heads: 3, dK: 2 };
  const all = NAMES.map((name) => JSON.stringify(mechanismOf(name, shape)));
  assert.equal(new Set(all).size, NAMES.length);
  assert.equal(mechanismOf('full, scores × 1000', shape).layer.scale, 1000 / Math.sqrt(2));
  const { data } = mechanismOf('painted mask', shape).call.mask;
  assert.deepEqual([data.length, new Set(data).size], [25, 2]);
});

test('a first visit is written by phases, in which those that did not happen have a dash', () => {
  const text = coldMarkdown(cold([90, 300, 80]));
  for (const row of ['HTML | 10.0 ms', 'module fetched | 30.0 ms', 'module compiled | 40.0 ms', 'worker ready | –', 'first map | 90.0 ms', 'first map, slowest | 300 ms']) {
    assert.ok(text.includes(`| ${row} |`), `${row} in ${text}`);
  }
  assert.match(text, /under 50 ms \|$/m);
  assert.match(text, /needs 1 kB; until it is there 2 kB are asked for \(1 kB unpacked\), 4 kB until .* 0\.010 at 390 × 844/);
});

test('the README has the middle of the first visits and of the key presses with the usual panels', () => {
  assert.deepEqual(coldRows(cold([90, 300, 80]))[0], ['Navigation → first map, fresh browser, nothing cached, local', '90.0 ms']);
  const answers = [{ tokens: 11, drawn: [3, 1, 2] }, { tokens: 11, drawn: [9], open: 'steps' }];
  assert.deepEqual(latencyRows({ answers }), [['Key press on a slider → map drawn, 11 tokens', 'median 2.0 ms, 95 % within 3.0 ms']]);
});

test('libraries are compared with the first of them', () => {
  const text = peersMarkdown(peers);
  assert.match(text, /\| this project, cpu \| 4\.00 \(1\.00\) \| 20\.0 \(20\.0\) \|/);
  assert.match(text, /\| a <library>, 1 thread \| 2\.00 \(2\.00\) · 2\.00 × \| 200 \(200\) · 10\.00 × \|/);
});

test('the chart has a bar for each library and size; what is too long is cut and says how long it is', () => {
  const svg = chart([peers]);
  const bars = [...svg.matchAll(/<rect x="300" y="[\d.]+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
  const [one, two, unit, cut] = bars;
  assert.equal(bars.length, 4);
  near(two, 2 * one);
  near(unit, one);
  near(cut, 4 * one);
  assert.ok(svg.includes('10.00 × · 200 ms') && svg.includes('a &#60;library&#62;'));
  assert.ok(!/https?:(?!\/\/www\.w3\.org\/2000\/svg)/.test(svg), 'nothing is loaded from elsewhere');
  assert.ok(svg.includes('prefers-color-scheme: dark'));
});
