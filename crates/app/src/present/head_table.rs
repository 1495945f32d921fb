//! The table of all heads: columns, values, and sort order.

wasm_chunks::chunk!("more");

use super::findings::Findings;
use super::head_patterns::{self, label};
use super::layer_heads::{LayerHeads, layers};
use super::reading::fixed;
use super::run::Run;
use super::{learned, names};
use crate::i18n::{Key, Language, text};
use attention::analysis::{HeadStats, Pattern, Places};
use attention::sort;

/// Stands where there is no number.
const NONE: &str = "–";

/// By which column the lines are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SortOrder {
    pub column: Column,
    pub is_descending: bool,
}

/// Contents of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadTable {
    pub columns: Vec<ColumnHeader>,
    /// From the first line to the last.
    pub rows: Vec<HeadRow>,
}

/// Header of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnHeader {
    pub column: Column,
    pub title: &'static str,
    /// Unit and range of what stands below.
    pub range: String,
    /// Whether the lines are sorted by it, from the largest to the smallest or the other way round.
    pub sort: Option<SortOrder>,
}

/// The line of a head.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadRow {
    pub head: usize,
    pub name: String,
    pub is_chosen: bool,
    /// One for each column.
    pub cells: Vec<HeadCell>,
}

/// A number or a reading, and how much of the column's range it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadCell {
    pub text: String,
    /// Sort key.
    pub value: Option<f64>,
    pub share: f64,
}

impl SortOrder {
    /// Sorted by `column`, or the other way round where it is sorted by it already.
    #[must_use]
    pub fn pressed(self, column: Column) -> Self {
        let is_descending = if self.column == column {
            !self.is_descending
        } else {
            !column.begins_small()
        };
        Self {
            column,
            is_descending,
        }
    }

    /// This order, or by heads where its column is not there.
    #[must_use]
    pub fn among(self, places: Places) -> Self {
        if self.column.says_something(places) {
            self
        } else {
            Self::default()
        }
    }
}

impl HeadTable {
    /// The table of a run with `chosen` as its chosen head.
    pub fn new(run: &Run, chosen: usize, sort: SortOrder, language: Language) -> Self {
        let findings = run.findings();
        let columns: Vec<Column> = Column::ALL
            .into_iter()
            .filter(|column| column.says_something(findings.places))
            .collect();
        let header = |column: &Column| ColumnHeader {
            column: *column,
            title: column.title().text(language),
            range: range(*column, findings, language),
            sort: None,
        };
        let layers = layers(run);
        let row = |layer: &LayerHeads<'_>, head: usize| HeadRow {
            head: layer.first + head,
            name: match layer.layer {
                Some(number) => text::learned_head(language, &number, &(head + 1)),
                None => names::head(run, head, language),
            },
            is_chosen: layer.first + head == run.thumbnail(chosen),
            cells: (columns.iter())
                .map(|column| cell(*column, layer, head, run, language))
                .collect(),
        };
        let of_layer = |layer| (0..run.heads()).map(move |head| (layer, head));
        let heads = layers.iter().flat_map(of_layer);
        let mut table = Self {
            columns: columns.iter().map(header).collect(),
            rows: heads.map(|(layer, head)| row(layer, head)).collect(),
        };
        table.sort(sort);
        table
    }

    /// Puts the lines in another order; that of the heads where the column is not there.
    pub fn sort(&mut self, sort: SortOrder) {
        let is_by = |header: &ColumnHeader| header.column == sort.column;
        let at = self.columns.iter().position(is_by);
        for (place, header) in self.columns.iter_mut().enumerate() {
            header.sort = (Some(place) == at).then_some(sort);
        }
        self.rows.sort_by_key(|row| row.head);
        let value = |row: &HeadRow| row.cells.get(at?)?.value;
        let values: Vec<_> = self.rows.iter().map(value).collect();
        let mut rows: Vec<_> = self.rows.drain(..).map(Some).collect();
        let order = order(&values, sort.is_descending).into_iter();
        self.rows = order.filter_map(|at| rows[at].take()).collect();
    }
}

