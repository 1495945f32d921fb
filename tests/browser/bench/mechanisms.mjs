// The kinds of attention that are timed one by one, as calls of the public interface; in the page, and their names in Node.

import { uniform } from './inputs.mjs';

/** Keys and values of so many rows are what Linformer makes of the sequence, as in its paper for 512. */
const LINFORMER_ROWS = 128;
/** A painted mask leaves this share of cells visible, in no order. */
const VISIBLE = 0.5;

const ones = (numbers, share) => Uint8Array.from(numbers, (x) => Number(x < 2 * share - 1));
const projection = (n, seed) => ({ shape: [LINFORMER_ROWS, n], data: uniform(seed, LINFORMER_ROWS * n, Math.sqrt(3 / n)) });

/** What of a layer and of a call differs from full attention with dot products, by the name of the mechanism. */
const MECHANISMS = {
  'full, scores × 1': () => ({}),
  'full, scores × 1000': ({ dK }) => ({ layer: { scale: 1000 / Math.sqrt(dK) } }),
  additive: ({ dK }) => ({ layer: { scoring: 'additive' }, weights: { w_a: { shape: [dK], data: uniform(5, dK, Math.sqrt(3 / dK)) } } }),
  Linformer: ({ n }) => ({ call: { linformer: { e: projection(n, 6), f: projection(n, 7) } } }),
  ALiBi: () => ({ layer: { position: 'alibi' } }),
  rotary: () => ({ layer: { position: 'rotary' } }),
  'temperature 0.5': () => ({ call: { temperature: 0.5 } }),
  causal: () => ({ call: { mask: { kind: 'causal' } } }),
  'local, window 32': () => ({ call: { mask: { kind: 'local', window: 32 } } }),
  'painted mask': ({ n }) => ({ call: { mask: { shape: [n, n], data: ones(uniform(8, n * n, 1), VISIBLE) } } }),
};

export const NAMES = Object.keys(MECHANISMS);

/** `{ layer, weights, call }` of a mechanism for a shape. */
export const mechanismOf = (name, shape) => ({ layer: {}, weights: {}, call: {}, ...MECHANISMS[name](shape) });
