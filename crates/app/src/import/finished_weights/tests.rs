use super::*;

fn is_like(shape: &[usize], numbers: &[f32]) -> Option<Likeness> {
    likeness(&Tensor::new("", shape.to_vec(), numbers.to_vec()))
}

#[test]
fn maps_are_known_by_their_rows() {
    let nan = f32::NAN;
    let sums = Some(Likeness::Sums);
    assert_eq!(is_like(&[2, 2], &[0.5, 0.5, 0.25, 0.75]), sums);
    assert_eq!(is_like(&[2, 3], &[0.5, 0.25, 0.25, 0.0, 0.0, 0.0]), sums);
    assert_eq!(is_like(&[2, 2], &[0.5, 0.5, nan, nan]), sums);
    let fractions = Some(Likeness::Fractions);
    let dropout = [0.45, 0.0, 0.0, 0.0, 0.0, 0.0, 0.8, 1.2, 0.0];
    assert_eq!(is_like(&[3, 3], &dropout), fractions);
    let sink = [0.3, 0.19, 0.2, 0.5, 0.1, 0.76, 0.0, 0.0, 0.6];
    assert_eq!(is_like(&[3, 3], &sink), fractions);
    assert_eq!(is_like(&[3, 2], &[0.5, 0.5, 0.5, 0.5, 0.5, 0.4]), fractions);
}

#[test]
fn embeddings_and_masks_are_no_maps() {
    assert_eq!(is_like(&[2, 2], &[0.5, -0.5, 0.25, 0.75]), None);
    assert_eq!(is_like(&[2, 2], &[1.0, 0.0, 1.0, 1.0]), None);
    assert_eq!(is_like(&[2, 2], &[0.9, 0.8, 0.7, 0.9]), None);
    assert_eq!(is_like(&[2, 3], &[0.4, 0.1, 0.8, 0.5, 0.8, 0.6]), None);
    assert_eq!(is_like(&[2, 2], &[0.0; 4]), None);
    assert_eq!(is_like(&[0, 2], &[]), None);
    assert_eq!(is_like(&[2], &[0.5, 0.5]), None);
}

#[test]
fn a_softmax_over_the_queries_is_seen() {
    let has =
        |numbers: [f32; 4]| has_columns_of_one(&Tensor::new("", vec![2, 2], numbers.to_vec()));
    assert!(has([0.9, 0.5, 0.1, 0.5]));
    assert!(!has([0.5, 0.5, 0.5, 0.5]), "rows sum to 1 as well");
    assert!(!has([0.9, 0.1, 0.5, 0.5]) && !has([0.9, 0.5, 0.2, 0.5]));
    assert!(!has([1.5, 0.5, -0.5, 0.5]));
}

#[test]
fn only_whole_rows_of_nan_become_empty() {
    let nan = f32::NAN;
    let numbers = vec![0.5, 0.5, nan, nan, nan, 1.0];
    let mut weights = Array3::from_shape_vec((1, 3, 2), numbers).expect("its shape");
    assert_eq!(empty_nan_rows(&mut weights), 1);
    assert_eq!(weights.slice(ndarray::s![0, 1, ..]).to_vec(), [0.0, 0.0]);
    assert!(weights[[0, 2, 0]].is_nan());
}