fn cell(
    column: Column,
    layer: &LayerHeads<'_>,
    head: usize,
    run: &Run,
    language: Language,
) -> HeadCell {
    let findings = &*layer.findings;
    let value = match column {
        Column::Head => Some((layer.first + head) as f64),
        _ => value(column, head, &layer.stats, findings),
    };
    let text = match (column, value) {
        (Column::Head, _) => String::new(),
        (Column::Reading, _) => {
            let scene = head_patterns::Scene::from_run(run);
            let found = findings.heads.get(head);
            let seen = || found.map(|found| label(language, &found.reading, scene));
            // The same name as beside its thumbnail.
            let role = learned::role(run, layer.first + head, language);
            role.or_else(seen).unwrap_or_default()
        }
        (Column::Similar, _) => similar(findings, head, language),
        (Column::Sink, Some(share)) => {
            let sink = findings.heads.get(head).and_then(|found| found.sink);
            let key = sink.map(|(key, _)| head_patterns::named(language, &[key], &run.keys));
            format!("{} {}", key.unwrap_or_default(), fixed(share))
        }
        (column, Some(value)) => write(column, value),
        (_, None) => NONE.to_owned(),
    };
    HeadCell {
        text,
        value,
        share: share(column, value, findings, head),
    }
}

/// "0 … 2.40 nats".
fn range(column: Column, findings: &Findings, language: Language) -> String {
    match column {
        Column::Head | Column::Reading => String::new(),
        Column::Entropy => text::nats(language, &format!("0 … {:.2}", findings.largest_entropy())),
        Column::EntropyShare => "0 … 100 %".to_owned(),
        Column::Distance => text::analysis_tokens(language, &format!("0 … {}", farthest(findings))),
        _ => "0 … 1".to_owned(),
    }
}

/// The largest distance between two tokens.
fn farthest(findings: &Findings) -> usize {
    findings.visible.keys().saturating_sub(1)
}

fn write(column: Column, value: f64) -> String {
    match column {
        Column::EntropyShare => format!("{:.0} %", 100.0 * value),
        Column::Distance => format!("{value:.2}"),
        _ => fixed(value),
    }
}

fn similar(findings: &Findings, head: usize, language: Language) -> String {
    let Some((other, alike)) = findings.similarity.nearest(head) else {
        return NONE.to_owned();
    };
    let (head, value) = (names::number(other, language), format!("{alike:.2}"));
    text::analysis_similar_value(language, &head, &value)
}

/// How much of its range a value takes; 0 where it has none to show.
fn share(column: Column, value: Option<f64>, findings: &Findings, head: usize) -> f64 {
    let value = value.unwrap_or(0.0);
    let share = match column {
        Column::Head | Column::Reading => 0.0,
        Column::Entropy => findings
            .heads
            .get(head)
            .and_then(|found| found.entropy_share)
            .unwrap_or(0.0),
        Column::Distance => value / farthest(findings).max(1) as f64,
        _ => value,
    };
    share.clamp(0.0, 1.0)
}

/// A column of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Column {
    /// The head itself.
    #[default]
    Head,
    /// Its pattern.
    Reading,
    /// Mean of the diagonal.
    Diagonal,
    /// Mean off the diagonal.
    OffDiagonal,
    /// Mean entropy.
    Entropy,
    /// Mean share of the largest entropy.
    EntropyShare,
    /// The heaviest key and its share.
    Sink,
    /// Share on the previous token.
    Previous,
    /// Share on the next token.
    Next,
    /// Mean distance.
    Distance,
    /// The most similar head.
    Similar,
}

impl Column {
    /// Every column, in the order of the table.
    pub const ALL: [Self; 11] = [
        Self::Head,
        Self::Reading,
        Self::Diagonal,
        Self::OffDiagonal,
        Self::Entropy,
        Self::EntropyShare,
        Self::Sink,
        Self::Previous,
        Self::Next,
        Self::Distance,
        Self::Similar,
    ];

