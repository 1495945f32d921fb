//! The Save menu: its buttons (`data-do`) and its fields (`data-field`). The browser draws the picture in `#save-preview`.

wasm_chunks::chunk!("more");

use super::data::{ONE, kind_menu};
use super::{Markup, html};
use crate::export::figures::{Format, Subject, note, refusal, size};
use crate::export::matrix_text::{Extent, Form, beginning};
use crate::export::picture_width::limits;
use crate::export::save_menu::{SaveMenu, SavedFile};
use crate::i18n::{Key, Language, text};
use crate::scene::colour::Background;
use crate::scene::figure::Figure;
use crate::scene::svg::Unit;

/// Data of the page that the menu shows.
pub struct SavePage<'a> {
    /// Every picture, and whether it is there.
    pub subjects: [(Subject, bool); Subject::ALL.len()],
    /// The one that is chosen.
    pub figure: Option<&'a Figure>,
    /// How many numbers there are.
    pub numbers: String,
    /// A note about the text, or why there is none.
    pub note: String,
}

/// The menu.
pub fn menu(menu: &SaveMenu, page: &SavePage<'_>, language: Language) -> Markup {
    html! {
        div class="sheet-head" {
            h2 { (Key::Save.text(language)) }
            button type="button" class="plain" popovertarget="save-panel" popovertargetaction="hide" { (Key::ShareClose.text(language)) }
        }
        section class="save-group" id="save-picture" aria-labelledby="save-picture-name" {
            h3 id="save-picture-name" { (Key::SavePicture.text(language)) }
            div class="save-sheet" { img id="save-preview" alt=(page.figure.map_or("", |figure| &figure.title)); }
            div class="save-choices" {
                (picture_choices(menu, page, language))
                (picture_file(menu, page.figure, language))
            }
        }
        section class="save-group" id="save-numbers" aria-labelledby="save-numbers-name" {
            h3 id="save-numbers-name" { (Key::SaveNumbers.text(language)) }
            p class="note" id="numbers-size" { (page.numbers) }
            p class="save-row" {
                label { span { (Key::SaveFormat.text(language)) } " " (kind_menu("numbers-kind", "numbers-kind", menu.kind, &ONE)) }
                button type="button" class="plain" id="numbers-take" data-do="numbers" { (text::save_as(language, &menu.kind.name())) }
            }
            p class="note" id="numbers-said" role="status" { (sentence(menu.numbers.as_ref(), language)) }
        }
        section class="save-group" id="save-text" aria-labelledby="save-text-name" {
            h3 id="save-text-name" { (Key::SaveText.text(language)) }
            div class="save-choices" { (matrix_text(menu, page, language)) }
        }
    }
}

fn picture_choices(menu: &SaveMenu, page: &SavePage<'_>, language: Language) -> Markup {
    let choices = &menu.choices;
    let (least, most) = limits(choices.unit);
    let formats =
        Format::ALL.map(|format| (format.name(), format == choices.format, Err(format.label())));
    let grounds = [
        ("light", Background::Light, Key::SaveWhite),
        ("dark", Background::Dark, Key::SaveDark),
    ];
    let grounds = grounds.map(|(value, ground, key)| (value, ground == choices.ground, Ok(key)));
    let scales = [(1, "1"), (2, "2"), (3, "3"), (4, "4")];
    let scales =
        scales.map(|(scale, value)| (value, scale == choices.scale, Err(format!("{value}×"))));
    html! {
        label class="save-row" {
            span { (Key::SaveOf.text(language)) }
            select id="save-subject" autocomplete="off" data-field="save-subject" data-value=(choices.subject.name()) {
                @for (subject, is_there) in page.subjects {
                    option value=(subject.name()) disabled[!is_there] hidden[!is_there] { (subject_name(subject).text(language)) }
                }
            }
        }
        div class="save-row" { (radios("save-format", Key::SaveFormat, formats, language)) }
        div class="save-row" { (radios("save-ground", Key::SaveGround, grounds, language)) }
        div class="save-row" {
            label for="save-width" { (Key::SaveWidth.text(language)) }
            span {
                input class="number" id="save-width" type="number" min=(least) max=(most) step="any" autocomplete="off"
                    data-field="save-width" data-value=(menu.width);
                select id="save-unit" autocomplete="off" translate="no" aria-label=(Key::SaveUnit.text(language))
                    data-field="save-unit" data-value=(if choices.unit == Unit::Px { "px" } else { "mm" }) {
                    option value="mm" translate="no" { "mm" }
                    option value="px" translate="no" { "px" }
                }
            }
        }
        div class="save-row" id="save-scale" hidden[choices.format != Format::Png] { (radios("save-scale", Key::SaveScale, scales, language)) }
        label class="tick" {
            input type="checkbox" id="save-words" autocomplete="off" data-field="save-words" data-value=(choices.has_words);
            span { (Key::SaveWords.text(language)) }
        }
        label class="tick" hidden[choices.subject != Subject::Map] {
            input type="checkbox" id="save-outline" autocomplete="off" data-field="save-outline" data-value=(choices.has_outline);
            span { (Key::SaveOutline.text(language)) }
        }
    }
}

