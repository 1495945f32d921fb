//! An opened model: what can be opened, the field of its heads, what it says next, and what heads are needed for.

wasm_chunks::chunk!("model");

mod answer;
mod field;
mod lens;
mod opener;
mod why;

use super::{Markup, html};
use crate::i18n::{Language, text};
use crate::present::model_panel::{ModelPanel, OpenModel};
use crate::present::panel::PanelContext;
use crate::state::State;

/// The parts of the panel, which the style sheet places around the map.
pub fn panel(panel: &ModelPanel, state: &State, context: PanelContext<'_>) -> Markup {
    let open = panel.open.as_deref();
    let shown = open.filter(|open| open.is_shown(state));
    html! {
        div class="model-bar" { (opener::bar(&panel.opener, open, shown.is_some(), context)) }
        div class="model-heads" hidden[shown.is_none()] {
            @if let Some(open) = shown { (field::heads(open, state, context)) }
        }
        div class="model-most" hidden[shown.is_none()] {
            @if let Some(open) = shown {
                div { (field::most(open, state, context)) }
                div { (why::score(open, state, context.language)) }
            }
        }
        div class="model-answer" hidden[shown.is_none()] {
            @if let Some(open) = shown { (answer::answer(open, state, context.language)) }
        }
        div class="model-layers" hidden[!shown.is_some_and(|open| open.wants_table)] {
            @if let Some(open) = shown.filter(|open| open.wants_table) { (lens::table(open, context.language)) }
        }
    }
}

/// "layer 18 · head 5".
fn name(open: &OpenModel, head: usize, language: Language) -> String {
    let (layer, head) = open.layer_and_head(head);
    text::model_head(language, &(layer + 1), &(head + 1))
}

/// A line of a list: a name, a bar, and a value.
fn line(name: &Markup, share: f64, value: &str) -> Markup {
    let length = super::percent(share.clamp(0.0, 1.0));
    html! {
        (name)
        span class="bar" data-weight=(length) {}
        span class="value" { (value) }
    }
}
