//! Figures that can be saved: their list, file names, captions and options, and how each is put together.

mod charts;
mod compose;
mod maps;
mod options;

pub use compose::{FigureSources, FigureView, Measure, NamedFigure, compose, is_available};
pub use options::{Choices, Format, note, pixels, refusal, size};

use crate::i18n::{Language, text};
use crate::present::comparison::value;
use crate::present::imported_text;
use crate::present::notice_text;
use crate::state::HeadScope;
use crate::state::request_builder::pads_rows;
use crate::state::setting_enums::named;
use crate::state::{Alignment, Field, Hiding, MaskPart, ScoringKind, State, StepKind};

named! {
    /// A picture that can be saved.
    #[derive(Default)]
    Subject {
        /// The large map: the matrix of the step that it shows.
        #[default]
        Map = "map",
        /// The weights of every head.
        Heads = "heads",
        /// Two settings side by side, and their difference.
        Compare = "compare",
        /// The weights of the head as curves between tokens.
        Curves = "curves",
        /// The entropy of each query.
        Entropy = "entropy",
        /// The weight of each token on itself.
        Itself = "itself",
        /// The weight of each query on the first token.
        First = "first",
        /// How many cells have which weight.
        Histogram = "histogram",
        /// How alike the heads are.
        Similar = "similar",
        /// How cost grows with the length.
        Cost = "cost",
    }
}

/// File name without its ending: the subject and the mask, in letters, digits and hyphens.
///
/// ```
/// use app::export::figures::{Subject, file_stem};
/// use app::state::{StepKind, url};
///
/// let (state, _) = url::parse("mask=causal");
/// assert_eq!(file_stem(Subject::Map, &state, StepKind::Weights, 0), "attention-head-1-weights-causal");
/// ```
pub fn file_stem(subject: Subject, state: &State, step: StepKind, head: usize) -> String {
    let head = format!("head-{}", head + 1);
    let of_head = |what: &str| format!("{head}-{what}");
    let what = match subject {
        Subject::Map if step.scope() == HeadScope::Same => step.name().to_owned(),
        Subject::Map => of_head(step.name()),
        Subject::Heads => "all-heads".to_owned(),
        Subject::Compare => of_head("compared"),
        Subject::Curves => of_head("curves"),
        Subject::Entropy => of_head("entropy"),
        Subject::Itself => of_head("self-weight"),
        Subject::First => of_head("first-token"),
        Subject::Histogram => of_head("histogram"),
        Subject::Similar => "similar-heads".to_owned(),
        Subject::Cost => "cost".to_owned(),
    };
    let mut stem = format!("attention-{}", what.replace('_', "-"));
    if !matches!(subject, Subject::Cost) && !state.linformer {
        for part in MaskPart::ALL {
            if state.masks.contains(part) {
                stem = format!("{stem}-{}", part.name());
            }
        }
        if !state.paint.is_empty() {
            stem.push_str("-painted");
        }
    }
    stem
}

/// How the numbers came about: the settings that make a difference, in the order of a computation.
pub fn mechanism(language: Language, state: &State) -> String {
    let fields = fields(state).into_iter();
    let said: Vec<String> = fields
        .map(|field| {
            let value = written(language, state, field);
            text::picture_setting(language, &notice_text::name(language, field), &value)
        })
        .collect();
    said.join(" · ")
}

/// Describes the settings in which the other setting of a comparison differs.
pub fn differences(language: Language, state: &State) -> String {
    let said: Vec<String> = (state.overrides.iter())
        .map(|(field, other)| {
            let value = value(language, *field, other);
            text::picture_setting(language, &notice_text::name(language, *field), &value)
        })
        .collect();
    said.join(" · ")
}

fn fields(state: &State) -> Vec<Field> {
    let masks = |part| state.masks.contains(part);
    let has_cells = !state.paint.is_empty() || !state.rule.is_empty();
    let is_masked = !state.masks.is_empty() || has_cells;
    let is_apart = state.masks.is_empty() && has_cells;
    let all = [
        (Field::Heads, true),
        (Field::KvHeads, state.kv_heads != state.heads),
        (Field::DK, true),
        (Field::DModel, true),
        (Field::Masks, !state.linformer && !is_apart),
        (Field::Valid, !state.linformer && masks(MaskPart::Padding)),
        (Field::PadRows, !state.linformer && pads_rows(state)),
        (Field::Window, !state.linformer && masks(MaskPart::Local)),
        (Field::Stride, !state.linformer && masks(MaskPart::Strided)),
        (Field::First, !state.linformer && masks(MaskPart::First)),
        (Field::Rule, !state.linformer && !state.rule.is_empty()),
        (Field::Paint, !state.linformer && !state.paint.is_empty()),
        (
            Field::Hiding,
            !state.linformer && is_masked && state.hiding != Hiding::LeftOut,
        ),
        (Field::Scoring, true),
        (
            Field::Scaled,
            state.scoring == ScoringKind::Dot && !state.scaled,
        ),
        (Field::Positions, true),
        (
            Field::Alignment,
            state.second.is_some() && state.alignment != Alignment::First,
        ),
        (Field::Linformer, state.linformer),
        (Field::Projected, state.linformer),
        (Field::Temperature, state.temperature != 100),
        (Field::Origin, true),
        (Field::Seed, true),
    ];
    let is_own = |field: Field| match &state.imported {
        None => field != Field::Data,
        Some(imported) if imported.is_finished() => field == Field::Data,
        Some(_) => !matches!(field, Field::Origin | Field::DModel),
    };
    let all = all.into_iter().chain([(Field::Data, true)]);
    let said = all.filter(|(field, is_said)| *is_said && is_own(*field));
    said.map(|(field, _)| field).collect()
}

fn written(language: Language, state: &State, field: Field) -> String {
    match field {
        Field::Data => state.imported.as_ref().map_or_else(String::new, |own| {
            let kind = imported_text::kind(language, own.kind());
            own.source().1.map_or_else(
                || kind.to_owned(),
                |(at, of)| text::imported_of_layer(language, &kind, &at, &of),
            )
        }),
        _ => value(language, field, &state.get(field)),
    }
}

#[cfg(test)]
mod tests;
