// A short training run in the page, and the fingerprint of its numbers: the same in every browser and on every build
// (`crates/attention/tests/training.rs`).

export const TRAINED_BITS = '5349984559b18b76';

/** The fingerprint, found in the page: neither browser's driver brings anything else there. */
export const trainedBits = async () => {
  const config = {
    d_model: 32, layers: 2, heads: 4, kv_heads: 2, norm: 'layer', final_norm: true, mlp: 24, biases: true, positions: 'rotary',
  };
  const model = await attentionPlayground.model({ config, task: 'brackets', seed: 7 });
  await model.train({ task: 'brackets', optimizer: { rate: 3e-3, weight_decay: 0.01, warmup: 5, clip: 1 }, batch: 8, steps: 20, seed: 7 });
  const arrays = Object.values(await model.tensors()).map(({ data }) => new Uint8Array(data.buffer));
  // FNV-1a with 64 bits, as in crates/attention/tests/training.rs.
  let hash = 0xcbf29ce484222325n;
  for (const bytes of arrays) for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16);
};
