// Turns rows of scores into weights in place, after `exp.wgsl` and `kept.wgsl`: w[k] = exp((s[k] − max)/T) / Σ_j exp((s[j] −
// max)/T) over the visible keys of the row. Source: Vaswani et al. 2017, eq. 1; T is the temperature.
//
// scores [slices][rows][keys], each row padded with zeros to `stride` vec4s. Hidden keys get 0, a row with nothing
// visible becomes zero, and no infinity is used: WGSL may assume that there is none. With `wide`, `low` holds what the
// scores lack as f32, and the difference to the largest is that of the pairs.
//
// `softmax_row` gives each row to one invocation, for software adapters; dispatch (⌈rows / ROW_LANES⌉, slices).
// `softmax_workgroup` gives each row to a workgroup, for hardware; dispatch (rows, slices).
// `hide` sets hidden weights to 0 afterwards, where the mask comes after the softmax; dispatch (⌈stride / 64⌉, rows, slices).

struct Rows {
  rows: u32, keys: u32, stride: u32,
  masked: u32, words: u32, mask_slice: u32, wide: u32,
  fill: f32, causal: u32, first_row: u32, sharpness: f32, least: f32, zero: u32,
}

const HIDDEN_OUT: u32 = 1u; // hidden keys are left out
const HIDDEN_FILLED: u32 = 2u; // hidden keys have the score `fill`
// `sharpness` is 1/T, `least` is NOTHING·T.
const LOWEST: f32 = -0x1.fffffep+127;
const NOTHING: f32 = -1000.0; // so far below the largest score that the exponential is exactly 0

@group(0) @binding(0) var<uniform> p: Rows;
@group(0) @binding(1) var<storage, read_write> scores: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> visible: array<u32>; // bit k % 32 of word k / 32
@group(0) @binding(3) var<storage, read> low: array<vec4<f32>>;

// Where a row lies, and how many of its keys can take part: the padding cannot, nor, when causal, a key after its own.
struct Place {
  scores: u32,
  words: u32,
  end: u32,
}

// Four scores with their low parts, and which of them take part.
struct Four {
  high: vec4<f32>,
  low: vec4<f32>,
  present: vec4<bool>,
}

// The largest score so far with its low part; of each component for itself until `reduce_max`.
struct Peak {
  high: vec4<f32>,
  low: vec4<f32>,
}

fn place(slice: u32, row: u32) -> Place {
  let end = select(p.keys, min(p.keys, p.first_row + row + 1u), p.causal != 0u);
  return Place((slice * p.rows + row) * p.stride, slice * p.mask_slice + row * p.words, end);
}

fn hidden_four(at: Place, k: u32) -> vec4<bool> {
  let bits = visible[at.words + k / 8u] >> (4u * (k % 8u));
  return (vec4<u32>(bits) & vec4<u32>(1u, 2u, 4u, 8u)) == vec4<u32>(0u);
}

// `softmax_row` gives `masked` and `wide` as constants, so that nothing is left of the branches: a software adapter walks
// through both sides of them.
fn four(at: Place, k: u32, masked: bool, wide: bool) -> Four {
  var result = Four(scores[at.scores + k], vec4<f32>(0.0), 4u * k + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(at.end));
  if (wide) {
    result.low = low[at.scores + k];
  }
  if (masked) {
    let hidden = hidden_four(at, k);
    let left_out = hidden & vec4<bool>(p.masked == HIDDEN_OUT);
    let filled = hidden & vec4<bool>(p.masked == HIDDEN_FILLED);
    result.present = result.present & !left_out;
    result.high = select(result.high, vec4<f32>(p.fill), filled);
    result.low = select(result.low, vec4<f32>(0.0), filled);
  }
  return result;
}

// Where the high parts are equal the low ones decide: whatever the order of comparisons, the peak is the same.
fn higher(a: Peak, b: Peak) -> Peak {
  let rises = (b.high > a.high) | ((b.high == a.high) & (b.low > a.low));
  return Peak(select(a.high, b.high, rises), select(a.low, b.low, rises));
}

// The largest of the four components, in all of them.
fn reduce_max(a: Peak) -> Peak {
  let pairs = higher(a, Peak(a.high.yxwz, a.low.yxwz));
  return higher(pairs, Peak(pairs.high.zwxy, pairs.low.zwxy));
}

fn lowest() -> Peak {
  return Peak(vec4<f32>(LOWEST), vec4<f32>(0.0));
}

fn max_with(peak: Peak, f: Four) -> Peak {
  return higher(peak, Peak(select(vec4<f32>(LOWEST), f.high, f.present), f.low));
}

