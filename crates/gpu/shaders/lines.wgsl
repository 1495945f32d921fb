// What the kernels of models are told; each uses its own part. Rows lie padded with zeros to `stride` vectors of four.

struct Lines {
  count: u32,
  rows: u32,
  columns: u32,
  stride: u32,
  heads: u32,
  kind: u32,
  first: u32,
  other: u32,
  factor: f32,
  limit: f32,
}

@group(0) @binding(0) var<uniform> p: Lines;

const LANE: vec4<u32> = vec4<u32>(0u, 1u, 2u, 3u);

// The index of a workgroup in the same grid, where each makes one line.
fn line_of(block: vec3<u32>, groups: vec3<u32>) -> u32 {
  return block.y * groups.x + block.x;
}

// Which numbers of a vector of a row are no padding.
fn within(vector: u32) -> vec4<bool> {
  return 4u * vector + LANE < vec4<u32>(p.columns);
}
