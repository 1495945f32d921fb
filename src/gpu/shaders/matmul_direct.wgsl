// c = factor · a·b + bias for many slices, on software adapters: `product` takes b as [inner][columns],
// `product_transposed` as [columns][inner]. Slice s is head s % heads of batch s / heads.
//
// Rows are padded with zeros to whole vec4s; bases, strides and offsets count vec4s. One invocation computes 8 rows × 8
// columns as four 4×4 tiles in registers: a software adapter has no fast workgroup memory and its barriers cost a
// change of fibre, while a load costs far more than a multiplication, so the only way is to use every loaded number often.
// A tile keeps its rows as the columns of a mat4x4, so that `c += b * a` adds the product of two tiles.
//
// Output per workgroup of 4 × 4 invocations: 32 rows × 32 columns.

@group(0) @binding(1) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> c: array<vec4<f32>>;

const WIDE: u32 = 4u; // invocations of a workgroup along the columns
const HIGH: u32 = 4u; // and along the rows

// The last vec4 of a row of c.
fn last_vector() -> u32 {
  return (p.columns + 3u) / 4u - 1u;
}

// Whether nothing of the block that starts here is wanted.
fn outside(row: u32, column: u32) -> bool {
  let beyond = (p.flags & CAUSAL_COLUMNS) != 0u && column > p.first_row + row + 7u;
  return beyond || row >= p.rows || column >= p.columns;
}

// How many steps of four along `inner` the block needs.
fn steps(row: u32) -> u32 {
  let all = (p.inner + 3u) / 4u;
  let causal = (p.first_row + row + 7u) / 4u + 1u;
  return select(all, min(all, causal), (p.flags & CAUSAL_INNER) != 0u);
}

fn a_first(slice: u32) -> u32 {
  return p.a_base + (slice / p.heads) * p.a_outer + ((slice % p.heads) / p.a_group) * p.a_inner;
}

fn b_first(slice: u32) -> u32 {
  return p.b_base + (slice / p.heads) * p.b_outer + ((slice % p.heads) / p.b_group) * p.b_inner;
}

// Four rows of c, eight columns wide. `keep` zeroes what lies beyond the last column.
fn store(slice: u32, row: u32, vector: u32, left: mat4x4<f32>, right: mat4x4<f32>) {
  let head = slice % p.heads;
  let first = p.c_base + (slice / p.heads) * p.c_outer + head * p.c_inner + vector;
  let last = last_vector();
  let lanes = vec4<u32>(0u, 1u, 2u, 3u);
  let zero = vec4<f32>(0.0);
  var bias_left = zero;
  var bias_right = zero;
  if ((p.flags & BIAS) != 0u) {
    let bias_first = (head / p.b_group) * p.bias_inner;
    bias_left = bias[bias_first + vector];
    bias_right = bias[bias_first + min(vector + 1u, last)];
  }
  let keep_left = (4u * vector + lanes) < vec4<u32>(p.columns);
  let keep_right = (4u * vector + 4u + lanes) < vec4<u32>(p.columns);
  for (var i = 0u; i < 4u; i++) {
    if (row + i < p.rows) {
      let at = first + (row + i) * p.c_stride;
      c[at] = select(zero, p.factor * left[i] + bias_left, keep_left);
      if (vector < last) {
        c[at + 1u] = select(zero, p.factor * right[i] + bias_right, keep_right);
      }
    }
  }
}