// exp((score − peak)/T), 0 for what takes no part. What is far below the peak is brought nearer first, lest the quotient
// leave the range.
fn exponentials(f: Four, peak: Peak, wide: bool) -> vec4<f32> {
  var difference = f.high - peak.high;
  if (wide) {
    // Two scores may be further apart than the largest number, half of each may not.
    let half = max(0.5 * f.high - 0.5 * peak.high, vec4<f32>(-1e38));
    difference = kept(2.0 * half) + kept(f.low - peak.low);
  }
  let sharpened = max(difference, vec4<f32>(p.least)) * p.sharpness;
  return exp_exact(select(vec4<f32>(NOTHING), sharpened, f.present));
}

fn total(v: vec4<f32>) -> f32 {
  return (v.x + v.y) + (v.z + v.w);
}

// With nothing visible all exponentials are 0, and so shall be the weights.
fn divisor(sum: f32) -> f32 {
  return select(1.0, sum, sum > 0.0);
}

const ROW_LANES: u32 = 16u;

// A software adapter stores and loads the exponentials sooner than it computes them twice.
fn softmax_row_impl(at: Place, masked: bool, wide: bool) {
  let vectors = (at.end + 3u) / 4u;
  var peak = lowest();
  for (var k = 0u; k < vectors; k++) {
    peak = max_with(peak, four(at, k, masked, wide));
  }
  peak = reduce_max(peak);
  var sums = vec4<f32>(0.0);
  for (var k = 0u; k < vectors; k++) {
    let powers = exponentials(four(at, k, masked, wide), peak, wide);
    scores[at.scores + k] = powers;
    sums += powers;
  }
  let sum = divisor(total(sums));
  for (var k = 0u; k < vectors; k++) {
    scores[at.scores + k] = scores[at.scores + k] / sum;
  }
}

@compute @workgroup_size(ROW_LANES)
fn softmax_row(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= p.rows) {
    return;
  }
  let at = place(id.y, id.x);
  if (p.wide != 0u) {
    softmax_row_impl(at, true, true);
  } else if (p.masked != 0u) {
    softmax_row_impl(at, true, false);
  } else {
    softmax_row_impl(at, false, false);
  }
  let vectors = (at.end + 3u) / 4u;
  let stride = p.stride;
  for (var k = vectors; k < stride; k++) {
    scores[at.scores + k] = vec4<f32>(0.0);
  }
}

const LANES: u32 = 64u;

var<workgroup> peaks: array<Peak, LANES>;
var<workgroup> sums_of: array<vec4<f32>, LANES>;

// The largest of the whole workgroup.
fn shared_peak(lane: u32, peak: Peak) -> Peak {
  peaks[lane] = peak;
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      peaks[lane] = higher(peaks[lane], peaks[lane + half]);
    }
  }
  workgroupBarrier();
  return reduce_max(peaks[0]);
}

fn shared_sum(lane: u32, sums: vec4<f32>) -> f32 {
  sums_of[lane] = sums;
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      sums_of[lane] += sums_of[lane + half];
    }
  }
  workgroupBarrier();
  return total(sums_of[0]);
}

// On hardware memory is the limit: the exponentials are computed again rather than stored and loaded.
@compute @workgroup_size(LANES)
fn softmax_workgroup(@builtin(workgroup_id) block: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let at = place(block.y, block.x);
  let vectors = (at.end + 3u) / 4u;
  var peak = lowest();
  for (var k = lane; k < vectors; k += LANES) {
    peak = max_with(peak, four(at, k, p.masked != 0u, p.wide != 0u));
  }
  peak = shared_peak(lane, peak);
  var sums = vec4<f32>(0.0);
  for (var k = lane; k < vectors; k += LANES) {
    sums += exponentials(four(at, k, p.masked != 0u, p.wide != 0u), peak, p.wide != 0u);
  }
  let sum = divisor(shared_sum(lane, sums));
  for (var k = lane; k < vectors; k += LANES) {
    scores[at.scores + k] = exponentials(four(at, k, p.masked != 0u, p.wide != 0u), peak, p.wide != 0u) / sum;
  }
  for (var k = vectors + lane; k < p.stride; k += LANES) {
    scores[at.scores + k] = vec4<f32>(0.0);
  }
}

@compute @workgroup_size(64)
fn hide(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= p.stride) {
    return;
  }
  let at = place(id.z, id.y);
  let index = at.scores + id.x;
  scores[index] = select(scores[index], vec4<f32>(0.0), hidden_four(at, id.x));
}
