// Turns rows of scores into weights in place, after `exp.wgsl`: w[k] = exp(s[k] − max) / Σ_j exp(s[j] − max) over the
// visible keys of the row. Source: Vaswani et al. 2017, eq. 1.
//
// scores [slices][rows][keys], each row padded with zeros to `stride` vec4s. Hidden keys get 0, a row with nothing
// visible becomes zero, and no infinity is used: WGSL may assume that there is none. With `wide`, `low` holds what the
// scores lack as f32, and the difference to the largest is that of the pairs.
//
// `softmax_row` gives each row to one invocation, for software adapters; dispatch (⌈rows / 16⌉, slices).
// `softmax_workgroup` gives each row to a workgroup, for hardware; dispatch (rows, slices).

struct Rows {
  rows: u32, keys: u32, stride: u32, slices: u32,
  masked: u32, words: u32, mask_slice: u32, wide: u32,
  fill: f32, causal: u32, first_row: u32, zero: u32,
}

const HIDDEN_OUT: u32 = 1u; // hidden keys are left out
const HIDDEN_FILLED: u32 = 2u; // hidden keys have the score `fill`
const LOWEST: f32 = -0x1.fffffep+127;

@group(0) @binding(0) var<uniform> p: Rows;
@group(0) @binding(1) var<storage, read_write> scores: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> visible: array<u32>; // bit k % 32 of word k / 32
@group(0) @binding(3) var<storage, read> low: array<vec4<f32>>;

// Four scores with their low parts, and which of them take part.
struct Four {
  high: vec4<f32>,
  low: vec4<f32>,
  present: vec4<bool>,
}

// The largest score so far and its low part.
struct Peak {
  high: f32,
  low: f32,
}

// How many keys of the row can take part: the padding cannot, nor, with `causal`, a key after the row's own.
fn reach(row: u32) -> u32 {
  return select(p.keys, min(p.keys, p.first_row + row + 1u), p.causal != 0u);
}

fn four(at: u32, words: u32, k: u32, end: u32) -> Four {
  var result = Four(scores[at + k], vec4<f32>(0.0), 4u * k + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(end));
  if (p.wide != 0u) {
    result.low = low[at + k];
  }
  if (p.masked != 0u) {
    let bits = (visible[words + k / 8u] >> (4u * (k % 8u))) & 15u;
    let seen = (vec4<u32>(bits) & vec4<u32>(1u, 2u, 4u, 8u)) != vec4<u32>(0u);
    if (p.masked == HIDDEN_OUT) {
      result.present = result.present & seen;
    } else {
      result.high = select(vec4<f32>(p.fill), result.high, seen);
      result.low = select(vec4<f32>(0.0), result.low, seen);
    }
  }
  return result;
}

fn higher(a: Peak, b: Peak) -> Peak {
  if (b.high > a.high) {
    return b;
  }
  return a;
}

fn peak_of(peak: Peak, f: Four) -> Peak {
  let high = select(vec4<f32>(LOWEST), f.high, f.present);
  let one = higher(Peak(high.x, f.low.x), Peak(high.y, f.low.y));
  let other = higher(Peak(high.z, f.low.z), Peak(high.w, f.low.w));
  return higher(peak, higher(one, other));
}

// exp(score − peak), 0 for what takes no part: such a score may lie far above the peak, so it is replaced before.
fn exponentials(f: Four, peak: Peak) -> vec4<f32> {
  let difference = (f.high - peak.high) + (f.low - peak.low);
  let power = exp_exact(select(vec4<f32>(0.0), difference, f.present));
  return select(vec4<f32>(0.0), power, f.present);
}

fn total(v: vec4<f32>) -> f32 {
  return (v.x + v.y) + (v.z + v.w);
}

fn row_start(slice: u32, row: u32) -> u32 {
  return (slice * p.rows + row) * p.stride;
}

fn mask_start(slice: u32, row: u32) -> u32 {
  return slice * p.mask_slice + row * p.words;
}

@compute @workgroup_size(16)
fn softmax_row(@builtin(global_invocation_id) id: vec3<u32>) {
  let row = id.x;
  if (row >= p.rows) {
    return;
  }
  let at = row_start(id.y, row);
  let words = mask_start(id.y, row);
  let end = reach(row);
  let vectors = (end + 3u) / 4u;
  var peak = Peak(LOWEST, 0.0);
  for (var k = 0u; k < vectors; k++) {
    peak = peak_of(peak, four(at, words, k, end));
  }
  var sums = vec4<f32>(0.0);
  for (var k = 0u; k < vectors; k++) {
    let powers = exponentials(four(at, words, k, end), peak);
    scores[at + k] = powers;
    sums += powers;
  }
  let sum = total(sums);
  // Nothing visible: all powers are 0, and so are the weights.
  let divisor = select(1.0, sum, sum > 0.0);
  for (var k = 0u; k < vectors; k++) {
    scores[at + k] = scores[at + k] / divisor;
  }
  for (var k = vectors; k < p.stride; k++) {
    scores[at + k] = vec4<f32>(0.0);
  }
}

const LANES: u32 = 128u;

var<workgroup> peaks: array<Peak, LANES>;
var<workgroup> sums_of: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn softmax_workgroup(@builtin(workgroup_id) block: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = block.x;
  let at = row_start(block.y, row);
  let words = mask_start(block.y, row);
  let end = reach(row);
  let vectors = (end + 3u) / 4u;
  var peak = Peak(LOWEST, 0.0);
  for (var k = lane; k < vectors; k += LANES) {
    peak = peak_of(peak, four(at, words, k, end));
  }
  peaks[lane] = peak;
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      peaks[lane] = higher(peaks[lane], peaks[lane + half]);
    }
  }
  workgroupBarrier();
  peak = peaks[0];
  var sums = vec4<f32>(0.0);
  for (var k = lane; k < vectors; k += LANES) {
    let powers = exponentials(four(at, words, k, end), peak);
    scores[at + k] = powers;
    sums += powers;
  }
  sums_of[lane] = total(sums);
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      sums_of[lane] += sums_of[lane + half];
    }
  }
  workgroupBarrier();
  let sum = sums_of[0];
  // Nothing visible: all powers are 0, and so are the weights.
  let divisor = select(1.0, sum, sum > 0.0);
  for (var k = lane; k < vectors; k += LANES) {
    scores[at + k] = scores[at + k] / divisor;
  }
  for (var k = vectors + lane; k < p.stride; k += LANES) {
    scores[at + k] = vec4<f32>(0.0);
  }
}
