//! Who means what: the mask in each library's own way, and what libraries mean by their flags.

wasm_chunks::chunk!("code");

use super::program::program;
use super::{Markup, html};
use crate::export::codegen::Program;
use crate::export::codegen::panel::CodePanel;
use crate::i18n::{Key, Language, text};
use crate::present::conventions::{CONVENTIONS, Convention, empty_rows_key};
use crate::present::pasted_mask::PastedMask;
use crate::state::{State, request_builder};
use masks::dialect::{self, Note};
use masks::rule::Align;

/// The section, of which all but its button is there only while it is open.
pub(super) fn section(panel: &CodePanel, state: &State, language: Language) -> Markup {
    let open = panel.libraries();
    html! {
        section class="who-means-what" aria-labelledby="libraries" {
            h3 {
                button type="button" class="plain" id="libraries" data-do="libraries" aria-expanded=(open.is_some()) { (Key::MeansTitle.text(language)) }
            }
            @if let Some(open) = open {
                p { (Key::MeansAbout.text(language)) }
                @if let Some(rule) = &open.rule { p { (Key::MeansRule.text(language)) " " code translate="no" { (rule) } } }
                @if open.programs.is_empty() { p { (Key::MeansTooLong.text(language)) } }
                @for own in &open.programs { (library(own, language)) }
                (pasted(panel.pasted(), language))
                (table(state, language))
            }
        }
    }
}

/// A mask to be pasted, and what it can mean.
fn pasted(own: &PastedMask, language: Language) -> Markup {
    html! {
        div class="paste-mask" {
            h4 { (Key::PastedTitle.text(language)) }
            p class="note" { (Key::PastedAbout.text(language)) }
            textarea id="pasted-mask" rows="3" autocomplete="off" spellcheck="false" translate="no" aria-label=(Key::PastedLabel.text(language))
                data-field="pasted" data-value=(own.text) {}
            p class="note" {
                label class="import-file" { input type="file" id="mask-file" autocomplete="off"; span class="plain" { (Key::PastedFile.text(language)) } }
                " " (Key::PastedFileAbout.text(language))
            }
            div role="status" {
                @match &own.readings {
                    Err(why) => p class="is-fault" { (why) },
                    Ok(all) => @for (at, reading) in all.iter().enumerate() {
                        div class="reading-of-mask" {
                            p { (reading.said) }
                            @for remark in &reading.remarks { p class="note" { (remark) } }
                            @if !reading.shown_by.is_empty() {
                                button type="button" class="plain" data-do={ "take-" (at) } { (Key::PastedTake.text(language)) }
                            }
                        }
                    },
                }
            }
        }
    }
}

fn library(own: &dialect::Program, language: Language) -> Markup {
    let name = format!("{} {}", own.library, own.library.version());
    let code = own.code.as_ref().map(|code| Program {
        cells: vec![code.trim_end().to_owned()],
        beside: Vec::new(),
    });
    html! {
        details class="of-library" {
            summary translate="no" { (name) }
            @for note in &own.notes { p class="note" { (said(note, language)) } }
            @if let Some(code) = code {
                pre class="program" tabindex="0" role="region" translate="no" aria-label=(name) { (program(&code)) }
            }
        }
    }
}

fn said(note: &Note, language: Language) -> String {
    let key = match note {
        Note::EmptyRows { rows, library } => {
            let gives = empty_rows_key(*library).text(language);
            return text::means_note_rows(language, rows, &gives);
        }
        Note::FlagAlignedAt(Align::Start) => Key::MeansNoteStart,
        Note::FlagAlignedAt(Align::End) => Key::MeansNoteEnd,
        Note::NoCall => Key::MeansNoteNone,
        Note::NoWeights => Key::MeansNoteWeights,
        Note::TrueHides => Key::MeansNoteHides,
        Note::AddedNumbers => Key::MeansNoteAdded,
        Note::LoadEager => Key::MeansNoteEager,
        Note::CellsListed => Key::MeansNoteListed,
        Note::TwoPaths => Key::MeansNotePaths,
    };
    key.text(language).to_owned()
}

/// What libraries mean, a row for each function.
fn table(state: &State, language: Language) -> Markup {
    let (n, m) = request_builder::lengths(state);
    let columns = [
        Key::MeansFunction,
        Key::MeansCausal,
        Key::MeansWindow,
        Key::MeansRow,
        Key::MeansTrue,
        Key::MeansFloats,
        Key::MeansInts,
    ];
    html! {
        div class="wide-table" tabindex="0" role="region" aria-labelledby="conventions" {
            table class="conventions" {
                caption id="conventions" { (text::means_caption(language, &n, &m)) }
                thead { tr { @for column in columns { th scope="col" { (column.text(language)) } } } }
                tbody { @for own in CONVENTIONS { (row(own, (n, m), language)) } }
            }
        }
    }
}

fn row(own: &Convention, (n, m): (usize, usize), language: Language) -> Markup {
    let cells = own.causal_cells(n, m);
    let note = own.note(language);
    html! {
        tr {
            th scope="row" {
                span translate="no" { (own.library) " " (own.version) ": " code { (own.function) } }
                @if !note.is_empty() { p class="note" { (note) } }
                details {
                    summary { (Key::MeansProgram.text(language)) }
                    pre class="program" tabindex="0" role="region" translate="no" aria-label=(own.function) { (own.program) "\n\n" (own.output) }
                }
            }
            td {
                (named(own.alignment, language))
                @if let Some(cells) = cells { " " span class="here" { (text::means_here(language, &cells, &(n * m))) } }
            }
            td {
                @match own.window {
                    None => { (Key::MeansNoWindow.text(language)) }
                    Some((causal, two_sided, call)) => { (text::means_keys(language, &causal, &two_sided)) " " code translate="no" { (call) } }
                }
            }
            @for value in [own.empty_row, own.polarity, own.float_mask, own.int_mask] { td { (named(value, language)) } }
        }
    }
}

/// A value of the table in words; as it is written where there are none.
fn named(value: &str, language: Language) -> &str {
    key_of(value).map_or(value, |key| key.text(language))
}

fn key_of(value: &str) -> Option<Key> {
    Some(match value {
        "start" => Key::MeansStart,
        "end" => Key::MeansEnd,
        "end-with-cache" => Key::MeansEndWithCache,
        "start-last-row-open" => Key::MeansLastRowOpen,
        "equal-lengths" => Key::MeansEqualLengths,
        "mask-only" => Key::MeansMaskOnly,
        "zero" => Key::MeansRowZero,
        "mean" => Key::MeansRowMean,
        "nan" => Key::MeansRowNan,
        "unmasked" => Key::MeansRowUnmasked,
        "mean-with-padding" => Key::MeansRowPadding,
        "true-shows" | "shows" => Key::MeansShows,
        "true-hides" => Key::MeansHides,
        "added" => Key::MeansAdded,
        "refused" => Key::MeansRefused,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_the_table_has_words() {
        for own in CONVENTIONS {
            let values = [
                own.alignment,
                own.empty_row,
                own.polarity,
                own.float_mask,
                own.int_mask,
            ];
            let unknown = values.into_iter().find(|value| key_of(value).is_none());
            assert_eq!(unknown, None, "{}", own.id);
        }
    }
}
