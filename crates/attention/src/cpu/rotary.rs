//! Rotary positions: rotates pairs of columns of each row.

use ndarray::Array4;

use crate::rotation;

/// Turns every pair of columns of row `i` by [`rotation`]: `[batch, heads, rows, d_k]` in place, rounded once.
pub(super) fn turn(rows: &mut Array4<f32>) {
    let (_, _, length, width) = rows.dim();
    let turns = turns(0..length, width);
    if turns.is_empty() {
        return;
    }
    let pairs = turns.chunks_exact(width / 2).cycle();
    for (mut row, turns) in rows.rows_mut().into_iter().zip(pairs) {
        let pairs = row.exact_chunks_mut(2).into_iter().zip(turns);
        for (mut pair, (sin, cos)) in pairs {
            let (x, y) = (f64::from(pair[0]), f64::from(pair[1]));
            pair[0] = (x * cos - y * sin) as f32;
            pair[1] = (x * sin + y * cos) as f32;
        }
    }
}

/// Sine and cosine of every angle, row by row: `[rows, d_k / 2]`.
pub(super) fn turns(rows: std::ops::Range<usize>, width: usize) -> Vec<(f64, f64)> {
    let pairs = rows.flat_map(|row| (0..width / 2).map(move |pair| (row, pair)));
    pairs
        .map(|(row, pair)| libm::sincos(rotation(row, pair, width)))
        .collect()
}
