// Rotary positions in twice the precision, in place; sizes as in rotary.wgsl.

@group(0) @binding(1) var<storage, read_write> x_high: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> x_low: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> turns_high: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> turns_low: array<vec4<f32>>;

@compute @workgroup_size(64)
fn wide_rotate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let high = x_high[index];
  let low = x_low[index];
  let at = index % (p.rows * p.width);
  let turn_high = turns_high[at];
  let turn_low = turns_low[at];
  let signs = vec4<f32>(-1.0, 1.0, -1.0, 1.0);
  let along = multiply(Double(high, low), Double(turn_high.xxzz, turn_low.xxzz));
  let across = multiply(Double(high.yxwz, low.yxwz), Double(turn_high.yyww * signs, turn_low.yyww * signs));
  let rotated = add(along, across);
  x_high[index] = rotated.high;
  x_low[index] = rotated.low;
}
