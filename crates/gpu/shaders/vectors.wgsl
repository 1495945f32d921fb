// What kernels are told that work on vectors of four one by one; each uses its own part.

struct Vectors {
  count: u32,
  rows: u32,
  heads: u32,
  width: u32,
  zero: u32,
}

@group(0) @binding(0) var<uniform> p: Vectors;

// Invocations lie in rows of groups, because a dispatch is limited to 65535 groups an axis.
fn index_of(id: vec3<u32>, groups: vec3<u32>) -> u32 {
  return id.y * groups.x * 64u + id.x;
}
