// dtokens[w] += factor·Σ dx[i] over the rows i where word w stands. The rows lie word by word behind `heads` numbers, of which the
// one of w says where its rows begin, and the next where they end.

@group(0) @binding(1) var<storage, read> dx: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> dtokens: array<vec4<f32>>;

@compute @workgroup_size(64)
fn embed_back(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let word = index / p.stride;
  let end = places[word + 1u];
  var sum = vec4<f32>(0.0);
  for (var at = places[word]; at < end; at++) {
    sum += dx[places[p.heads + at] * p.stride + index % p.stride];
  }
  dtokens[index] += p.factor * sum;
}
