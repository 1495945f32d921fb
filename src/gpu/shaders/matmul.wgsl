// c = factor · a·b + bias for many slices, on hardware: `product` takes b as [inner][columns],
// `product_transposed` as [columns][inner]. Slice s is head s % heads of batch s / heads.
//
// Rows are padded with zeros to whole vec4s; bases, strides and offsets count vec4s. A workgroup of 16 × 16 invocations
// computes 64 rows × 64 columns: it walks along `inner` 16 numbers at a time, brings that slice of a and of b into
// workgroup memory (one vec4 of each per invocation, neighbours reading neighbours) and each invocation adds to its 4×4
// tile. A tile keeps its rows as the columns of a mat4x4, so that `c += b * a` adds the product of two tiles.

@group(0) @binding(1) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> c: array<vec4<f32>>;

const SIDE: u32 = 64u; // rows and columns of c per workgroup
const DEPTH: u32 = 4u; // vec4s along inner per step
// One vec4 more per row of a, so that the two rows that a subgroup reads at once lie in different banks.
const A_STRIDE: u32 = 5u;

var<workgroup> a_part: array<vec4<f32>, 320>; // [64 rows][4 vec4s of inner + 1]
var<workgroup> b_part: array<vec4<f32>, 256>; // [16 of inner][16 vec4s of columns]

// Whether nothing of the workgroup's block is wanted.
fn outside(row: u32, column: u32) -> bool {
  return (p.flags & CAUSAL_COLUMNS) != 0u && column > p.first_row + row + SIDE - 1u;
}

// How many vec4s along `inner` the block needs.
fn depth(row: u32) -> u32 {
  let all = (p.inner + 3u) / 4u;
  let causal = (p.first_row + row + SIDE - 1u) / 4u + 1u;
  return select(all, min(all, causal), (p.flags & CAUSAL_INNER) != 0u);
}

fn b_first(slice: u32) -> u32 {
  return p.b_base + (slice / p.heads) * p.b_outer + ((slice % p.heads) / p.b_group) * p.b_inner;
}

// Brings one vec4 per invocation of a into workgroup memory; zero beyond the end of `inner`, and the last row repeated
// beyond the end of the rows, which is never stored.
fn load_a(slice: u32, row: u32, k: u32, all: u32, local: u32) {
  let first = p.a_base + (slice / p.heads) * p.a_outer + ((slice % p.heads) / p.a_group) * p.a_inner;
  let i = local / DEPTH;
  let at = k + local % DEPTH;
  let value = a[first + min(row + i, p.rows - 1u) * p.a_stride + min(at, all - 1u)];
  a_part[i * A_STRIDE + local % DEPTH] = select(vec4<f32>(0.0), value, at < all);
}

// What this invocation's tile gains from the 16 numbers of `inner` in workgroup memory.
fn gain(x: u32, y: u32) -> mat4x4<f32> {
  var sum = mat4x4<f32>();
  for (var k = 0u; k < DEPTH; k++) {
    let i = 4u * y * A_STRIDE + k;
    let a_tile = mat4x4<f32>(a_part[i], a_part[i + A_STRIDE], a_part[i + 2u * A_STRIDE], a_part[i + 3u * A_STRIDE]);
    let j = 64u * k + x;
    sum += mat4x4<f32>(b_part[j], b_part[j + 16u], b_part[j + 32u], b_part[j + 48u]) * a_tile;
  }
  return sum;
}

// Writes four rows of one vec4 each; what lies beyond the last column becomes zero.
fn store(slice: u32, row: u32, vector: u32, tile: mat4x4<f32>) {
  if (4u * vector >= p.columns) {
    return;
  }
  let head = slice % p.heads;
  let first = p.c_base + (slice / p.heads) * p.c_outer + head * p.c_inner + vector;
  let zero = vec4<f32>(0.0);
  var added = zero;
  if ((p.flags & BIAS) != 0u) {
    added = bias[(head / p.b_group) * p.bias_inner + vector];
  }
  let keep = (4u * vector + vec4<u32>(0u, 1u, 2u, 3u)) < vec4<u32>(p.columns);
  for (var i = 0u; i < 4u; i++) {
    if (row + i < p.rows) {
      c[first + (row + i) * p.c_stride] = select(zero, p.factor * tile[i] + added, keep);
    }
  }
}

@compute @workgroup_size(16, 16)
fn product(
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(local_invocation_id) at: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let row = SIDE * block.y;
  let column = SIDE * block.x;
  if (outside(row, column)) {
    return;
  }
  let slice = p.first_slice + block.z;
  let last = (p.columns + 3u) / 4u - 1u;
  let b_start = b_first(slice) + min(column / 4u + local % 16u, last);
  let all = depth(row);
  var tile = mat4x4<f32>();
  for (var k = 0u; k < all; k += DEPTH) {
    load_a(slice, row, k, all, local);
    // Beyond `inner` a is zero, but b would be somebody else's numbers.
    b_part[local] = b[b_start + min(4u * k + local / 16u, p.inner - 1u) * p.b_stride];
    workgroupBarrier();
    tile += gain(at.x, at.y);
    workgroupBarrier();
  }
  store(slice, row + 4u * at.y, column / 4u + at.x, tile);
}

@compute @workgroup_size(16, 16)
fn product_transposed(
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(local_invocation_id) at: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let row = SIDE * block.y;
  let column = SIDE * block.x;
  if (outside(row, column)) {
    return;
  }
  let slice = p.first_slice + block.z;
  let b_start = b_first(slice);
  let end = p.columns - 1u;
  let all = depth(row);
  // 64 invocations turn a 4×4 tile of b each: four columns, one vec4 of `inner`.
  let four = local / DEPTH;
  let b0 = b_start + min(column + 4u * four, end) * p.b_stride;
  let b1 = b_start + min(column + 4u * four + 1u, end) * p.b_stride;
  let b2 = b_start + min(column + 4u * four + 2u, end) * p.b_stride;
  let b3 = b_start + min(column + 4u * four + 3u, end) * p.b_stride;
  var tile = mat4x4<f32>();
  for (var k = 0u; k < all; k += DEPTH) {
    load_a(slice, row, k, all, local);
    if (local < 16u * DEPTH) {
      let vector = min(k + local % DEPTH, all - 1u);
      let turned = transpose(mat4x4<f32>(b[b0 + vector], b[b1 + vector], b[b2 + vector], b[b3 + vector]));
      let spot = 64u * (local % DEPTH) + four;
      b_part[spot] = turned[0];
      b_part[spot + 16u] = turned[1];
      b_part[spot + 32u] = turned[2];
      b_part[spot + 48u] = turned[3];
    }
    workgroupBarrier();
    tile += gain(at.x, at.y);
    workgroupBarrier();
  }
  store(slice, row + 4u * at.y, column / 4u + at.x, tile);
}
