// c = factor · a·b + bias for many slices, on hardware: `product` takes b as [inner][columns],
// `product_transposed` as [columns][inner]. Slice s is head s % heads of batch s / heads.
//
// Rows are padded with zeros to whole vec4s; bases, strides and offsets count vec4s. A workgroup of 16 × 8 invocations
// computes 64 rows × 64 columns: it walks along `inner` 16 numbers at a time and brings that slice of a and of b into
// workgroup memory, two vec4s of each per invocation, neighbours reading neighbours; the next slice is fetched while this
// one is multiplied. Each invocation keeps two 4×4 tiles of c, 32 rows apart, in registers. A tile is a mat4x4 that holds
// the rows as its columns, so that `c += b * a` adds the product of two tiles.

@group(0) @binding(1) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> c: array<vec4<f32>>;

// Per workgroup.
const BLOCK_ROWS: u32 = 64u;
const BLOCK_COLUMNS: u32 = 64u;

const DEPTH: u32 = 4u; // vec4s along inner per step
// Rows in workgroup memory have one vec4 more, so that rows read at the same time lie in different banks.
const PART_STRIDE: u32 = 5u;

var<workgroup> a_part: array<vec4<f32>, 320>; // [64 rows][4 vec4s of inner, 1 unused]
var<workgroup> b_part: array<vec4<f32>, 320>; // [16 of inner][16 vec4s of columns], or transposed as a

struct Fetched {
  a0: vec4<f32>,
  a1: vec4<f32>,
  b0: vec4<f32>,
  b1: vec4<f32>,
}

// Where the block and its operands begin, and how many vec4s along inner it needs.
struct Block {
  row: u32,
  column: u32,
  start: Origin,
  depth: u32,
}

// How many vec4s along `inner` the block needs.
fn depth(row: u32) -> u32 {
  let all = (p.inner + 3u) / 4u;
  let causal = (p.first_row + row + BLOCK_ROWS - 1u) / 4u + 1u;
  return select(all, min(all, causal), (p.flags & CAUSAL_INNER) != 0u);
}

// One vec4 of a: zero beyond the end of `inner`; beyond the last row that row again, which is never stored.
fn fetch_a(block: Block, row: u32, k: u32) -> vec4<f32> {
  let at = block.start.a + min(block.row + row, p.rows - 1u) * p.a_stride + min(k, block.depth - 1u);
  return select(vec4<f32>(0.0), a[at], k < block.depth);
}

// One vec4 of b, a row of `inner` and four columns. Beyond `inner` a is zero, but b would be somebody else's numbers.
fn fetch_b(block: Block, k: u32, vector: u32) -> vec4<f32> {
  let across = min(block.column / 4u + vector, (p.columns - 1u) / 4u);
  return b[block.start.b + min(k, p.inner - 1u) * p.b_stride + across];
}

fn fetch_b_transposed(block: Block, column: u32, k: u32) -> vec4<f32> {
  return b[block.start.b + min(block.column + column, p.columns - 1u) * p.b_stride + min(k, block.depth - 1u)];
}

fn fetch(block: Block, local: u32, k: u32, transposed: bool) -> Fetched {
  let row = local / DEPTH;
  let at = k + local % DEPTH;
  let a0 = fetch_a(block, row, at);
  let a1 = fetch_a(block, row + 32u, at);
  if (transposed) {
    return Fetched(a0, a1, fetch_b_transposed(block, row, at), fetch_b_transposed(block, row + 32u, at));
  }
  let down = 4u * k + local / 16u;
  return Fetched(a0, a1, fetch_b(block, down, local % 16u), fetch_b(block, down + 8u, local % 16u));
}

// The place of a vec4 of a column of b: every eight columns the order turns by one, for the sake of the banks.
fn swizzled(column: u32, k: u32) -> u32 {
  return column * PART_STRIDE + (k + column / 8u) % DEPTH;
}

fn keep(fetched: Fetched, local: u32, transposed: bool) {
  let row = local / DEPTH;
  let k = local % DEPTH;
  a_part[row * PART_STRIDE + k] = fetched.a0;
  a_part[(row + 32u) * PART_STRIDE + k] = fetched.a1;
  if (transposed) {
    b_part[swizzled(row, k)] = fetched.b0;
    b_part[swizzled(row + 32u, k)] = fetched.b1;
  } else {
    b_part[local] = fetched.b0;
    b_part[local + 128u] = fetched.b1;
  }
}

fn a_tile(row: u32, k: u32) -> mat4x4<f32> {
  let at = row * PART_STRIDE + k + vec4<u32>(0u, 1u, 2u, 3u) * PART_STRIDE;
  return mat4x4<f32>(a_part[at.x], a_part[at.y], a_part[at.z], a_part[at.w]);
}

fn b_tile(vector: u32, k: u32, transposed: bool) -> mat4x4<f32> {
  if (transposed) {
    // The four columns of a tile are swizzled alike.
    let at = swizzled(4u * vector, k) + vec4<u32>(0u, 1u, 2u, 3u) * PART_STRIDE;
    return transpose(mat4x4<f32>(b_part[at.x], b_part[at.y], b_part[at.z], b_part[at.w]));
  }
  let at = 64u * k + vector;
  return mat4x4<f32>(b_part[at], b_part[at + 16u], b_part[at + 32u], b_part[at + 48u]);
}

// Writes four rows of one vec4 each; what lies beyond the last column becomes zero.
fn store(start: Origin, row: u32, column: u32, tile: mat4x4<f32>) {
  if (column >= p.columns) {
    return;
  }
  var rows = tile;
  let zero = vec4<f32>(0.0);
  var added = zero;
  if ((p.flags & BIAS) != 0u) {
    added = bias[start.bias + column / 4u];
  }
  let within = (column + vec4<u32>(0u, 1u, 2u, 3u)) < vec4<u32>(p.columns);
  for (var i = 0u; i < 4u; i++) {
    if (row + i < p.rows) {
      let at = start.c + (row + i) * p.c_stride + column / 4u;
      c[at] = select(zero, p.factor * rows[i] + added, within);
    }
  }
}

fn multiply(id: vec3<u32>, local: u32, transposed: bool) {
  let row = BLOCK_ROWS * id.y;
  let block = Block(row, BLOCK_COLUMNS * id.x, origin(id.z), depth(row));
  if ((p.flags & CAUSAL_COLUMNS) != 0u && block.column > p.first_row + row + BLOCK_ROWS - 1u) {
    return;
  }
  let x = local % 16u;
  let y = 4u * (local / 16u);
  var top = mat4x4<f32>();
  var bottom = mat4x4<f32>();
  var fetched = fetch(block, local, 0u, transposed);
  for (var k = 0u; k < block.depth; k += DEPTH) {
    keep(fetched, local, transposed);
    workgroupBarrier();
    fetched = fetch(block, local, k + DEPTH, transposed);
    for (var i = 0u; i < DEPTH; i++) {
      let tile = b_tile(x, i, transposed);
      top += tile * a_tile(y, i);
      bottom += tile * a_tile(y + 32u, i);
    }
    workgroupBarrier();
  }
  store(block.start, row + y, block.column + 4u * x, top);
  store(block.start, row + y + 32u, block.column + 4u * x, bottom);
}

@compute @workgroup_size(16, 8)
fn product(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  multiply(id, local, false);
}

@compute @workgroup_size(16, 8)
fn product_transposed(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  multiply(id, local, true);
}
