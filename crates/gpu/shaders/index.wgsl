// Which of one line of numbers an invocation makes: they lie in rows of groups, because a dispatch is limited to 65535 groups an axis.

fn index_of(id: vec3<u32>, groups: vec3<u32>) -> u32 {
  return id.y * groups.x * 64u + id.x;
}
