//! Matrix products against plain loops, with and without skipped blocks.

use kernels::{Blocks, Packed, multiply, multiply_scaled, multiply_sparse};

/// Rows, inner length, columns: odd and pairwise different, around the sizes of blocks, panels and stretches, 0 and 1.
const SHAPES: [[usize; 3]; 14] = [
    [1, 1, 1],
    [5, 3, 7],
    [4, 8, 9],
    [3, 9, 8],
    [7, 13, 17],
    [2, 255, 15],
    [6, 257, 1],
    [1, 513, 23],
    [67, 5, 31],
    [130, 300, 9],
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

/// Left, right `[inner, columns]`, and the right one packed.
fn factors([rows, inner, columns]: [usize; 3]) -> (Vec<f32>, Vec<f32>, Packed) {
    let (a, b) = (numbers(rows * inner, 1), numbers(inner * columns, 2));
    let packed = Packed::from_rows(&b, columns, 0, columns);
    (a, b, packed)
}

/// Specification of an entry in plain loops: stretches of 256 terms, each summed from 0, and their
/// sums added in order.
fn entry(row: &[f32], column: impl Iterator<Item = f32>) -> f32 {
    let terms: Vec<f32> = row.iter().zip(column).map(|(a, b)| a * b).collect();
    let sums = terms
        .chunks(256)
        .map(|part| part.iter().fold(0.0, |sum, term| sum + term));
    sums.reduce(|sum, part| sum + part).unwrap_or(0.0)
}

fn plain(a: &[f32], b: &[f32], [rows, inner, columns]: [usize; 3]) -> Vec<f32> {
    let cells = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    cells
        .map(|(i, j)| {
            entry(
                &a[i * inner..][..inner],
                (0..inner).map(|c| b[c * columns + j]),
            )
        })
        .collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn products_have_the_bits_of_plain_loops() {
    for shape in SHAPES {
        let (a, b, packed) = factors(shape);
        let mut out = vec![f32::NAN; shape[0] * shape[2]];
        multiply(&a, &packed, &mut out);
        assert_eq!(bits(&out), bits(&plain(&a, &b, shape)), "{shape:?}");
    }
}

#[test]
fn products_are_close_to_those_in_64_bits() {
    for shape in SHAPES {
        let (a, b, packed) = factors(shape);
        let [rows, inner, columns] = shape;
        let mut out = vec![f32::NAN; rows * columns];
        multiply(&a, &packed, &mut out);
        for (at, found) in out.into_iter().enumerate() {
            let (i, j) = (at / columns, at % columns);
            let terms =
                (0..inner).map(|c| f64::from(a[i * inner + c]) * f64::from(b[c * columns + j]));
            let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), term| {
                (sum + term, size + term.abs())
            });
            let allowed = 2e-6 * size;
            assert!(
                (f64::from(found) - sum).abs() <= allowed,
                "{shape:?}, {i}, {j}: {found}, {sum}"
            );
        }
    }
}

#[test]
fn a_transposed_matrix_and_columns_of_a_wider_one_are_packed_alike() {
    for [_, inner, columns] in SHAPES {
        let rows = numbers(inner * columns, 3);
        let packed = Packed::from_rows(&rows, columns, 0, columns);
        let transposed: Vec<f32> = (0..columns)
            .flat_map(|j| (0..inner).map(move |c| (c, j)))
            .map(|(c, j)| rows[c * columns + j])
            .collect();
        let found = Packed::from_transposed(&transposed, columns, inner);
        if columns > 0 {
            assert_eq!(found, packed, "{inner} × {columns}");
        }
        let width = columns + 5;
        let wider: Vec<f32> = (0..inner * width)
            .map(|at| match (at / width, at % width) {
                (c, j) if (2..2 + columns).contains(&j) => rows[c * columns + j - 2],
                _ => f32::NAN,
            })
            .collect();
        let found = Packed::from_rows(&wider, width, 2, columns);
        if columns > 0 {
            assert_eq!(found, packed, "columns 2 … {} of {width}", 2 + columns);
        }
    }
}

