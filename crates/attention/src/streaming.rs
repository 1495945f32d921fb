//! Softmax and weighted sum of one query row in one pass over the keys, tile by tile, in 64-bit plain loops.
//!
//! The scores of a row need not all be known at once: a running maximum, sum and output suffice and are corrected when a later
//! tile has a larger score (Milakov & Gimelshein 2018, alg. 3; Dao et al. 2022, alg. 1). The weights are those of the direct
//! softmax. Every tile is kept here, so that the pass can be shown.

use std::num::NonZeroUsize;
use std::ops::Range;

use ndarray::ArrayView2;

/// Update of the running values by a tile of keys. Before the first visible key there is no
/// maximum.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// The keys of the tile, as wide as requested except for the last.
    pub keys: Range<usize>,
    /// The tile's own largest visible score; `None` where it hides all of its keys.
    pub tile_max: Option<f64>,
    /// The running maximum `m` before the tile.
    pub max_before: Option<f64>,
    /// The running maximum `m` after the tile: the larger of the two.
    pub max_after: Option<f64>,
    /// Factor on earlier sums and outputs, `exp(m before − m after)`: 1 if the maximum stays, less
    /// if it grows. 1 before the first visible key, when there is nothing to correct.
    pub rescale: f64,
    /// `exp(s − m after)` of each key of the tile, 0 where it is hidden: `[keys]`.
    pub exponentials: Vec<f64>,
    /// The sum of the tile's exponentials.
    pub tile_sum: f64,
    /// The running sum `ℓ` after the tile: `rescale · ℓ before + tile_sum`.
    pub sum: f64,
    /// The running output after the tile, `[d_v]`: `rescale · output before + Σ exponential · value`. Divided by `ℓ` it is the
    /// weighted sum over the keys seen so far.
    pub output: Vec<f64>,
}

/// A whole row.
#[derive(Debug, Clone, PartialEq)]
pub struct Streamed {
    /// Every tile in order; none where there are no keys.
    pub tiles: Vec<Tile>,
    /// The weights, `[keys]`: a tile's exponentials, corrected by every later tile, divided by the last sum. Zero where nothing
    /// is visible.
    pub weights: Vec<f64>,
    /// The weighted sum of values, `[d_v]`: the last running output divided by the last sum.
    pub context: Vec<f64>,
}

/// Walks over a row in tiles of `width` keys.
///
/// `scores` and `visible` are `[keys]`, `values` is `[keys, d_v]`; the shortest decides. Scores are those that enter the softmax:
/// already divided by a temperature. They must be finite.
pub fn stream(
    scores: &[f64],
    visible: &[bool],
    values: ArrayView2<f64>,
    width: NonZeroUsize,
) -> Streamed {
    let keys = scores.len().min(visible.len()).min(values.nrows());
    let mut tiles: Vec<Tile> = Vec::new();
    for first in (0..keys).step_by(width.get()) {
        let keys = first..first.saturating_add(width.get()).min(keys);
        tiles.push(next(tiles.last(), keys, scores, visible, values));
    }
    finished(tiles, values.ncols())
}

fn next(
    before: Option<&Tile>,
    keys: Range<usize>,
    scores: &[f64],
    visible: &[bool],
    values: ArrayView2<f64>,
) -> Tile {
    let seen = keys.clone().filter(|key| visible[*key]);
    let tile_max = seen.map(|key| scores[key]).reduce(f64::max);
    let max_before = before.and_then(|tile| tile.max_after);
    let max_after = max_before.into_iter().chain(tile_max).reduce(f64::max);
    let rescale = match (max_before, max_after) {
        (Some(before), Some(after)) => libm::exp(before - after),
        _ => 1.0,
    };
    let exponential = |key: usize| match max_after {
        Some(max) if visible[key] => libm::exp(scores[key] - max),
        _ => 0.0,
    };
    let exponentials: Vec<f64> = keys.clone().map(exponential).collect();
    let tile_sum = exponentials.iter().sum();
    let mut output = before.map_or(vec![0.0; values.ncols()], |tile| tile.output.clone());
    for (column, entry) in output.iter_mut().enumerate() {
        *entry *= rescale;
        for (key, exponential) in keys.clone().zip(&exponentials) {
            *entry += exponential * values[[key, column]];
        }
    }
    Tile {
        sum: rescale * before.map_or(0.0, |tile| tile.sum) + tile_sum,
        keys,
        tile_max,
        max_before,
        max_after,
        rescale,
        exponentials,
        tile_sum,
        output,
    }
}

