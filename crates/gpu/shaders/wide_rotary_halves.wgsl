// Rotary positions in halves in twice the precision, in place; sizes as in rotary_halves.wgsl.

@group(0) @binding(1) var<storage, read_write> x_high: array<f32>;
@group(0) @binding(2) var<storage, read_write> x_low: array<f32>;
@group(0) @binding(3) var<storage, read> turns_high: array<f32>;
@group(0) @binding(4) var<storage, read> turns_low: array<f32>;

@compute @workgroup_size(64)
fn wide_rotate_halves(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let row = index / p.heads;
  let first = row * p.width * 4u + index % p.heads;
  let second = first + p.heads;
  let turn = (row % p.rows) * p.width * 4u + index % p.heads;
  let opposite = turn + p.heads;
  // Both sums at once: (x·cos − y·sin, x·sin + y·cos).
  let high = vec4<f32>(x_high[first], x_high[first], 0.0, 0.0);
  let low = vec4<f32>(x_low[first], x_low[first], 0.0, 0.0);
  let other_high = vec4<f32>(x_high[second], x_high[second], 0.0, 0.0);
  let other_low = vec4<f32>(x_low[second], x_low[second], 0.0, 0.0);
  let along_high = vec4<f32>(turns_high[turn], turns_high[opposite], 0.0, 0.0);
  let along_low = vec4<f32>(turns_low[turn], turns_low[opposite], 0.0, 0.0);
  let across_high = vec4<f32>(-turns_high[opposite], turns_high[turn], 0.0, 0.0);
  let across_low = vec4<f32>(-turns_low[opposite], turns_low[turn], 0.0, 0.0);
  let along = multiply(Double(high, low), Double(along_high, along_low));
  let across = multiply(Double(other_high, other_low), Double(across_high, across_low));
  let rotated = add(along, across);
  x_high[first] = rotated.high.x;
  x_low[first] = rotated.low.x;
  x_high[second] = rotated.high.y;
  x_low[second] = rotated.low.y;
}
