//! Weights as curves between two columns of tokens: queries on the left, keys on the right.
//!
//! Curves of similar weight share one path, so that thousands of them are a handful of shapes.

wasm_chunks::chunk!("more");

use std::fmt::Write as _;
use std::ops::Range;

/// Tokens per side up to which curves can still be told apart.
pub const MOST: usize = 128;

/// Weights below this are never drawn; a note says so.
pub const LEAST: f32 = 0.005;

/// Curves that a picture of all tokens shows at most: more of them are a grey cloth.
const MOST_CURVES: usize = 1500;

/// Steps of strength between nothing and a weight of 1.
const STEPS: usize = 12;

/// Where both columns stand, in the units of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Columns {
    /// Distance between the columns.
    pub width: f64,
    /// Height of one token.
    pub row: f64,
}

/// Curves of one strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Strand {
    /// The curves, in the notation of an SVG path.
    pub path: String,
    /// Opacity, 0…1.
    pub opacity: f64,
    /// Thickness, in the units of the drawing.
    pub thickness: f64,
}

/// The smallest weight that a picture of all `weights` draws: [`LEAST`], or more where that would be too many.
pub fn least(weights: &[f32]) -> f32 {
    let mut seen: Vec<f32> = weights.iter().copied().filter(|w| *w >= LEAST).collect();
    if seen.len() <= MOST_CURVES {
        return LEAST;
    }
    let (_, last, _) = seen.select_nth_unstable_by(MOST_CURVES, |one, other| other.total_cmp(one));
    // What is as strong as the first one left out is left out as well.
    last.next_up()
}

/// Which weights are drawn, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Keys of a row of the weights, drawn or not.
    pub row: usize,
    /// Queries that are drawn.
    pub queries: Range<usize>,
    /// Keys that are drawn.
    pub keys: Range<usize>,
    /// The smallest weight that is drawn.
    pub least: f32,
    /// Where both columns stand.
    pub columns: Columns,
}

/// The curves of `weights` (`[queries, keys]`), from the weakest strand to the strongest, so that the strongest lie on top.
pub fn strands(weights: &[f32], draw: &Draw) -> Vec<Strand> {
    let mut paths = vec![String::new(); STEPS];
    for query in draw.queries.clone() {
        for key in draw.keys.clone() {
            let weight = weights.get(query * draw.row + key).copied();
            if let Some(weight) = weight.filter(|weight| *weight >= draw.least) {
                draw.columns
                    .write_curve(&mut paths[step(weight)], query, key);
            }
        }
    }
    let strands = paths
        .into_iter()
        .enumerate()
        .filter(|(_, path)| !path.is_empty());
    strands
        .map(|(step, path)| Strand::new(path, strength(step)))
        .collect()
}

impl Strand {
    fn new(path: String, strength: f64) -> Self {
        Self {
            path,
            opacity: 0.12 + 0.88 * strength,
            thickness: 0.75 + 4.25 * strength,
        }
    }
}

impl Columns {
    /// Height of the middle of a token.
    pub fn middle(self, token: usize) -> f64 {
        (token as f64 + 0.5) * self.row
    }

    /// A curve that leaves and arrives level.
    fn write_curve(self, path: &mut String, query: usize, key: usize) {
        let (from, to) = (self.middle(query), self.middle(key));
        let (near, far) = (0.4 * self.width, 0.6 * self.width);
        // A string takes everything.
        let _ = write!(
            path,
            "M0 {from}C{near:.0} {from} {far:.0} {to} {} {to}",
            self.width
        );
    }
}

/// The step of a weight.
fn step(weight: f32) -> usize {
    ((weight * STEPS as f32) as usize).min(STEPS - 1)
}

/// The strength of a step: that of a weight in its middle.
fn strength(step: usize) -> f64 {
    (step as f64 + 0.5) / STEPS as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: Columns = Columns {
        width: 100.0,
        row: 20.0,
    };

    fn from_row(
        weights: &[f32],
        row: usize,
        queries: Range<usize>,
        keys: Range<usize>,
    ) -> Vec<Strand> {
        let draw = Draw {
            row,
            queries,
            keys,
            least: LEAST,
            columns: COLUMNS,
        };
        strands(weights, &draw)
    }

    #[test]
    fn a_curve_goes_from_the_middle_of_its_query_to_the_middle_of_its_key() {
        let strands = from_row(&[0.0, 0.0, 0.0, 0.0, 0.0, 1.0], 3, 0..2, 0..3);
        assert_eq!(strands.len(), 1);
        assert_eq!(strands[0].path, "M0 30C40 30 60 50 100 50");
        assert!(strands[0].opacity > 0.9);
    }

    #[test]
    fn the_stronger_weight_is_thicker_and_lies_on_top() {
        let strands = from_row(&[0.9, 0.1], 2, 0..1, 0..2);
        assert!(strands[0].path.ends_with("100 30"), "the weak one first");
        assert!(strands[1].path.ends_with("100 10"));
        assert!(strands[0].thickness < strands[1].thickness);
        assert!(strands[0].opacity < strands[1].opacity);
    }

    #[test]
    fn what_is_too_weak_to_be_seen_is_left_out() {
        assert!(from_row(&[LEAST * 0.99, 0.0], 2, 0..1, 0..2).is_empty());
        assert_eq!(from_row(&[LEAST, 0.0], 2, 0..1, 0..2).len(), 1);
    }

    #[test]
    fn of_too_many_the_strongest_are_drawn() {
        assert_eq!(least(&[0.3, 0.001, 0.7]), LEAST);
        let rising: Vec<f32> = (0..4000).map(|at| 0.01 + at as f32 * 1e-4).collect();
        let drawn = |weights: &[f32]| {
            let least = least(weights);
            weights.iter().filter(|weight| **weight >= least).count()
        };
        assert_eq!(drawn(&rising), MOST_CURVES);
        assert_eq!(drawn(&[0.25; 4000]), 0, "none is stronger than another");
    }

    #[test]
    fn one_token_can_be_taken_out_of_all() {
        let weights = [0.5; 6];
        let path = |queries, keys| from_row(&weights, 3, queries, keys)[0].path.clone();
        assert_eq!(path(1..2, 0..3).matches('M').count(), 3);
        assert_eq!(
            path(0..2, 2..3),
            "M0 10C40 10 60 50 100 50M0 30C40 30 60 50 100 50"
        );
        assert_eq!(path(0..2, 0..3).matches('M').count(), 6);
    }

    #[test]
    fn weights_beyond_one_and_sizes_that_lie_do_no_harm() {
        assert_eq!(from_row(&[7.0], 1, 0..3, 0..1).len(), 1);
        assert!(from_row(&[], 0, 0..0, 0..0).is_empty());
        assert_eq!(least(&[]), LEAST);
    }
}
