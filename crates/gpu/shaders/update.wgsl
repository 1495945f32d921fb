// A step of an optimizer along the gradient `clip`·g, to new buffers; `beyond` becomes 1 where a number leaves the range.

struct Update {
  count: u32,
  columns: u32,
  stride: u32,
  clip: f32,
  first_keep: f32,
  first_rest: f32,
  second_keep: f32,
  second_rest: f32,
  pace: f32,
  root: f32,
  epsilon: f32,
  keep: f32,
}

@group(0) @binding(0) var<uniform> p: Update;

// Padding stays 0.
fn within(index: u32) -> vec4<bool> {
  return 4u * (index % p.stride) + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(p.columns);
}

// Whether all bits of an exponent are set: WGSL may assume of a float that it is finite, so that bits are asked.
fn is_beyond(x: vec4<f32>) -> bool {
  return any((bitcast<vec4<u32>>(x) << vec4<u32>(1u)) >= vec4<u32>(0xff000000u));
}
