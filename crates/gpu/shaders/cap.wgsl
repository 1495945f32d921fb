// y = limit·tanh(x/limit) (Gemma Team 2024, §2), after `exp.wgsl`.

@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

// Where tanh is nearly its argument, its series has the smaller error.
fn near_zero(u: vec4<f32>) -> vec4<f32> {
  let square = u * u;
  var series = square * (62.0 / 2835.0) - (17.0 / 315.0);
  series = series * square + (2.0 / 15.0);
  series = series * square - (1.0 / 3.0);
  return u + u * square * series;
}

@compute @workgroup_size(64)
fn cap(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let u = x[index] / p.limit;
  y[index] = p.limit * select(tanh_exact(u), near_zero(u), abs(u) < vec4<f32>(0.25));
}