@compute @workgroup_size(WIDE, HIGH)
fn product(@builtin(global_invocation_id) id: vec3<u32>) {
  let row = 8u * id.y;
  let column = 8u * id.x;
  if (outside(row, column)) {
    return;
  }
  let slice = p.first_slice + id.z;
  let a_start = a_first(slice);
  // Rows and columns beyond the end repeat the last one; they are never stored.
  let end = p.rows - 1u;
  let a0 = a_start + row * p.a_stride;
  let a1 = a_start + min(row + 1u, end) * p.a_stride;
  let a2 = a_start + min(row + 2u, end) * p.a_stride;
  let a3 = a_start + min(row + 3u, end) * p.a_stride;
  let a4 = a_start + min(row + 4u, end) * p.a_stride;
  let a5 = a_start + min(row + 5u, end) * p.a_stride;
  let a6 = a_start + min(row + 6u, end) * p.a_stride;
  let a7 = a_start + min(row + 7u, end) * p.a_stride;
  let stride = p.b_stride;
  let b_left = b_first(slice) + column / 4u;
  let b_right = b_first(slice) + min(column / 4u + 1u, last_vector());
  // Beyond `inner` a is zero padding, but b would be somebody else's numbers.
  let b_end = p.inner - 1u;
  var top_left = mat4x4<f32>();
  var top_right = mat4x4<f32>();
  var bottom_left = mat4x4<f32>();
  var bottom_right = mat4x4<f32>();
  let count = steps(row);
  for (var k = 0u; k < count; k++) {
    let b0 = min(4u * k, b_end) * stride;
    let b1 = min(4u * k + 1u, b_end) * stride;
    let b2 = min(4u * k + 2u, b_end) * stride;
    let b3 = min(4u * k + 3u, b_end) * stride;
    let top = mat4x4<f32>(a[a0 + k], a[a1 + k], a[a2 + k], a[a3 + k]);
    let bottom = mat4x4<f32>(a[a4 + k], a[a5 + k], a[a6 + k], a[a7 + k]);
    let left = mat4x4<f32>(b[b_left + b0], b[b_left + b1], b[b_left + b2], b[b_left + b3]);
    let right = mat4x4<f32>(b[b_right + b0], b[b_right + b1], b[b_right + b2], b[b_right + b3]);
    top_left += left * top;
    top_right += right * top;
    bottom_left += left * bottom;
    bottom_right += right * bottom;
  }
  store(slice, row, column / 4u, top_left, top_right);
  store(slice, row + 4u, column / 4u, bottom_left, bottom_right);
}

@compute @workgroup_size(WIDE, HIGH)
fn product_transposed(@builtin(global_invocation_id) id: vec3<u32>) {
  let row = 8u * id.y;
  let column = 8u * id.x;
  if (outside(row, column)) {
    return;
  }
  let slice = p.first_slice + id.z;
  let a_start = a_first(slice);
  let a_end = p.rows - 1u;
  let a0 = a_start + row * p.a_stride;
  let a1 = a_start + min(row + 1u, a_end) * p.a_stride;
  let a2 = a_start + min(row + 2u, a_end) * p.a_stride;
  let a3 = a_start + min(row + 3u, a_end) * p.a_stride;
  let a4 = a_start + min(row + 4u, a_end) * p.a_stride;
  let a5 = a_start + min(row + 5u, a_end) * p.a_stride;
  let a6 = a_start + min(row + 6u, a_end) * p.a_stride;
  let a7 = a_start + min(row + 7u, a_end) * p.a_stride;
  let b_start = b_first(slice);
  let b_end = p.columns - 1u;
  let b0 = b_start + column * p.b_stride;
  let b1 = b_start + min(column + 1u, b_end) * p.b_stride;
  let b2 = b_start + min(column + 2u, b_end) * p.b_stride;
  let b3 = b_start + min(column + 3u, b_end) * p.b_stride;
  let b4 = b_start + min(column + 4u, b_end) * p.b_stride;
  let b5 = b_start + min(column + 5u, b_end) * p.b_stride;
  let b6 = b_start + min(column + 6u, b_end) * p.b_stride;
  let b7 = b_start + min(column + 7u, b_end) * p.b_stride;
  var top_left = mat4x4<f32>();
  var top_right = mat4x4<f32>();
  var bottom_left = mat4x4<f32>();
  var bottom_right = mat4x4<f32>();
  let count = steps(row);
  for (var k = 0u; k < count; k++) {
    let top = mat4x4<f32>(a[a0 + k], a[a1 + k], a[a2 + k], a[a3 + k]);
    let bottom = mat4x4<f32>(a[a4 + k], a[a5 + k], a[a6 + k], a[a7 + k]);
    let left = transpose(mat4x4<f32>(b[b0 + k], b[b1 + k], b[b2 + k], b[b3 + k]));
    let right = transpose(mat4x4<f32>(b[b4 + k], b[b5 + k], b[b6 + k], b[b7 + k]));
    top_left += left * top;
    top_right += right * top;
    bottom_left += left * bottom;
    bottom_right += right * bottom;
  }
  store(slice, row, column / 4u, top_left, top_right);
  store(slice, row + 4u, column / 4u, bottom_left, bottom_right);
}
