// WGSL lets a compiler reorder and fuse what it likes, which would undo sums of a high and a low part. `kept` hides a value
// from it: the bits pass through an exclusive or with a zero that is only known when the kernel runs.

fn kept(x: vec4<f32>) -> vec4<f32> {
  return bitcast<vec4<f32>>(bitcast<vec4<u32>>(x) ^ vec4<u32>(p.zero));
}
