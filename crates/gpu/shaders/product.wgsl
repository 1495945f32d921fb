// The description of a matrix product c = factor·a·b + bias for many slices, one per batch entry and head.
//
// Rows lie padded to whole vectors of four; offsets and strides count such vectors. Row r of a in slice s begins at
// a_base + (s / heads)·a_outer + (s % heads / a_group)·a_inner + r·a_stride, and likewise for b and c.

struct Product {
  rows: u32,
  inner: u32,
  columns: u32,
  heads: u32,
  a_base: u32,
  a_outer: u32,
  a_inner: u32,
  a_stride: u32,
  b_base: u32,
  b_outer: u32,
  b_inner: u32,
  b_stride: u32,
  c_base: u32,
  c_outer: u32,
  c_inner: u32,
  c_stride: u32,
  a_group: u32,
  b_group: u32,
  first_slice: u32,
  bias_inner: u32,
  factor: f32,
  flags: u32,
  first_row: u32,
  zero: u32,
}

// There is a bias to add.
const BIAS = 1u;
// Cells with column > first_row + row are never read.
const CAUSAL_COLUMNS = 2u;
// a is zero where its column > first_row + row.
const CAUSAL_INNER = 4u;
// a or b has a low part.
const A_LOW = 8u;
const B_LOW = 16u;

@group(0) @binding(0) var<uniform> p: Product;

// Where slice z of each operand begins.
struct Origin {
  a: u32,
  b: u32,
  c: u32,
  bias: u32,
}

fn origin(z: u32) -> Origin {
  let slice = p.first_slice + z;
  let entry = slice / p.heads;
  let head = slice % p.heads;
  return Origin(
    p.a_base + entry * p.a_outer + (head / p.a_group) * p.a_inner,
    p.b_base + entry * p.b_outer + (head / p.b_group) * p.b_inner,
    p.c_base + entry * p.c_outer + head * p.c_inner,
    (head / p.b_group) * p.bias_inner,
  );
}
