// Attention whose scores and weights nobody looks at, after `exp.wgsl` and `outer.wgsl`: context = softmax(q·kᵀ)·v in one
// dispatch, with a running maximum and sum for each row (Milakov & Gimelshein 2018; Dao et al. 2022, algorithm 1).
//
// Heads lie one after another, rows padded with zeros to `inner` and `across` vec4s. A workgroup of 8 × 16 invocations makes
// 64 rows, 32 keys at a time; each invocation has four rows, four keys, and of the context two vec4s of columns, so that d_v is
// 64 at most. Nothing here is meant for scores beyond 32-bit accuracy; a row that sees nothing becomes zero. Dispatch
// (1, ⌈rows / 64⌉, slices).

struct Fused {
  rows: u32, keys: u32, n: u32, heads: u32, group: u32, kv_heads: u32,
  first_slice: u32, first_row: u32, inner: u32, across: u32,
  words: u32, mask_slice: u32, masked: u32, causal: u32,
  factor: f32, sharpness: f32, least: f32, share: f32,
}

@group(0) @binding(0) var<uniform> p: Fused;
@group(0) @binding(1) var<storage, read> q: array<vec4<f32>>; // [batch·heads·n, inner]
@group(0) @binding(2) var<storage, read> k: array<vec4<f32>>; // [batch·kv_heads·keys, inner]
@group(0) @binding(3) var<storage, read> v: array<vec4<f32>>; // [batch·kv_heads·keys, across]
@group(0) @binding(4) var<storage, read> visible: array<u32>; // bit key % 32 of word key / 32
@group(0) @binding(5) var<storage, read_write> context: array<vec4<f32>>; // [batch·heads·n, across]

const ROWS = 64u;
const KEYS = 32u; // keys of a block
const ACROSS = 8u; // invocations that share their rows
const DEPTH = 8u; // vec4s of d_k at a time
const ROW_VECTORS = 16u;
const KEY_VECTORS = 8u;
const V_VECTORS = 16u; // vec4s of d_v at most

const LOWEST: f32 = -0x1.fffffep+127;
const NOTHING: f32 = -1000.0; // so far below the largest score that the exponential is exactly 0

// All that every device has, used twice: for [32 of d_k][vec4s of queries], the same of keys, and one number for each of an
// invocation's four rows; then for [32 keys][vec4s of rows] of weights and [32 keys][vec4s of columns] of values.
var<workgroup> part: array<vec4<f32>, 1024>;

const K_PART = 512u;
const SHARED_ROWS = 768u;
const V_PART = 512u;

// Where the block's matrices begin.
struct Block {
  row: u32,
  q: u32,
  k: u32,
  v: u32,
  words: u32,
  context: u32,
}

// The context of an invocation's rows: a vec4 of columns, and the one eight vec4s on.
struct Context {
  left: mat4x4<f32>,
  right: mat4x4<f32>,
}

fn block_at(slice_of_tile: u32, rows: u32) -> Block {
  let slice = p.first_slice + slice_of_tile;
  let kv_slice = (slice / p.heads) * p.kv_heads + (slice % p.heads) / p.group;
  let first = slice * p.n + p.first_row;
  let keys = kv_slice * p.keys;
  return Block(ROWS * rows, first * p.inner, keys * p.inner, keys * p.across, slice_of_tile * p.mask_slice, first * p.across);
}

// Where a vec4 of four lines lies, the first of them 4·four: each four the order turns by one, so that what neighbours
// store lies in different banks.
fn turned(vector: u32, four: u32, stride: u32) -> u32 {
  return 4u * four * stride + (vector + four) % stride;
}

fn keep(at: u32, stride: u32, tile: mat4x4<f32>) {
  part[at] = tile[0];
  part[at + stride] = tile[1];
  part[at + 2u * stride] = tile[2];
  part[at + 3u * stride] = tile[3];
}

// Four queries; rows beyond the last repeat it, columns beyond d_k are zero.
fn fetch_queries(block: Block, row: u32, column: u32) -> mat4x4<f32> {
  if (column >= p.inner) {
    return mat4x4<f32>();
  }
  let at = block.q + min(block.row + row + FOUR, vec4<u32>(p.rows - 1u)) * p.inner + column;
  return transpose(mat4x4<f32>(q[at.x], q[at.y], q[at.z], q[at.w]));
}

