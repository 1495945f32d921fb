//! The comparison: two runs, their differences, and texts about them.

wasm_chunks::chunk!("more");

mod cosines;
mod numbers;
mod values;

pub use cosines::{Cosine, Cosines};
pub use numbers::{Numbers, Row, RowKind};
pub use values::{changes_to_a, value};

use super::colour_style::ColourStyle;
use super::matrix_style::MatrixStyle;
use super::run::Run;
use super::steps::MatrixKind;
use crate::i18n::{Key, Language, number, text};
use crate::scene::heatmap::{Hidden, PoolBy, Pooling};
use crate::scene::layout::{CellFormat, Request, Side};
use crate::scene::scale::Scale;
use crate::state::comparison::head_of;
use crate::state::{ColourRange, Origin, ScoringKind};

/// Placeholder for a missing value.
const NONE: &str = "–";

/// Two runs, and how they are compared.
pub struct Pair<'a> {
    pub a: &'a Run,
    pub b: &'a Run,
    /// The chosen head of A.
    pub head: usize,
    /// Heads whose largest weight ends the colour range.
    pub range: ColourRange,
    pub language: Language,
}

/// Query, arrow and key of a cell, and its three values; all empty where no cell is pointed out.
pub type ReadCell = [String; 4];

impl Pair<'_> {
    /// Head of B that is compared with A's.
    pub fn head_b(&self) -> usize {
        head_of(&self.b.state, self.head)
    }

    /// The weights of both heads.
    pub fn heads(&self) -> (&[f32], &[f32]) {
        (self.a.head(self.head), self.b.head(self.head_b()))
    }

    /// The weight that the colours of both maps reach up to.
    pub fn largest(&self) -> f32 {
        let a = self.a.largest(self.range, self.head);
        a.max(self.b.largest(self.range, self.head_b()))
    }

    /// Whether a column of A is the same column of B.
    pub fn is_alike(&self) -> bool {
        let columns = |run: &Run| (run.state.linformer, run.keys.len());
        columns(self.a) == columns(self.b)
    }

    /// Colours of both maps, which share one scale so that equal colours are equal weights, and of their `differences`.
    pub fn styles<'b>(
        &self,
        colours: &'b ColourStyle,
        differences: &[f32],
    ) -> [MatrixStyle<'b>; 2] {
        let largest = |most: f32, value: &f32| most.max(value.abs());
        let differences = Scale::symmetric(differences.iter().fold(0.0, largest));
        [
            MatrixStyle {
                lut: colours.of_weights(),
                scale: Scale::new(colours.scale.kind(), self.largest()),
                pool_by: PoolBy::Max,
                form: CellFormat::Weights,
                kind: MatrixKind::Weights,
            },
            MatrixStyle {
                lut: &colours.palette.signed,
                scale: differences,
                pool_by: PoolBy::Peak,
                form: CellFormat::Signed {
                    top: differences.top(),
                },
                kind: MatrixKind::Signed,
            },
        ]
    }

    /// The map of a run as it is laid out, without a way to measure texts.
    pub fn request<'b>(
        run: &'b Run,
        form: CellFormat,
        (width, dpr): (f64, f64),
        language: Language,
    ) -> Request<'b> {
        let (key_title, key_side) = if run.state.linformer {
            (Key::AxisProjected, Side::Neither)
        } else {
            (Key::AxisKeys, Side::Keys)
        };
        Request {
            width,
            plot_height: f64::INFINITY,
            dpr,
            queries: &run.queries,
            keys: &run.keys,
            query_title: Key::AxisQueries.text(language),
            key_title: key_title.text(language),
            sides: [Side::Queries, key_side],
            form,
            measure: &|_, _| 0.0,
        }
    }

    /// Differences `B − A` and the cells that neither sees; `None` where the columns are not the same.
    pub fn difference(&self) -> Option<(Vec<f32>, Hidden)> {
        if !self.is_alike() {
            return None;
        }
        let (a, b) = self.heads();
        let values = a.iter().zip(b).map(|(a, b)| b - a).collect();
        let (a, b) = (self.a.hidden(), self.b.hidden());
        let (queries, keys) = (self.a.queries.len(), self.a.keys.len());
        let hidden = Hidden::new(queries, keys, |query, key| {
            a.is_hidden(query, key) && b.is_hidden(query, key)
        });
        Some((values, hidden))
    }

    /// Why there is no difference map, where there is none.
    pub fn instead(&self) -> String {
        let (a, b) = (self.a.keys.len(), self.b.keys.len());
        if self.is_alike() {
            String::new()
        } else {
            text::versus_columns(self.language, &a, &b)
        }
    }

    /// Returns notes on what the maps do not show by themselves.
    pub fn notes(&self, pooling: Option<Pooling>) -> String {
        let mut notes = Vec::new();
        if self.head_b() != self.head {
            let (a, b) = (self.head + 1, self.head_b() + 1);
            notes.push(text::versus_heads(self.language, &self.b.heads(), &a, &b));
        }
        if let Some(pooling) = pooling {
            notes.push(text::note_pooled(
                self.language,
                &pooling.queries,
                &pooling.keys,
            ));
        }
        if self.a.state.linformer != self.b.state.linformer {
            notes.push(Key::VersusNoteLinformer.text(self.language).to_owned());
        }
        if self.a.state.kv_heads != self.b.state.kv_heads {
            notes.push(Key::VersusNoteShared.text(self.language).to_owned());
        }
        let is_odd = |run: &Run| {
            run.state.scoring == ScoringKind::Additive && run.state.origin == Origin::Teaching
        };
        if is_odd(self.a) || is_odd(self.b) {
            notes.push(Key::ScoringNoteTeaching.text(self.language).to_owned());
        }
        notes.join(" ")
    }

    /// Reads the cell in a row and a column of the maps.
    pub fn read(&self, row: Option<usize>, column: Option<usize>) -> ReadCell {
        let query = row.and_then(|row| self.a.queries.get(row));
        let (Some(row), Some(column), Some(query)) = (row, column, query) else {
            return Default::default();
        };
        let weight = |run: &Run, head| {
            let weight = run.row(head, row).get(column).copied()?;
            Some((weight, run.hidden().is_hidden(row, column)))
        };
        let (a, b) = (weight(self.a, self.head), weight(self.b, self.head_b()));
        let written = |cell: Option<(f32, bool)>| match cell {
            None => NONE.to_owned(),
            Some((_, true)) => Key::TableHidden.text(self.language).to_owned(),
            Some((weight, false)) => number::exact(weight),
        };
        let difference = a.zip(b).filter(|_| self.is_alike());
        let difference = difference.map_or_else(|| NONE.to_owned(), |(a, b)| with_sign(b.0 - a.0));
        let value = text::versus_cell(self.language, &written(a), &written(b), &difference);
        // Where the columns are others, a place is no key of both.
        let key = if self.is_alike() {
            self.a.keys.get(column).cloned().unwrap_or_default()
        } else {
            (column + 1).to_string()
        };
        [query.clone(), "→".to_owned(), key, value]
    }
}

/// A difference with its sign, also where it is above zero.
fn with_sign(difference: f32) -> String {
    let sign = if difference > 0.0 { "+" } else { "" };
    format!("{sign}{}", number::exact(difference))
}
