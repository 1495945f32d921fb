//! The tiles of a row: their keys with the weights so far, and the running values behind each.

wasm_chunks::chunk!("more");

use super::{Markup, html, percent};
use crate::i18n::number::{self, CellStyle};
use crate::i18n::{Key, Language};
use crate::present::streaming::{Row, TileWalk};
use attention::streaming::Tile;

const COLUMNS: [Key; 5] = [
    Key::StreamingKeys,
    Key::StreamingMax,
    Key::StreamingRescale,
    Key::StreamingAdded,
    Key::StreamingSum,
];

/// A line for each tile; the first `done` of them have been read.
pub fn tiles(row: &Row, walk: &TileWalk, done: usize, language: Language) -> Markup {
    let weights = walk.weights(done);
    let is_end = done == walk.tiles().len();
    let class = |number: usize| match number {
        now if now == done => "is-now",
        seen if seen < done => "is-done",
        _ => "is-to-come",
    };
    html! {
        thead { tr { @for key in COLUMNS { th scope="col" { (key.text(language)) } } } }
        tbody {
            @for (at, tile) in walk.tiles().iter().enumerate() {
                tr class=(class(at + 1)) {
                    th scope="row" {
                        ul { @for at in tile.keys.clone() { (key(row, at, weights.get(at), is_end)) } }
                    }
                    @for number in numbers(tile) { td { @if at < done { (number) } } }
                }
            }
        }
    }
}

/// A key. A mask after the softmax comes when all tiles have been read.
fn key(row: &Row, at: usize, weight: Option<&f64>, is_end: bool) -> Markup {
    let is_lost = is_end && !row.kept[at];
    let share = weight.filter(|_| !is_lost).unwrap_or(&0.0);
    let written = weight.map(|weight| CellStyle::THREE_DECIMALS.write(*weight as f32));
    html! {
        li {
            span class="token" translate="no" { (row.keys[at]) }
            span class="bar" data-weight=(percent(*share)) {}
            span class="value" {
                @if !row.visible[at] { "–" }
                @else if is_lost { del { (written.unwrap_or_default()) } }
                @else { (written.unwrap_or_default()) }
            }
        }
    }
}

fn numbers(tile: &Tile) -> [String; 4] {
    let written = |number: f64| number::short(number as f32);
    [
        tile.max_after.map_or_else(|| "–".to_owned(), written),
        format!("×{}", written(tile.rescale)),
        format!("+{}", written(tile.tile_sum)),
        written(tile.sum),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use crate::present::streaming::sentence;
    use std::num::NonZeroUsize;

    fn walked(link: &str, row: usize) -> (Row, TileWalk) {
        let row = Row::from_run(&computed(link), 0, row).expect("the scores of the row");
        let walk = row.walk(NonZeroUsize::new(2).expect("two"));
        (row, walk)
    }

    #[test]
    fn tiles_to_come_have_no_numbers_yet() {
        let (row, walk) = walked("text=a+%3C+c+d+e&weights=random&open=streaming", 0);
        let [start, second, end] = [0, 2, 3].map(|done| tiles(&row, &walk, done, Language::En).0);
        assert_eq!(start.matches("<td></td>").count(), 12);
        assert_eq!(second.matches("<td></td>").count(), 4);
        assert!(
            second.contains("is-done")
                && second.contains("is-now")
                && second.contains("is-to-come")
        );
        assert!(
            !end.contains("<td></td>") && !end.contains("is-to-come"),
            "{end}"
        );
        assert!(end.contains(">&lt;</span>"), "{end}");
        let said = |done| sentence(&row, &walk, done, Language::En);
        assert_ne!(said(2), said(3));
        assert_eq!(said(0), Key::StreamingStart.text(Language::En));
    }

    #[test]
    fn hidden_keys_are_left_out_or_lose_their_weight_at_the_end() {
        let link = "text=a+b+c&mask=causal&weights=random&open=streaming&hiding=";
        let shown = |hiding: &str, done| {
            let (row, walk) = walked(&format!("{link}{hiding}"), 0);
            tiles(&row, &walk, done, Language::En).0
        };
        assert_eq!(shown("out", 2).matches(">–</span>").count(), 2);
        assert_eq!(shown("after", 2).matches("<del>").count(), 2);
        assert_eq!(shown("after", 1).matches("<del>").count(), 0);
    }
}
