// Files that somebody may bring: some that can be taken, and some made to do harm.

const base64 = (bytes) => Buffer.from(bytes).toString('base64');

/** An array as NumPy saves it; `header` and `body` may lie. */
function npy(shape, { descr = '<f4', header, body } = {}) {
  const said = header ?? `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
  const padded = said.padEnd(Math.ceil((said.length + 11) / 64) * 64 - 11) + '\n';
  const values = body ?? new Uint8Array(Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => Math.sin(at + 1)).buffer);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([padded.length & 255, padded.length >> 8]), Buffer.from(padded), values]);
}

/** Softmax of something, so that rows sum to 1. */
function weights(rows, columns) {
  return Array.from({ length: rows }, (_, row) => {
    const raw = Array.from({ length: columns }, (_, column) => Math.exp(Math.sin(7 * row + column)));
    const sum = raw.reduce((a, b) => a + b);
    return raw.map((value) => value / sum);
  });
}

const json = (value) => Buffer.from(JSON.stringify(value));
const rows = (count, columns, by = 1) => Array.from({ length: count }, (_, row) => Array.from({ length: columns }, (_, column) => by * Math.cos(row + 2 * column)));
const heads = (count, n, d) => Array.from({ length: count }, (_, head) => rows(n, d, head + 1));

function safetensors(entries, bytes) {
  const header = Buffer.from(typeof entries === 'string' ? entries : JSON.stringify(entries));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, bytes]);
}

/** `[name, bytes]`. */
const FILES = [
  ['attention.json', json(weights(5, 7))],
  ['heads.json', json({ q: heads(2, 5, 3), k: heads(2, 7, 3), v: heads(2, 7, 4) })],
  ['embeddings.csv', Buffer.from(rows(5, 6).map((row) => row.join(',')).join('\n'))],
  ['weights.npy', npy([2, 3, 3])],
  ['x.npy', npy([6, 8])],
  ['layer.safetensors', safetensors({ w_q: { dtype: 'F32', shape: [4, 4], data_offsets: [0, 64] } }, Buffer.from(new Float32Array(16).fill(0.5).buffer))],
  // Harm from here on.
  ['truncated.npy', npy([6, 8]).subarray(0, 90)],
  ['huge.npy', npy([1e6, 1e6], { body: Buffer.alloc(8) })],
  ['code.npy', npy([2], { header: "{'descr': '<f4', 'shape': (__import__('os').system('true'),)}" })],
  ['object.npy', npy([1], { descr: '|O' })],
  ['nan.json', Buffer.from('[[1, NaN], [1e999, 0]]')],
  ['deep.json', Buffer.from('['.repeat(50_000))],
  ['null.csv', Buffer.from('a,b\n1,\n,2\n"')],
  ['<img src=x onerror=alert(1)>.json', Buffer.from('{"<script>alert(1)</script>": [[1]]}')],
  ['bomb.npz', Buffer.from('504b0304140000000800000000000000000001000000ffffffff0000000061', 'hex')],
  ['long.safetensors', safetensors('{"a":{"dtype":"F32","shape":[9007199254740993],"data_offsets":[0,18446744073709551615]}}', Buffer.alloc(4))],
  ['empty.npz', Buffer.alloc(0)],
  ['noise.npy', Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 7919) % 256))],
];

/** Brings one or two files, one way or another; resolves to words for the log. */
export async function bring(hands, r) {
  const files = Array.from({ length: 1 + r.below(2) }, () => r.pick(FILES));
  const way = r.pick(['drop', 'choose', 'paste']);
  const given = { way, files: files.map(([name, bytes]) => [name, base64(bytes)]), text: files[0][1].toString('latin1').slice(0, 5000) };
  const done = await hands.evaluate(({ way, files, text }) => monkey.bring(way, files, text), given);
  return `${files.map(([name]) => name)} ${done}`;
}
