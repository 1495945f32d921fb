//! The softmax of a row tile by tile: its numbers after each tile, and what the tile did.

wasm_chunks::chunk!("more");

use std::num::NonZeroUsize;

use ndarray::Array2;

use super::run::Run;
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::state::{Hiding, request_builder};
use attention::streaming::{Streamed, Tile, stream};

/// The row of one query.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub query: String,
    pub keys: Vec<String>,
    /// As they enter the softmax: divided by the temperature, and overwritten where hidden ones are.
    scores: Vec<f64>,
    pub visible: Vec<bool>,
    /// Those that keep their weight after the softmax.
    pub kept: Vec<bool>,
    /// As the run computed them.
    weights: Vec<f32>,
}

/// The row in tiles of one width.
pub struct TileWalk {
    streamed: Streamed,
}

impl Row {
    /// The row of `query`; `None` while its scores are not there.
    pub fn from_run(run: &Run, head: usize, query: usize) -> Option<Self> {
        let keys = run.keys.len();
        let numbers = run.numbers(head)?;
        let scores = numbers.scores.get(query * keys..(query + 1) * keys)?;
        let call = numbers.request.call();
        let seen = |key| request_builder::is_visible(&call.mask, query, key);
        let seen: Vec<bool> = (0..keys).map(seen).collect();
        let hiding = run.state.hiding;
        let entering = scores.iter().zip(&seen).map(|(score, seen)| {
            let written = call.masked_score.filter(|_| !seen);
            f64::from(written.unwrap_or(*score)) / f64::from(call.temperature)
        });
        Some(Self {
            query: run.queries.get(query)?.clone(),
            keys: run.keys.clone(),
            scores: entering.collect(),
            visible: match hiding {
                Hiding::LeftOut => seen.clone(),
                _ => vec![true; keys],
            },
            kept: match hiding {
                Hiding::AfterSoftmax => seen,
                _ => vec![true; keys],
            },
            weights: run.row(head, query).to_vec(),
        })
    }

    pub fn walk(&self, width: NonZeroUsize) -> TileWalk {
        let values = Array2::zeros((self.keys.len(), 0));
        TileWalk {
            streamed: stream(&self.scores, &self.visible, values.view(), width),
        }
    }
}

impl TileWalk {
    pub fn tiles(&self) -> &[Tile] {
        &self.streamed.tiles
    }

    /// The weights that the first `done` tiles alone would have.
    pub fn weights(&self, done: usize) -> Vec<f64> {
        let tiles = &self.tiles()[..done.min(self.tiles().len())];
        let sum = tiles.last().map_or(0.0, |tile| tile.sum);
        let mut correction = if sum == 0.0 { 0.0 } else { 1.0 / sum };
        let mut backwards = Vec::new();
        for tile in tiles.iter().rev() {
            backwards.extend(tile.exponentials.iter().rev().map(|one| one * correction));
            correction *= tile.rescale;
        }
        backwards.reverse();
        backwards
    }

    /// The largest difference to the weights of the map.
    fn difference(&self, row: &Row) -> f64 {
        let own = self.streamed.weights.iter().zip(&row.kept);
        own.zip(&row.weights)
            .map(|((own, kept), weight)| {
                let own = if *kept { *own } else { 0.0 };
                (own - f64::from(*weight)).abs()
            })
            .fold(0.0, f64::max)
    }
}

/// Describes the last tile that was processed.
pub fn sentence(row: &Row, walk: &TileWalk, done: usize, language: Language) -> String {
    let Some(tile) = done.checked_sub(1).and_then(|at| walk.tiles().get(at)) else {
        return Key::StreamingStart.text(language).to_owned();
    };
    let written = |number: f64| number::short(number as f32);
    let max = tile.max_after.map_or_else(String::new, written);
    let [rescale, added, sum] = [tile.rescale, tile.tile_sum, tile.sum].map(written);
    let did = match (tile.tile_max, tile.max_before) {
        (None, _) => text::streaming_blind(language, &done),
        (Some(_), None) => text::streaming_first(language, &done, &max, &sum),
        (Some(own), Some(before)) if own > before => {
            text::streaming_grows(language, &done, &max, &rescale, &added, &sum)
        }
        _ => text::streaming_stays(language, &done, &added, &sum),
    };
    if done < walk.tiles().len() {
        return did;
    }
    let difference = number::short(walk.difference(row) as f32);
    let end = if row.kept.contains(&false) {
        text::streaming_end_after
    } else {
        text::streaming_end
    };
    format!("{did} {}", end(language, &difference))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    /// Texts after each tile of the eighth token's row.
    fn said(link: &str, width: usize) -> Vec<String> {
        let run = computed(&format!(
            "text=The+animal+didn't+cross+the+street+because+it+was+too+tired&open=streaming&{link}"
        ));
        let row = Row::from_run(&run, 0, 7).expect("a row");
        let walk = row.walk(NonZeroUsize::new(width).expect("a width"));
        let tiles = 0..=walk.tiles().len();
        let said: Vec<_> = tiles
            .map(|done| sentence(&row, &walk, done, Language::En))
            .collect();
        let found = walk.weights(walk.tiles().len());
        for ((found, kept), weight) in found.iter().zip(&row.kept).zip(run.row(0, 7)) {
            let wanted = f64::from(*weight);
            assert!(!kept || (found - wanted).abs() < 1e-6, "{link}");
        }
        said
    }

    #[test]
    fn each_tile_says_what_it_did_to_the_sum() {
        let one_by_one = said("", 1);
        assert_eq!(one_by_one[0], "Nothing has been read yet.");
        assert!(one_by_one[1].contains("its largest score is"));
        // The word itself is not looked at, and "animal" most of all.
        assert!(one_by_one[2].contains("a larger score"), "{one_by_one:?}");
        assert!(one_by_one[3].contains("no larger score"), "{one_by_one:?}");
        let end = one_by_one.last().expect("the last tile");
        assert!(end.contains("the weights are those of the map"), "{end}");
    }

    #[test]
    fn what_is_hidden_is_left_out_or_taken_away_in_the_end() {
        let left_out = said("mask=causal", 1);
        assert!(
            left_out[9].contains("all its keys are hidden"),
            "{left_out:?}"
        );
        let after = said("mask=causal&hiding=after&weights=random", 4);
        let end = after.last().expect("the last tile");
        assert!(end.contains("Only now the mask takes away"), "{end}");
    }
}
