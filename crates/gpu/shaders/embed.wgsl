// x[i] = factor·tokens[word i] + positions[first + i mod rows] + types[0], those that the model has; rows of `stride` vectors of four.

@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read> tokens: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> types: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> x: array<vec4<f32>>;

const HAS_POSITIONS = 1u;
const HAS_TYPES = 2u;

@compute @workgroup_size(64)
fn embed(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let row = index / p.stride;
  let vector = index % p.stride;
  var four = p.factor * tokens[words[row] * p.stride + vector];
  if (p.kind & HAS_POSITIONS) != 0u { four += positions[(p.first + row % p.rows) * p.stride + vector]; }
  if (p.kind & HAS_TYPES) != 0u { four += types[vector]; }
  x[index] = four;
}
