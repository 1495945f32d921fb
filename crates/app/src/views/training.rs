//! The training lab: curves, the wall of heads (`data-training-head`), the map whose rows are chosen (`data-training-row`) and whose
//! cells are hidden, the answer.

use super::painted_cell::painted_cell;
use super::{Markup, html, named_charts};
use crate::present::continuation::DrawnCharacter;
use crate::present::training::{HeadLine, TrainingView};

/// All curves, each under its name.
pub fn charts(view: &TrainingView<'_>) -> Markup {
    named_charts(&view.charts())
}

/// The loss as the track of the slider of steps: stretched over it, whatever its size.
pub fn track(view: &TrainingView<'_>) -> Markup {
    let places = view.track();
    let points = places
        .iter()
        .map(|(x, y)| format!("{:.2},{:.2}", 100.0 * x, 100.0 - 100.0 * y));
    let points: Vec<String> = points.collect();
    html! {
        svg viewBox="0 0 100 100" preserveAspectRatio="none" {
            polyline points=(points.join(" ")) {}
        }
    }
}

/// A canvas for each head, with its behaviour, the key with the chosen row's largest weight, and
/// the accuracy without the head.
pub fn wall(view: &TrainingView<'_>) -> Markup {
    html! {
        @for (head, line) in view.heads().iter().enumerate() {
            li {
                button type="button" data-training-head=(head) aria-pressed=(head == view.head) { (self::head(line)) }
            }
        }
    }
}

/// The heads of the other run.
pub fn other_wall(view: &TrainingView<'_>) -> Markup {
    html! {
        @for line in view.other_heads() { li { (head(&line)) } }
    }
}

fn head(line: &HeadLine) -> Markup {
    html! {
        canvas width="1" height="1" aria-hidden="true" {}
        span class="which" { (line.name) }
        span class="does" { (line.does) }
        span class="looks" { (line.looks) }
        @if !line.hidden.is_empty() { span class="hides" { (line.hidden) } }
        @if !line.without.is_empty() {
            span class=(if line.is_needed { "without is-needed" } else { "without" }) { (line.without) }
        }
    }
}

/// The map of the chosen head as a grid whose cells are hidden and shown.
pub fn map(view: &TrainingView<'_>) -> Markup {
    let words = view.words();
    let cells = view.cells();
    let mut cells = cells.iter().enumerate();
    html! {
        thead { tr { td {} @for word in &words { th scope="col" translate="no" { span { (word) } } } } }
        tbody {
            @for (row, word) in words.iter().enumerate() {
                tr class=(if row == view.row { "is-chosen" } else { "" }) {
                    th scope="row" translate="no" {
                        button type="button" data-training-row=(row) aria-pressed=(row == view.row) { (word) }
                    }
                    @for (at, cell) in cells.by_ref().take(words.len()) { (painted_cell(at, cell)) }
                }
            }
        }
    }
}

/// Generated text, with the likelihood of each character.
pub fn continuation(drawn: &[DrawnCharacter]) -> Markup {
    html! {
        @for character in drawn {
            span data-likelihood=(character.likelihood) title=(character.share) { (character.text) }
        }
    }
}

/// Answer of the model at the chosen row.
pub fn answer(view: &TrainingView<'_>) -> Markup {
    let [word, share, next] = view.answer();
    html! {
        span class="likeliest" translate="no" { (word) }
        " "
        span class="share" { (share) }
        span class="next" { (next) }
        span class="open" { (view.open_answer()) }
    }
}
