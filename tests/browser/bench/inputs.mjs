// The work that is measured, for Node and for the page alike: sizes, and numbers made from a seed.

/** Widths of the layer that is given `n` rows: a short sentence's is small, as on the page. */
export const shapeOf = (n) => {
  const [dModel, heads] = n <= 16 ? [64, 4] : [512, 8];
  return { n, dModel, heads, dK: dModel / heads };
};

/** `count` numbers, uniform in -limit … limit: mulberry32, the same in every engine. */
export function uniform(seed, count, limit) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return (((x ^ (x >>> 14)) >>> 0) / 2 ** 31 - 1) * limit;
  });
}

/** [n, d_model], variance 1: scores then spread enough for a softmax that is not flat. */
export const inputOf = ({ n, dModel }) => uniform(n, n * dModel, Math.sqrt(3));

/** The four matrices, each [d_model, d_model] with columns by head, Xavier/Glorot uniform. */
export function weightsOf({ dModel }) {
  const matrix = (seed) => uniform(seed, dModel * dModel, Math.sqrt(3 / dModel));
  return { w_q: matrix(1), w_k: matrix(2), w_v: matrix(3), w_o: matrix(4) };
}
