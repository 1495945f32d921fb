//! The Share dialog: its buttons (`data-do`), its fields (`data-field`), and its large QR code. A frame is put in `#share-frame` by
//! the browser.

wasm_chunks::chunk!("more");

use super::share_parts::share_parts;
use super::{Markup, html};
use crate::i18n::{Key, Language, text};
use crate::share::{Extent, Form, ShareDialog, ThemeChoice, WIDTHS, label, note};
use crate::state::{LESSON_LIST, Panel, Part, State};

/// Both dialogs.
pub fn dialogs(dialog: &ShareDialog, state: &State, language: Language) -> Markup {
    let options = &dialog.options;
    let close = Key::ShareClose.text(language);
    html! {
        dialog class="share" id="share" closedby="any" aria-labelledby="share-title" data-form=(options.form.name()) data-extent=(options.extent.name()) {
            div class="sheet-head" {
                h2 id="share-title" { (Key::ShareTitle.text(language)) }
                button type="button" class="plain" id="share-close" data-do="close" { (close) }
            }
            p class="about" { (Key::ShareAbout.text(language)) }
            div class="share-make" {
                (copied(dialog, state, language))
                (code(dialog, language))
            }
            details class="share-wishes" id="share-wishes" {
                summary { (Key::ShareWishes.text(language)) }
                div {
                    (extents(dialog, language))
                    (others(dialog, language))
                    div class="share-parts" id="share-parts" role="group" aria-label=(Key::ShareParts.text(language)) { (share_parts(dialog, language)) }
                }
            }
            (preview(dialog, language))
        }
        dialog class="share-large" id="share-large" aria-label=(Key::ShareQr.text(language)) {
            button type="button" id="share-large-close" data-do="shrink" { (close) }
            svg id="share-large-code" viewBox=(view_box(dialog)) shape-rendering="crispEdges" role="img" aria-label=(Key::ShareQr.text(language)) {
                path d=(path(dialog)) {}
            }
            p id="share-large-link" translate="no" { (dialog.written.code) }
        }
    }
}

/// The text to copy, as a link or as an embed.
fn copied(dialog: &ShareDialog, state: &State, language: Language) -> Markup {
    let write = match state.lesson.as_str() {
        "" | LESSON_LIST => Key::LessonWriteOwn,
        _ => Key::LessonWrite,
    };
    html! {
        div class="share-text" {
            fieldset class="choice small" aria-label=(Key::ShareAs.text(language)) {
                @for form in Form::ALL {
                    label { (radio("form", form.name(), form == dialog.options.form)) span { (form_name(form).text(language)) } }
                }
            }
            (handed_on(dialog, language))
            p class="note" id="share-note" { (note(dialog.options.form, state).text(language)) }
            p { button type="button" class="bare" id="share-write" data-do="write" hidden[state.embed] { (write.text(language)) } }
        }
    }
}

/// The text with a button that copies it, or a button that saves the page as a file.
fn handed_on(dialog: &ShareDialog, language: Language) -> Markup {
    let said = dialog.said.map_or("", |said| said.text(language));
    let (does, what) = match dialog.options.form {
        Form::File => ("save", Key::ShareSave),
        _ => ("copy", Key::ShareCopy),
    };
    html! {
        div class="share-hand" {
            @if dialog.options.form != Form::File {
                textarea id="share-text" rows="4" readonly spellcheck="false" autocomplete="off" aria-label=(Key::ShareText.text(language))
                    aria-describedby="share-note" translate="no" data-value=(dialog.written.text) {}
            }
            p class="share-do" {
                button type="button" class="plain" id={ "share-" (does) } data-do=(does) { (what.text(language)) }
                span id="share-said" role="status" { (said) }
            }
        }
    }
}

/// The QR code, or why there is none.
fn code(dialog: &ShareDialog, language: Language) -> Markup {
    let too_long = dialog.code.as_ref().err();
    html! {
        div class="share-qr" hidden[dialog.options.form == Form::File] {
            button type="button" class="share-enlarge" id="share-enlarge" aria-haspopup="dialog" data-do="enlarge" hidden[too_long.is_some()] {
                svg id="share-code" viewBox=(view_box(dialog)) shape-rendering="crispEdges" aria-hidden="true" { path d=(path(dialog)) {} }
                span { (Key::ShareEnlarge.text(language)) }
            }
            p class="note" id="share-qr-instead" aria-live="polite" {
                @if let Some(long) = too_long { (text::share_qr_long(language, &long.bytes, &long.most)) }
            }
        }
    }
}

fn view_box(dialog: &ShareDialog) -> String {
    let side = dialog.code.as_ref().map_or(1, |code| code.side);
    format!("0 0 {side} {side}")
}

