// Sums over a workgroup of 64 invocations.

const LANES: u32 = 64u;

var<workgroup> parts: array<vec4<f32>, LANES>;

fn shared_sum(lane: u32, own: vec4<f32>) -> vec4<f32> {
  workgroupBarrier();
  parts[lane] = own;
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      parts[lane] += parts[lane + half];
    }
  }
  workgroupBarrier();
  return parts[0];
}

fn total(v: vec4<f32>) -> f32 {
  return (v.x + v.y) + (v.z + v.w);
}
