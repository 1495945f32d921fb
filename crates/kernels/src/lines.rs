//! Products with a matrix that is given column by column, as checkpoints store linear maps: the numbers of a column lie side by side.
//!
//! An entry is `Σ_c a[i, c]·b[j, c]`: in each stretch of 1,024 products there are four sums, of those whose `c` leaves the same remainder by
//! four, each added one after the other to 0; they are added pairwise, and the sums of the stretches one after the other. Nothing else
//! decides the order, so an entry has the same bits whatever rows and columns it is computed with, and products with 0 at the end of the
//! rows change none.

use crate::simd::{F32x4, LANES};

/// Products whose sum begins at 0. A stretch of four rows is 16 KiB.
const STRETCH: usize = 1024;
/// Rows, and columns, of the largest block: eight sums of a vector each, which stay in registers.
const ROWS: usize = 4;
const COLUMNS: usize = 2;
/// The same number of sums for one row.
const COLUMNS_OF_ONE: usize = 8;

/// Writes `out[i, first + j] = Σ_c a[i, c]·b[j, c]`: `a` `[rows, inner]`, `b` `[count, inner]`, `out` `[rows, columns]`. Other columns keep
/// what they were, and all of them where `inner` or `columns` is 0.
///
/// # Panics
/// If the lengths do not fit each other, or the columns reach beyond `columns`.
pub fn multiply_lines(
    a: &[f32],
    b: &[f32],
    inner: usize,
    out: &mut [f32],
    columns: usize,
    first: usize,
) {
    let (Some(rows), false) = (out.len().checked_div(columns), inner == 0) else {
        return;
    };
    let count = b.len() / inner;
    assert_eq!((a.len(), b.len()), (rows * inner, count * inner));
    assert!(out.len() == rows * columns && first + count <= columns);
    let mut product = Product {
        a,
        b,
        inner,
        out,
        columns,
        first,
        count,
    };
    let whole = rows / ROWS * ROWS;
    for row in (0..whole).step_by(ROWS) {
        product.rows::<ROWS, COLUMNS>(row);
    }
    for row in whole..rows {
        product.rows::<1, COLUMNS_OF_ONE>(row);
    }
}

struct Product<'a> {
    a: &'a [f32],
    b: &'a [f32],
    inner: usize,
    out: &'a mut [f32],
    columns: usize,
    first: usize,
    count: usize,
}

impl Product<'_> {
    /// `R` rows with all columns, `C` at a time.
    #[inline(always)]
    fn rows<const R: usize, const C: usize>(&mut self, row: usize) {
        let whole = self.count / C * C;
        for column in (0..whole).step_by(C) {
            self.block::<R, C>(row, column);
        }
        for column in whole..self.count {
            self.block::<R, 1>(row, column);
        }
    }

    #[inline(always)]
    fn block<const R: usize, const C: usize>(&mut self, row: usize, column: usize) {
        let mut entries = [[0.0; C]; R];
        for start in (0..self.inner).step_by(STRETCH) {
            let length = STRETCH.min(self.inner - start);
            let a = std::array::from_fn(|at| &self.a[(row + at) * self.inner + start..][..length]);
            let b =
                std::array::from_fn(|at| &self.b[(column + at) * self.inner + start..][..length]);
            let sums = sums::<R, C>(a, b, length);
            for (entries, sums) in entries.iter_mut().zip(sums) {
                for (entry, sum) in entries.iter_mut().zip(sums) {
                    *entry += sum.sum();
                }
            }
        }
        for (at, entries) in entries.iter().enumerate() {
            let first = (row + at) * self.columns + self.first + column;
            self.out[first..][..C].copy_from_slice(entries);
        }
    }
}

/// The four sums of every pair of rows that are `length` long.
#[inline(always)]
fn sums<const R: usize, const C: usize>(
    a: [&[f32]; R],
    b: [&[f32]; C],
    length: usize,
) -> [[F32x4; C]; R] {
    let vectors = length / LANES;
    let (a_whole, b_whole) = (
        a.map(|row| &row.as_chunks::<LANES>().0[..vectors]),
        b.map(|row| &row.as_chunks::<LANES>().0[..vectors]),
    );
    let mut sums = [[F32x4::splat(0.0); C]; R];
    for at in 0..vectors {
        let a = a_whole.map(|row| F32x4::new(row[at]));
        let b = b_whole.map(|row| F32x4::new(row[at]));
        sums = added(sums, a, b);
    }
    if vectors * LANES < length {
        let rest = |row: &[f32]| {
            let rest = &row[vectors * LANES..];
            F32x4::new(std::array::from_fn(|lane| {
                rest.get(lane).copied().unwrap_or(0.0)
            }))
        };
        sums = added(sums, a.map(rest), b.map(rest));
    }
    sums
}

#[inline(always)]
fn added<const R: usize, const C: usize>(
    mut sums: [[F32x4; C]; R],
    a: [F32x4; R],
    b: [F32x4; C],
) -> [[F32x4; C]; R] {
    for (sums, a) in sums.iter_mut().zip(a) {
        for (sum, b) in sums.iter_mut().zip(b) {
            *sum = sum.add(a.mul(b));
        }
    }
    sums
}
