// Numbers in 32 bits of blocks as ggml stores them: `kind` is the number of their type in GGUF, and every type is what
// crates/formats/src/blocks.rs says. A line has `other` bytes, a block `rows` bytes for `heads` numbers.

@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> numbers: array<vec4<f32>>;

// The table of IQ4_NL, with 128 added.
const TABLE = array<u32, 16>(1u, 24u, 45u, 63u, 79u, 93u, 106u, 118u, 129u, 141u, 153u, 166u, 181u, 197u, 217u, 241u);

fn byte(at: u32) -> u32 {
  return (words[at / 4u] >> (8u * (at % 4u))) & 255u;
}

fn signed_byte(at: u32) -> f32 {
  return f32(bitcast<i32>(byte(at) << 24u) >> 24u);
}

fn two_bytes(at: u32) -> u32 {
  return byte(at) | (byte(at + 1u) << 8u);
}

// A finite number of 16 bits. Those below 2⁻¹⁴ would be below the least of 32 bits on their way, which devices may take for 0.
fn half(at: u32) -> f32 {
  let bits = two_bytes(at);
  let exponent = (bits >> 10u) & 31u;
  let small = f32(bits & 1023u) * 0x1p-24;
  let size = select(bitcast<f32>(((exponent + 112u) << 23u) | ((bits & 1023u) << 13u)), small, exponent == 0u);
  return select(size, -size, bits >= 0x8000u);
}

// Of blocks of 32: the numbers of the first half are in the low bits.
fn four(at: u32, i: u32) -> f32 {
  return f32((byte(at + i % 16u) >> (i / 16u * 4u)) & 15u);
}

fn five(at: u32, i: u32) -> f32 {
  return four(at + 4u, i) + 16.0 * f32((byte(at + i / 8u) >> (i % 8u)) & 1u);
}

// Of blocks of 256: bits of numbers that are 32 or 64 apart share a byte.
fn one_of_many(at: u32, i: u32) -> u32 {
  return (byte(at + i % 32u) >> (i / 32u)) & 1u;
}

fn two_of_many(at: u32, i: u32) -> u32 {
  return (byte(at + i / 128u * 32u + i % 32u) >> (i / 32u % 4u * 2u)) & 3u;
}

fn four_of_many(at: u32, i: u32, run: u32) -> u32 {
  return (byte(at + i / (2u * run) * run + i % run) >> (i / run % 2u * 4u)) & 15u;
}

fn scale_of_q3(at: u32, group: u32) -> f32 {
  let low = (byte(at + group % 8u) >> (group / 8u * 4u)) & 15u;
  let high = (byte(at + 8u + group % 4u) >> (group / 4u * 2u)) & 3u;
  return f32(low | (high << 4u)) - 32.0;
}

// What a group of 32 numbers is multiplied by, and what is taken off.
fn scales_of_q4(block: u32, group: u32) -> vec2<f32> {
  let at = block + 4u;
  let first = byte(at + group % 4u);
  let second = byte(at + 4u + group % 4u);
  var scales = vec2<u32>(first & 63u, second & 63u);
  if group >= 4u {
    let both = byte(at + 4u + group);
    scales = vec2<u32>((both & 15u) | ((first >> 6u) << 4u), (both >> 4u) | ((second >> 6u) << 4u));
  }
  return vec2<f32>(half(block), half(block + 2u)) * vec2<f32>(scales);
}

fn number(at: u32, i: u32) -> f32 {
  switch p.kind {
    case 0u: { return bitcast<f32>(two_bytes(at) | (two_bytes(at + 2u) << 16u)); }
    case 1u: { return half(at); }
    case 2u: { return half(at) * (four(at + 2u, i) - 8.0); }
    case 3u: { return half(at) * four(at + 4u, i) + half(at + 2u); }
    case 6u: { return half(at) * (five(at + 2u, i) - 16.0); }
    case 7u: { return half(at) * five(at + 4u, i) + half(at + 2u); }
    case 8u: { return half(at) * signed_byte(at + 2u + i); }
    case 10u: {
      let scale = byte(at + i / 16u);
      let step = half(at + 80u) * f32(scale & 15u);
      return step * f32(two_of_many(at + 16u, i)) - half(at + 82u) * f32(scale >> 4u);
    }
    case 11u: {
      let q = two_of_many(at + 32u, i) | (one_of_many(at, i) << 2u);
      return half(at + 108u) * scale_of_q3(at + 96u, i / 16u) * (f32(q) - 4.0);
    }
    case 12u: {
      let scales = scales_of_q4(at, i / 32u);
      return scales.x * f32(four_of_many(at + 16u, i, 32u)) - scales.y;
    }
    case 13u: {
      let scales = scales_of_q4(at, i / 32u);
      let q = four_of_many(at + 48u, i, 32u) | (one_of_many(at + 16u, i) << 4u);
      return scales.x * f32(q) - scales.y;
    }
    case 14u: {
      let q = four_of_many(at, i, 64u) | (two_of_many(at + 128u, i) << 4u);
      return half(at + 208u) * signed_byte(at + 192u + i / 16u) * (f32(q) - 32.0);
    }
    case 20u: {
      var table = TABLE;
      return half(at) * (f32(table[u32(four(at + 2u, i))]) - 128.0);
    }
    case 30u: { return bitcast<f32>(two_bytes(at) << 16u); }
    default: { return 0.0; }
  }
}

@compute @workgroup_size(64)
fn widen(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let line = index / p.stride * p.other;
  let first = 4u * (index % p.stride);
  var four_numbers = vec4<f32>(0.0);
  for (var lane = 0u; lane < min(4u, p.columns - first); lane++) {
    let column = first + lane;
    four_numbers[lane] = number(line + column / p.heads * p.rows, column % p.heads);
  }
  numbers[index] = four_numbers;
}
