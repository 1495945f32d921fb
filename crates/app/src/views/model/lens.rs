//! What each layer would say: at the place of the answer, and at every place.

wasm_chunks::chunk!("model");

use super::answer::shown;
use super::{Markup, html, line};
use crate::i18n::{Key, Language, text};
use crate::present::model_panel::OpenModel;
use crate::present::percent::percent;
use interpret::lens::Said;

/// At the place of the answer: the layers that change it.
pub(super) fn lens(open: &OpenModel, language: Language) -> Markup {
    let said = open.lens.get(&open.answer_place());
    let said = said.map_or(&[][..], Vec::as_slice);
    html! {
        h3 { (Key::ModelLens.text(language)) " " span class="note" { (Key::ModelLensName.text(language)) } }
        ol class="model-list model-lens" {
            @for (at, own) in said.iter().enumerate().filter(|(at, _)| is_told(said, *at)) {
                li {
                    span class="layer" { (layer(at, language)) }
                    (line(&html! { span class="of" translate="no" { (shown(&own.likeliest.text)) } }, own.answer, &percent(own.answer)))
                }
            }
        }
        p { button type="button" class="plain" data-do="layers" aria-expanded=(open.wants_table) { (Key::ModelLensAll.text(language)) } }
    }
}

/// At every place: a row for each layer, the embedding first.
pub(super) fn table(open: &OpenModel, language: Language) -> Markup {
    let (places, chosen) = (open.places_of_lens(), open.answer_place());
    let tokens = open.reading.as_ref().map_or(&[][..], |own| &own.tokens);
    html! {
        h2 { (Key::ModelLens.text(language)) " " span class="note" { (Key::ModelLensName.text(language)) } }
        p class="note" hidden[places.start == 0] { (text::model_lens_last(language, &places.len(), &tokens.len())) }
        div class="scrolls" tabindex="0" role="region" aria-label=(Key::ModelLens.text(language)) {
            table {
                thead { tr {
                    th scope="col" { (Key::ModelLensLayer.text(language)) }
                    @for at in places.clone() {
                        th scope="col" { button type="button" class="bare" data-do={ "place-" (at) } aria-pressed=(at == chosen) translate="no" { (tokens[at].name) } }
                    }
                } }
                tbody {
                    @for at in 0..=open.about.layers {
                        tr {
                            th scope="row" { (layer(at, language)) }
                            @for place in places.clone() { (cell(open.lens.get(&place).and_then(|own| own.get(at)))) }
                        }
                    }
                }
            }
        }
    }
}

fn cell(said: Option<&Said>) -> Markup {
    html! {
        @if let Some(Said { likeliest, .. }) = said {
            td data-weight=(super::super::percent(likeliest.share)) title=(percent(likeliest.share)) translate="no" { (shown(&likeliest.text)) }
        } @else {
            td {}
        }
    }
}

fn layer(at: usize, language: Language) -> String {
    match at {
        0 => Key::ModelEmbedding.text(language).to_owned(),
        at => at.to_string(),
    }
}

/// The first and the last, and where another word comes or the answer has grown by a hundredth.
fn is_told(said: &[Said], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|before| said.get(before)) else {
        return true;
    };
    let own = &said[at];
    at + 1 == said.len()
        || own.likeliest.id != before.likeliest.id
        || (own.answer - before.answer).abs() > 0.01
}
