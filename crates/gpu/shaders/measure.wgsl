// What the measures of a head take from each row of its weights, after `log.wgsl`: the entropy −Σ w·ln w, the sum and the largest of the other
// keys' weights, the weight of the row's own key, and how many weights lie in each twentieth of 0 … 1 (attention::analysis).
//
// weights [slices][rows][keys], each row padded to `stride` vec4s; what a causal order hides is 0 and not looked at. For each row WORDS
// numbers: entropy, sum, own and largest weight as bits, the key of the largest, the first on ties, or NO_KEY, the counts, padding.
//
// `measure_row` gives each row to one invocation, for software adapters; dispatch (⌈rows / 16⌉, slices).
// `measure_workgroup` gives each row to a workgroup, for hardware; dispatch (rows, slices).

struct Measure {
  rows: u32, keys: u32, stride: u32, first_row: u32, causal: u32,
}

@group(0) @binding(0) var<uniform> p: Measure;
@group(0) @binding(1) var<storage, read> weights: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> measures: array<u32>;

const WORDS: u32 = 28u;
const BINS: u32 = 20u;
const FIRST_BIN: u32 = 5u;
const NO_KEY: u32 = 0xffffffffu;
const LEAST: f32 = 0x1p-126; // below it a weight times its logarithm is nothing

struct Sums {
  entropy: f32,
  others: f32,
  own: f32,
  largest: f32,
  key: u32,
}

fn nothing() -> Sums {
  return Sums(0.0, 0.0, 0.0, 0.0, NO_KEY);
}

// Keys of a row that can have a weight.
fn seen(row: u32) -> u32 {
  return select(p.keys, min(p.keys, p.first_row + row + 1u), p.causal != 0u);
}

fn bin_of(weight: f32) -> u32 {
  return min(u32(weight * f32(BINS)), BINS - 1u);
}

// Adds four keys from key 4k on, of which those before `end` are there. The padding is 0, which changes no sum.
fn with_four(so_far: Sums, four: vec4<f32>, k: u32, own: u32) -> Sums {
  var sums = so_far;
  let terms = four * log_exact(max(four, vec4<f32>(LEAST)));
  sums.entropy -= (terms.x + terms.y) + (terms.z + terms.w);
  let keys = 4u * k + vec4<u32>(0u, 1u, 2u, 3u);
  let is_own = keys == vec4<u32>(own);
  let others = select(four, vec4<f32>(0.0), is_own);
  let mine = select(vec4<f32>(0.0), four, is_own);
  sums.others += (others.x + others.y) + (others.z + others.w);
  sums.own += (mine.x + mine.y) + (mine.z + mine.w);
  for (var at = 0u; at < 4u; at++) {
    if (others[at] > sums.largest) {
      sums.largest = others[at];
      sums.key = keys[at];
    }
  }
  return sums;
}

fn store(first: u32, sums: Sums) {
  measures[first] = bitcast<u32>(sums.entropy);
  measures[first + 1u] = bitcast<u32>(sums.others);
  measures[first + 2u] = bitcast<u32>(sums.own);
  measures[first + 3u] = bitcast<u32>(sums.largest);
  measures[first + 4u] = sums.key;
}

@compute @workgroup_size(16)
fn measure_row(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= p.rows) {
    return;
  }
  let row = id.y * p.rows + id.x;
  let end = seen(id.x);
  var sums = nothing();
  var counts: array<u32, 20>;
  counts[0] = p.keys - end;
  for (var k = 0u; 4u * k < end; k++) {
    let four = weights[row * p.stride + k];
    sums = with_four(sums, four, k, p.first_row + id.x);
    for (var at = 0u; at < min(4u, end - 4u * k); at++) {
      counts[bin_of(four[at])] += 1u;
    }
  }
  store(row * WORDS, sums);
  for (var bin = 0u; bin < BINS; bin++) {
    measures[row * WORDS + FIRST_BIN + bin] = counts[bin];
  }
}

const LANES: u32 = 64u;

var<workgroup> sums_of: array<Sums, LANES>;
var<workgroup> counts_of: array<atomic<u32>, 20>;

// The largest weight of both, of the first key on ties.
fn joined(a: Sums, b: Sums) -> Sums {
  var sums = a;
  sums.entropy += b.entropy;
  sums.others += b.others;
  sums.own += b.own;
  if (b.largest > a.largest || (b.largest == a.largest && b.key < a.key)) {
    sums.largest = b.largest;
    sums.key = b.key;
  }
  return sums;
}

@compute @workgroup_size(LANES)
fn measure_workgroup(@builtin(workgroup_id) block: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = block.y * p.rows + block.x;
  let end = seen(block.x);
  var sums = nothing();
  // Most weights of a long row lie in the first bin.
  var smallest = select(0u, p.keys - end, lane == 0u);
  for (var k = lane; 4u * k < end; k += LANES) {
    let four = weights[row * p.stride + k];
    sums = with_four(sums, four, k, p.first_row + block.x);
    for (var at = 0u; at < min(4u, end - 4u * k); at++) {
      let bin = bin_of(four[at]);
      if (bin == 0u) {
        smallest++;
      } else {
        atomicAdd(&counts_of[bin], 1u);
      }
    }
  }
  atomicAdd(&counts_of[0], smallest);
  sums_of[lane] = sums;
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      sums_of[lane] = joined(sums_of[lane], sums_of[lane + half]);
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    store(row * WORDS, sums_of[0]);
  }
  if (lane < BINS) {
    measures[row * WORDS + FIRST_BIN + lane] = atomicLoad(&counts_of[lane]);
  }
}