fn fetch_keys(block: Block, key: u32, column: u32) -> mat4x4<f32> {
  let at = block.k + min(key + FOUR, vec4<u32>(p.keys - 1u)) * p.inner + min(column, p.inner - 1u);
  return transpose(mat4x4<f32>(k[at.x], k[at.y], k[at.z], k[at.w]));
}

fn fetch(block: Block, key: u32, depth: u32, local: u32) {
  let line = local / DEPTH;
  let column = local % DEPTH;
  keep(turned(line, column, ROW_VECTORS), ROW_VECTORS, fetch_queries(block, 4u * line, depth + column));
  if (line < KEY_VECTORS) {
    keep(K_PART + turned(line, column, KEY_VECTORS), KEY_VECTORS, fetch_keys(block, key + 4u * line, depth + column));
  }
}

// The scores and what four columns of d_k add to them.
fn with_four(scores: mat4x4<f32>, q_at: u32, k_at: u32) -> mat4x4<f32> {
  let one = add_outer(scores, part[q_at], part[k_at]);
  let two = add_outer(one, part[q_at + ROW_VECTORS], part[k_at + KEY_VECTORS]);
  let three = add_outer(two, part[q_at + 2u * ROW_VECTORS], part[k_at + 2u * KEY_VECTORS]);
  return add_outer(three, part[q_at + 3u * ROW_VECTORS], part[k_at + 3u * KEY_VECTORS]);
}

fn block_scores(block: Block, key: u32, local: u32) -> mat4x4<f32> {
  var scores = mat4x4<f32>();
  for (var depth = 0u; depth < p.inner; depth += DEPTH) {
    // Nobody reads any more what is overwritten: the columns before these, or the values of the keys before.
    workgroupBarrier();
    fetch(block, key, depth, local);
    workgroupBarrier();
    for (var at = 0u; at < DEPTH; at++) {
      let k_at = K_PART + turned(local % ACROSS, at, KEY_VECTORS);
      scores = with_four(scores, turned(local / ACROSS, at, ROW_VECTORS), k_at);
    }
  }
  return scores * p.factor;
}

// Scores of four keys of one row, the lowest of all where a key takes no part.
fn masked_scores(block: Block, row: u32, key: u32, scores: vec4<f32>) -> vec4<f32> {
  let end = select(p.keys, min(p.keys, p.first_row + row + 1u), p.causal != 0u);
  var present = key + FOUR < vec4<u32>(end);
  if (p.masked != 0u) {
    let word = visible[block.words + min(row, p.rows - 1u) * p.words + min(key / 32u, p.words - 1u)];
    present = present & ((vec4<u32>(word >> (key % 32u)) & vec4<u32>(1u, 2u, 4u, 8u)) != vec4<u32>(0u));
  }
  return select(vec4<f32>(LOWEST), scores, present);
}

fn highest(scores: vec4<f32>) -> f32 {
  return max(max(scores.x, scores.y), max(scores.z, scores.w));
}

fn total(v: vec4<f32>) -> f32 {
  return (v.x + v.y) + (v.z + v.w);
}

// exp(difference / T), exactly 0 for what takes no part.
fn exponentials(difference: vec4<f32>) -> vec4<f32> {
  return exp_exact(max(difference, vec4<f32>(p.least)) * p.sharpness);
}

// The largest of eight invocations that have the same rows.
fn rows_max(local: u32, mine: vec4<f32>) -> vec4<f32> {
  part[SHARED_ROWS + local] = mine;
  workgroupBarrier();
  let first = SHARED_ROWS + local - local % ACROSS;
  var largest = mine;
  for (var x = 0u; x < ACROSS; x++) {
    largest = max(largest, part[first + x]);
  }
  return largest;
}

fn rows_sum(local: u32, mine: vec4<f32>) -> vec4<f32> {
  // The last values have been read.
  workgroupBarrier();
  part[SHARED_ROWS + local] = mine;
  workgroupBarrier();
  let first = SHARED_ROWS + local - local % ACROSS;
  var sum = vec4<f32>(0.0);
  for (var x = 0u; x < ACROSS; x++) {
    sum += part[first + x];
  }
  return sum;
}

