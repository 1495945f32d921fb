//! The other view of the map: one head as curves from query tokens to key tokens. Pointing at a token shows its own curves; choosing
//! one selects its row, or the cell of its column.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": about);

use super::{Markup, html, percent, shapes};
use crate::i18n::{Key, Language};
use crate::present::token_curves::{TokenCurves, WIDTH};

/// The view.
pub fn curves(curves: &TokenCurves, language: Language) -> Markup {
    let text = |key: Key| key.text(language);
    let own = curves.shown().map(|shown| curves.of_token(shown));
    html! {
        div class="curves" id="curves" data-token-height={ (curves.row_height) "px" } hidden[!curves.is_drawn()] data-isolated[curves.held().is_some()] {
            div class="curves-titles" aria-hidden="true" {
                span class="is-query-text" { (text(Key::CurvesQueries)) }
                span class="is-key-text" { (text(Key::CurvesKeys)) }
            }
            div class="curves-board" {
                ul class="of-queries" id="curves-queries" aria-label=(text(Key::CurvesQueries)) translate="no" { (column(curves, 0)) }
                svg id="curves-lines" viewBox={ "0 0 " (WIDTH) " " (curves.height()) } height=(curves.height()) preserveAspectRatio="none" aria-hidden="true" {
                    defs {
                        linearGradient id="curves-hue" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2=(WIDTH) y2="0" {
                            stop class="from" offset="0.15" {}
                            stop class="to" offset="0.85" {}
                        }
                    }
                    g class="all" stroke="url(#curves-hue)" { (shapes(&curves.all)) }
                    g class="own" stroke="url(#curves-hue)" { (shapes(&own.unwrap_or_default())) }
                }
                ul id="curves-keys" aria-label=(text(Key::CurvesKeys)) translate="no" { (column(curves, 1)) }
            }
        }
        (about(&curves.note, language))
    }
}

/// What is said below the curves, and in their place while their code is on its way.
pub fn about(note: &str, language: Language) -> Markup {
    html! { p class="note" { span id="curves-note" { (note) } " " span { (Key::CurvesAbout.text(language)) } } }
}

/// The tokens of one side.
fn column(curves: &TokenCurves, side: usize) -> Markup {
    let shown = curves.shown();
    html! {
        @for token in shown.into_iter().flat_map(|shown| curves.column(side, shown)) {
            li {
                button type="button" data-do=(token.name) data-hover=(token.name) data-weight=(percent(token.share))
                    tabindex=(if token.is_stop { "0" } else { "-1" }) aria-pressed=(token.is_chosen) {
                    span class="token" { (token.token) }
                    span class="value" { (token.value) }
                }
            }
        }
    }
}
