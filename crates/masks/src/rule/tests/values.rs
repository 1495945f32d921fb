//! Cells that were computed elsewhere: public cases, libraries' masks, and counts.

use attention::Mask;

use super::super::{MOST_CELLS, MaskError, parse};
use super::{cell, picture, row_counts, rule};
use crate::{Axes, Axis};

fn seen(text: &str, n: usize, query: usize) -> Vec<usize> {
    let (rule, axes) = (rule(text), Axes::of_map(n, n));
    let keys = 0..n;
    keys.filter(|key| rule.visible(cell(query, *key), &axes))
        .collect()
}

/// How many queries see each key.
fn column_counts(text: &str, n: usize) -> Vec<usize> {
    let rows = picture(text, n, n);
    let count = |key| {
        let column = rows.iter().filter_map(|row| row.chars().nth(key));
        column.filter(|c| *c == '1').count()
    };
    (0..n).map(count).collect()
}

#[test]
fn causal_has_two_alignments() {
    assert_eq!(picture("causal", 2, 5), ["1....", "11..."]);
    assert_eq!(picture("causal end", 2, 5), ["1111.", "11111"]);
    assert_eq!(row_counts("causal", 5, 2), [1, 2, 2, 2, 2]);
    assert_eq!(row_counts("causal end", 5, 2), [0, 0, 0, 1, 2]);
    assert_eq!(row_counts("causal", 1, 8), [1]);
    assert_eq!(row_counts("causal end", 1, 8), [8]);
}

