//! Matrix products, four rows and eight columns at a time.
//!
//! An entry is `Σ_s Σ_c a[i, c]·b[c, j]`: in each stretch `s` of 256 products they are added one after the other to 0, and the sums
//! of the stretches likewise. This order depends on nothing else, so an entry has the same bits whatever rows it is computed with.
//! Stretches keep the rounding errors of long sums small, and a stretch of a panel (8 KiB) stays in the first-level cache while
//! the rows pass by.

use std::ops::Range;

use crate::blocks::{Blocks, ROWS, Runs, STRETCH};
use crate::packed::{PANEL, Packed};
use crate::simd::{F32x4, LANES};

/// Rows that pass by all panels before the next ones; a stretch of them (64 KiB) stays in the second-level cache.
const CHUNK: usize = 64;

/// `out[i, j] = Σ_c a[i, c]·b[c, j]`: `a` `[rows, inner]`, `b` `[inner, columns]`, `out` `[rows, columns]`.
///
/// # Panics
/// If the lengths do not fit `b`.
pub fn multiply(a: &[f32], b: &Packed, out: &mut [f32]) {
    product(a, b, 1.0, Skip::Nothing, out);
}

/// [`multiply`] for an `a` that is 0 wherever its block is not in `blocks`: the same bits, as long as `b` is finite.
///
/// Leaving out `+ 0·b` changes no bit, since a sum that begins with 0 is never −0.
///
/// # Panics
/// If the lengths do not fit `b`, or `blocks` is smaller than `a`.
pub fn multiply_sparse(a: &[f32], blocks: &Blocks, b: &Packed, out: &mut [f32]) {
    product(a, b, 1.0, Skip::Terms(blocks), out);
}

/// `out[i, j] = scale · Σ_c a[i, c]·b[c, j]`, shapes as in [`multiply`]. Entries whose block is not in `blocks` keep what they were.
///
/// # Panics
/// If the lengths do not fit `b`, or `blocks` is smaller than `out`.
pub fn multiply_scaled(
    a: &[f32],
    b: &Packed,
    scale: f32,
    blocks: Option<&Blocks>,
    out: &mut [f32],
) {
    let skip = blocks.map_or(Skip::Nothing, Skip::Entries);
    product(a, b, scale, skip, out);
}

/// Blocks that a product skips.
#[derive(Clone, Copy)]
enum Skip<'a> {
    Nothing,
    /// Terms of the sums: blocks of the left-hand matrix.
    Terms(&'a Blocks),
    /// Blocks of the result.
    Entries(&'a Blocks),
}

impl Skip<'_> {
    /// The terms to add, of the `length` from `first` on, for the four rows from `row` on.
    #[inline(always)]
    fn runs(self, row: usize, first: usize, length: usize) -> Runs {
        match self {
            Self::Terms(blocks) => blocks.runs(row, first),
            _ => Runs::whole(length),
        }
    }

    /// Whether the block of the result stays as it is: it is left out, or there is nothing to add to it.
    #[inline(always)]
    fn passes_over(self, row: usize, column: usize, first: usize) -> bool {
        match self {
            Self::Nothing => false,
            Self::Terms(blocks) => first > 0 && blocks.runs(row, first).is_none(),
            Self::Entries(blocks) => !blocks.contains(row, column),
        }
    }
}

fn product(a: &[f32], b: &Packed, scale: f32, skip: Skip, out: &mut [f32]) {
    let (inner, columns) = (b.inner(), b.columns());
    let rows = out.len().checked_div(columns).unwrap_or(0);
    assert_eq!(out.len(), rows * columns);
    assert!(columns == 0 || a.len() == rows * inner);
    if inner == 0 {
        out.fill(0.0);
        return;
    }
    for chunk in (0..rows).step_by(CHUNK) {
        for first in (0..inner).step_by(STRETCH) {
            let stretch = Stretch {
                first,
                length: STRETCH.min(inner - first),
                scale: if first + STRETCH < inner { 1.0 } else { scale },
            };
            for column in (0..columns).step_by(PANEL) {
                let rows = chunk..rows.min(chunk + CHUNK);
                stretch.add_panel(a, b, skip, rows, column, out);
            }
        }
    }
}

