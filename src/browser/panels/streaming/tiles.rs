//! The tiles of a row: their numbers and how they are shown.

use std::fmt::Write as _;
use std::num::NonZeroUsize;

use ndarray::Array2;

use crate::browser::dom;
use crate::i18n::number::{self, CellStyle};
use crate::i18n::{Key, Language, text};
use crate::present::run::Run;
use crate::state::{Hiding, request_builder};
use attention::streaming::{Streamed, Tile, stream};

const STYLE: CellStyle = CellStyle {
    decimals: 3,
    leading_zero: true,
};

/// The row of one query.
#[derive(Clone, PartialEq)]
pub(super) struct Row {
    pub query: String,
    keys: Vec<String>,
    /// As they enter the softmax: divided by the temperature, and overwritten where hidden ones are.
    scores: Vec<f64>,
    visible: Vec<bool>,
    /// Those that keep their weight after the softmax.
    kept: Vec<bool>,
    /// As the run computed them.
    weights: Vec<f32>,
}

/// The row in tiles of one width.
pub(super) struct TileWalk {
    streamed: Streamed,
}

impl Row {
    /// The row of `query`; `None` while its scores are not there.
    pub(super) fn of(run: &Run, head: usize, query: usize) -> Option<Self> {
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

    pub(super) fn walk(&self, width: NonZeroUsize) -> TileWalk {
        let values = Array2::zeros((self.keys.len(), 0));
        TileWalk {
            streamed: stream(&self.scores, &self.visible, values.view(), width),
        }
    }
}

impl TileWalk {
    pub(super) fn tiles(&self) -> usize {
        self.streamed.tiles.len()
    }

    /// The weights that the first `done` tiles alone would have.
    fn weights(&self, done: usize) -> Vec<f64> {
        let tiles = &self.streamed.tiles[..done.min(self.tiles())];
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

/// A line for each tile: its keys with the weights so far, and the running values behind it.
pub(super) fn table(row: &Row, walk: &TileWalk, done: usize, language: Language) -> String {
    let heads = [
        Key::StreamingKeys,
        Key::StreamingMax,
        Key::StreamingRescale,
        Key::StreamingAdded,
        Key::StreamingSum,
    ];
    let mut html = String::from("<thead><tr>");
    for key in heads {
        // A string takes everything.
        let _ = write!(html, "<th scope=\"col\">{}</th>", key.text(language));
    }
    html += "</tr></thead><tbody>";
    let weights = walk.weights(done);
    for (at, tile) in walk.streamed.tiles.iter().enumerate() {
        let class = match at + 1 {
            now if now == done => "is-now",
            seen if seen < done => "is-done",
            _ => "is-to-come",
        };
        let _ = write!(html, "<tr class=\"{class}\">");
        keys(&mut html, row, tile, &weights, done == walk.tiles());
        numbers(&mut html, tile, at < done);
        html += "</tr>";
    }
    html + "</tbody>"
}

/// The keys of a tile. A mask after the softmax comes when all tiles have been read.
fn keys(html: &mut String, row: &Row, tile: &Tile, weights: &[f64], is_end: bool) {
    html.push_str("<th scope=\"row\"><ul>");
    for key in tile.keys.clone() {
        let weight = weights.get(key).copied();
        let is_lost = is_end && !row.kept[key];
        let value = match (row.visible[key], weight) {
            (false, _) => "–".to_owned(),
            (true, Some(weight)) if is_lost => {
                format!("<del>{}</del>", STYLE.write(weight as f32))
            }
            (true, Some(weight)) => STYLE.write(weight as f32),
            (true, None) => String::new(),
        };
        let share = if is_lost {
            0.0
        } else {
            100.0 * weight.unwrap_or(0.0)
        };
        let token = dom::escaped(&row.keys[key]);
        let _ = write!(
            html,
            "<li><span class=\"token\" translate=\"no\">{token}</span>\
             <span class=\"bar\" data-weight=\"{share:.1}%\"></span>\
             <span class=\"value\">{value}</span></li>"
        );
    }
    html.push_str("</ul></th>");
}

fn numbers(html: &mut String, tile: &Tile, is_done: bool) {
    let written = |number: f64| number::short(number as f32);
    let max = tile.max_after.map_or_else(|| "–".to_owned(), written);
    let all = [
        max,
        format!("×{}", written(tile.rescale)),
        format!("+{}", written(tile.tile_sum)),
        written(tile.sum),
    ];
    for number in all {
        let shown = if is_done { number.as_str() } else { "" };
        let _ = write!(html, "<td>{shown}</td>");
    }
}

/// What the last tile that is done did.
pub(super) fn sentence(row: &Row, walk: &TileWalk, done: usize, language: Language) -> String {
    let Some(tile) = done
        .checked_sub(1)
        .and_then(|at| walk.streamed.tiles.get(at))
    else {
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
    if done < walk.tiles() {
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
