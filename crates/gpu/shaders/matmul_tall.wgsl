// Blocks of 128 rows × 64 columns for `matmul.wgsl`: an invocation keeps four tiles, 64 rows and 32 columns apart.

const BLOCK_ROWS = 128u;
const ACROSS = 8u;
const DOWN = 16u;

struct Sums {
  top_left: mat4x4<f32>,
  top_right: mat4x4<f32>,
  bottom_left: mat4x4<f32>,
  bottom_right: mat4x4<f32>,
}

// The sums and what one number along inner adds to them.
fn with_one(sums: Sums, a_at: vec2<u32>, b_at: vec2<u32>) -> Sums {
  let top = a_part[a_at.x];
  let bottom = a_part[a_at.y];
  let left = b_part[b_at.x];
  let right = b_part[b_at.y];
  return Sums(
    add_outer(sums.top_left, top, left),
    add_outer(sums.top_right, top, right),
    add_outer(sums.bottom_left, bottom, left),
    add_outer(sums.bottom_right, bottom, right),
  );
}

fn with_four(sums: Sums, local: u32, k: u32) -> Sums {
  let x = local % ACROSS;
  let y = local / ACROSS;
  let a_at = vec2<u32>(turned(y, k, A_STRIDE), turned(y + DOWN, k, A_STRIDE));
  let b_at = vec2<u32>(turned(x, k, B_STRIDE), turned(x + ACROSS, k, B_STRIDE));
  let one = with_one(sums, a_at, b_at);
  let two = with_one(one, a_at + A_STRIDE, b_at + B_STRIDE);
  let three = with_one(two, a_at + 2u * A_STRIDE, b_at + 2u * B_STRIDE);
  return with_one(three, a_at + 3u * A_STRIDE, b_at + 3u * B_STRIDE);
}

fn store_sums(block: Block, local: u32, sums: Sums) {
  let row = block.row + 4u * (local / ACROSS);
  let column = block.column + 4u * (local % ACROSS);
  store(block.start, row, column, sums.top_left);
  store(block.start, row, column + 4u * ACROSS, sums.top_right);
  store(block.start, row + 4u * DOWN, column, sums.bottom_left);
  store(block.start, row + 4u * DOWN, column + 4u * ACROSS, sums.bottom_right);
}
