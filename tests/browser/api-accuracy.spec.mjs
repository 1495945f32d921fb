// The API against attention written once more here, in 64 bit and plain loops, at odd sizes and with every kind of mask and position.

import { ACCURACY, compute, expectClose, openApi } from './api.mjs';
import { expect, test } from './fixture.mjs';

const [HEADS, KV_HEADS, N, M, D_K, D_V] = [6, 2, 67, 53, 33, 11];

/** Numbers from a seed, uniform in -1 … 1 and exact in 32 bits. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround(state / 2 ** 31 - 1);
  };
}

const tensor = (next, ...shape) => ({ shape, data: Array.from({ length: shape.reduce((a, b) => a * b) }, next) });

const dot = (q, k) => q.reduce((sum, value, c) => sum + value * k[c], 0);
const row = ({ shape: [, rows, width], data }, g, i) => data.slice((g * rows + i) * width, (g * rows + i + 1) * width);

/** Pairs of columns of row i turned by i / 10000^(2c/d_k); an odd last column stays. */
function turned({ shape, data }) {
  const [, rows, width] = shape;
  return { shape, data: data.map((value, at) => {
    const [i, c] = [Math.floor(at / width) % rows, at % width];
    const angle = i / 10_000 ** ((c - (c % 2)) / width);
    if (c === width - 1 && c % 2 === 0) return value;
    return c % 2 === 0 ? value * Math.cos(angle) - data[at + 1] * Math.sin(angle) : data[at - 1] * Math.sin(angle) + value * Math.cos(angle);
  }) };
}

/** ALiBi's slopes of six heads: those of four, then every other one of eight. */
const SLOPES = [2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8, 2 ** -1, 2 ** -3];

function reference({ q, k, v }, { scale = 1 / Math.sqrt(D_K), sees = () => true, w_a, isTurned, strength = 0, temperature = 1, isLate }) {
  const [queries, keys] = isTurned ? [turned(q), turned(k)] : [q, k];
  const [weights, context] = [[], []];
  for (let g = 0; g < HEADS; g += 1) {
    const shared = Math.floor(g / (HEADS / KV_HEADS));
    for (let i = 0; i < N; i += 1) {
      const query = row(queries, g, i);
      const score = (key) => (w_a ? dot(w_a, key.map((value, c) => Math.tanh(value + query[c]))) : scale * dot(query, key));
      const scores = Array.from({ length: M }, (_, j) => (isLate || sees(i, j, g) ? score(row(keys, shared, j)) - strength * SLOPES[g] * Math.abs(i - j) : -Infinity));
      const most = Math.max(...scores);
      const exps = scores.map((s) => (s === -Infinity ? 0 : Math.exp((s - most) / temperature)));
      const sum = exps.reduce((a, b) => a + b, 0);
      const shares = exps.map((e, j) => (sum === 0 || !sees(i, j, g) ? 0 : e / sum));
      weights.push(...shares);
      for (let c = 0; c < D_V; c += 1) context.push(shares.reduce((s, share, j) => s + share * row(v, shared, j)[c], 0));
    }
  }
  return { weights: { shape: [HEADS, N, M], data: weights }, context: { shape: [HEADS, N, D_V], data: context } };
}

const next = numbers(7);

/** One row repeated, times `size`, plus a little: every score is large, and what counts is how they differ. */
function alike(shape, size, little) {
  const row = Array.from({ length: shape[2] }, () => size * (1 + next() / 4));
  const { data } = tensor(next, ...shape);
  return { shape, data: data.map((value, at) => Math.fround(row[at % shape[2]] + little * value)) };
}

const inputs = (gain, near) => {
  if (near) return { q: alike([HEADS, N, D_K], ...near), k: alike([KV_HEADS, M, D_K], ...near), v: tensor(next, KV_HEADS, M, D_V) };
  const q = tensor(next, HEADS, N, D_K);
  return { q: { ...q, data: q.data.map((value) => Math.fround(value * gain)) }, k: tensor(next, KV_HEADS, M, D_K), v: tensor(next, KV_HEADS, M, D_V) };
};
const painted = (visible) => ({ shape: [HEADS, N, M], data: Array.from({ length: HEADS * N * M }, (_, at) => Number(visible(Math.floor(at / M) % N, at % M, Math.floor(at / (N * M))))) });
const odd = (i, j, g) => (i * 5 + j * 3 + g) % 4 !== 0 && i !== 9;

