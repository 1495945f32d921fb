// The index of an invocation in one range. Workgroups form a grid of two axes, because a dispatch is limited to 65535 workgroups an axis.

fn index_of(id: vec3<u32>, groups: vec3<u32>) -> u32 {
  return id.y * groups.x * 64u + id.x;
}
