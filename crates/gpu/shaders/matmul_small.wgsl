// Blocks of 32 rows × 64 columns for `matmul.wgsl`: an invocation keeps one tile, so that a product of few rows still
// makes many workgroups.

const BLOCK_ROWS = 32u;
const ACROSS = 16u;
const DOWN = 8u;

struct Sums {
  tile: mat4x4<f32>,
}

fn with_four(sums: Sums, local: u32, k: u32) -> Sums {
  let a_at = turned(local / ACROSS, k, A_STRIDE);
  let b_at = turned(local % ACROSS, k, B_STRIDE);
  let one = add_outer(sums.tile, a_part[a_at], b_part[b_at]);
  let two = add_outer(one, a_part[a_at + A_STRIDE], b_part[b_at + B_STRIDE]);
  let three = add_outer(two, a_part[a_at + 2u * A_STRIDE], b_part[b_at + 2u * B_STRIDE]);
  return Sums(add_outer(three, a_part[a_at + 3u * A_STRIDE], b_part[b_at + 3u * B_STRIDE]));
}

fn store_sums(block: Block, local: u32, sums: Sums) {
  store(block.start, block.row + 4u * (local / ACROSS), block.column + 4u * (local % ACROSS), sums.tile);
}