const CASES = {
  plain: {},
  'large scores': { gain: 400 },
  'scores of ten thousand': { gain: 10_000 },
  'scores of ten thousand that differ by one': { near: [200, 0.01] },
  'another scale': { request: { scale: 1 }, options: { scale: 1 } },
  causal: { request: { mask: { kind: 'causal' } }, options: { sees: (i, j) => j <= i } },
  padding: { request: { mask: { kind: 'padding', valid: 41 } }, options: { sees: (_, j) => j < 41 } },
  local: { request: { mask: { kind: 'local', window: 3 } }, options: { sees: (i, j) => Math.abs(i - j) <= 3 } },
  strided: { request: { mask: { kind: 'strided', stride: 5 } }, options: { sees: (i, j) => (i - j) % 5 === 0 } },
  'all of a list': { request: { mask: [{ kind: 'causal' }, { kind: 'local', window: 4 }] }, options: { sees: (i, j) => j <= i && i - j <= 4 } },
  'any of a list': { request: { mask: { any: [{ kind: 'causal' }, { kind: 'strided', stride: 7 }] } }, options: { sees: (i, j) => j <= i || (i - j) % 7 === 0 } },
  'painted by head, one row hidden': { request: { mask: painted(odd) }, options: { sees: odd } },
};
const OPTIONS = {
  rotary: { request: { position: 'rotary' }, options: { isTurned: true } },
  'rotary, large scores': { gain: 400, request: { position: 'rotary' }, options: { isTurned: true } },
  'ALiBi, causal': { request: { position: 'alibi', mask: { kind: 'causal' } }, options: { strength: 1, sees: (i, j) => j <= i } },
  'ALiBi on scores of ten thousand that differ by one': { near: [200, 0.01], request: { position: 'alibi', alibi_strength: 0.3 }, options: { strength: Math.fround(0.3) } },
  'a low temperature': { gain: 20, request: { temperature: 0.0625 }, options: { temperature: 0.0625 } },
  'a high temperature, rotary': { gain: 20, request: { temperature: 4, position: 'rotary' }, options: { temperature: 4, isTurned: true } },
  'hidden after the softmax': { request: { mask: { kind: 'causal' }, mask_after_softmax: true, position: 'alibi' }, options: { sees: (i, j) => j <= i, isLate: true, strength: 1 } },
};

for (const [kind, cases] of Object.entries({ 'every mask': CASES, 'every position, temperature and late mask': OPTIONS })) {
  test(`${kind} is as precise as promised`, async ({ page, backend }) => {
    test.slow();
    const allowed = ACCURACY[backend];
    await openApi(page);
    for (const [name, { gain = 1, near, request = {}, options = {} }] of Object.entries(cases)) {
      await test.step(name, async () => {
        const given = inputs(gain, near);
        const found = await compute(page, { ...given, ...request, backend });
        const wanted = reference(given, options);
        expectClose(`${name}: weights`, found.weights, wanted.weights, allowed.weights);
        expectClose(`${name}: context`, found.context, wanted.context, allowed.output * Math.max(...wanted.context.data.map(Math.abs)));
        expect(found.backend).toBe(backend);
      });
    }
  });
}

for (const [name, { size = 1, request = {}, options = {} }] of Object.entries({
  'additive scores': {},
  'large additive scores, ALiBi, a temperature': { size: 300, request: { position: 'alibi', temperature: 0.5 }, options: { strength: 1, temperature: 0.5 } },
})) {
  test(`${name} are as precise as promised`, async ({ page, backend }) => {
    await openApi(page);
    const given = inputs(1);
    const { data } = tensor(next, D_K);
    const w_a = { shape: [D_K], data: data.map((value) => Math.fround(value * size)) };
    const found = await compute(page, { ...given, scoring: 'additive', weights: { w_a }, ...request, backend });
    expectClose('weights', found.weights, reference(given, { w_a: w_a.data, ...options }).weights, ACCURACY[backend].weights);
    expect(found.backend).toBe(backend);
  });
}
