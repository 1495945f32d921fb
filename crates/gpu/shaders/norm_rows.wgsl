// y = scale ∘ x̂ + shift with x̂ = (x − mean)/√(variance + factor) (Ba et al. 2016, eq. 4), or x̂ = x/√(mean of x² + factor) without shift
// (Zhang and Sennrich 2019, eq. 4); a workgroup has a row.

@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> scale: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> shift: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> y: array<vec4<f32>>;

@compute @workgroup_size(LANES)
fn norm_rows(
  @builtin(workgroup_id) block: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = line_of(block, groups);
  if row >= p.rows { return; }
  let mean = mean_of(row, lane);
  let factor = factor_of(row, lane, mean);
  for (var v = lane; v < p.stride; v += LANES) {
    let at = row * p.stride + v;
    var four = centred(x[at], v, mean) * factor * scale[v];
    if (p.kind == LAYER_NORM) { four += shift[v]; }
    y[at] = four;
  }
}