/// Every seventh cell and one range that crosses a stretch, where the matrix is that wide.
fn some_blocks(rows: usize, columns: usize) -> Blocks {
    let mut blocks = Blocks::default();
    blocks.clear(rows, columns);
    for cell in (0..rows * columns).step_by(7 * 8 * 4) {
        blocks.insert(cell / columns, cell % columns..cell % columns + 1);
    }
    if rows > 0 && columns > 260 {
        blocks.insert(rows - 1, 250..259);
    }
    blocks
}

#[test]
fn blocks_count_that_hold_a_cell_that_was_inserted() {
    let (rows, columns) = (9, 515);
    let inserted = [
        (0, 0..1),
        (1, 7..9),
        (3, 100..300),
        (4, 511..515),
        (8, 257..257),
    ];
    let mut blocks = Blocks::default();
    blocks.clear(3, 2000);
    blocks.insert(2, 0..2000);
    blocks.clear(rows, columns);
    for (row, columns) in inserted.clone() {
        blocks.insert(row, columns);
    }
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let counts = inserted.iter().any(|(other, columns)| {
            row / 4 == other / 4 && columns.clone().any(|other| column / 8 == other / 8)
        });
        assert_eq!(blocks.contains(row, column), counts, "{row}, {column}");
    }
}

#[test]
fn terms_that_are_zero_can_be_left_out() {
    for shape @ [rows, inner, columns] in SHAPES {
        let (mut a, _, packed) = factors(shape);
        let blocks = some_blocks(rows, inner);
        let mut left_out = 0;
        for (at, a) in a.iter_mut().enumerate() {
            if !blocks.contains(at / inner, at % inner) {
                left_out += 1;
                // Of either sign: the sums are the same.
                *a = if at % 2 == 0 { 0.0 } else { -0.0 };
            }
        }
        assert!(
            rows * inner < 300 || left_out > 0,
            "{shape:?} leaves nothing out"
        );
        let (mut all, mut sparse) = (
            vec![f32::NAN; rows * columns],
            vec![f32::NAN; rows * columns],
        );
        multiply(&a, &packed, &mut all);
        multiply_sparse(&a, &blocks, &packed, &mut sparse);
        assert_eq!(bits(&sparse), bits(&all), "{shape:?}");
    }
}

#[test]
fn entries_can_be_scaled_and_left_out() {
    for shape @ [rows, _, columns] in SHAPES {
        let (a, b, packed) = factors(shape);
        let wanted: Vec<f32> = plain(&a, &b, shape).iter().map(|sum| sum * 0.3).collect();
        let mut out = vec![f32::NAN; rows * columns];
        multiply_scaled(&a, &packed, 0.3, None, &mut out);
        assert_eq!(bits(&out), bits(&wanted), "{shape:?}");
        if shape[1] == 0 {
            continue;
        }
        let blocks = some_blocks(rows, columns);
        let mut out = vec![7.0; rows * columns];
        multiply_scaled(&a, &packed, 0.3, Some(&blocks), &mut out);
        for (at, found) in out.into_iter().enumerate() {
            let counts = blocks.contains(at / columns, at % columns);
            let wanted = if counts { wanted[at] } else { 7.0 };
            assert_eq!(found.to_bits(), wanted.to_bits(), "{shape:?}, {at}");
        }
    }
}

#[test]
fn an_entry_does_not_depend_on_what_is_computed_with_it() {
    let shape @ [rows, inner, columns] = [11, 300, 19];
    let (a, b, packed) = factors(shape);
    let mut whole = vec![0.0; rows * columns];
    multiply(&a, &packed, &mut whole);
    for first in 0..rows {
        for height in 1..=rows - first {
            let mut part = vec![0.0; height * columns];
            multiply(&a[first * inner..][..height * inner], &packed, &mut part);
            assert_eq!(
                bits(&part),
                bits(&whole[first * columns..][..height * columns])
            );
        }
    }
    for first in 0..columns {
        let one = Packed::from_rows(&b, columns, first, 1);
        let mut column = vec![0.0; rows];
        multiply(&a, &one, &mut column);
        let wanted: Vec<f32> = whole.iter().skip(first).step_by(columns).copied().collect();
        assert_eq!(bits(&column), bits(&wanted));
    }
}
