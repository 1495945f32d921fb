//! The comparison: two runs, their differences, and texts about them.

wasm_chunks::chunk!("more");

mod cosines;
mod numbers;
mod panel;
mod values;

pub use cosines::{Cosine, Cosines};
pub use numbers::{Numbers, Row, RowKind};
pub use panel::ComparisonPanel;
pub use values::{changes_to_a, value};

use super::colour_style::ColourStyle;
use super::matrix_style::MatrixStyle;
use super::run::Run;
use super::steps::MatrixKind;
use crate::i18n::{Key, Language, number, text};
use crate::scene::heatmap::{Grid, HeatmapImage, Hidden, PoolBy, Pooling};
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

/// Notes on what the maps do not show by themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// The heads are not of the same number.
    heads: Option<String>,
    others: Vec<Key>,
}

impl Notes {
    /// All of them, with how cells were pooled.
    pub fn text(&self, pooling: Option<Pooling>, language: Language) -> String {
        let pooled = pooling.map(|by| text::note_pooled(language, &by.queries, &by.keys));
        let others = self.others.iter().map(|key| key.text(language).to_owned());
        let all = self.heads.clone().into_iter().chain(pooled).chain(others);
        all.collect::<Vec<_>>().join(" ")
    }
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
                scale: colours.scale.up_to(self.largest()),
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
            corner: 0.0,
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
    pub fn notes(&self) -> Notes {
        let (a, b) = (self.head + 1, self.head_b() + 1);
        let is_odd = |run: &Run| {
            run.state.scoring == ScoringKind::Additive && run.state.origin == Origin::Teaching
        };
        let others = [
            (
                self.a.state.linformer != self.b.state.linformer,
                Key::VersusNoteLinformer,
            ),
            (
                self.a.state.kv_heads != self.b.state.kv_heads,
                Key::VersusNoteShared,
            ),
            (is_odd(self.a) || is_odd(self.b), Key::ScoringNoteTeaching),
        ];
        let said = others.into_iter().filter(|(is_so, _)| *is_so);
        Notes {
            heads: (a != b).then(|| text::versus_heads(self.language, &self.b.heads(), &a, &b)),
            others: said.map(|(_, key)| key).collect(),
        }
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

/// A canvas of the panel, and how large it is.
pub struct ComparedCanvas<'a> {
    pub image: &'a mut HeatmapImage,
    /// CSS pixels across.
    pub width: f64,
    pub dpr: f64,
    /// Width in CSS pixels of a text set in a size in CSS pixels.
    pub measure: &'a dyn Fn(&str, f64) -> f64,
}

impl Pair<'_> {
    /// Paints the canvas of a key: a map or its colour bar; `false` where there is no such picture.
    pub fn paint(&self, key: &str, colours: &ColourStyle, canvas: ComparedCanvas<'_>) -> bool {
        let difference = self.difference();
        let values = difference.as_ref().map_or(&[][..], |(values, _)| values);
        let [weights, apart] = &self.styles(colours, values);
        let subtracted = || {
            let (values, hidden) = difference.as_ref()?;
            Grid::new(values, hidden).ok()
        };
        let (run, grid, style) = match key {
            "a" => (self.a, self.a.grid(self.head), weights),
            "b" => (self.b, self.b.grid(self.head_b()), weights),
            "difference" => (self.a, subtracted(), apart),
            "bar" => return self.paint_bar(weights, canvas),
            "difference bar" => return self.paint_bar(apart, canvas),
            _ => return false,
        };
        let Some(grid) = grid else { return false };
        let request = Request {
            measure: canvas.measure,
            ..Pair::request(run, style.form, (canvas.width, canvas.dpr), self.language)
        };
        let (image, font) = (canvas.image, &colours.palette.sans);
        let layout = image.layouts.lay_out(&request, f64::INFINITY, font);
        let hatch = colours.hatch(layout.dpr);
        image.paint_map(layout, &grid, &style.pixels(&hatch));
        true
    }

    fn paint_bar(&self, style: &MatrixStyle<'_>, canvas: ComparedCanvas<'_>) -> bool {
        let even = Key::ScaleMiddle.text(self.language);
        let ComparedCanvas {
            image,
            width,
            dpr,
            measure,
        } = canvas;
        image.paint_bar((style.lut, &style.scale), (width, dpr), even, measure);
        true
    }
}

/// A difference with its sign, also where it is above zero.
fn with_sign(difference: f32) -> String {
    let sign = if difference > 0.0 { "+" } else { "" };
    format!("{sign}{}", number::exact(difference))
}
