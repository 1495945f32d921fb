// What normalizes a row of `x`, which a binding of that name holds.

const LAYER_NORM = 1u;

// 0 where the mean stays.
fn mean_of(row: u32, lane: u32) -> f32 {
  if (p.kind != LAYER_NORM) { return 0.0; }
  var sums = vec4<f32>(0.0);
  for (var v = lane; v < p.stride; v += LANES) {
    sums += x[row * p.stride + v];
  }
  return total(shared_sum(lane, sums)) / f32(p.columns);
}

// Padding stays 0.
fn centred(four: vec4<f32>, vector: u32, mean: f32) -> vec4<f32> {
  return select(vec4<f32>(0.0), four - mean, within(vector));
}

fn factor_of(row: u32, lane: u32, mean: f32) -> f32 {
  var squares = vec4<f32>(0.0);
  for (var v = lane; v < p.stride; v += LANES) {
    let four = centred(x[row * p.stride + v], v, mean);
    squares += four * four;
  }
  return 1.0 / sqrt(total(shared_sum(lane, squares)) / f32(p.columns) + p.factor);
}
