//! Norms of every head's queries and keys.

use ndarray::{Array1, Array2, Array4, ArrayView1, ArrayViewMut1};

use crate::{HeadNorms, Request};

/// `x ← scale ∘ x/√(mean square + ε)` for every row of `[batch, heads, rows, d_k]`, where the layer has norms: computed in 64 bit and
/// rounded once.
pub(super) fn normalize(
    rows: &mut Array4<f32>,
    request: &Request,
    scale: impl Fn(&HeadNorms) -> &Array1<f32>,
) {
    let Some(norms) = request.norms() else { return };
    for mut row in rows.rows_mut() {
        let mut wide = row.mapv(f64::from);
        normalize_row(wide.view_mut(), scale(norms).view(), norms.epsilon);
        row.zip_mut_with(&wide, |x, wide| *x = *wide as f32);
    }
}

/// The same of a head's rows in 64 bit.
pub(super) fn normalized(
    mut x: Array2<f64>,
    request: &Request,
    scale: impl Fn(&HeadNorms) -> &Array1<f32>,
) -> Array2<f64> {
    if let Some(norms) = request.norms() {
        for row in x.rows_mut() {
            normalize_row(row, scale(norms).view(), norms.epsilon);
        }
    }
    x
}

/// The same of one row of a head: `row` and `scale` are `[d_k]`.
pub fn normalize_head(row: &mut [f32], scale: &[f32], epsilon: f32) {
    let mut wide: Array1<f64> = row.iter().copied().map(f64::from).collect();
    normalize_row(wide.view_mut(), ArrayView1::from(scale), epsilon);
    for (x, wide) in row.iter_mut().zip(&wide) {
        *x = *wide as f32;
    }
}

fn normalize_row(mut row: ArrayViewMut1<f64>, scale: ArrayView1<f32>, epsilon: f32) {
    let square = row.iter().map(|x| x * x).sum::<f64>() / row.len() as f64;
    let root = (square + f64::from(epsilon)).sqrt();
    row.zip_mut_with(&scale, |x, scale| *x = *x / root * f64::from(*scale));
}
