//! Readings of the matrices that people bring.

use super::*;
use crate::Axis;

const HALF_MIN: f64 = -65504.0;
const BRAIN_MIN: f64 = -3.389_531_389_251_535_5e38;
const SINGLE_MIN: f64 = -3.402_823_466_385_288_6e38;

fn imported(shape: &[usize], element: Element, of: impl Fn(usize) -> f64) -> ImportedTensor {
    let count = shape.iter().product();
    ImportedTensor {
        shape: shape.to_vec(),
        data: (0..count).map(of).collect(),
        element,
    }
}

/// A matrix of `[n, m]`.
fn matrix(
    n: usize,
    m: usize,
    element: Element,
    of: impl Fn(usize, usize) -> f64,
) -> ImportedTensor {
    imported(&[n, m], element, |index| of(index / m, index % m))
}

fn one(is: bool) -> f64 {
    f64::from(u8::from(is))
}

fn read(imported: &ImportedTensor, axes: &Axes) -> Vec<Reading> {
    readings(imported, axes).expect("it can be read")
}

fn kinds(readings: &[Reading]) -> Vec<(Kind, bool)> {
    readings.iter().map(|one| (one.kind, one.likely)).collect()
}

fn rows(reading: &Reading, batch: usize, head: usize) -> Vec<String> {
    let mask = reading.content.mask().expect("a mask");
    let map = mask.slice(ndarray::s![batch, head, .., ..]);
    let row = |row: ndarray::ArrayView1<'_, bool>| {
        let shown = row.iter().map(|seen| if *seen { '1' } else { '.' });
        shown.collect()
    };
    map.rows().into_iter().map(row).collect()
}

const SHOW: Kind = Kind::Mask { ones_show: true };
const HIDE: Kind = Kind::Mask { ones_show: false };

#[test]
fn booleans_are_asked_about_unless_one_reading_looks_inverted() {
    let axes = Axes::of_map(3, 3);
    let ragged = matrix(3, 3, Element::Bool, |i, j| one((i + j) % 3 != 1));
    let rows_of = read(&ragged, &axes);
    assert_eq!(kinds(&rows_of), [(SHOW, false), (HIDE, false)]);
    assert_eq!(rows(&rows_of[0], 0, 0), ["1.1", ".11", "11."]);
    assert_eq!(rows(&rows_of[1], 0, 0), [".1.", "1..", "..1"]);
    let upper = matrix(3, 3, Element::Bool, |i, j| one(j > i));
    let readings = read(&upper, &axes);
    assert_eq!(kinds(&readings), [(SHOW, false), (HIDE, true)]);
    assert_eq!(readings[0].inverted, Some(Inverted::FutureAlone));
    assert_eq!(rows(&readings[1], 0, 0), ["1..", "11.", "111"]);
    let lower = matrix(3, 3, Element::Bool, |i, j| one(j <= i));
    assert_eq!(kinds(&read(&lower, &axes)), [(SHOW, true), (HIDE, false)]);
}

#[test]
fn integers_of_zero_and_one_mostly_show_by_ones() {
    let axes = Axes::of_map(3, 3);
    let lower = matrix(3, 3, Element::Integer, |i, j| one(j <= i));
    assert_eq!(kinds(&read(&lower, &axes)), [(SHOW, true), (HIDE, false)]);
    let upper = matrix(3, 3, Element::Integer, |i, j| one(j > i));
    assert_eq!(kinds(&read(&upper, &axes)), [(SHOW, false), (HIDE, true)]);
}

