//! Why a head looks where it looks, and what adds to the answer.

wasm_chunks::chunk!("model");

use super::{Markup, html, name};
use crate::i18n::{Key, Language, text};
use crate::present::model_panel::OpenModel;
use crate::state::State;
use model::attribute::{Attribution, Part, Source};

/// Parts that are listed; the others are summed.
const LISTED: usize = 4;

/// The score of the chosen cell as a sum.
pub(super) fn score(open: &OpenModel, state: &State, language: Language) -> Markup {
    let tokens = open
        .reading
        .as_ref()
        .map_or(&[][..], |reading| &reading.tokens);
    let Some((cell, why)) = open.why(state) else {
        return Markup::default();
    };
    let named = |at: usize| tokens.get(at).map_or("", |token| token.name.as_str());
    html! {
        h3 { (text::model_why(language, &named(cell.query), &named(cell.key))) }
        p class="note" { (text::model_by_key(language, &named(cell.key))) }
        (parts(open, &why.by_key, Some(cell.key), (Key::ModelScore, language)))
        details {
            summary { (text::model_by_query(language, &named(cell.query))) }
            (parts(open, &why.by_query, Some(cell.query), (Key::ModelScore, language)))
        }
        p class="note" { (Key::ModelExact.text(language)) }
    }
}

/// The logit of the answer as a sum.
pub(super) fn logit(open: &OpenModel, word: &str, language: Language) -> Markup {
    html! {
        @if let Some(own) = &open.parts {
            h3 { (text::model_adds(language, &word)) }
            (parts(open, own, Some(open.answer_place()), (Key::ModelLogit, language)))
        }
    }
}

/// The strongest parts, the others together, and the sum. `place` is where a head has looked from.
fn parts(
    open: &OpenModel,
    own: &Attribution,
    place: Option<usize>,
    (sum, language): (Key, Language),
) -> Markup {
    let (listed, others) = own.parts.split_at(LISTED.min(own.parts.len()));
    let rest: f64 = others.iter().map(|part| part.value).sum();
    html! {
        ol class="model-parts" {
            @for part in listed {
                li {
                    span class="of" { (source(open, part, place, language)) }
                    span class="value" { (signed(part.value)) }
                }
            }
            @if !others.is_empty() {
                li {
                    span class="of" { (text::model_others(language, &others.len())) }
                    span class="value" { (signed(rest)) }
                }
            }
            li class="sum" {
                span class="of" { (sum.text(language)) }
                span class="value" { (format!("{:.1}", own.score)) }
            }
        }
    }
}

/// A part by its name; a head leads to its map, and says where it had looked.
fn source(open: &OpenModel, part: &Part, place: Option<usize>, language: Language) -> Markup {
    match part.source {
        Source::Head(layer, head) => {
            let at = layer * open.about.heads + head;
            html! {
                button type="button" class="bare" data-do={ "head-" (at) } { (name(open, at, language)) }
                @if let Some(looked) = place.and_then(|place| looked(open, at, place, language)) { " " (looked) }
            }
        }
        Source::Mlp(layer) => html! { (text::model_mlp(language, &(layer + 1))) },
        Source::Token => html! { (Key::ModelToken.text(language)) },
        Source::Position => html! { (Key::ModelPosition.text(language)) },
        Source::TokenType => html! { (Key::ModelTokenType.text(language)) },
        Source::Bias => html! { (Key::ModelBias.text(language)) },
        Source::Distance => html! { (Key::ModelDistance.text(language)) },
    }
}

/// "which at “went” looked at “John” (0.93)".
fn looked(open: &OpenModel, head: usize, place: usize, language: Language) -> Option<String> {
    let tokens = &open.reading.as_ref()?.tokens;
    let (key, weight) = open.looks_at(head, place)?;
    let (from, to) = (&tokens.get(place)?.name, &tokens.get(key)?.name);
    Some(text::model_looked(
        language,
        from,
        to,
        &format!("{weight:.2}"),
    ))
}

fn signed(value: f64) -> String {
    if value < 0.0 {
        format!("−{:.1}", -value)
    } else {
        format!("+{value:.1}")
    }
}
