// The heads side by side: context [batch, heads, rows, width] → merged [batch, rows, heads, width], width in vectors of four.

@group(0) @binding(1) var<storage, read> context: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> merged: array<vec4<f32>>;

@compute @workgroup_size(64)
fn merge_heads(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let column = index % p.width;
  let head = (index / p.width) % p.heads;
  let row = (index / (p.width * p.heads)) % p.rows;
  let entry = index / (p.width * p.heads * p.rows);
  merged[index] = context[((entry * p.heads + head) * p.rows + row) * p.width + column];
}
