//! The analysis panel: how the heads are sorted, and what is pointed at in its charts.

wasm_chunks::chunk!("more");

use super::head_charts;
use super::head_table::{Column, SortOrder};
use super::memo::Memo;
use super::panel::{PageOfPanel, PanelEvent, PanelRequest, PanelState};
use super::run::Run;
use super::similar_heads::SimilarHeads;
use crate::i18n::Language;
use crate::message::Highlight;
use crate::scene::bar_chart::{self, BarChart};
use crate::scene::cell_outline;
use crate::scene::hit::{CellPosition, Move, Pointed};
use attention::analysis::{BINS, bin_of};

/// Cells of a bin up to which they are outlined on the map.
pub const MOST_OUTLINED: u32 = 4096;

/// The charts, by what they are called in events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bars {
    Entropy,
    Itself,
    First,
    Weights,
}

/// The panel. What is done in it is part of neither state nor links, but for the chosen head.
#[derive(Default)]
pub struct AnalysisPanel {
    sort: SortOrder,
    /// The column that is explained.
    column: Option<Column>,
    /// The bar that is pointed at.
    over: Option<(Bars, usize)>,
    /// The pair of heads that is pointed at, and the one that the keyboard stops at.
    pair: Option<(usize, usize)>,
    stop: (usize, usize),
    /// Markup of the table, and the grid of pairs, which stay while other things are pointed at.
    pub table: Memo<(Language, SortOrder), String>,
    pub similar: Memo<Language, SimilarHeads>,
    pub grid: Memo<(Language, (usize, usize)), String>,
    requests: Vec<PanelRequest>,
}

impl Bars {
    pub const ALL: [Self; 4] = [Self::Entropy, Self::Itself, Self::First, Self::Weights];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Entropy => "entropy",
            Self::Itself => "itself",
            Self::First => "first",
            Self::Weights => "weights",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|chart| chart.name() == name)
    }

    /// The chart of a head.
    pub fn chart(self, run: &Run, head: usize) -> Option<BarChart> {
        match self {
            Self::Entropy => head_charts::entropy(run, head),
            Self::Itself => head_charts::itself(run, head),
            Self::First => Some(head_charts::first(run, head)),
            Self::Weights => Some(head_charts::histogram(&run.histogram(head)?)),
        }
    }

    /// How many bars there are.
    fn count(self, run: &Run) -> usize {
        if self == Self::Weights {
            BINS
        } else {
            run.queries.len()
        }
    }

    /// What a bar points out on the map.
    fn highlight(self, bar: usize, page: &PageOfPanel<'_>) -> Highlight {
        let at = |key| {
            let query = Some(bar);
            Highlight::At(Pointed { query, key })
        };
        match (self, page.run) {
            (Self::Entropy, _) => at(None),
            (Self::Itself, _) => at(Some(bar)),
            (Self::First, _) => at(Some(0)),
            (Self::Weights, Some(run)) => Highlight::Cells(cells(run, page.head, bar)),
            (Self::Weights, None) => Highlight::Nothing,
        }
    }
}

impl PanelState for AnalysisPanel {
    fn new(_: &PageOfPanel<'_>) -> Self {
        Self::default()
    }

    fn update(&mut self, event: PanelEvent, page: &PageOfPanel<'_>) -> Vec<PanelRequest> {
        match event {
            PanelEvent::Follow => self.follow(page),
            PanelEvent::Pointed => self.show_marks(),
            PanelEvent::Press(name) => self.press(&name),
            PanelEvent::Hover(name) => self.hover(name.as_deref()),
            PanelEvent::Point(name, place) => self.point(&name, place, page),
            PanelEvent::Leave(name) => self.leave(&name),
            PanelEvent::Click(name, place) => self.click(&name, place, page),
            PanelEvent::Key(name, key) => self.key(&name, &key, page),
            _ => {}
        }
        std::mem::take(&mut self.requests)
    }
}

impl AnalysisPanel {
    /// How the heads are sorted.
    pub fn sort(&self) -> SortOrder {
        self.sort
    }