fn path(dialog: &ShareDialog) -> &str {
    dialog.code.as_ref().map_or("", |code| code.path.as_str())
}

/// How much of the page is shown.
fn extents(dialog: &ShareDialog, language: Language) -> Markup {
    let options = &dialog.options;
    html! {
        fieldset class="share-extents" {
            legend { (Key::ShareExtent.text(language)) }
            @for extent in Extent::ALL {
                label class="tick" { (radio("extent", extent.name(), extent == options.extent)) span { (extent_name(extent).text(language)) } }
                @if extent == Extent::Panel {
                    label class="share-panel-of" {
                        span class="unseen" { (Key::SharePanel.text(language)) }
                        select id="share-panel" autocomplete="off" data-field="panel" data-value=(options.panel.name()) {
                            @for panel in Panel::ALL {
                                option value=(panel.name()) { (label_of(panel).text(language)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Language, theme, sites, and the lock of all controls.
fn others(dialog: &ShareDialog, language: Language) -> Markup {
    let options = &dialog.options;
    let own = options.language.map_or("", Language::code);
    let sites_note = dialog.problem.unwrap_or(Key::ShareOriginsNote);
    html! {
        div class="share-others" {
            div class="row" {
                label for="share-language" { (Key::FieldLanguage.text(language)) }
                select id="share-language" autocomplete="off" data-field="language" data-value=(own) {
                    option value="" { (Key::ShareReader.text(language)) }
                    @for (one, name) in LANGUAGES { option value=(one.code()) lang=(one.tag()) translate="no" { (name) } }
                }
            }
            div class="row" {
                label for="share-theme" { (Key::FieldTheme.text(language)) }
                select id="share-theme" autocomplete="off" data-field="theme" data-value=(options.theme.name()) {
                    @for theme in ThemeChoice::ALL { option value=(theme.name()) { (theme_name(theme).text(language)) } }
                }
            }
            div class="share-sites" {
                label for="share-origins" { (Key::FieldOrigins.text(language)) }
                input type="text" id="share-origins" autocomplete="off" spellcheck="false" inputmode="url" placeholder="https://course.example"
                    translate="no" aria-describedby="share-origins-note" aria-invalid=(dialog.problem.is_some()) data-field="origins" data-value=(dialog.sites);
                p class="note" id="share-origins-note" { (sites_note.text(language)) }
            }
            label class="tick" {
                input type="checkbox" id="share-lock-all" autocomplete="off" data-field="lock-all" data-value=(dialog.locks_all);
                span { (Key::ShareLockAll.text(language)) }
            }
        }
    }
}

/// The place of the frame, and its width.
fn preview(dialog: &ShareDialog, language: Language) -> Markup {
    let width = Key::ShareWidth.text(language);
    html! {
        details class="share-preview" id="share-preview" data-field="preview" {
            summary { (Key::SharePreview.text(language)) }
            div {
                div class="share-width" {
                    span aria-hidden="true" { (width) }
                    fieldset class="choice small" aria-label=(width) {
                        @for width in WIDTHS {
                            label { (radio("width", &width.to_string(), width == dialog.width)) span translate="no" { (width) } }
                        }
                    }
                }
                div class="share-frame" id="share-frame" {}
            }
        }
    }
}

fn radio(field: &str, value: &str, is_chosen: bool) -> Markup {
    html! {
        input type="radio" name={ "share-" (field) } value=(value) autocomplete="off" data-field=(field) data-value=[is_chosen.then_some(value)];
    }
}

/// Names of languages, as they write themselves.
const LANGUAGES: [(Language, &str); 2] = [(Language::En, "English"), (Language::Zh, "中文")];

fn form_name(form: Form) -> Key {
    match form {
        Form::Link => Key::ShareLink,
        Form::Frame => Key::ShareIframe,
        Form::Element => Key::ShareElement,
        Form::Markdown => Key::ShareMarkdown,
        Form::File => Key::ShareFile,
    }
}

fn extent_name(extent: Extent) -> Key {
    match extent {
        Extent::Whole => Key::ShareWhole,
        Extent::Compact => Key::ShareCompact,
        Extent::Chosen => Key::ShareChosen,
        Extent::Panel => Key::ShareOnePanel,
        Extent::Map => Key::ShareMap,
    }
}

fn theme_name(theme: ThemeChoice) -> Key {
    match theme {
        ThemeChoice::Reader => Key::ShareReader,
        ThemeChoice::Light => Key::ThemeLight,
        ThemeChoice::Dark => Key::ThemeDark,
        ThemeChoice::Host => Key::ShareHost,
    }
}

fn label_of(panel: Panel) -> Key {
    label(Part::of_panel(panel)).unwrap_or(Key::SharePanel)
}
