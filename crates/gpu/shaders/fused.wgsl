// Attention whose scores and weights nobody looks at, after `exp.wgsl`: context = softmax(q·kᵀ)·v in one dispatch, with a
// running maximum and sum for each row (Milakov & Gimelshein 2018; Dao et al. 2022, algorithm 1).
//
// Heads lie one after another, rows padded with zeros to `inner` and `across` vec4s. A workgroup of 8 × 8 invocations makes
// 32 rows, 32 keys at a time; each invocation has four rows, four keys, and of the context two vec4s of columns, so that d_v is
// 64 at most. As in matmul.wgsl a tile is a mat4x4 that holds rows as its columns. Nothing here is meant for scores beyond
// 32-bit accuracy; a row that sees nothing becomes zero. Dispatch (1, ⌈rows / 32⌉, slices).

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

const SIDE = 32u; // rows and keys of a block
const DEPTH = 4u; // vec4s of d_k at a time
// One vec4 more to a row, so that rows read at the same time lie in different banks.
const PART_STRIDE = 5u;
const WEIGHT_STRIDE = 9u;
const V_KEYS = 16u; // keys whose values are there at a time
const V_STRIDE = 16u; // vec4s of d_v at most

const LOWEST: f32 = -0x1.fffffep+127;
const NOTHING: f32 = -1000.0; // so far below the largest score that the exponential is exactly 0

var<workgroup> q_part: array<vec4<f32>, 160>; // [32 rows][4 vec4s, 1 unused]
var<workgroup> k_part: array<vec4<f32>, 160>;
var<workgroup> weights: array<vec4<f32>, 288>; // [32 rows][8 vec4s of keys, 1 unused]
var<workgroup> v_part: array<vec4<f32>, 256>; // [16 keys][16 vec4s]
var<workgroup> shared_rows: array<vec4<f32>, 64>; // one number for each of an invocation's four rows

// Where the block's matrices begin.
struct Block {
  row: u32,
  q: u32,
  k: u32,
  v: u32,
  words: u32,
  context: u32,
}

fn block_at(id: vec3<u32>) -> Block {
  let slice = p.first_slice + id.z;
  let kv_slice = (slice / p.heads) * p.kv_heads + (slice % p.heads) / p.group;
  let first = slice * p.n + p.first_row;
  let keys = kv_slice * p.keys;
  return Block(SIDE * id.y, first * p.inner, keys * p.inner, keys * p.across, id.z * p.mask_slice, first * p.across);
}

// Every eight keys the order of their vec4s turns by one, for the sake of the banks.
fn swizzled(key: u32, at: u32) -> u32 {
  return key * PART_STRIDE + (at + key / 8u) % DEPTH;
}

// Four vec4s of 32 queries and of 32 keys; rows beyond the last repeat it, columns beyond d_k are zero in the queries.
fn fetch(block: Block, key: u32, depth: u32, local: u32) {
  for (var at = local; at < SIDE * DEPTH; at += 64u) {
    let line = at / DEPTH;
    let column = depth + at % DEPTH;
    let inside = min(column, p.inner - 1u);
    let query = q[block.q + min(block.row + line, p.rows - 1u) * p.inner + inside];
    q_part[line * PART_STRIDE + at % DEPTH] = select(vec4<f32>(0.0), query, column < p.inner);
    k_part[swizzled(line, at % DEPTH)] = k[block.k + min(key + line, p.keys - 1u) * p.inner + inside];
  }
}

fn q_tile(y: u32, at: u32) -> mat4x4<f32> {
  let first = y * PART_STRIDE + at;
  return mat4x4<f32>(q_part[first], q_part[first + PART_STRIDE], q_part[first + 2u * PART_STRIDE], q_part[first + 3u * PART_STRIDE]);
}

fn k_tile(x: u32, at: u32) -> mat4x4<f32> {
  // The four keys of a tile are swizzled alike.
  let first = swizzled(4u * x, at);
  return transpose(mat4x4<f32>(k_part[first], k_part[first + PART_STRIDE], k_part[first + 2u * PART_STRIDE], k_part[first + 3u * PART_STRIDE]));
}

