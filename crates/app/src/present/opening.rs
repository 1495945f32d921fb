//! The page as it opens without a link, computed when it is built: its first map is drawn before the engine is there.
//!
//! `js/opening.js` lays the map out and draws it, since only the browser knows widths of texts and of the window. Whatever does not depend on
//! those comes from here.

use super::displayed_matrix::DisplayedMatrix;
use super::run::Run;
use super::thumbnails::{Thumbnail, thumbnails};
use super::token_tints::link;
use crate::i18n::Language;
use crate::i18n::number::CellStyle;
use crate::scene::axis::Axis;
use crate::scene::colour::{Background, Lut};
use crate::scene::heatmap::{Grid, Hidden};
use crate::scene::layout::{MapLayout, Rect, Values};
use crate::scene::marks;
use crate::scene::role::{Face, Role};
use crate::scene::scale::{Scale, Tick};
use crate::scene::shape::{Shape, TextRun};
use crate::state::{StepKind, initial, request_builder};
use engine::learned::LearnedLayer;
use engine::{self, BackendChoice, PageRun, Reason, RunCost, RunInfo};

/// As many ticks as the widest colour bar has.
const MOST_TICKS: usize = 24;

/// The run that the page opens with in `language`, and the query that is read.
pub fn run(language: Language) -> Option<Run> {
    let state = initial::standard(language).clone();
    let request = request_builder::request(&state).ok()?;
    let result = engine::run(request, BackendChoice::Cpu).ok()?;
    let (ran, nothing) = (RunInfo::on_cpu(Reason::Checking), RunCost::NOTHING);
    let reply = PageRun::from_result(result, state.head, nothing, ran, 0.0);
    Run::new(state, reply, None)
}

/// The layer that the opening model has learned, as [`LearnedLayer::to_numbers`](engine::learned::LearnedLayer::to_numbers) writes
/// it: a first visit is spared the training.
pub fn layer(run: &Run) -> Option<Vec<f32>> {
    run.learned().map(LearnedLayer::to_numbers)
}

/// The query that is read in an opened state.
pub fn row(run: &Run) -> usize {
    run.state.cell.map_or(0, |cell| cell.query)
}

/// Contents of a map before layout.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningMap {
    /// Labels of rows and of columns.
    pub labels: [Vec<String>; 2],
    /// Titles of rows and of columns.
    pub titles: [&'static str; 2],
    /// Whether each title is slanted.
    pub is_italic: [bool; 2],
    /// Which of the thumbnails is the chosen head.
    pub head: usize,
    /// The chosen row.
    pub row: usize,
    /// The key that it looks at most.
    pub link: Option<usize>,
    /// Of every thumbnail, row by row, the entry of the colour table.
    pub codes: Vec<Vec<u8>>,
    /// Cell texts in each style, from the most to the least detailed.
    pub values: Vec<Vec<String>>,
    /// Ticks of the colour bar where there may be two, three … of them.
    pub ticks: Vec<Vec<Tick>>,
    /// On a light and on a dark ground.
    pub grounds: [OpeningColours; 2],
}

/// Colours of the map on one ground.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningColours {
    /// The colour table, three bytes an entry.
    pub table: Vec<u8>,
    /// Of each cell, how its value is written: soft (0), black (1), white (2) or faint (3).
    pub inks: Vec<u8>,
}

impl OpeningMap {
    /// The map of the chosen head. `None` where there is more on it than drawn cells and a chosen row: hidden cells, or a locked one.
    pub fn new(run: &Run, language: Language) -> Option<Self> {
        let head = run.state.head;
        let displayed = DisplayedMatrix::new(run, StepKind::Weights, head);
        let is_locked = run.state.cell.is_none_or(|cell| cell.key.is_some());
        if is_locked || run.hidden().count() > 0 {
            return None;
        }
        let scale = Scale::new(run.state.scale, run.largest(run.state.range, head))
            .over_keys(run.keys.len());
        let grid = displayed.grid()?;
        let titles = displayed.titles(language);
        let (queries, keys) = (run.queries.len(), run.keys.len());
        let (all, seen) = (thumbnails(run), Hidden::none(queries, keys));
        let cells = |own: &Thumbnail| own.grid(run, &seen);
        let codes = |grid: Grid<'_>| {
            let weights = (0..queries * keys).filter_map(|at| grid.weight(at / keys, at % keys));
            weights.map(|weight| scale.index(weight)).collect()
        };
        Some(Self {
            labels: [displayed.rows.to_vec(), displayed.columns.to_vec()],
            is_italic: is_italic(titles),
            titles,
            head: all.iter().position(|own| own.at == run.thumbnail(head))?,
            row: row(run),
            link: link(run, head, row(run)).map(|(key, _)| key),
            codes: all.iter().filter_map(cells).map(codes).collect(),
            values: CellStyle::ALL
                .map(|style| texts(&cell_values(run, &grid, &scale, style, Background::Light)))
                .into(),
            ticks: (2..=MOST_TICKS).map(|most| scale.ticks(most)).collect(),
            grounds: [Background::Light, Background::Dark].map(|ground| OpeningColours {
                table: (0..=u8::MAX)
                    .flat_map(|entry| {
                        let [r, g, b, _] = Lut::new(run.state.colours, ground).colour(entry);
                        [r, g, b]
                    })
                    .collect(),
                inks: cell_values(run, &grid, &scale, CellStyle::ALL[0], ground)
                    .iter()
                    .map(ink)
                    .collect(),
            }),
        })
    }
}

