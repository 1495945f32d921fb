// A training step, for our model and for those of other libraries: what it begins with, and its examples.

import { uniform } from '../inputs.mjs';

/** The model that the page opens with, for 40 words: rows of 32 numbers, two layers of four heads, layer norm before each. */
export const CONFIG = { vocabulary: 40, length: 12, d_model: 32, layers: 2, heads: 4, norm: 'layer', positions: 'learned' };
export const EPSILON = 1e-5;
export const BATCH = 32;
export const ADAM = { rate: 3e-3, betas: [0.9, 0.999], epsilon: 1e-8 };
/** Steps before the first that is compared: losses then agree only where gradients and updates do. */
const UNTIMED = 3;

const { vocabulary, length, d_model: width, layers } = CONFIG;

/** `[name, shape]` of each tensor, by our names. */
const SHAPES = [
  ['tokens', [vocabulary, width]],
  ['positions', [length, width]],
  ...Array.from({ length: layers }, (_, layer) => [
    ...['w_q', 'w_k', 'w_v', 'w_o'].map((name) => [`layers.${layer}.${name}`, [width, width]]),
    ...['scale', 'shift'].map((name) => [`layers.${layer}.norm_1.${name}`, [width]]),
  ]).flat(),
  ['unembedding', [width, vocabulary]],
];

const drawn = (name, at, count) => {
  if (name.endsWith('scale')) return new Float32Array(count).fill(1);
  return uniform(at + 1, count, name.endsWith('shift') ? 0 : Math.sqrt(3 / width));
};

/** `{ name: { shape, data } }`. */
export const tensors = () => Object.fromEntries(SHAPES.map(([name, shape], at) => [name, { shape, data: drawn(name, at, shape.reduce((a, b) => a * b)) }]));

/** Words, `[batch][n]`, from a seed. */
const words = (seed) => {
  const all = Array.from(uniform(seed, BATCH * length, 0.5), (x) => Math.floor((x + 0.5) * vocabulary) % vocabulary);
  return Array.from({ length: BATCH }, (_, row) => all.slice(row * length, (row + 1) * length));
};

/** What each step is given: the words, and one to be predicted at each place. */
export const examples = () => ({ tokens: words(101), targets: words(102) });

/** What `turns.mjs` times, with the milliseconds of the very first step; `step` takes one and gives its loss. */
export async function contestant(step, close) {
  const from = performance.now();
  await step();
  const first = performance.now() - from;
  for (let at = 1; at < UNTIMED; at++) await step();
  return {
    first,
    async run() {
      const loss = Float64Array.of(await step());
      return { weights: loss, output: loss };
    },
    close,
  };
}
