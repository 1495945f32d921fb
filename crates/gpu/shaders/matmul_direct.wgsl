// c = factor · a·b + bias for many slices, on software adapters: `product` takes b as [inner][columns],
// `product_transposed` as [columns][inner]. Slice s is head s % heads of batch s / heads.
//
// Rows are padded with zeros to whole vec4s; bases, strides and offsets count vec4s. One invocation keeps 16 rows × 16
// columns of c as 4 × 4 tiles in registers. A software adapter loads the four numbers of a vec4 one by one for each
// invocation, which costs several times a multiplication, and workgroup memory and barriers cost it more still: so each
// number that is loaded is used as often as possible. A tile is a mat4x4 that holds the rows as its columns, so that
// `c += b * a` adds the product of two tiles.

@group(0) @binding(1) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> c: array<vec4<f32>>;

// Per workgroup of 4 × 1 invocations.
const BLOCK_ROWS: u32 = 16u;
const BLOCK_COLUMNS: u32 = 64u;

const SIDE: u32 = 16u; // rows and columns of c per invocation
const FOUR: vec4<u32> = vec4<u32>(0u, 1u, 2u, 3u);

// Whether nothing of the block that starts here is wanted.
fn outside(row: u32, column: u32) -> bool {
  let beyond = (p.flags & CAUSAL_COLUMNS) != 0u && column > p.first_row + row + SIDE - 1u;
  return beyond || row >= p.rows || column >= p.columns;
}

// How many vec4s along `inner` the block needs.
fn depth(row: u32) -> u32 {
  let all = (p.inner + 3u) / 4u;
  let causal = (p.first_row + row + SIDE - 1u) / 4u + 1u;
  return select(all, min(all, causal), (p.flags & CAUSAL_INNER) != 0u);
}

fn a_tile(at: vec4<u32>) -> mat4x4<f32> {
  return mat4x4<f32>(a[at.x], a[at.y], a[at.z], a[at.w]);
}

fn b_tile(at: vec4<u32>) -> mat4x4<f32> {
  return mat4x4<f32>(b[at.x], b[at.y], b[at.z], b[at.w]);
}

// Writes the tiles, four in a row; what lies beyond the last column becomes zero.
fn store(start: Origin, row: u32, column: u32, tiles: array<mat4x4<f32>, 16>) {
  var local = tiles;
  let biased = (p.flags & BIAS) != 0u;
  let factor = p.factor;
  let stride = p.c_stride;
  let rows = min(p.rows - row, SIDE);
  for (var j = 0u; j < 4u; j++) {
    let at = column + 4u * j;
    if (at >= p.columns) {
      break;
    }
    let keep = (at + FOUR) < vec4<u32>(p.columns);
    var added = vec4<f32>(0.0);
    if (biased) {
      added = bias[start.bias + at / 4u];
    }
    for (var i = 0u; i < rows; i++) {
      let value = factor * local[(i / 4u) * 4u + j][i % 4u] + added;
      c[start.c + (row + i) * stride + at / 4u] = select(vec4<f32>(0.0), value, keep);
    }
  }
}

fn multiply(id: vec3<u32>, transposed: bool) {
  let row = SIDE * id.y;
  let column = SIDE * id.x;
  if (outside(row, column)) {
    return;
  }
  let start = origin(id.z);
  // Rows and columns beyond the end repeat the last one; they are never stored.
  let row_end = vec4<u32>(p.rows - 1u);
  let rows0 = start.a + min(row + FOUR, row_end) * p.a_stride;
  let rows1 = start.a + min(row + 4u + FOUR, row_end) * p.a_stride;
  let rows2 = start.a + min(row + 8u + FOUR, row_end) * p.a_stride;
  let rows3 = start.a + min(row + 12u + FOUR, row_end) * p.a_stride;
  let column_end = vec4<u32>(p.columns - 1u);
  let columns0 = start.b + min(column + FOUR, column_end) * p.b_stride;
  let columns1 = start.b + min(column + 4u + FOUR, column_end) * p.b_stride;
  let columns2 = start.b + min(column + 8u + FOUR, column_end) * p.b_stride;
  let columns3 = start.b + min(column + 12u + FOUR, column_end) * p.b_stride;
  let vectors = start.b + min(column / 4u + FOUR, column_end / 4u);
  // Beyond `inner` a is zero padding, but b would be somebody else's numbers.
  let inner_end = vec4<u32>(p.inner - 1u);
  let b_stride = p.b_stride;
  var c00 = mat4x4<f32>();
  var c01 = mat4x4<f32>();
  var c02 = mat4x4<f32>();
  var c03 = mat4x4<f32>();
  var c10 = mat4x4<f32>();
  var c11 = mat4x4<f32>();
  var c12 = mat4x4<f32>();
  var c13 = mat4x4<f32>();
  var c20 = mat4x4<f32>();
  var c21 = mat4x4<f32>();
  var c22 = mat4x4<f32>();
  var c23 = mat4x4<f32>();
  var c30 = mat4x4<f32>();
  var c31 = mat4x4<f32>();
  var c32 = mat4x4<f32>();
  var c33 = mat4x4<f32>();
  let steps = depth(row);
  for (var k = 0u; k < steps; k++) {
    let a0 = a_tile(rows0 + k);
    let a1 = a_tile(rows1 + k);
    let a2 = a_tile(rows2 + k);
    let a3 = a_tile(rows3 + k);
    var b0: mat4x4<f32>;
    var b1: mat4x4<f32>;
    var b2: mat4x4<f32>;
    var b3: mat4x4<f32>;
    if (transposed) {
      b0 = transpose(b_tile(columns0 + k));
      b1 = transpose(b_tile(columns1 + k));
      b2 = transpose(b_tile(columns2 + k));
      b3 = transpose(b_tile(columns3 + k));
    } else {
      let down = min(4u * k + FOUR, inner_end) * b_stride;
      b0 = b_tile(down + vectors.x);
      b1 = b_tile(down + vectors.y);
      b2 = b_tile(down + vectors.z);
      b3 = b_tile(down + vectors.w);
    }
    c00 += b0 * a0;
    c01 += b1 * a0;
    c02 += b2 * a0;
    c03 += b3 * a0;
    c10 += b0 * a1;
    c11 += b1 * a1;
    c12 += b2 * a1;
    c13 += b3 * a1;
    c20 += b0 * a2;
    c21 += b1 * a2;
    c22 += b2 * a2;
    c23 += b3 * a2;
    c30 += b0 * a3;
    c31 += b1 * a3;
    c32 += b2 * a3;
    c33 += b3 * a3;
  }
  store(start, row, column, array<mat4x4<f32>, 16>(c00, c01, c02, c03, c10, c11, c12, c13, c20, c21, c22, c23, c30, c31, c32, c33));
}

@compute @workgroup_size(4)
fn product(@builtin(global_invocation_id) id: vec3<u32>) {
  multiply(id, false);
}

@compute @workgroup_size(4)
fn product_transposed(@builtin(global_invocation_id) id: vec3<u32>) {
  multiply(id, true);
}