/// Weights and context from the tiles alone: no score is read a second time.
fn finished(tiles: Vec<Tile>, d_v: usize) -> Streamed {
    let sum = tiles.last().map_or(0.0, |tile| tile.sum);
    // A row that sees nothing has weights of zero, not of 0/0.
    let share = |number: f64| if sum == 0.0 { 0.0 } else { number / sum };
    let (mut correction, mut backwards) = (1.0, Vec::new());
    for tile in tiles.iter().rev() {
        let corrected = |exponential: &f64| share(exponential * correction);
        backwards.extend(tile.exponentials.iter().rev().map(corrected));
        correction *= tile.rescale;
    }
    backwards.reverse();
    let output = tiles
        .last()
        .map_or(vec![0.0; d_v], |tile| tile.output.clone());
    Streamed {
        context: output.into_iter().map(share).collect(),
        weights: backwards,
        tiles,
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;
    use crate::softmax::softmax;

    fn width(width: usize) -> NonZeroUsize {
        NonZeroUsize::new(width).expect("a width is not zero")
    }

    /// Numbers without a pattern, in −1 … 1.
    fn number(index: usize) -> f64 {
        libm::sin(index as f64 * 12.9898 + 4.1) * 43.7 % 1.0
    }

    /// Whatever the tiles, streaming is the direct softmax.
    #[test]
    fn streaming_equals_the_direct_softmax() {
        for (keys, gain) in [(0, 1.0), (1, 1.0), (7, 3.0), (23, 1e4), (64, 300.0)] {
            let scores: Vec<_> = (0..keys).map(|key| gain * number(key)).collect();
            let values = Array2::from_shape_fn((keys, 3), |(key, c)| number(100 + key * 3 + c));
            let masks: [&dyn Fn(usize) -> bool; 5] = [
                &|_| true,
                &|_| false,
                &|key| key > keys / 2,
                &|key| key < keys / 3,
                &|key| number(key + 7) > 0.0,
            ];
            for visible in masks {
                let visible: Vec<_> = (0..keys).map(visible).collect();
                let direct = softmax(&scores, &visible);
                for tile in [1, 2, 3, 5, keys.max(1), keys + 9] {
                    let found = stream(&scores, &visible, values.view(), width(tile));
                    assert_eq!(found.tiles.len(), keys.div_ceil(tile));
                    assert_alike(&found.weights, &direct);
                    let context: Vec<_> = values
                        .columns()
                        .into_iter()
                        .map(|column| column.iter().zip(&direct).map(|(v, w)| v * w).sum())
                        .collect();
                    assert_alike(&found.context, &context);
                }
            }
        }
    }

    #[track_caller]
    fn assert_alike(found: &[f64], wanted: &[f64]) {
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-13, "{found} for {wanted}");
        }
    }

    #[test]
    fn extremes_of_ten_thousand_in_either_order() {
        let values = array![[1.0], [2.0], [4.0]];
        for (scores, wanted) in [
            ([1e4, -1e4, 0.0], [1.0, 0.0, 0.0]),
            ([-1e4, 0.0, 1e4], [0.0, 0.0, 1.0]),
            ([-1e4, -1e4, -1e4], [1.0 / 3.0; 3]),
        ] {
            let found = stream(&scores, &[true; 3], values.view(), width(1));
            assert_alike(&found.weights, &wanted);
        }
    }

    /// By hand: scores ln 1, ln 2, then ln 8, in tiles of two.
    #[test]
    fn each_tile_says_what_it_did() {
        let scores = [1.0, 2.0, 8.0].map(libm::log);
        let values = array![[1.0], [1.0], [3.0]];
        let found = stream(&scores, &[true; 3], values.view(), width(2));
        let [first, last] = &found.tiles[..] else {
            panic!("two tiles")
        };
        assert_eq!((first.keys.clone(), last.keys.clone()), (0..2, 2..3));
        assert_eq!((first.max_before, first.max_after), (None, Some(scores[1])));
        assert_eq!(first.rescale, 1.0);
        assert_alike(&[first.sum, first.output[0]], &[1.5, 1.5]);
        assert_eq!(last.max_before, first.max_after);
        assert_eq!(
            (last.tile_max, last.max_after),
            (Some(scores[2]), Some(scores[2]))
        );
        assert_alike(&[last.rescale, last.tile_sum], &[0.25, 1.0]);
        assert_alike(&[last.sum, last.output[0]], &[1.375, 3.375]);
        assert_alike(&found.weights, &[1.0 / 11.0, 2.0 / 11.0, 8.0 / 11.0]);
        assert_alike(&found.context, &[27.0 / 11.0]);
    }

    #[test]
    fn a_tile_that_sees_nothing_changes_nothing() {
        let scores = [5.0, 1e4, 3.0];
        let values = array![[1.0], [2.0], [4.0]];
        let found = stream(&scores, &[true, false, false], values.view(), width(1));
        let [first, second, third] = &found.tiles[..] else {
            panic!("three tiles")
        };
        for tile in [second, third] {
            assert_eq!(
                (tile.tile_max, tile.max_after, tile.rescale),
                (None, Some(5.0), 1.0)
            );
            assert_eq!((tile.sum, &tile.output), (first.sum, &first.output));
        }
        assert_eq!(found.weights, [1.0, 0.0, 0.0]);
        let blind = stream(&scores, &[false; 3], values.view(), width(2));
        assert!(
            blind
                .tiles
                .iter()
                .all(|tile| tile.max_after.is_none() && tile.sum == 0.0)
        );
        assert_eq!((blind.weights, blind.context), (vec![0.0; 3], vec![0.0]));
    }
}