#[test]
fn a_0_1_matrix_is_a_causal_mask_row_by_row() {
    assert_eq!(row_counts("causal", 8, 8), [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn one_head_can_be_hidden_whole() {
    let axes = Axes {
        heads: 3,
        ..Axes::of_map(5, 5)
    };
    let cells = rule("h != 2").cells(&axes).expect("few cells");
    assert_eq!(cells.dim(), (1, 3, 5, 5));
    assert_eq!(cells.iter().filter(|seen| **seen).count(), 50);
    assert!(!cells[[0, 2, 4, 4]]);
}

#[test]
fn padding_in_front_leaves_rows_without_keys() {
    assert_eq!(
        picture("causal and padding left 3", 5, 5),
        [".....", ".....", ".....", "...1.", "...11"]
    );
}

#[test]
fn neighbours_in_a_picture_are_moved_inwards_at_the_border() {
    let text = "image 6×6 kernel 3";
    assert_eq!(row_counts(text, 36, 36), [9; 36]);
    assert_eq!(seen(text, 36, 0), [0, 1, 2, 6, 7, 8, 12, 13, 14]);
    assert_eq!(seen(text, 36, 14), [7, 8, 9, 13, 14, 15, 19, 20, 21]);
    assert_eq!(seen(text, 36, 35), [21, 22, 23, 27, 28, 29, 33, 34, 35]);
    let edge = [4, 6, 8, 8, 6, 4];
    let next = [6, 9, 12, 12, 9, 6];
    let middle = [8, 12, 16, 16, 12, 8];
    let wanted = [edge, next, middle, middle, next, edge].concat();
    assert_eq!(column_counts(text, 36), wanted);
}

#[test]
fn pictures_and_kernels_may_be_oblong_and_even() {
    assert_eq!(row_counts("image 3×2 kernel 3×1", 6, 6), [3; 6]);
    assert_eq!(seen("image 3×2 kernel 3×1", 6, 4), [3, 4, 5]);
    // Of an even kernel one key more lies behind than ahead.
    assert_eq!(seen("image 5×1 kernel 2×1", 5, 3), [2, 3]);
    assert_eq!(seen("image 5×1 kernel 4×1", 5, 2), [0, 1, 2, 3]);
    assert_eq!(seen("image 5×1 kernel 4×1", 5, 4), [1, 2, 3, 4]);
}

#[test]
fn packed_documents_are_blocks() {
    assert_eq!(
        picture("causal and documents 4, 2", 6, 6),
        ["1.....", "11....", "111...", "1111..", "....1.", "....11"]
    );
    assert_eq!(
        row_counts("documents 3, 2, 4", 9, 9),
        [3, 3, 3, 2, 2, 4, 4, 4, 4]
    );
    assert_eq!(row_counts("documents 0, 2", 2, 2), [2, 2]);
}

#[test]
fn longformer_s_windows_and_globals() {
    let text = "window 3 or global 0, 8";
    let rows = row_counts(text, 16, 16);
    assert_eq!(rows, [16, 6, 7, 8, 9, 8, 8, 8, 16, 8, 8, 8, 9, 8, 7, 6]);
    assert_eq!(rows.iter().sum::<usize>(), 140);
    let causal = row_counts(&format!("causal and ({text})"), 16, 16);
    assert_eq!(causal.iter().sum::<usize>(), 78);
}

#[test]
fn a_mask_one_to_the_right_shows_the_next_word() {
    assert_eq!(picture("k <= q + 1", 3, 3), ["11.", "111", "111"]);
    assert_eq!(picture("q < k", 3, 3), [".11", "..1", "..."]);
}

#[test]
fn windows_count_as_libraries_do() {
    assert_eq!(picture("window 1", 3, 5), ["11...", "111..", ".111."]);
    // JAX's and flash-attention's (2, 0), Hugging Face's 3.
    assert_eq!(
        picture("window 2, 0", 4, 4),
        ["1...", "11..", "111.", ".111"]
    );
    assert_eq!(
        picture("window 2, 0", 4, 4),
        picture("sliding_window 3", 4, 4)
    );
    assert_eq!(picture("window 1, 0 end", 2, 5), ["..11.", "...11"]);
    assert_eq!(picture("window 0, 1", 2, 3), ["11.", ".11"]);
}

#[test]
fn further_rules_look_as_defined() {
    assert_eq!(picture("prefix 2", 3, 4), ["11..", "11..", "111."]);
    assert_eq!(picture("dilated 2", 2, 5), ["1.1.1", ".1.1."]);
    assert_eq!(picture("first 1", 2, 3), ["1..", "1.."]);
    assert_eq!(picture("padding 2", 2, 3), ["11.", "11."]);
    assert_eq!(picture("global 1", 3, 3), [".1.", "111", ".1."]);
    assert_eq!(picture("none or not all", 1, 2), [".."]);
    assert_eq!(picture("k == m - n + q", 2, 3), [".1.", "..1"]);
}

#[test]
fn a_comparison_with_a_quotient_by_zero_hides() {
    assert_eq!(picture("6 // k == 3", 1, 4), ["..1."]);
    assert_eq!(picture("q % k != 7", 1, 3), [".11"]);
}

fn mask(text: &str, n: usize, m: usize) -> Mask {
    rule(text).mask(&Axes::of_map(n, m)).expect("it fits")
}

#[test]
fn masks_are_structured_where_they_can_be() {
    let window = |window| Mask::Local { window };
    assert_eq!(mask("all", 2, 3), Mask::Full);
    assert_eq!(mask("none", 2, 3), Mask::Any(vec![]));
    assert_eq!(mask("causal", 2, 3), Mask::Causal);
    assert_eq!(mask("causal end", 3, 3), Mask::Causal);
    assert_eq!(mask("q_idx >= kv_idx", 3, 4), Mask::Causal);
    assert_eq!(mask("q < n", 3, 4), Mask::Full);
    assert_eq!(mask("window 2", 3, 4), window(2));
    assert_eq!(
        mask("window 2, 0", 3, 4),
        Mask::All(vec![Mask::Causal, window(2)])
    );
    assert_eq!(mask("padding 9", 3, 4), Mask::Padding { valid: 4 });
    assert_eq!(
        mask("causal or first 1", 3, 4),
        Mask::Any(vec![Mask::Causal, Mask::Padding { valid: 1 }])
    );
    let Mask::All(parts) = mask("causal and global 1 and not first 1", 3, 3) else {
        panic!("a list")
    };
    assert_eq!(parts[0], Mask::Causal);
    assert!(matches!(parts[1..], [Mask::Painted(_)]));
    assert_eq!(mask("causal end", 2, 5), Mask::Causal.from_place(3));
    assert_eq!(
        mask("padding left 2", 2, 5),
        Mask::LeftPadding { padded: 2 }
    );
    assert_eq!(mask("prefix 2", 2, 5), Mask::Prefix { length: 2 });
    assert!(matches!(mask("documents 2, 1", 3, 3), Mask::Documents(_)));
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    let refused = |text: &str, n, m| {
        let axes = Axes::of_map(n, m);
        rule(text).mask(&axes).expect_err("it does not fit")
    };
    let keys = MaskError::LengthsDoNotSum {
        sum: 9,
        axis: Axis::Keys,
        length: 8,
    };
    assert_eq!(refused("causal or not documents 3, 2, 4", 9, 8), keys);
    assert_eq!(
        keys.to_string(),
        "documents: the lengths sum to 9, but keys has 8"
    );
    let queries = refused("documents 3", 2, 2);
    assert!(matches!(
        queries,
        MaskError::LengthsDoNotSum {
            axis: Axis::Queries,
            ..
        }
    ));
    let picture = refused("image 6×5 kernel 3", 30, 36);
    assert_eq!(
        picture.to_string(),
        "image: 6×5 are 30 tokens, but keys has 36"
    );
    let cells = MOST_CELLS + 4096;
    assert_eq!(
        refused("q > k", 1025, 4096),
        MaskError::TooManyCells { cells }
    );
    let slow = vec!["q + k > 7"; 40].join(" or ");
    assert!(matches!(
        refused(&slow, 2048, 2048),
        MaskError::TooManySteps { .. }
    ));
}

#[test]
fn documents_beyond_what_a_number_holds_are_refused() {
    let many = format!("documents {}", vec!["4294967295"; 200].join(","));
    let rule = parse(&many).expect("numbers in order");
    let axes = Axes::of_map(3, 3);
    assert!(rule.mask(&axes).is_err());
    assert!(rule.visible(cell(2, 0), &axes));
}
