// c = factor · a·b + bias for many slices, on hardware: `product` takes b as [inner][columns],
// `product_transposed` as [columns][inner]. Slice s is head s % heads of batch s / heads.
//
// Rows are padded with zeros to whole vec4s; bases, strides and offsets count vec4s. A workgroup of 128 invocations
// computes BLOCK_ROWS rows × 64 columns; `matmul_tall.wgsl` and `matmul_small.wgsl` say which of them an invocation keeps
// in registers. It walks along `inner` 16 numbers at a time and brings that slice of a and of b into workgroup memory; the
// next slice is fetched while this one is multiplied. There both lie with `inner` down, so that one vec4 of each is all that
// an invocation reads for sixteen multiply-adds or more: every such access is checked against its bounds.

@group(0) @binding(1) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> c: array<vec4<f32>>;

const BLOCK_COLUMNS = 64u;
const DEPTH = 4u; // vec4s along inner per step
const A_STRIDE = BLOCK_ROWS / 4u;
const B_STRIDE = BLOCK_COLUMNS / 4u;

var<workgroup> a_part: array<vec4<f32>, 4u * DEPTH * A_STRIDE>; // [16 of inner][vec4s of rows]
var<workgroup> b_part: array<vec4<f32>, 4u * DEPTH * B_STRIDE>; // [16 of inner][vec4s of columns]

// The first BLOCK_ROWS invocations fetch a; b is left to the last of all.
const FIRST_OF_B = 64u;

// Four by four numbers of each operand, those along `inner` below each other.
struct Fetched {
  a: mat4x4<f32>,
  b: mat4x4<f32>,
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

// Four rows of a: zero beyond the end of `inner`; beyond the last row that row again, which is never stored.
fn fetch_a(block: Block, row: u32, k: u32) -> mat4x4<f32> {
  if (k >= block.depth) {
    return mat4x4<f32>();
  }
  let at = block.start.a + min(block.row + row + FOUR, vec4<u32>(p.rows - 1u)) * p.a_stride + k;
  return transpose(mat4x4<f32>(a[at.x], a[at.y], a[at.z], a[at.w]));
}

// Four columns of b. Beyond `inner` a is zero, but b would be somebody else's numbers.
fn fetch_b(block: Block, vector: u32, k: u32) -> mat4x4<f32> {
  let across = min(block.column / 4u + vector, (p.columns - 1u) / 4u);
  let at = block.start.b + min(4u * k + FOUR, vec4<u32>(p.inner - 1u)) * p.b_stride + across;
  return mat4x4<f32>(b[at.x], b[at.y], b[at.z], b[at.w]);
}

fn fetch_b_transposed(block: Block, vector: u32, k: u32) -> mat4x4<f32> {
  let columns = min(block.column + 4u * vector + FOUR, vec4<u32>(p.columns - 1u));
  let at = block.start.b + columns * p.b_stride + min(k, block.depth - 1u);
  return transpose(mat4x4<f32>(b[at.x], b[at.y], b[at.z], b[at.w]));
}

// The vec4 of columns of b that an invocation fetches, and how far along inner: neighbours read neighbours.
fn share_of_b(local: u32, transposed: bool) -> vec2<u32> {
  let at = local - FIRST_OF_B;
  if (transposed) {
    return vec2<u32>(at / DEPTH, at % DEPTH);
  }
  return vec2<u32>(at % B_STRIDE, at / B_STRIDE);
}

fn fetch(block: Block, local: u32, k: u32, transposed: bool) -> Fetched {
  var fetched: Fetched;
  if (local < BLOCK_ROWS) {
    fetched.a = fetch_a(block, 4u * (local / DEPTH), k + local % DEPTH);
  }
  if (local >= FIRST_OF_B) {
    let share = share_of_b(local, transposed);
    if (transposed) {
      fetched.b = fetch_b_transposed(block, share.x, k + share.y);
    } else {
      fetched.b = fetch_b(block, share.x, k + share.y);
    }
  }
  return fetched;
}

// Where a vec4 of four numbers along inner lies, the first of them 4·k: each four the order turns by two, so that what
// neighbours store lies in different banks.
fn turned(vector: u32, k: u32, stride: u32) -> u32 {
  return 4u * k * stride + (vector + 2u * k) % stride;
}

fn keep(fetched: Fetched, local: u32, transposed: bool) {
  if (local < BLOCK_ROWS) {
    let at = turned(local / DEPTH, local % DEPTH, A_STRIDE);
    a_part[at] = fetched.a[0];
    a_part[at + A_STRIDE] = fetched.a[1];
    a_part[at + 2u * A_STRIDE] = fetched.a[2];
    a_part[at + 3u * A_STRIDE] = fetched.a[3];
  }
  if (local >= FIRST_OF_B) {
    let share = share_of_b(local, transposed);
    let at = turned(share.x, share.y, B_STRIDE);
    b_part[at] = fetched.b[0];
    b_part[at + B_STRIDE] = fetched.b[1];
    b_part[at + 2u * B_STRIDE] = fetched.b[2];
    b_part[at + 3u * B_STRIDE] = fetched.b[3];
  }
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
  let within = (column + FOUR) < vec4<u32>(p.columns);
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
  var sums = Sums();
  var fetched = fetch(block, local, 0u, transposed);
  for (var k = 0u; k < block.depth; k += DEPTH) {
    keep(fetched, local, transposed);
    workgroupBarrier();
    fetched = fetch(block, local, k + DEPTH, transposed);
    for (var i = 0u; i < DEPTH; i++) {
      sums = with_four(sums, local, i);
    }
    workgroupBarrier();
  }
  store_sums(block, local, sums);
}

@compute @workgroup_size(ACROSS, DOWN)
fn product(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  multiply(id, local, false);
}

@compute @workgroup_size(ACROSS, DOWN)
fn product_transposed(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  multiply(id, local, true);
}