fn softmax(row: &[f32]) -> Vec<f64> {
    let exponentials: Vec<_> = row.iter().map(|value| f64::from(*value).exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.iter().map(|value| value / sum).collect()
}

#[test]
fn a_matrix_of_zeros_and_ones_is_a_mask_or_is_added() {
    // All scores equal, eight tokens, a lower triangle of ones.
    let lower = matrix(8, 8, Element::Float, |i, j| one(j <= i));
    let readings = read(&lower, &Axes::of_map(8, 8));
    assert_eq!(kinds(&readings), [(SHOW, false), (Kind::Bias, false)]);
    for (i, row) in rows(&readings[0], 0, 0).iter().enumerate() {
        assert_eq!(row.matches('1').count(), i + 1);
    }
    let bias = readings[1].content.bias().expect("it is added");
    let weights = |row: usize| {
        softmax(
            bias.slice(ndarray::s![0, 0, row, ..])
                .as_slice()
                .expect("a row"),
        )
    };
    let wanted = [
        (0, [0.279708, 0.102899, 0.102899]),
        (1, [0.237683, 0.237683, 0.087439]),
        (7, [0.125, 0.125, 0.125]),
    ];
    for (row, wanted) in wanted {
        for (found, wanted) in weights(row).iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-6, "{row}: {found}");
        }
    }
    let upper = matrix(8, 8, Element::Float, |i, j| one(j > i));
    let readings = read(&upper, &Axes::of_map(8, 8));
    assert_eq!(
        kinds(&readings),
        [(SHOW, false), (Kind::Bias, false), (HIDE, false)]
    );
}

#[test]
fn one_head_that_is_hidden_whole_is_a_mask_per_head() {
    let axes = Axes {
        heads: 3,
        ..Axes::of_map(5, 5)
    };
    let hidden = imported(&[3, 5, 5], Element::Bool, |index| one(index >= 50));
    let readings = read(&hidden, &axes);
    assert_eq!(kinds(&readings), [(SHOW, false), (HIDE, false)]);
    assert_eq!(rows(&readings[1], 0, 0), ["11111"; 5]);
    assert_eq!(rows(&readings[1], 0, 2), ["....."; 5]);
    let differs = Differs {
        batch: false,
        heads: true,
        queries: true,
    };
    assert_eq!(readings[1].differs, differs);
}

#[test]
fn padding_in_front_is_read_in_each_of_its_forms() {
    let axes = Axes::of_map(5, 5);
    let mask = imported(&[5], Element::Integer, |index| one(index >= 3));
    let readings = read(&mask, &axes);
    assert_eq!(kinds(&readings), [(SHOW, true), (HIDE, false)]);
    assert_eq!(rows(&readings[0], 0, 0), ["...11"; 5]);
    for (least, hidden) in [
        (f64::NEG_INFINITY, Hidden::Infinity),
        (HALF_MIN, Hidden::Finite),
        (BRAIN_MIN, Hidden::Finite),
        (SINGLE_MIN, Hidden::Finite),
        (2.0 * SINGLE_MIN, Hidden::Finite),
        (-1e9, Hidden::Finite),
        (-1e4, Hidden::Finite),
    ] {
        let is_seen = |i: usize, j: usize| j >= 3 && j <= i;
        let added = matrix(5, 5, Element::Float, |i, j| {
            if is_seen(i, j) { 0.0 } else { least }
        });
        let readings = read(&added, &axes);
        assert_eq!(
            kinds(&readings),
            [(Kind::Additive(hidden), true)],
            "{least}"
        );
        assert_eq!(
            rows(&readings[0], 0, 0),
            [".....", ".....", ".....", "...1.", "...11"]
        );
    }
}

#[test]
fn other_numbers_are_added_and_hide_where_they_are_huge() {
    let axes = Axes::of_map(2, 3);
    let bias = matrix(2, 3, Element::Float, |i, j| -0.5 * i.abs_diff(j) as f64);
    let readings = read(&bias, &axes);
    assert_eq!(kinds(&readings), [(Kind::Bias, true)]);
    assert_eq!(
        readings[0].content.bias().expect("added")[[0, 0, 0, 2]],
        -1.0
    );
    let both = matrix(2, 3, Element::Float, |i, j| {
        if j > i { f64::NEG_INFINITY } else { 0.25 }
    });
    let readings = read(&both, &axes);
    assert_eq!(
        kinds(&readings),
        [(Kind::BiasAndMask(Hidden::Infinity), true)]
    );
    assert_eq!(rows(&readings[0], 0, 0), ["1..", "11."]);
    let added = readings[0].content.bias().expect("added");
    assert_eq!(added.iter().sum::<f32>(), 0.75);
    let zeros = matrix(2, 3, Element::Float, |_, _| 0.0);
    assert_eq!(
        kinds(&read(&zeros, &axes)),
        [(Kind::Bias, true), (SHOW, false)]
    );
    let numbers = matrix(2, 3, Element::Integer, |_, j| j as f64);
    assert_eq!(kinds(&read(&numbers, &axes)), [(Kind::Bias, true)]);
}

