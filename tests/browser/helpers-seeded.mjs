// The page's random numbers once more, written from their definition and not from the code: ChaCha with eight rounds (RFC 8439's
// layout with a 64-bit counter and a 64-bit stream), FNV-1a over a word, Xavier/Glorot uniform weights. With them the public
// compute API can be asked for what the page should show.

const rotate = (x, by) => (x << by) | (x >>> (32 - by));

function quarter(s, a, b, c, d) {
  for (const [left, right] of [[16, 12], [8, 7]]) {
    s[a] += s[b]; s[d] = rotate(s[d] ^ s[a], left);
    s[c] += s[d]; s[b] = rotate(s[b] ^ s[c], right);
  }
}

/** The block `counter` of ChaCha8 with this state of 16 words. */
function block(initial) {
  const state = Int32Array.from(initial);
  for (let round = 0; round < 8; round += 2) {
    for (let column = 0; column < 4; column++) quarter(state, column, column + 4, column + 8, column + 12);
    for (let column = 0; column < 4; column++) quarter(state, column, 4 + ((column + 1) % 4), 8 + ((column + 2) % 4), 12 + ((column + 3) % 4));
  }
  return state.map((word, at) => word + initial[at]);
}

const KINDS = { embedding: 1, query: 3, key: 4, value: 5, output: 6, additive: 7, shortKeys: 8, shortValues: 9 };

/** `count` numbers, uniform in −1 ≤ x < 1 in steps of 2⁻²³. */
function uniform(seed, kind, stream, count) {
  const state = Int32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, seed, KINDS[kind], 0, 0, 0, 0, 0, 0, 0, 0,
    Number(stream & 0xffffffffn) | 0, Number(stream >> 32n) | 0);
  const numbers = [];
  for (; numbers.length < count; state[12]++) {
    for (const word of block(state)) numbers.push((word >>> 8) / 8388608 - 1);
  }
  return numbers.slice(0, count);
}

function hash(word) {
  const bytes = new TextEncoder().encode(word.toLowerCase().replaceAll('’', "'"));
  return bytes.reduce((hash, byte) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n);
}

const embeddings = (words, d_model, seed) =>
  words.map((word) => uniform(seed, 'embedding', hash(word), d_model).map((x) => Math.fround(x * Math.fround(1.7320508))));

/** `[d_model, heads·d_k]`; each column of each head has a stream of its own. */
function projection(kind, seed, heads, { d_model, d_k }) {
  const limit = Math.fround(Math.sqrt(6 / (d_model + d_k)));
  const columns = Array.from({ length: heads * d_k }, (_, at) =>
    uniform(seed, kind, (BigInt(Math.floor(at / d_k)) << 32n) | BigInt(at % d_k), d_model));
  return Array.from({ length: d_model }, (_, row) => columns.map((column) => Math.fround(column[row] * limit)));
}

/** W_O, `[heads·d_k, d_model]`; each row of each head has a stream of its own. */
export function outputWeights(settings) {
  const [seed, d_model, d_k, heads] = ['seed', 'd_model', 'd_k', 'heads'].map((name) => Number(settings[name]));
  const limit = Math.fround(Math.sqrt(6 / (heads * d_k + d_model)));
  return Array.from({ length: heads * d_k }, (_, at) =>
    uniform(seed, 'output', (BigInt(Math.floor(at / d_k)) << 32n) | BigInt(at % d_k), d_model).map((x) => Math.fround(x * limit)));
}

/** `w_a` of additive scores. */
const additive = (seed, d_k) => uniform(seed, 'additive', 0n, d_k).map((x) => Math.fround(x * Math.fround(Math.sqrt(6 / (d_k + 1)))));

/** Linformer's E or F, `[length, m]`. */
function shortening(kind, seed, length, m) {
  const limit = Math.fround(Math.sqrt(6 / (m + length)));
  return Array.from({ length }, (_, row) => uniform(seed, kind, BigInt(row), m).map((x) => Math.fround(x * limit)));
}

/** The masks of a link in the notation of the API. */
function mask({ mask: written, valid, window, stride, first }, keys) {
  const on = (name) => written.split(',').includes(name);
  const padding = (length) => ({ kind: 'padding', valid: Math.min(Number(length), keys) });
  const any = [
    on('local') && { kind: 'local', window: Number(window) },
    on('strided') && { kind: 'strided', stride: Number(stride) },
    on('first') && padding(first),
  ].filter(Boolean);
  const isSparse = on('local') || on('strided');
  const all = [on('causal') && { kind: 'causal' }, on('padding') && padding(valid), isSparse && { any }].filter(Boolean);
  return all.length ? all : undefined;
}

/** The request that the settings of a link with `weights=random` stand for, for these tokens. */
export function request(settings, queries, keys) {
  const [seed, d_model, d_k, heads, kv_heads] = ['seed', 'd_model', 'd_k', 'heads', 'kv_heads'].map((name) => Number(settings[name]));
  const sizes = { d_model, d_k };
  const m = settings.source === undefined ? queries.length : keys.length;
  const short = (kind) => shortening(kind, seed, Number(settings.projected), m);
  return {
    queries: embeddings(queries, d_model, seed),
    ...(settings.source !== undefined && { keys_values: embeddings(keys, d_model, seed) }),
    weights: {
      w_q: projection('query', seed, heads, sizes),
      w_k: projection('key', seed, kv_heads, sizes),
      w_v: projection('value', seed, kv_heads, sizes),
      ...(settings.scoring === 'additive' && { w_a: additive(seed, d_k) }),
    },
    heads,
    kv_heads,
    ...(settings.linformer === '1' ? { linformer: { e: short('shortKeys'), f: short('shortValues') } } : {
      mask: mask(settings, keys.length),
      ...(settings.hiding === 'written' && { masked_score: -1e9 }),
      ...(settings.hiding === 'after' && { mask_after_softmax: true }),
    }),
    position: settings.positions,
    scoring: settings.scoring,
    temperature: Number(settings.temperature),
    ...(settings.scaled !== '1' && settings.scoring === 'dot' && { scale: 1 }),
    want: ['weights'],
  };
}

/** The weights `[queries][keys]` that the compute API gives for the chosen head, asked from within the page. */
export async function weightsByApi(page, settings, queries, keys) {
  const trace = await page.evaluate(async (request) => {
    await attentionPlayground.ready;
    const { weights } = await attentionPlayground.compute(request);
    return { shape: weights.shape, data: [...weights.data] };
  }, request(settings, queries, keys));
  const [, rows, columns] = trace.shape;
  const from = (Number(settings.head) - 1) * rows * columns;
  return Array.from({ length: rows }, (_, row) => trace.data.slice(from + row * columns, from + (row + 1) * columns));
}
