// The work that is measured, for Node (which writes the ONNX graph) and for the page alike: sizes, and numbers made from a seed.

export const SIZES = [128, 512];
export const D_MODEL = 512;
export const HEADS = 8;
export const D_K = D_MODEL / HEADS;

/** `count` numbers, uniform in -limit … limit: mulberry32, the same in every engine. */
function uniform(seed, count, limit) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return (((x ^ (x >>> 14)) >>> 0) / 2 ** 31 - 1) * limit;
  });
}

/** [n, d_model], variance 1: scores then spread enough for a softmax that is not flat. */
export const inputOf = (n) => uniform(n, n * D_MODEL, Math.sqrt(3));

/** The four matrices, each [d_model, d_model] with columns by head, Xavier/Glorot uniform. */
export function weights() {
  const matrix = (seed) => uniform(seed, D_MODEL * D_MODEL, Math.sqrt(3 / D_MODEL));
  return { w_q: matrix(1), w_k: matrix(2), w_v: matrix(3), w_o: matrix(4) };
}
