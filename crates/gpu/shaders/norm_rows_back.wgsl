// The gradient of `norm_rows.wgsl`: with g = scale ∘ dy and r = 1/√(…), dx = r·(g − mean of g − x̂·mean of g ∘ x̂), without the first mean
// where x̂ keeps its own; and dy ∘ x̂, of which the sum over rows is the gradient of the scale.

@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> scale: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> dy: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> dx: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> along_scale: array<vec4<f32>>;

@compute @workgroup_size(LANES)
fn norm_rows_back(
  @builtin(workgroup_id) block: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = line_of(block, groups);
  if row >= p.rows { return; }
  let mean = mean_of(row, lane);
  let factor = factor_of(row, lane, mean);
  var sums = vec2<f32>(0.0);
  for (var v = lane; v < p.stride; v += LANES) {
    let at = row * p.stride + v;
    let normal = centred(x[at], v, mean) * factor;
    let g = dy[at] * scale[v];
    sums += vec2<f32>(total(g), total(g * normal));
    along_scale[at] = dy[at] * normal;
  }
  let means = shared_sum(lane, vec4<f32>(sums, 0.0, 0.0)) / f32(p.columns);
  let even = select(0.0, means.x, p.kind == LAYER_NORM);
  for (var v = lane; v < p.stride; v += LANES) {
    let at = row * p.stride + v;
    let normal = centred(x[at], v, mean) * factor;
    let four = factor * (dy[at] * scale[v] - even - normal * means.y);
    dx[at] = select(vec4<f32>(0.0), four, within(v));
  }
}