#[test]
fn shapes_are_laid_over_the_scores() {
    let axes = Axes {
        batch: 2,
        heads: 3,
        n: 4,
        m: 5,
    };
    let dims = |shape: &[usize]| {
        let mask = imported(shape, Element::Integer, |index| one(index % 3 == 1));
        let readings = read(&mask, &axes);
        let dims = readings.iter().filter(|reading| reading.kind == SHOW);
        dims.map(|reading| reading.content.mask().expect("a mask").dim())
            .collect::<Vec<_>>()
    };
    assert_eq!(dims(&[5]), [(1, 1, 4, 5)]);
    assert_eq!(dims(&[4, 5]), [(1, 1, 4, 5)]);
    assert_eq!(dims(&[1, 5]), [(1, 1, 4, 5)]);
    assert_eq!(dims(&[2, 5]), [(2, 1, 4, 5)]);
    assert_eq!(dims(&[3, 4, 5]), [(1, 3, 4, 5)]);
    assert_eq!(dims(&[2, 4, 5]), [(2, 1, 4, 5)]);
    assert_eq!(dims(&[1, 4, 5]), [(1, 1, 4, 5)]);
    assert_eq!(dims(&[6, 4, 5]), [(2, 3, 4, 5)]);
    assert_eq!(dims(&[2, 1, 4, 5]), [(2, 1, 4, 5)]);
    assert_eq!(dims(&[2, 1, 1, 5]), [(2, 1, 4, 5)]);
    assert_eq!(dims(&[2, 3, 4, 5]), [(2, 3, 4, 5)]);
}

#[test]
fn each_cell_has_its_own_number() {
    let axes = Axes {
        batch: 2,
        heads: 3,
        n: 4,
        m: 5,
    };
    let bias = |shape: &[usize]| {
        let numbers = imported(shape, Element::Float, |index| index as f64 + 2.0);
        let readings = read(&numbers, &axes);
        readings[0].content.bias().expect("added").clone()
    };
    assert_eq!(bias(&[6, 4, 5])[[1, 2, 3, 4]], 121.0);
    assert_eq!(bias(&[6, 4, 5])[[1, 0, 0, 0]], 62.0);
    assert_eq!(bias(&[2, 3, 4, 5])[[1, 2, 3, 4]], 121.0);
    assert_eq!(bias(&[3, 4, 5])[[0, 2, 1, 3]], 50.0);
    assert_eq!(bias(&[2, 5])[[1, 0, 3, 4]], 11.0);
    assert_eq!(bias(&[4, 5])[[0, 0, 3, 0]], 17.0);
}

#[test]
fn what_fits_in_two_ways_is_given_in_both_and_asked() {
    let axes = Axes {
        batch: 4,
        heads: 4,
        n: 4,
        m: 5,
    };
    let mask = imported(&[4, 5], Element::Integer, |index| one(index % 3 == 1));
    let readings = read(&mask, &axes);
    assert_eq!(
        kinds(&readings),
        [(SHOW, false), (HIDE, false), (SHOW, false), (HIDE, false)]
    );
    assert_eq!(
        readings
            .iter()
            .map(|one| one.differs.batch)
            .collect::<Vec<_>>(),
        [false, false, true, true]
    );
    // As a map one polarity looks inverted, as padding of four inputs neither does.
    let square = Axes { m: 4, ..axes };
    let upper = matrix(4, 4, Element::Bool, |i, j| one(j > i));
    let inverted = read(&upper, &square);
    assert_eq!(inverted[0].inverted, Some(Inverted::FutureAlone));
    assert!(inverted.iter().all(|reading| !reading.likely));
    let per_head = imported(&[4, 4, 5], Element::Float, |index| index as f64);
    assert_eq!(read(&per_head, &axes).len(), 2);
}

