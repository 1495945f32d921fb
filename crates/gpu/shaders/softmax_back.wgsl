// dS = A ∘ (dA − Σ_keys dA ∘ A) in place of dA: hidden cells, whose weight is 0, learn nothing. A workgroup has a row.

@group(0) @binding(1) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> d: array<vec4<f32>>;

@compute @workgroup_size(LANES)
fn softmax_back(
  @builtin(workgroup_id) block: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = line_of(block, groups);
  if row >= p.rows { return; }
  var sums = vec4<f32>(0.0);
  for (var v = lane; v < p.stride; v += LANES) {
    let at = row * p.stride + v;
    sums += d[at] * a[at];
  }
  let along = total(shared_sum(lane, sums));
  for (var v = lane; v < p.stride; v += LANES) {
    let at = row * p.stride + v;
    d[at] = a[at] * (d[at] - along);
  }
}
