//! What the model says next, and what becomes of it without a head.

wasm_chunks::chunk!("model");

use super::lens::lens;
use super::why::logit;
use super::{Markup, html, line, name};
use crate::i18n::{Key, Language, text};
use crate::present::model_panel::{Choice, OpenModel, WARMEST};
use crate::present::percent::percent;
use crate::state::State;
use interpret::Next;

/// Words in the list.
const WORDS: usize = 5;
/// Heads in the list.
const HEADS: usize = 5;

/// The column beside the map; what it would say is said where a model says nothing.
pub(super) fn answer(open: &OpenModel, state: &State, language: Language) -> Markup {
    let title = if open.about.is_causal {
        Key::ModelNext
    } else {
        Key::ModelMasked
    };
    html! {
        div class="model-title" { h2 { (title.text(language)) } }
        @if open.about.has_logits {
            (places(open, language))
            (words(open.next.as_ref(), language))
            (writing(open, language))
            (needed(open, state, language))
            (lens(open, language))
            @if let Some(own) = open.next.as_ref().filter(|_| open.about.is_causal).and_then(|next| next.likeliest.first()) { (logit(open, shown(&own.text), language)) }
        } @else {
            p { (Key::ModelSilent.text(language)) }
        }
    }
}

/// Which token the words come after.
fn places(open: &OpenModel, language: Language) -> Markup {
    let tokens = open
        .reading
        .as_ref()
        .map_or(&[][..], |reading| &reading.tokens);
    let chosen = open.answer_place();
    html! {
        p class="model-place" {
            label for="model-place" { (if open.about.is_causal { Key::ModelAfter } else { Key::ModelAt }.text(language)) } " "
            select id="model-place" autocomplete="off" data-field="place" data-value=(chosen) translate="no" {
                @for (at, token) in tokens.iter().enumerate() {
                    option value=(at) { (at + 1) " · " (token.name) }
                }
            }
        }
    }
}

fn words(next: Option<&Next>, language: Language) -> Markup {
    let all = next.map_or(&[][..], |next| &next.likeliest);
    let largest = all
        .first()
        .map_or(1.0, |own| own.share.max(f64::MIN_POSITIVE));
    html! {
        p class="model-likeliest" translate="no" {
            @if let Some(own) = all.first() { (shown(&own.text)) " " span class="share" { (percent(own.share)) } }
        }
        ul class="model-list model-words" aria-label=(Key::ModelLikeliest.text(language)) {
            @for own in all.iter().take(WORDS) {
                li { (line(&html! { span class="of" translate="no" { (shown(&own.text)) } }, own.share / largest, &percent(own.share))) }
            }
        }
        details class="model-rest" hidden[all.len() <= WORDS] {
            summary { (Key::ModelTen.text(language)) }
            ul class="model-list model-words" {
                @for own in all.iter().skip(WORDS) {
                    li { (line(&html! { span class="of" translate="no" { (shown(&own.text)) } }, own.share / largest, &percent(own.share))) }
                }
            }
        }
    }
}

/// A word without the space that it begins with.
pub(super) fn shown(word: &str) -> &str {
    word.strip_prefix('␣')
        .filter(|rest| !rest.is_empty())
        .unwrap_or(word)
}

fn writing(open: &OpenModel, language: Language) -> Markup {
    let is_writing = open.writing > 0;
    let temperature = open.temperature;
    let said = if temperature == 0 {
        Key::ModelGreedy.text(language).to_owned()
    } else {
        text::model_temperature_now(language, &format!("{:.1}", f64::from(temperature) / 100.0))
    };
    html! {
        div class="model-write" hidden[!open.about.is_causal] {
            button type="button" class="plain" data-do="write" aria-pressed=(is_writing) {
                (if is_writing { Key::ModelStop } else { Key::ModelWrite }.text(language))
            }
            label { span class="unseen" { (Key::ModelTemperature.text(language)) }
                input type="range" id="model-temperature" min="0" max=(WARMEST) step="10" autocomplete="off" data-field="temperature" data-value=(temperature); }
            span class="note" { (said) }
        }
    }
}

