//! The line above the map: what is open, or what can be opened.

wasm_chunks::chunk!("model");

use super::{Markup, html};
use crate::Refusal;
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::present::model_panel::{OpenModel, Opener};
use crate::present::panel::PanelContext;

/// The open model, and what else can be opened.
pub(super) fn bar(
    opener: &Opener,
    open: Option<&OpenModel>,
    is_shown: bool,
    context: PanelContext<'_>,
) -> Markup {
    let language = context.language;
    let is_choosing = open.is_none() || opener.is_wanted;
    html! {
        @if let Some(open) = open { (about(open, is_shown, is_choosing, language)) }
        div class="model-opener" hidden[!is_choosing || opener.opening.is_some()] {
            p { (Key::ModelOpenerAbout.text(language)) }
            p class="model-ways" {
                label { input type="file" id="model-files" multiple accept=".gguf,.safetensors,.json"; span class="plain" { (Key::ModelChoose.text(language)) } }
                label { input type="file" id="model-folder" webkitdirectory; span class="plain" { (Key::ModelChooseFolder.text(language)) } }
                span { (Key::ImportDrop.text(language)) }
            }
            (offers(opener, language))
            (remembered(opener, language))
        }
        (opening(opener, language))
        p class="model-problem" role="alert" { (opener.refusal.as_ref().map(|own| refusal(own, language)).unwrap_or_default()) }
    }
}

fn about(open: &OpenModel, is_shown: bool, is_choosing: bool, language: Language) -> Markup {
    let about = &open.about;
    let size = number::bytes(about.bytes as u64);
    html! {
        p class="model-about" {
            b translate="no" { (about.name) }
            " · " (text::model_about(language, &about.layers, &about.heads, &size)) " "
            span class="model-tools" {
                button type="button" class="bare" data-do="show" hidden[is_shown] { (Key::ModelShow.text(language)) }
                button type="button" class="bare" data-do="another" aria-expanded=(is_choosing) { (Key::ModelAnother.text(language)) }
                button type="button" class="bare" data-do="close" { (Key::ModelClose.text(language)) }
            }
        }
        p class="model-problem" role="alert" { (open.refusal.as_ref().map(|own| refusal(own, language)).unwrap_or_default()) }
    }
}

fn offers(opener: &Opener, language: Language) -> Markup {
    html! {
        ul class="model-offers" hidden[opener.offered.is_empty()] {
            @for (at, offer) in opener.offered.iter().enumerate() {
                li {
                    button type="button" class="plain" data-do={ "offer-" (at) } {
                        span translate="no" { (offer.name) } " · " (number::bytes(offer.bytes as u64))
                    }
                    " " span class="note" { (text::model_offered(language, &offer.licence)) }
                }
            }
        }
    }
}

fn remembered(opener: &Opener, language: Language) -> Markup {
    html! {
        p class="model-before" hidden[opener.remembered.is_empty()] {
            (Key::ModelBefore.text(language)) " "
            @for (at, name) in opener.remembered.iter().enumerate() {
                button type="button" class="plain" data-do={ "again-" (at) } translate="no" { (name) } " "
            }
            button type="button" class="bare" data-do="forget" { (Key::ModelForget.text(language)) }
        }
    }
}

fn opening(opener: &Opener, language: Language) -> Markup {
    let bytes = |count: f64| number::bytes(count as u64);
    html! {
        div class="model-opening" hidden[opener.opening.is_none()] {
            @if let Some(own) = &opener.opening {
                progress max="1" value=(own.share()) aria-label=(Key::ModelOpening.text(language)) {}
                span class="model-read" {
                    @if own.total > 0.0 { (text::model_read(language, &bytes(own.read), &bytes(own.total))) }
                    @else { (Key::ModelOpening.text(language)) }
                    @if let Some(left) = own.seconds_left().filter(|left| *left >= 1.0) {
                        " " (text::model_left(language, &format!("{left:.0}")))
                    }
                }
                button type="button" class="plain" data-do="cancel" { (Key::ModelCancel.text(language)) }
            }
        }
    }
}

/// A refusal in the reader's language: what was refused, what was found, and the rule.
fn refusal(refusal: &Refusal, language: Language) -> String {
    let Refusal {
        code,
        field,
        value,
        message,
    } = refusal;
    let of = |said: fn(Language, &dyn std::fmt::Display, &dyn std::fmt::Display) -> String| {
        said(language, field, value)
    };
    match (language, code.as_str()) {
        (_, Refusal::LEFT_OUT) => Key::ModelLeftOut.text(language).to_owned(),
        (_, Refusal::NOT_AS_LISTED) => text::model_refused_other_file(language, field),
        (_, Refusal::NOT_THERE) => text::model_refused_gone(language, field),
        (_, Refusal::NOT_LOADED) => text::model_refused_unloaded(language, field),
        (Language::En, _) => message.clone(),
        (_, "missing_field") => text::model_refused_missing(language, field),
        (_, "too_large") => {
            of(|language, field, value| text::model_refused_large(language, &field, &value))
        }
        (_, "shape_mismatch") => {
            of(|language, field, value| text::model_refused_shape(language, &field, &value))
        }
        (_, "not_finite") => text::model_refused_number(language, field),
        _ if field.is_empty() => message.clone(),
        _ => of(|language, field, value| text::model_refused_other(language, &field, &value)),
    }
}
