//! Rotary positions: rotates pairs of columns of each row.

use ndarray::Array4;

use crate::{Position, Request, Rotation};

/// Rotates every pair of columns of row `i` as the layer says: `[batch, heads, rows, d_k]` in place, rounded once.
pub(super) fn turn(rows: &mut Array4<f32>, request: &Request) {
    turn_by(
        rows,
        request.config().position,
        request.rotary_divisors(),
        1.0,
    );
}

/// Rotates every pair of columns back, `[batch, heads, rows, d_k]` in place, as gradients of rotated rows go: the inverse of a
/// rotation is its transpose. For layers without divisors of the angles.
pub fn turn_back(rows: &mut Array4<f32>, position: Position) {
    turn_by(rows, position, None, -1.0);
}

fn turn_by(rows: &mut Array4<f32>, position: Position, divisors: Option<&[f32]>, direction: f64) {
    let (_, _, length, width) = rows.dim();
    let Some(rotation) = position
        .rotation()
        .filter(|rotation| rotation.pairs(width) > 0)
    else {
        return;
    };
    let turns = turns(rotation, divisors, 0..length, width);
    let pairs = turns.chunks_exact(rotation.pairs(width)).cycle();
    for (mut row, turns) in rows.rows_mut().into_iter().zip(pairs) {
        for (pair, (sin, cos)) in turns.iter().enumerate() {
            let [first, second] = rotation.columns(pair, width);
            let (x, y, sin) = (
                f64::from(row[first]),
                f64::from(row[second]),
                sin * direction,
            );
            row[first] = (x * cos - y * sin) as f32;
            row[second] = (x * sin + y * cos) as f32;
        }
    }
}

/// Sine and cosine of every angle, row by row: `[rows, pairs]`.
pub(super) fn turns(
    rotation: Rotation,
    divisors: Option<&[f32]>,
    rows: std::ops::Range<usize>,
    width: usize,
) -> Vec<(f64, f64)> {
    let pairs = rows.flat_map(|row| (0..rotation.pairs(width)).map(move |pair| (row, pair)));
    let angle = |(row, pair)| match divisors {
        Some(divisors) => rotation.angle(row, pair, width) / f64::from(divisors[pair]),
        None => rotation.angle(row, pair, width),
    };
    pairs.map(|at| libm::sincos(angle(at))).collect()
}
