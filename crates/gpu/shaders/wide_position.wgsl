// X + PE in twice the precision; sizes as in position.wgsl. The encoding comes as two parts.

@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> encoding_high: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> encoding_low: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> sum_high: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> sum_low: array<vec4<f32>>;

@compute @workgroup_size(64)
fn wide_add_positions(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let at = index % (p.rows * p.width);
  let sum = add(Double(x[index], vec4<f32>(0.0)), Double(encoding_high[at], encoding_low[at]));
  sum_high[index] = sum.high;
  sum_low[index] = sum.low;
}