/// A part of the sums.
struct Stretch {
    first: usize,
    length: usize,
    /// Factor on the sums: 1 except in the last stretch.
    scale: f32,
}

impl Stretch {
    /// Adds this part to the eight entries from `column` on of some rows; the first part takes the place of what was there.
    fn add_panel(
        &self,
        a: &[f32],
        b: &Packed,
        skip: Skip,
        rows: Range<usize>,
        column: usize,
        out: &mut [f32],
    ) {
        let (inner, columns) = (b.inner(), b.columns());
        let panel = &b.panel(column / PANEL)[self.first..][..self.length];
        let width = PANEL.min(columns - column);
        for row in rows.clone().step_by(ROWS) {
            if skip.passes_over(row, column, self.first) {
                continue;
            }
            // Where fewer than four are left the last one stands in for the rest, and its sums are not used.
            let a = std::array::from_fn(|at| {
                let row = (row + at).min(rows.end - 1);
                &a[row * inner + self.first..][..self.length]
            });
            let sums = block(a, panel, skip.runs(row, self.first, self.length));
            for (row, sums) in (row..rows.end).zip(sums) {
                let out = &mut out[row * columns + column..][..width];
                self.store(sums, out);
            }
        }
    }

    #[inline(always)]
    fn store(&self, sums: [F32x4; 2], out: &mut [f32]) {
        let Ok(whole) = <&mut [f32; PANEL]>::try_from(&mut *out) else {
            let mut part = [0.0; PANEL];
            part[..out.len()].copy_from_slice(out);
            self.store_whole(sums, &mut part);
            out.copy_from_slice(&part[..out.len()]);
            return;
        };
        self.store_whole(sums, whole);
    }

    #[inline(always)]
    fn store_whole(&self, sums: [F32x4; 2], out: &mut [f32; PANEL]) {
        let (halves, _) = out.as_chunks_mut::<LANES>();
        for (half, sum) in halves.iter_mut().zip(sums) {
            let sum = if self.first == 0 {
                sum
            } else {
                F32x4::new(*half).add(sum)
            };
            *half = sum.mul(F32x4::splat(self.scale)).to_array();
        }
    }
}

/// Two vectors for each row.
type Sums = [[F32x4; 2]; ROWS];

/// Four rows times a panel: eight sums of a vector each, which stay in registers. The loop is not unrolled by hand: wasm's
/// compilers then move the terms of one sum together, read a panel's rows for all of them, and run out of registers.
#[inline(always)]
fn block(a: [&[f32]; ROWS], panel: &[[f32; PANEL]], runs: Runs) -> Sums {
    let mut sums = [[F32x4::splat(0.0); 2]; ROWS];
    for run in runs {
        let [a0, a1, a2, a3] = a.map(|row| &row[run.clone()]);
        let terms = a0.iter().zip(a1).zip(a2).zip(a3).zip(&panel[run]);
        for ((((a0, a1), a2), a3), b) in terms {
            sums = add_products(sums, [*a0, *a1, *a2, *a3], b);
        }
    }
    sums
}

/// Adds `a[i]·b[j]` to every sum.
#[inline(always)]
fn add_products([s0, s1, s2, s3]: Sums, a: [f32; ROWS], b: &[f32; PANEL]) -> Sums {
    let (b, _) = b.as_chunks::<LANES>();
    let (low, high) = (F32x4::new(b[0]), F32x4::new(b[1]));
    let with = |[s, t]: [F32x4; 2], a: f32| {
        let a = F32x4::splat(a);
        [s.add(a.mul(low)), t.add(a.mul(high))]
    };
    [
        with(s0, a[0]),
        with(s1, a[1]),
        with(s2, a[2]),
        with(s3, a[3]),
    ]
}
