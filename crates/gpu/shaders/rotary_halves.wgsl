// Rotary positions whose pairs have a column in each half, in place; otherwise as in rotary.wgsl. One invocation rotates one of
// p.heads pairs of a row: columns c and c + p.heads. turns has cosines in the first half and sines in the second.

@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@group(0) @binding(2) var<storage, read> turns: array<f32>;

@compute @workgroup_size(64)
fn rotate_halves(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let row = index / p.heads;
  let first = row * p.width * 4u + index % p.heads;
  let turn = (row % p.rows) * p.width * 4u + index % p.heads;
  let pair = vec2<f32>(x[first], x[first + p.heads]);
  let cosine = turns[turn];
  let sine = turns[turn + p.heads];
  x[first] = pair.x * cosine - pair.y * sine;
  x[first + p.heads] = pair.x * sine + pair.y * cosine;
}