#[test]
fn lengths_are_how_many_keys_are_real() {
    let axes = Axes {
        batch: 2,
        ..Axes::of_map(2, 4)
    };
    let lengths = ImportedTensor {
        shape: vec![2],
        data: vec![3.0, 1.0],
        element: Element::Integer,
    };
    let readings = read(&lengths, &axes);
    assert_eq!(kinds(&readings), [(Kind::Lengths, true)]);
    assert_eq!(rows(&readings[0], 0, 0), ["111."; 2]);
    assert_eq!(rows(&readings[0], 1, 0), ["1..."; 2]);
    let square = Axes { m: 2, ..axes };
    let both = imported(&[2], Element::Integer, |index| one(index == 1));
    assert_eq!(
        kinds(&read(&both, &square)),
        [(SHOW, false), (HIDE, false), (Kind::Lengths, false)]
    );
}

#[test]
fn what_does_not_fit_is_refused_by_axis() {
    let axes = Axes {
        batch: 2,
        heads: 3,
        n: 4,
        m: 6,
    };
    let refused = |shape: &[usize]| {
        let mask = imported(shape, Element::Bool, |_| 1.0);
        readings(&mask, &axes).expect_err("it does not fit")
    };
    let keys = refused(&[4, 5]);
    assert_eq!(keys.to_string(), "keys: 5, but the map has 6");
    let wrong = |axis, found, wanted| ImportError::WrongLength {
        axis,
        found,
        wanted,
    };
    assert_eq!(refused(&[6, 4]), wrong(Axis::Keys, 4, 6));
    assert_eq!(refused(&[5, 6]), wrong(Axis::Queries, 5, 4));
    assert_eq!(refused(&[4, 4, 6]), wrong(Axis::Heads, 4, 3));
    assert_eq!(refused(&[3, 3, 4, 6]), wrong(Axis::Batch, 3, 2));
    assert_eq!(refused(&[]), ImportError::WrongRank { axes: 0 });
    assert_eq!(refused(&[1; 5]), ImportError::WrongRank { axes: 5 });
    assert_eq!(refused(&[3]), wrong(Axis::Keys, 3, 6));
}

#[test]
fn numbers_that_mean_nothing_are_refused_by_index() {
    let axes = Axes::of_map(2, 2);
    for bad in [f64::NAN, f64::INFINITY, 4e38] {
        let bias = imported(
            &[2, 2],
            Element::Float,
            |index| if index == 2 { bad } else { 0.5 },
        );
        let error = readings(&bias, &axes).expect_err("no number");
        assert!(
            matches!(error, ImportError::NotReadable { index: 2, .. }),
            "{error}"
        );
    }
    let short = ImportedTensor {
        shape: vec![2, 2],
        data: vec![0.0; 3],
        element: Element::Float,
    };
    let (wanted, numbers) = (4, 3);
    assert_eq!(
        readings(&short, &axes),
        Err(ImportError::NumbersDoNotFill { wanted, numbers })
    );
}

#[test]
fn too_many_cells_are_refused_before_they_are_made() {
    let axes = Axes::of_map(1 << 20, 8);
    let row = imported(&[8], Element::Bool, |_| 1.0);
    let cells = 1 << 23;
    assert_eq!(
        readings(&row, &axes),
        Err(ImportError::TooManyCells { cells })
    );
}

#[test]
fn nothing_is_read_from_nothing_without_harm() {
    let axes = Axes::of_map(0, 0);
    let empty = imported(&[0, 0], Element::Float, |_| 0.0);
    assert!(readings(&empty, &axes).is_ok());
}
