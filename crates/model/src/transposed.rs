//! The transpose of a matrix of rows.

/// `[width, rows]` of `[rows, width]`.
pub(crate) fn transposed(x: &[f32], width: usize) -> Vec<f32> {
    let rows = x.len() / width;
    let mut out = vec![0.0; x.len()];
    for (row, x) in x.chunks_exact(width).enumerate() {
        for (column, x) in x.iter().enumerate() {
            out[column * rows + row] = *x;
        }
    }
    out
}