    /// Returns the header text.
    pub const fn title(self) -> Key {
        match self {
            Self::Head => Key::AnalysisHead,
            Self::Reading => Key::AnalysisReading,
            Self::Diagonal => Key::Diagonal,
            Self::OffDiagonal => Key::OffDiagonal,
            Self::Entropy => Key::Entropy,
            Self::EntropyShare => Key::EntropyShare,
            Self::Sink => Key::AnalysisSink,
            Self::Previous => Key::NamePrevious,
            Self::Next => Key::NameNext,
            Self::Distance => Key::AnalysisDistance,
            Self::Similar => Key::AnalysisSimilar,
        }
    }

    /// Its definition, with unit and range.
    pub const fn meaning(self) -> Key {
        match self {
            Self::Head => Key::AnalysisHeadMeaning,
            Self::Reading => Key::AnalysisReadingMeaning,
            Self::Diagonal => Key::DiagonalMeaning,
            Self::OffDiagonal => Key::OffDiagonalMeaning,
            Self::Entropy => Key::EntropyMeaning,
            Self::EntropyShare => Key::EntropyShareMeaning,
            Self::Sink => Key::AnalysisSinkMeaning,
            Self::Previous => Key::AnalysisPreviousMeaning,
            Self::Next => Key::AnalysisNextMeaning,
            Self::Distance => Key::AnalysisDistanceMeaning,
            Self::Similar => Key::AnalysisSimilarMeaning,
        }
    }

    /// Whether it is meaningful: diagonal and neighbours are if keys are the queries' own tokens, a
    /// sink if keys are tokens at all.
    pub const fn says_something(self, places: Places) -> bool {
        match self {
            Self::Diagonal | Self::OffDiagonal | Self::Previous | Self::Next | Self::Distance => {
                matches!(places, Places::Same)
            }
            Self::Sink => !matches!(places, Places::None),
            _ => true,
        }
    }

    /// Whether its smallest values come first when it is chosen; of measures the largest are looked for.
    pub const fn begins_small(self) -> bool {
        matches!(self, Self::Head | Self::Reading)
    }
}

/// The number of `head` in `column`, for sorting and showing; `None` where there is none.
pub fn value(column: Column, head: usize, stats: &[HeadStats], findings: &Findings) -> Option<f64> {
    let (stats, found) = (stats.get(head)?, findings.heads.get(head)?);
    match column {
        Column::Head => Some(head as f64),
        Column::Reading => Some(rank(&found.reading.pattern)),
        Column::Diagonal => Some(stats.diagonal_mean),
        Column::OffDiagonal => Some(stats.off_diagonal_mean),
        Column::Entropy => found.entropy,
        Column::EntropyShare => found.entropy_share,
        Column::Sink => found.sink.map(|(_, share)| share),
        Column::Previous => found.previous,
        Column::Next => found.next,
        Column::Distance => found.distance,
        Column::Similar => findings.similarity.nearest(head).map(|(_, alike)| alike),
    }
}

/// Heads by their values: equal ones in their own order, those without a value last, in either direction.
pub fn order(values: &[Option<f64>], is_descending: bool) -> Vec<usize> {
    sort::argsort(
        values.len(),
        &mut |one, other| match (values[one], values[other]) {
            (Some(one), Some(other)) if is_descending => other.total_cmp(&one),
            (Some(one), Some(other)) => one.total_cmp(&other),
            (one, other) => other.is_some().cmp(&one.is_some()),
        },
    )
}

/// Readings of one kind side by side, those of fewest keys first.
fn rank(pattern: &Pattern) -> f64 {
    match pattern {
        Pattern::Place(shift) => *shift as f64 / 10.0,
        Pattern::Key(key) => 1.0 + *key as f64 / 10_000.0,
        Pattern::SameWord => 3.0,
        Pattern::Induction => 3.5,
        Pattern::Keys(_) => 4.0,
        Pattern::Span(from, _) => 5.0 + *from as f64 / 10.0,
        Pattern::Evenly => 6.0,
        Pattern::Unclear => 7.0,
        Pattern::NoChoice => 8.0,
        Pattern::Nothing => 9.0,
    }
}

#[cfg(test)]
mod tests;