fn block_scores(block: Block, key: u32, local: u32) -> mat4x4<f32> {
  var scores = mat4x4<f32>();
  for (var depth = 0u; depth < p.inner; depth += DEPTH) {
    fetch(block, key, depth, local);
    workgroupBarrier();
    for (var at = 0u; at < DEPTH; at++) {
      scores += k_tile(local % 8u, at) * q_tile(4u * (local / 8u), at);
    }
    workgroupBarrier();
  }
  return scores * p.factor;
}

// Scores of four keys of one row, the lowest of all where a key takes no part.
fn masked_scores(block: Block, row: u32, key: u32, scores: vec4<f32>) -> vec4<f32> {
  let end = select(p.keys, min(p.keys, p.first_row + row + 1u), p.causal != 0u);
  var present = key + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(end);
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
  shared_rows[local] = mine;
  workgroupBarrier();
  var largest = mine;
  for (var x = 0u; x < 8u; x++) {
    largest = max(largest, shared_rows[8u * (local / 8u) + x]);
  }
  return largest;
}

fn rows_sum(local: u32, mine: vec4<f32>) -> vec4<f32> {
  shared_rows[local] = mine;
  workgroupBarrier();
  var sum = vec4<f32>(0.0);
  for (var x = 0u; x < 8u; x++) {
    sum += shared_rows[8u * (local / 8u) + x];
  }
  return sum;
}

fn fetch_values(block: Block, key: u32, local: u32) {
  for (var at = local; at < V_KEYS * V_STRIDE; at += 64u) {
    let line = min(key + at / V_STRIDE, p.keys - 1u);
    v_part[at] = v[block.v + line * p.across + min(at % V_STRIDE, p.across - 1u)];
  }
}

fn weight_tile(y: u32, at: u32) -> mat4x4<f32> {
  let first = y * WEIGHT_STRIDE + at;
  return mat4x4<f32>(weights[first], weights[first + WEIGHT_STRIDE], weights[first + 2u * WEIGHT_STRIDE], weights[first + 3u * WEIGHT_STRIDE]);
}

fn v_tile(x: u32, at: u32) -> mat4x4<f32> {
  let first = 4u * at * V_STRIDE + x;
  return mat4x4<f32>(v_part[first], v_part[first + V_STRIDE], v_part[first + 2u * V_STRIDE], v_part[first + 3u * V_STRIDE]);
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

@compute @workgroup_size(8, 8)
fn fused_attention(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let block = block_at(id);
  let x = local % 8u;
  let y = 4u * (local / 8u);
  let row = block.row + y;
  let end = select(p.keys, min(p.keys, p.first_row + block.row + SIDE), p.causal != 0u);
  var peak = vec4<f32>(LOWEST);
  var sums = vec4<f32>(0.0);
  var left = mat4x4<f32>();
  var right = mat4x4<f32>();
  for (var key = 0u; key < end; key += SIDE) {
    let scores = block_scores(block, key, local);
    let mine = key + 4u * x;
    let s0 = masked_scores(block, row, mine, scores[0]);
    let s1 = masked_scores(block, row + 1u, mine, scores[1]);
    let s2 = masked_scores(block, row + 2u, mine, scores[2]);
    let s3 = masked_scores(block, row + 3u, mine, scores[3]);
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
    weights[y * WEIGHT_STRIDE + x] = w0;
    weights[(y + 1u) * WEIGHT_STRIDE + x] = w1;
    weights[(y + 2u) * WEIGHT_STRIDE + x] = w2;
    weights[(y + 3u) * WEIGHT_STRIDE + x] = w3;
    sums = sums * correction + vec4<f32>(total(w0), total(w1), total(w2), total(w3));
    left = scaled(left, correction);
    right = scaled(right, correction);
    for (var chunk = 0u; chunk < SIDE && key + chunk < end; chunk += V_KEYS) {
      fetch_values(block, key + chunk, local);
      workgroupBarrier();
      for (var at = 0u; at < V_KEYS / 4u; at++) {
        let tile = weight_tile(y, chunk / 4u + at);
        left += v_tile(x, at) * tile;
        right += v_tile(x + 8u, at) * tile;
      }
      workgroupBarrier();
    }
  }
  let sum = rows_sum(local, sums);
  let divisor = vec4<f32>(1.0) / select(vec4<f32>(1.0), sum, sum > vec4<f32>(0.0));
  store(block, row, x, scaled(left, divisor));
  store(block, row, x + 8u, scaled(right, divisor));
}
