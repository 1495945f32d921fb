// The rows of a tile on their way back: copied without what a causal order hides, and searched for numbers beyond the range. They are
// taken as bits, since WGSL may assume of a float that it is finite.
//
// tile [slices][rows][stride]; packed [slices][packed], rows one behind the other, of each the vec4s up to its own key when causal, of a
// tile whose first row is `first_row`. `beyond[slot]` becomes the bits of such a number and stays 0 where there is none: which one does
// not matter. Dispatch (⌈stride / 64⌉, rows, slices).

struct Pack {
  rows: u32, stride: u32, first_row: u32, causal: u32,
  packed: u32, slot: u32, first_slice: u32, zero: u32,
}

@group(0) @binding(0) var<uniform> p: Pack;
@group(0) @binding(1) var<storage, read> tile: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> packed: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> beyond: array<u32>;

// How many vec4s the rows before `row` have when causal, as far as they are no longer than `stride`. Sums may wrap around: their
// difference does not.
fn before(row: u32) -> u32 {
  let growing = min(row, 4u * p.stride);
  let whole = growing / 4u;
  return growing + 2u * whole * (whole - 1u) + whole * (growing % 4u) + (row - growing) * p.stride;
}

// Whether all bits of an exponent are set.
fn is_beyond(bits: vec4<u32>) -> vec4<bool> {
  return (bits << vec4<u32>(1u)) >= vec4<u32>(0xff000000u);
}

@compute @workgroup_size(64)
fn pack(@builtin(global_invocation_id) id: vec3<u32>) {
  let own = p.first_row + id.y;
  let length = select(p.stride, min(p.stride, own / 4u + 1u), p.causal != 0u);
  if (id.x >= length) {
    return;
  }
  let bits = tile[((p.first_slice + id.z) * p.rows + id.y) * p.stride + id.x];
  let start = select(id.y * p.stride, before(own) - before(p.first_row), p.causal != 0u);
  packed[id.z * p.packed + start + id.x] = bits;
  let found = is_beyond(bits);
  if (any(found)) {
    beyond[p.slot] = select(select(select(bits.w, bits.z, found.z), bits.y, found.y), bits.x, found.x);
  }
}
