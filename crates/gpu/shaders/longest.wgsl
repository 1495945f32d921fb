// The longest row: the largest Σ x² over rows, x [rows, width] with width in vectors of four.
//
// Bits of numbers that are not negative are ordered as the numbers are, so that the largest is found with whole numbers;
// what grew beyond all bounds, or is no number, counts as larger than everything.

@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> longest: atomic<u32>;

@compute @workgroup_size(64)
fn longest_row(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let row = index_of(id, groups);
  if row >= p.count { return; }
  var squares = vec4<f32>(0.0);
  for (var column = 0u; column < p.width; column++) {
    let four = x[row * p.width + column];
    squares += four * four;
  }
  let sum = (squares.x + squares.y) + (squares.z + squares.w);
  atomicMax(&longest, bitcast<u32>(sum) & 0x7fffffffu);
}
