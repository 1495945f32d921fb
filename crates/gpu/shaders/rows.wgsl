// Marked rows from one matrix to another of the same shape: rows of `width` vectors of four. The mark of the first is `marks[rows]`.

@group(0) @binding(1) var<storage, read> marks: array<u32>;
@group(0) @binding(2) var<storage, read> given: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> made: array<vec4<f32>>;

@compute @workgroup_size(64)
fn copy_rows(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  if marks[p.rows + index / p.width] != 0u {
    made[index] = given[index];
  }
}
