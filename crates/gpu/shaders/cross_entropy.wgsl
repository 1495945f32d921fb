// Of each row of logits l with a target t: Σ e^(l − max), max − l[t], and 1 where l[t] is the largest, of equal ones the first; and the
// gradient factor·(softmax(l) − onehot(t)). Rows without a target give zeros. After `exp.wgsl`; a workgroup has a row.

@group(0) @binding(1) var<storage, read> logits: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read_write> scores: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> gradient: array<vec4<f32>>;

const NO_TARGET = 0xffffffffu;
const LOWEST: f32 = -0x1.fffffep+127;

var<workgroup> peaks: array<f32, LANES>;

fn shared_max(lane: u32, own: vec4<f32>) -> f32 {
  peaks[lane] = max(max(own.x, own.y), max(own.z, own.w));
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      peaks[lane] = max(peaks[lane], peaks[lane + half]);
    }
  }
  workgroupBarrier();
  return peaks[0];
}

@compute @workgroup_size(LANES)
fn cross_entropy(
  @builtin(workgroup_id) block: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = line_of(block, groups);
  if row >= p.rows { return; }
  let target_word = targets[row];
  var own = vec4<f32>(LOWEST);
  for (var v = lane; v < p.stride; v += LANES) {
    own = max(own, select(vec4<f32>(LOWEST), logits[row * p.stride + v], within(v)));
  }
  let peak = shared_max(lane, own);
  var sums = vec4<f32>(0.0);
  // Words before the target that have the largest logit too.
  var earlier = vec4<f32>(0.0);
  for (var v = lane; v < p.stride; v += LANES) {
    let four = logits[row * p.stride + v];
    sums += select(vec4<f32>(0.0), exp_exact(four - peak), within(v));
    let is_earlier = (four == vec4<f32>(peak)) & (4u * v + LANE < vec4<u32>(target_word)) & within(v);
    earlier += select(vec4<f32>(0.0), vec4<f32>(1.0), is_earlier);
  }
  let found = shared_sum(lane, vec4<f32>(total(sums), total(earlier), 0.0, 0.0));
  let has_target = target_word != NO_TARGET;
  for (var v = lane; v < p.stride; v += LANES) {
    let share = exp_exact(logits[row * p.stride + v] - peak) / found.x;
    let one = select(vec4<f32>(0.0), vec4<f32>(1.0), 4u * v + LANE == vec4<u32>(target_word));
    gradient[row * p.stride + v] = select(vec4<f32>(0.0), p.factor * (share - one), within(v) & vec4<bool>(has_target));
  }
  if lane == 0u {
    var result = vec4<f32>(0.0);
    if has_target {
      let below = peak - logits[row * p.stride + target_word / 4u][target_word % 4u];
      result = vec4<f32>(found.x, below, select(0.0, 1.0, below == 0.0 && found.y == 0.0), 0.0);
    }
    scores[row] = result;
  }
}
