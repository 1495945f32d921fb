// Which cells are visible: a small program in postfix order is run for every cell, 32 cells to a word.
//
// bits [slices, rows, words]; bit k % 32 of word k / 32 says whether key k is visible.

struct Cells {
  rows: u32,
  keys: u32,
  words: u32,
  slices: u32,
  heads: u32,
  first_row: u32,
  first_slice: u32,
  operations: u32,
}

@group(0) @binding(0) var<uniform> p: Cells;
// x: what to do; y: its number; z: the place of the first query, signed. Painted masks have distances in y, z, w.
@group(0) @binding(1) var<storage, read> program: array<vec4<u32>>;
// Painted masks, word by word as above, for all rows.
@group(0) @binding(2) var<storage, read> painted: array<u32>;
@group(0) @binding(3) var<storage, read_write> bits: array<u32>;

const EVERYTHING = 1u;
const CAUSAL = 2u;
const PADDING = 3u;
const LOCAL = 4u;
const STRIDED = 5u;
const PAINTED = 6u;
const BOTH = 7u;
const EITHER = 8u;
const PADDED_QUERIES = 9u;
const LEFT_PADDING = 10u;
const PREFIX = 11u;

fn painted_cell(operation: vec4<u32>, slice: u32, query: u32, key: u32) -> u32 {
  let plane = operation.y + (slice / p.heads) * operation.z + (slice % p.heads) * operation.w;
  return (painted[plane + query * p.words + key / 32u] >> (key % 32u)) & 1u;
}

// Answers lie as bits on a stack of 32; what no case knows hides everything.
fn visible(slice: u32, query: u32, key: u32) -> u32 {
  let column = i32(key);
  var stack = 0u;
  for (var at = 0u; at < p.operations; at++) {
    let operation = program[at];
    let rest = stack >> 1u;
    let place = i32(query) + bitcast<i32>(operation.z);
    let distance = u32(max(place, column) - min(place, column));
    switch operation.x {
      case BOTH: { stack = (rest & ~1u) | (rest & stack & 1u); }
      case EITHER: { stack = rest | (stack & 1u); }
      case EVERYTHING: { stack = (stack << 1u) | 1u; }
      case CAUSAL: { stack = (stack << 1u) | u32(column <= place); }
      case PADDING: { stack = (stack << 1u) | u32(key < operation.y); }
      case PADDED_QUERIES: { stack = (stack << 1u) | u32(query < operation.y); }
      case LEFT_PADDING: { stack = (stack << 1u) | u32(key >= operation.y); }
      case PREFIX: { stack = (stack << 1u) | u32(key < operation.y || column <= place); }
      case LOCAL: { stack = (stack << 1u) | u32(distance <= operation.y); }
      case STRIDED: { stack = (stack << 1u) | u32(distance % operation.y == 0u); }
      case PAINTED: { stack = (stack << 1u) | painted_cell(operation, slice, query, key); }
      default: { stack = stack << 1u; }
    }
  }
  return stack & 1u;
}

@compute @workgroup_size(64)
fn mask(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.slices * p.rows * p.words { return; }
  let first = (index % p.words) * 32u;
  let query = p.first_row + (index / p.words) % p.rows;
  let slice = p.first_slice + index / (p.words * p.rows);
  var word = 0u;
  for (var bit = 0u; bit < min(32u, p.keys - first); bit++) {
    word |= visible(slice, query, first + bit) << bit;
  }
  bits[index] = word;
}