/// What becomes of the answer without heads.
fn needed(open: &OpenModel, state: &State, language: Language) -> Markup {
    let Some(word) = open.next.as_ref().and_then(|next| next.likeliest.first()) else {
        return Markup::default();
    };
    let ranked = open.ranked(Choice::Need, HEADS);
    let most = ranked
        .first()
        .map_or(1.0, |own| own.value.max(f64::MIN_POSITIVE));
    let known = open.values(Choice::Need).iter().flatten().count();
    html! {
        h3 { (text::model_needed(language, &shown(&word.text))) }
        (switch(open, state, shown(&word.text), language))
        @if open.wants_needs {
            ol class="model-list model-needs" {
                @for own in &ranked {
                    li {
                        button type="button" data-do={ "head-" (own.head) } {
                            (line(&html! { span class="of" { (name(open, own.head, language)) } }, own.value / most, &lost(own.value)))
                        }
                    }
                }
            }
            p class="note" hidden[known >= open.heads()] { (text::model_tried(language, &known, &open.heads())) }
        } @else {
            p { button type="button" class="plain" data-do="need" { (text::model_try(language, &open.heads())) } }
        }
    }
}

fn lost(value: f64) -> String {
    if value < 0.0 {
        format!("+{}", percent(-value))
    } else {
        format!("−{}", percent(value))
    }
}

/// The button for the head on the map, and what has become of the answer.
fn switch(open: &OpenModel, state: &State, word: &str, language: Language) -> Markup {
    let Some(chosen) = open.chosen(state) else {
        return Markup::default();
    };
    let (layer, head) = open.layer_and_head(chosen);
    let is_off = open.off.contains(&(layer, head));
    let named = if is_off {
        text::model_switch_on
    } else {
        text::model_switch_off
    };
    html! {
        p {
            button type="button" class="plain" data-do="off" aria-pressed=(is_off) { (named(language, &(layer + 1), &(head + 1))) }
        }
        p class="model-patch" {
            label for="model-patch" { (text::model_patch(language, &(layer + 1), &(head + 1))) }
            input type="text" id="model-patch" autocomplete="off" spellcheck="false" translate="no" data-field="patch" data-value=(open.patch.as_ref().map_or("", |own| &own.text));
        }
        p class="model-changed" role="status" { (changed(open, state, word, language)) }
        @if open.intervention(state).is_some() {
            p { button type="button" class="plain" data-do="program" { (Key::ModelProgram.text(language)) } }
        }
    }
}

fn changed(open: &OpenModel, state: &State, word: &str, language: Language) -> String {
    let (Some(base), Some(next)) = (open.answer_share(), open.changed(state)) else {
        return String::new();
    };
    let now = percent(next.asked.unwrap_or(0.0));
    let what = what_is_changed(open, state, language);
    let other = next.likeliest.first().map_or("", |own| shown(&own.text));
    if other == word {
        text::model_falls(language, &what, &word, &percent(base), &now)
    } else {
        text::model_changes(language, &what, &word, &percent(base), &now, &other)
    }
}

/// "Without layer 2 · head 6, with cells of this layer hidden".
fn what_is_changed(open: &OpenModel, state: &State, language: Language) -> String {
    let named = |layer: usize, head: usize| name(open, layer * open.about.heads + head, language);
    let off: Vec<String> = open.off.iter().map(|own| named(own.0, own.1)).collect();
    let without = (!off.is_empty()).then(|| text::model_without(language, &off.join(", ")));
    let hidden = open
        .hides_cells(state)
        .then(|| Key::ModelHidden.text(language).to_owned());
    let patched = open.patch.as_ref();
    let patched =
        patched.map(|own| text::model_patched(language, &named(own.layer, own.head), &own.text));
    let parts: Vec<String> = [without, hidden, patched].into_iter().flatten().collect();
    let all = parts.join(", ");
    let mut letters = all.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}
