// The cases of tests/golden, computed by independent PyTorch code, through the public API in a real browser.

import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compute, distance, expectClose, openApi } from './api.mjs';
import { expect, test } from './fixture.mjs';

const FOLDER = fileURLToPath(new URL('../golden/', import.meta.url));
const WEIGHTS = 1e-5;
const OUTPUT = 1e-4;

const largest = (tensor) => Math.max(...tensor.data.map(Math.abs), Number.MIN_VALUE);

async function goldens() {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(FOLDER + name, 'utf8'))));
}

/** `{ W_q: { w, b } }` as the API names them. */
function weightsOf(file) {
  const weights = {};
  for (const [name, { w, b }] of Object.entries(file.weights)) {
    const letter = name.slice(-1);
    weights[`w_${letter}`] = w;
    if (b) weights[`b_${letter}`] = b;
  }
  return weights;
}

const KINDS = {
  sdpa: ({ q, k, v, scale, mask }) => ({ q, k, v, scale, mask }),
  linformer: ({ q, k, v, e, f }) => ({ q, k, v, linformer: { e, f } }),
  SelfAttention: (file) => ({ queries: file.x, weights: weightsOf(file), mask: file.mask }),
  AdditiveAttention: (file) => ({ queries: file.x, weights: weightsOf(file), mask: file.mask, scoring: 'additive' }),
  MultiHeadAttention: (file) => ({
    queries: file.query,
    keys_values: file.key_value,
    weights: weightsOf(file),
    heads: file.heads,
    mask: file.mask,
  }),
};

/** The API keeps the axis of a single head, which these files leave out. */
const withHead = ({ shape: [batch, ...rest], data }) => ({ shape: [batch, 1, ...rest], data });

function wantedOf(file) {
  const isSelf = ['SelfAttention', 'AdditiveAttention'].includes(file.kind);
  const stats = isSelf ? file.stats.map((head) => [head]) : file.stats;
  return {
    weights: isSelf ? withHead(file.attention_weights) : file.attention_weights,
    output: file.output,
    stats: file.kind === 'sdpa' ? stats?.map((head) => [head]) : stats,
  };
}

function hasEmptyRow({ mask }) {
  const columns = mask?.shape.at(-1);
  const rows = Array.from({ length: (mask?.data.length ?? 0) / columns || 0 }, (_, row) => mask.data.slice(row * columns, (row + 1) * columns));
  return rows.some((row) => !row.includes(1));
}

function expectStats(name, found, wanted) {
  for (const [measure, value] of Object.entries(wanted)) {
    // The measure of the first course page, kept in the files beside the right one.
    if (measure.startsWith('seed_')) continue;
    if (measure === 'most_attended_other') expect(found[measure], `${name}: ${measure}`).toEqual(value);
    else expect(distance([found[measure]].flat(), [value].flat()), `${name}: ${measure}`).toBeLessThanOrEqual(WEIGHTS);
  }
  expect(found.histogram.length).toBe(20);
  expect(found.self_weight.length).toBe(found.entropy_per_query.length);
}

test('every golden comes out of the API', async ({ page }) => {
  await openApi(page);
  const files = await goldens();
  expect(files.length).toBe(17);
  for (const file of files.filter(({ kind }) => kind !== 'PositionalEncoding')) {
    const request = KINDS[file.kind](file);
    // The files write -1e9 over hidden scores, which is the same as leaving them out as long as each row sees something.
    for (const masked_score of hasEmptyRow(file) ? [-1e9] : [null, -1e9]) {
      const found = await compute(page, { ...request, masked_score });
      const wanted = wantedOf(file);
      expectClose(`${file.name}: weights`, found.weights, wanted.weights, WEIGHTS);
      const output = ['sdpa', 'linformer'].includes(file.kind) ? found.context : found.output;
      expectClose(`${file.name}: output`, output, wanted.output, OUTPUT * largest(wanted.output));
      const batches = file.kind === 'sdpa' ? found.stats.map((head) => [head]) : found.stats;
      wanted.stats?.forEach((heads, b) => heads.forEach((head, g) => expectStats(file.name, batches[b][g], head)));
      expect(found.backend).toBe('cpu');
    }
  }
});

test('sinusoidal positions are what they add to the queries', async ({ page }) => {
  await openApi(page);
  const file = (await goldens()).find(({ kind }) => kind === 'PositionalEncoding');
  const { n, d_model } = file;
  const identity = Array.from({ length: d_model }, (_, i) => Array.from({ length: d_model }, (_, j) => Number(i === j)));
  const queries = Array.from({ length: n }, (_, i) => Array.from({ length: d_model }, (_, j) => Math.sin(i + 3 * j) / 4));
  const weights = { w_q: identity, w_k: identity, w_v: identity };
  const [plain, placed] = await Promise.all(
    ['none', 'sinusoidal'].map((position) => compute(page, { queries, weights, position, want: ['q'] })),
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