// One vec4 of four keys' values, eight keys apart.
fn fetch_values(block: Block, key: u32, local: u32) -> mat4x4<f32> {
  let lines = min(key + local / V_VECTORS + 8u * FOUR, vec4<u32>(p.keys - 1u));
  let at = block.v + lines * p.across + min(local % V_VECTORS, p.across - 1u);
  return mat4x4<f32>(v[at.x], v[at.y], v[at.z], v[at.w]);
}

// The context and what one key adds to it.
fn with_key(sums: Context, weights_at: u32, v_at: u32) -> Context {
  let weights = part[weights_at];
  return Context(add_outer(sums.left, weights, part[v_at]), add_outer(sums.right, weights, part[v_at + ACROSS]));
}

fn with_keys(sums: Context, local: u32) -> Context {
  var all = sums;
  for (var four = 0u; four < KEYS / 4u; four++) {
    let at = turned(local / ACROSS, four, ROW_VECTORS);
    let v_at = V_PART + 4u * four * V_VECTORS + local % ACROSS;
    all = with_key(all, at, v_at);
    all = with_key(all, at + ROW_VECTORS, v_at + V_VECTORS);
    all = with_key(all, at + 2u * ROW_VECTORS, v_at + 2u * V_VECTORS);
    all = with_key(all, at + 3u * ROW_VECTORS, v_at + 3u * V_VECTORS);
  }
  return all;
}

fn scaled(tile: mat4x4<f32>, by: vec4<f32>) -> mat4x4<f32> {
  return mat4x4<f32>(tile[0] * by.x, tile[1] * by.y, tile[2] * by.z, tile[3] * by.w);
}

fn store(block: Block, row: u32, column: u32, tile: mat4x4<f32>) {
  if (column >= p.across) {
    return;
  }
  var rows = tile;
  for (var i = 0u; i < 4u; i++) {
    if (row + i < p.rows) {
      context[block.context + (row + i) * p.across + column] = rows[i];
    }
  }
}

@compute @workgroup_size(8, 16)
fn fused_attention(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  // In a causal order the last rows take longest, so they go first.
  let block = block_at(id.z, groups.y - 1u - id.y);
  let x = local % ACROSS;
  let y = local / ACROSS;
  let row = block.row + 4u * y;
  let end = select(p.keys, min(p.keys, p.first_row + block.row + ROWS), p.causal != 0u);
  var peak = vec4<f32>(LOWEST);
  var sums = vec4<f32>(0.0);
  var made = Context();
  for (var key = 0u; key < end; key += KEYS) {
    let scores = block_scores(block, key, local);
    let mine = key + 4u * x;
    let s0 = masked_scores(block, row, mine, scores[0]);
    let s1 = masked_scores(block, row + 1u, mine, scores[1]);
    let s2 = masked_scores(block, row + 2u, mine, scores[2]);
    let s3 = masked_scores(block, row + 3u, mine, scores[3]);
    // On their way while the exponentials are made.
    let values = fetch_values(block, key, local);
    let new_max = rows_max(local, max(peak, vec4<f32>(highest(s0), highest(s1), highest(s2), highest(s3))));
    let correction = exponentials(peak - new_max);
    peak = new_max;
    // Where no key was visible so far, the difference to the peak has to be one that leaves nothing.
    let base = max(peak, vec4<f32>(0.5 * LOWEST));
    // A power of two that keeps sums of weighted values within the range that the values have.
    let w0 = exponentials(s0 - base.x) * p.share;
    let w1 = exponentials(s1 - base.y) * p.share;
    let w2 = exponentials(s2 - base.z) * p.share;
    let w3 = exponentials(s3 - base.w) * p.share;
    sums = sums * correction + vec4<f32>(total(w0), total(w1), total(w2), total(w3));
    // Where the values go, everybody has read the largest of the rows.
    workgroupBarrier();
    keep(turned(y, x, ROW_VECTORS), ROW_VECTORS, transpose(mat4x4<f32>(w0, w1, w2, w3)));
    keep(V_PART + local, 8u * V_VECTORS, values);
    workgroupBarrier();
    made = with_keys(Context(scaled(made.left, correction), scaled(made.right, correction)), local);
  }
  let sum = rows_sum(local, sums);
  let divisor = vec4<f32>(1.0) / select(vec4<f32>(1.0), sum, sum > vec4<f32>(0.0));
  store(block, row, x, scaled(made.left, divisor));
  store(block, row, x + ACROSS, scaled(made.right, divisor));
}
