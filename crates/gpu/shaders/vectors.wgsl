// What kernels are told that work on vectors of four one by one; each uses its own part.

struct Vectors {
  count: u32,
  rows: u32,
  heads: u32,
  width: u32,
  zero: u32,
}

@group(0) @binding(0) var<uniform> p: Vectors;
