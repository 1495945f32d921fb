//! Products with columns that are given one after the other, against plain loops.

use kernels::multiply_lines;

/// Rows, inner length, columns: odd and pairwise different, around the sizes of blocks and stretches, 0 and 1.
const SHAPES: [[usize; 3]; 11] = [
    [1, 1, 1],
    [5, 3, 7],
    [4, 8, 2],
    [9, 4, 17],
    [3, 1023, 5],
    [6, 1025, 3],
    [7, 2051, 9],
    [0, 3, 5],
    [3, 0, 5],
    [3, 5, 0],
    [0, 0, 0],
];

/// Numbers in −1 … 1 from a seed (a linear congruential generator).
fn numbers(length: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    (0..length).map(|_| next()).collect()
}

fn row(all: &[f32], width: usize, at: usize) -> &[f32] {
    &all[at * width..][..width]
}

/// Specification of an entry in plain loops.
fn entry(a: &[f32], b: &[f32]) -> f32 {
    let stretches = a.chunks(1024).zip(b.chunks(1024));
    let of_stretch = |(a, b): (&[f32], &[f32])| {
        let mut sums = [0.0f32; 4];
        for (c, (a, b)) in a.iter().zip(b).enumerate() {
            sums[c % 4] += a * b;
        }
        (sums[0] + sums[2]) + (sums[1] + sums[3])
    };
    stretches.map(of_stretch).fold(0.0, |sum, part| sum + part)
}

#[test]
fn entries_are_sums_in_the_order_that_is_written() {
    for [rows, inner, columns] in SHAPES {
        let (a, b) = (numbers(rows * inner, 1), numbers(inner * columns, 2));
        let mut out = vec![f32::NAN; rows * columns];
        multiply_lines(&a, &b, inner, &mut out, columns, 0);
        for (at, found) in out.iter().enumerate() {
            let (i, j) = (at / columns, at % columns);
            // Without inner length there are no lines to tell the columns from.
            let wanted = match inner {
                0 => f32::NAN,
                _ => entry(row(&a, inner, i), row(&b, inner, j)),
            };
            assert_eq!(
                found.to_bits(),
                wanted.to_bits(),
                "{rows} {inner} {columns}"
            );
        }
    }
}

#[test]
fn a_block_of_columns_is_written_among_others() {
    let (rows, inner, columns) = (5, 11, 9);
    let (a, b) = (numbers(rows * inner, 3), numbers(inner * columns, 4));
    let mut whole = vec![0.0; rows * columns];
    multiply_lines(&a, &b, inner, &mut whole, columns, 0);
    for (first, count) in [(0, 4), (3, 5), (8, 1), (9, 0)] {
        let mut part = vec![7.0; rows * columns];
        let lines = &b[first * inner..][..count * inner];
        multiply_lines(&a, lines, inner, &mut part, columns, first);
        for (at, (part, whole)) in part.iter().zip(&whole).enumerate() {
            let is_in = (first..first + count).contains(&(at % columns));
            assert_eq!(*part, if is_in { *whole } else { 7.0 }, "{first} {count}");
        }
    }
}

#[test]
fn zeros_at_the_end_change_no_bit() {
    let (a, b) = (numbers(3 * 6, 5), numbers(2 * 6, 6));
    let longer = |short: &[f32]| -> Vec<f32> {
        let rows = short.chunks_exact(6);
        rows.flat_map(|row| [row, &[0.0; 5][..]].concat()).collect()
    };
    let (mut short, mut long) = ([0.0; 6], [0.0; 6]);
    multiply_lines(&a, &b, 6, &mut short, 2, 0);
    multiply_lines(&longer(&a), &longer(&b), 11, &mut long, 2, 0);
    assert_eq!(short.map(f32::to_bits), long.map(f32::to_bits));
}
