// The rows of a tile on their way back: copied without what a mask hides, and searched for numbers beyond the range. They are taken as bits,
// since WGSL may assume of a float that it is finite.
//
// tile [slices][rows][stride]; parts [rows], the same in all slices; packed [slices][packed], the parts one behind the other.
// `beyond[slot]` becomes the bits of such a number and stays 0 where there is none: which one does not matter.
// Dispatch (⌈longest part / 64⌉, rows, slices).

struct Pack {
  rows: u32, stride: u32, packed: u32, first_slice: u32, slot: u32,
}

// In vec4s: the first of a row, how many, and where they begin in a slice.
struct Part {
  first: u32, length: u32, start: u32,
}

@group(0) @binding(0) var<uniform> p: Pack;
@group(0) @binding(1) var<storage, read> tile: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> parts: array<Part>;
@group(0) @binding(3) var<storage, read_write> packed: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> beyond: array<u32>;

// Whether all bits of an exponent are set.
fn is_beyond(bits: vec4<u32>) -> vec4<bool> {
  return (bits << vec4<u32>(1u)) >= vec4<u32>(0xff000000u);
}

@compute @workgroup_size(64)
fn pack(@builtin(global_invocation_id) id: vec3<u32>) {
  let part = parts[id.y];
  if (id.x >= part.length) {
    return;
  }
  let row = (p.first_slice + id.z) * p.rows + id.y;
  let bits = tile[row * p.stride + part.first + id.x];
  packed[id.z * p.packed + part.start + id.x] = bits;
  let found = is_beyond(bits);
  if (any(found)) {
    beyond[p.slot] = select(select(select(bits.w, bits.z, found.z), bits.y, found.y), bits.x, found.x);
  }
}