/// How large the picture is going to be, what is to be known of it, and the button that saves it.
fn picture_file(menu: &SaveMenu, figure: Option<&Figure>, language: Language) -> Markup {
    let choices = &menu.choices;
    let refusal = figure.and_then(|figure| refusal(figure, choices, language));
    let is_off = figure.is_none() || refusal.is_some();
    let note = || figure.map(|figure| note(figure, choices, language));
    html! {
        p class="note" id="save-size" { @if let Some(figure) = figure { (size(figure, choices, language)) } }
        p class="note" id="save-note" aria-live="polite" { (refusal.or_else(note).unwrap_or_default()) }
        p {
            button type="button" class="plain" id="save-take" data-do="picture" disabled[is_off] {
                (text::save_as(language, &choices.format.label()))
            }
        }
        p class="note" id="save-said" role="status" { (sentence(menu.picture.as_ref(), language)) }
    }
}

fn matrix_text(menu: &SaveMenu, page: &SavePage<'_>, language: Language) -> Markup {
    let extents = Extent::ALL.map(|extent| {
        (
            extent.name(),
            extent == menu.extent,
            Ok(extent_name(extent)),
        )
    });
    let forms = Form::ALL.map(|form| (form.name(), form == menu.form, form_name(form)));
    let text = menu.text.as_deref().unwrap_or_default();
    let said = menu.is_copied.map(|is_copied| match is_copied {
        true => Key::TextCopied,
        false => Key::TextNotCopied,
    });
    html! {
        div class="save-row" { (radios("text-extent", Key::SaveOf, extents, language)) }
        div class="save-row" { (radios("text-form", Key::TextForm, forms, language)) }
        textarea class="save-written" id="text-written" readonly rows="6" spellcheck="false" wrap="off" translate="no" lang=(language.tag())
            aria-label=(Key::TextWritten.text(language)) hidden[text.is_empty()] data-value=(beginning(text)) {}
        p class="note" id="text-note" { (page.note) }
        p { button type="button" class="plain" id="text-copy" data-do="copy" disabled[text.is_empty()] { (Key::TextCopy.text(language)) } }
        p class="note" id="text-said" role="status" { @if let Some(said) = said { (said.text(language)) } }
    }
}

/// A word of the page, or a name that is the same in each language.
type Label = Result<Key, String>;

/// A group of radios with its heading: of each its value, whether it is chosen, and its label.
fn radios<const N: usize>(
    name: &str,
    heading: Key,
    options: [(&str, bool, Label); N],
    language: Language,
) -> Markup {
    html! {
        span id={ (name) "-name" } { (heading.text(language)) }
        fieldset class="choice small" aria-labelledby={ (name) "-name" } {
            @for (value, is_chosen, label) in options {
                label {
                    input type="radio" name=(name) value=(value) data-field=(name) data-value=[is_chosen.then_some(value)];
                    @match label {
                        Ok(key) => span { (key.text(language)) },
                        Err(own) => span translate="no" { (own) },
                    }
                }
            }
        }
    }
}

fn sentence(file: Option<&SavedFile>, language: Language) -> String {
    file.map_or_else(String::new, |file| file.sentence(language))
}

fn subject_name(subject: Subject) -> Key {
    match subject {
        Subject::Map => Key::SaveMap,
        Subject::Heads => Key::SaveHeads,
        Subject::Compare => Key::SaveCompare,
        Subject::Curves => Key::SaveCurves,
        Subject::Entropy => Key::ChartEntropy,
        Subject::Itself => Key::ChartItself,
        Subject::First => Key::ChartFirst,
        Subject::Histogram => Key::ChartWeights,
        Subject::Similar => Key::ChartSimilar,
        Subject::Cost => Key::CostCurves,
    }
}

fn extent_name(extent: Extent) -> Key {
    match extent {
        Extent::Cell => Key::TextCell,
        Extent::Row => Key::TextRow,
        Extent::Matrix => Key::TextMatrix,
    }
}

fn form_name(form: Form) -> Label {
    match form {
        Form::Tabs => Ok(Key::TextTabs),
        Form::Python => Err("Python".to_owned()),
        Form::Plain => Ok(Key::TextPlain),
        Form::Latex => Err("LaTeX".to_owned()),
    }
}