    /// The column that is explained.
    pub fn column(&self) -> Option<Column> {
        self.column
    }

    /// The pair of heads that is pointed at.
    pub fn pair(&self) -> Option<(usize, usize)> {
        self.pair
    }

    /// The pair that the keyboard stops at.
    pub fn stop(&self) -> (usize, usize) {
        self.stop
    }

    /// Whether a bar of a chart is pointed at.
    pub fn is_over(&self, chart: Bars) -> bool {
        self.over.is_some_and(|(own, _)| own == chart)
    }

    /// The bar of a chart that stands out: that which is pointed at there, or that of what is pointed out on the map.
    pub fn bar(&self, chart: Bars, page: &PageOfPanel<'_>) -> Option<usize> {
        let run = page.run?;
        let over = self.over.filter(|(own, _)| *own == chart);
        let bar = match over {
            Some((_, bar)) => Some(bar),
            None if chart == Bars::Weights => pointed_bin(run, page),
            None => Some(page.row),
        };
        bar.filter(|bar| *bar < chart.count(run))
    }

    fn show_marks(&mut self) {
        self.requests.push(PanelRequest::ShowMarks);
    }

    fn highlight(&mut self, highlight: Highlight) {
        self.requests.push(PanelRequest::Highlight(highlight));
    }

    fn follow(&mut self, page: &PageOfPanel<'_>) {
        let Some(run) = page.run else { return };
        self.sort = self.sort.among(run.places());
        let last = run.heads().saturating_sub(1);
        self.stop = (self.stop.0.min(last), self.stop.1.min(last));
        self.pair = None;
        self.table.clear();
        self.similar.clear();
        self.grid.clear();
        self.requests.push(PanelRequest::Show);
    }

    fn press(&mut self, name: &str) {
        let (does, number) = name.split_once(' ').unwrap_or_default();
        match (does, number.parse()) {
            ("head", Ok(head)) => self.requests.push(PanelRequest::Head(head)),
            ("sort", Ok(at)) => {
                if let Some(column) = Column::ALL.get::<usize>(at) {
                    self.sort = self.sort.pressed(*column);
                    self.column = Some(*column);
                    self.show_marks();
                }
            }
            _ => {}
        }
    }

    /// A column or a pair of heads is pointed at, or nothing any more.
    fn hover(&mut self, name: Option<&str>) {
        let numbers = |text: &str| -> Option<(usize, usize)> {
            let (one, other) = text.split_once(' ')?;
            Some((one.parse().ok()?, other.parse().ok()?))
        };
        let pair = name.and_then(|name| numbers(name.strip_prefix("pair ")?));
        let column = name.and_then(|name| name.strip_prefix("column ")?.parse::<usize>().ok());
        let column = column
            .and_then(|at| Column::ALL.get(at).copied())
            .or(self.column);
        if (self.pair, self.column) != (pair, column) {
            (self.pair, self.column) = (pair, column);
            self.show_marks();
        }
    }

    fn point(&mut self, name: &str, (across, down): (f64, f64), page: &PageOfPanel<'_>) {
        let Some(run) = page.run else { return };
        if let Some(chart) = Bars::named(name) {
            let bar = bar_chart::under(across, chart.count(run));
            if let Some(bar) = bar.filter(|bar| self.over != Some((chart, *bar))) {
                self.over = Some((chart, bar));
                self.highlight(chart.highlight(bar, page));
            }
        } else if let Some((query, key)) = cell_outline::under(size(run), (down, across)) {
            let [query, key] = [query, key].map(Some);
            self.highlight(Highlight::At(Pointed { query, key }));
        }
    }

    fn leave(&mut self, name: &str) {
        let chart = Bars::named(name);
        if chart.is_none_or(|chart| self.is_over(chart)) {
            self.over = None;
            self.highlight(Highlight::Nothing);
        }
    }

