// The cases of tests/golden as requests of the public API, and what should come out.

import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../golden/', import.meta.url));

/** The largest magnitude. */
export const largest = (tensor) => Math.max(...tensor.data.map(Math.abs), Number.MIN_VALUE);

/** Every file, in the order of names. */
export async function goldens() {
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

/** Weights, output and measures, with an axis for heads everywhere. */
export function wantedOf(file) {
  const isSelf = ['SelfAttention', 'AdditiveAttention'].includes(file.kind);
  const stats = isSelf ? file.stats.map((head) => [head]) : file.stats;
  return {
    weights: isSelf ? withHead(file.attention_weights) : file.attention_weights,
    output: file.output,
    stats: file.kind === 'sdpa' ? stats?.map((head) => [head]) : stats,
  };
}

/**
 * The requests of a file. It writes -1e9 over hidden scores, which is the same as leaving them out as long as each row sees something.
 */
export function requestsOf(file) {
  const request = KINDS[file.kind](file);
  return (hasEmptyRow(file) ? [-1e9] : [null, -1e9]).map((masked_score) => ({ ...request, masked_score }));
}

/** What of a result is the output of the file. */
export const outputOf = (file, found) => (['sdpa', 'linformer'].includes(file.kind) ? found.context : found.output);

function hasEmptyRow({ mask }) {
  const columns = mask?.shape.at(-1);
  const rows = Array.from({ length: (mask?.data.length ?? 0) / columns || 0 }, (_, row) => mask.data.slice(row * columns, (row + 1) * columns));
  return rows.some((row) => !row.includes(1));
}