/// Texts of the cells, row by row.
fn cell_values(
    run: &Run,
    grid: &Grid<'_>,
    scale: &Scale,
    style: CellStyle,
    ground: Background,
) -> Vec<TextRun> {
    let axes = [grid.queries(), grid.keys()].map(|cells| Axis::new(cells, cells as u32));
    let mut layout = MapLayout::bare(Rect::default(), axes, 1.0);
    layout.values = Some(Values { style, size: 1.0 });
    let lut = Lut::new(run.state.colours, ground);
    let shapes = marks::cell_values(&layout, grid, &lut, scale);
    shapes.into_iter().filter_map(words).collect()
}

fn words(shape: Shape) -> Option<TextRun> {
    match shape {
        Shape::Words(words) => Some(words),
        _ => None,
    }
}

fn texts(values: &[TextRun]) -> Vec<String> {
    values.iter().map(|value| value.text.clone()).collect()
}

fn ink(value: &TextRun) -> u8 {
    match value.role {
        Role::ValueBlack => 1,
        Role::ValueWhite => 2,
        Role::ValueFaint => 3,
        _ => 0,
    }
}

fn is_italic(titles: [&'static str; 2]) -> [bool; 2] {
    let mut layout = MapLayout::bare(Rect::default(), [Axis::new(0, 0); 2], 1.0);
    [layout.query_title, layout.key_title] = titles.map(str::to_owned);
    marks::titles(&layout)
        .map(|title| words(title).is_some_and(|title| title.face() == Face::Italic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::matrix_style::Luts;
    use crate::scene::heatmap::{self, Hatch, PoolBy, Style};

    #[test]
    fn both_languages_open_with_a_map_that_can_be_drawn_without_the_engine() {
        for language in Language::ALL {
            let run = run(language).expect("the opening state can be computed");
            assert_eq!(run.state, *initial::standard(language));
            let map = OpeningMap::new(&run, language).expect("no hidden cells, no locked one");
            let all = thumbnails(&run);
            let chosen = all.get(map.head).map(|own| own.at);
            let cells = run.queries.len() * run.keys.len();
            assert!(map.values.iter().all(|values| values.len() == cells));
            assert!(map.codes.iter().all(|codes| codes.len() == cells));
            assert_eq!(
                (map.codes.len(), map.row, chosen),
                (all.len(), row(&run), Some(run.thumbnail(run.state.head))),
                "{language:?}"
            );
            // Both sentences say "animal" second.
            assert_eq!(map.link, Some(1), "{language:?}");
        }
        let causal = crate::present::run::tests::computed("mask=causal");
        assert_eq!(OpeningMap::new(&causal, Language::En), None);
    }

    #[test]
    fn codes_and_tables_make_the_colours_of_the_page_s_thumbnails() {
        let run = run(Language::En).expect("the opening state can be computed");
        let map = OpeningMap::new(&run, Language::En).expect("a plain map");
        let scale =
            Scale::new(run.state.scale, run.largest(run.state.range, 0)).over_keys(run.keys.len());
        for (ground, colours) in [Background::Light, Background::Dark]
            .into_iter()
            .zip(&map.grounds)
        {
            let [weights, signed, mask] = [
                Lut::new(run.state.colours, ground),
                Lut::diverging(ground),
                Lut::mask(ground),
            ];
            let luts = Luts {
                weights: &weights,
                signed: &signed,
                mask: &mask,
                scale,
            };
            let (hatch, mut pixels) = (Hatch::new(ground, 1.0), Vec::new());
            let seen = Hidden::none(run.queries.len(), run.keys.len());
            let style = Style {
                lut: luts.of_weights(),
                scale: &scale,
                hatch: &hatch,
                pool_by: PoolBy::Max,
            };
            for (own, codes) in thumbnails(&run).into_iter().zip(&map.codes) {
                let grid = own.grid(&run, &seen).expect("a head");
                heatmap::paint_small(&grid, 96, &style, &mut pixels);
                let drawn: Vec<u8> = codes
                    .iter()
                    .flat_map(|code| {
                        let at = 3 * usize::from(*code);
                        [&colours.table[at..at + 3], &[255]].concat()
                    })
                    .collect();
                assert_eq!(drawn, pixels, "{own:?} on {ground:?}");
            }
        }
    }
}