    fn click(&mut self, name: &str, (across, down): (f64, f64), page: &PageOfPanel<'_>) {
        let Some(run) = page.run else { return };
        if let Some(chart) = Bars::named(name) {
            if let Some(bar) = bar_chart::under(across, chart.count(run)) {
                self.over = Some((chart, bar));
                self.take(chart, bar, page);
            }
        } else if let Some((query, _)) = cell_outline::under(size(run), (down, across)) {
            self.highlight(Highlight::Row(query));
        }
    }

    /// Chooses the row of a bar; a bin has none.
    fn take(&mut self, chart: Bars, bar: usize, page: &PageOfPanel<'_>) {
        self.highlight(match chart {
            Bars::Weights => chart.highlight(bar, page),
            _ => Highlight::Row(bar),
        });
    }

    fn key(&mut self, name: &str, key: &str, page: &PageOfPanel<'_>) {
        let Some(run) = page.run else { return };
        match (Bars::named(name), key) {
            (None, _) => self.step(key, run.heads()),
            (Some(chart), "Escape") => self.leave(chart.name()),
            (Some(chart), _) => {
                let (now, last) = (self.bar(chart, page).unwrap_or(0), chart.count(run));
                let Some(last) = last.checked_sub(1) else {
                    return;
                };
                if matches!(key, "Enter" | "Space") {
                    return self.take(chart, now, page);
                }
                let Some(to) = bar_after(key, now, last) else {
                    return;
                };
                self.over = Some((chart, to));
                self.highlight(chart.highlight(to, page));
            }
        }
    }

    /// Goes from one pair of heads to another.
    fn step(&mut self, key: &str, heads: usize) {
        let (key, is_control) = match key.strip_prefix("Control+") {
            Some(key) => (key, true),
            None => (key, false),
        };
        let from = CellPosition {
            query: self.stop.0,
            key: Some(self.stop.1),
        };
        let to =
            Move::from_key(key, is_control).and_then(|step| step.apply(Some(from), heads, heads));
        if let Some((query, key)) = to.and_then(|to| Some((to.query, to.key?))) {
            self.stop = (query, key);
            self.show_marks();
            let cell = "#chart-similar [tabindex=\"0\"]".to_owned();
            self.requests.push(PanelRequest::Focus(cell));
        }
    }
}

/// The bar that a key leads to.
fn bar_after(key: &str, now: usize, last: usize) -> Option<usize> {
    let page = ((last + 1) / 10).max(1);
    let to = match Move::from_key(key, false)? {
        Move::Left | Move::Down => now.saturating_sub(1),
        Move::Right | Move::Up => now + 1,
        Move::PageDown => now.saturating_sub(page),
        Move::PageUp => now + page,
        Move::RowEnd | Move::Last => last,
        Move::RowStart | Move::First => 0,
    };
    Some(to.min(last))
}

/// Rows and columns of the map in miniature.
pub fn size(run: &Run) -> (usize, usize) {
    (run.queries.len(), run.keys.len())
}

/// The cells of a bin as rows and columns; none where they are too many to be told apart. A hidden cell is in none.
fn cells(run: &Run, head: usize, bin: usize) -> Vec<(usize, usize)> {
    let keys = run.keys.len().max(1);
    let all = run.head(head).iter().enumerate();
    let cells: Vec<_> = all
        .map(|(cell, weight)| ((cell / keys, cell % keys), weight))
        .filter(|((query, key), weight)| bin_of(**weight) == bin && run.seen.reaches(*query, *key))
        .map(|(cell, _)| cell)
        .collect();
    if cells.len() > MOST_OUTLINED as usize {
        Vec::new()
    } else {
        cells
    }
}

/// The bin of the weight that is pointed out on the map.
fn pointed_bin(run: &Run, page: &PageOfPanel<'_>) -> Option<usize> {
    let (query, key) = (page.pointed.query?, page.pointed.key?);
    let weight = run.row(page.head, query).get(key)?;
    let is_counted = page.shows_pairs() && run.seen.reaches(query, key);
    is_counted.then(|| bin_of(*weight))
}
