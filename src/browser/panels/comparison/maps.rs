//! A, B and their difference as maps with one crosshair.

use web_sys::{Element, HtmlElement};

use super::ComparedRuns;
use super::plot::{Cells, Plot};
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::map::Pointed;
use crate::browser::panels::Legend;
use crate::browser::view::View;
use app::i18n::{Key, text};
use app::present::colour_style::ColourStyle;
use app::present::comparison::Pair;
use app::present::names;
use app::present::run::Run;
use app::scene::colour::Lut;
use app::scene::heatmap::{Grid, Hidden};
use app::scene::hit::Target;
use app::scene::scale::Scale;
use app::views::comparison;

/// Which of the maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComparedMap {
    A,
    B,
    Difference,
}

impl ComparedMap {
    /// Every map, in the order of the page.
    pub(crate) const ALL: [Self; 3] = [Self::A, Self::B, Self::Difference];

    /// The element of its map.
    pub(crate) const fn selector(self) -> &'static str {
        match self {
            Self::A => "#versus-a",
            Self::B => "#versus-b",
            Self::Difference => "#versus-difference",
        }
    }
}

/// The maps, their colour bars and the line that reads them.
pub(super) struct Maps {
    plots: [Plot; 3],
    heads: [Text; 2],
    legends: [Legend; 2],
    maps: Element,
    difference: Element,
    instead: Text,
    notes: Text,
    cell: View,
    hint: Text,
    spoken: Text,
    looks: Option<[ColourStyle; 2]>,
    values: Vec<f32>,
}

impl Maps {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        let plot = |which: ComparedMap| Plot::new(root, which.selector());
        let maps: Element = root.find("#versus-maps")?;
        Ok(Self {
            plots: [
                plot(ComparedMap::A)?,
                plot(ComparedMap::B)?,
                plot(ComparedMap::Difference)?,
            ],
            heads: [
                Text::find(root, "#versus-a-head")?,
                Text::find(root, "#versus-b-head")?,
            ],
            legends: [
                Legend::new(root, "#versus-bar")?,
                Legend::new(root, "#versus-difference-bar")?,
            ],
            difference: root.find("#versus-difference-figure")?,
            instead: Text::find(root, "#versus-instead")?,
            notes: Text::find(root, "#versus-notes")?,
            hint: Text::find(root, "#versus-hint")?,
            cell: View::find(root, "#versus-cell")?,
            spoken: Text::find(root, "#versus-spoken")?,
            looks: None,
            values: Vec::new(),
            maps,
        })
    }

    /// Hit test at a point of one of the maps.
    pub(super) fn target(&self, which: ComparedMap, x: f64, y: f64) -> Option<Target> {
        self.plots[which as usize].target(x, y)
    }

    /// Fonts and colours have changed.
    pub(super) fn restyle(&mut self) {
        self.plots.iter_mut().for_each(Plot::restyle);
        self.legends.iter_mut().for_each(Legend::restyle);
        self.looks = None;
    }

    /// Paints all maps. A and B share one scale, so that equal colours are equal weights.
    pub(super) fn paint(&mut self, beside: &ComparedRuns<'_>) {
        let (pair, place) = (&beside.pair, beside.place);
        dom::set_flag(&self.maps, "data-outdated", false);
        dom::set_flag(&self.difference, "data-off", !pair.is_alike());
        let hidden = self.subtract(pair);
        let looks = self.looks(beside);
        let [a, b, difference] = &mut self.plots;
        let runs = [(a, pair.a, pair.head), (b, pair.b, pair.head_b())];
        let mut pooling = None;
        for (plot, run, head) in runs {
            if let Some(grid) = run.grid(head) {
                pooling = plot.paint(&cells(run, grid, &looks[0]), place).or(pooling);
            }
        }
        if let Some(grid) = hidden
            .as_ref()
            .and_then(|hidden| Grid::new(&self.values, hidden).ok())
        {
            difference.paint(&cells(pair.a, grid, &looks[1]), place);
        }
        let is_apart = self.values.iter().any(|difference| *difference != 0.0);
        self.legends[1].show_only_if(is_apart);
        for (legend, colours) in self.legends.iter_mut().zip(&looks) {
            legend.update(
                (&colours.lut, &colours.scale),
                &colours.palette,
                place.dpr,
                pair.language,
            );
        }
        self.looks = Some(looks);
        self.name(pair);
        self.instead.set_text(&pair.instead());
        self.notes.set_text(&pair.notes(pooling));
    }

    /// Marks the maps as outdated; no newer result will arrive.
    pub(super) fn refuse(&mut self) {
        dom::set_flag(&self.maps, "data-outdated", true);
    }

    /// Draws the crosshair on all maps, and reads the cell.
    pub(super) fn point(&mut self, pair: &Pair<'_>, pointed: Pointed) {
        let Some(looks) = &self.looks else { return };
        for (plot, colours) in self.plots.iter_mut().zip([0, 0, 1]) {
            plot.point(pointed, &looks[colours]);
        }
        let hint = match pointed.key {
            Some(_) => "",
            None => Key::MapHint.text(pair.language),
        };
        self.hint.set_text(hint);
        let read = pair.read(pointed.query, pointed.key);
        self.cell.update(comparison::cell(&read));
    }

    /// Announces a cell to screen readers.
    pub(super) fn speak(&mut self, pair: &Pair<'_>, pointed: Pointed) {
        let [query, _, key, value] = &pair.read(pointed.query, pointed.key);
        let language = pair.language;
        self.spoken
            .set_text(&text::spoken_cell(language, query, key, value));
    }

    /// The elements of the maps.
    pub(super) fn elements(&self) -> impl Iterator<Item = (ComparedMap, HtmlElement)> {
        let plots = self.plots.iter().map(|plot| plot.element.clone());
        ComparedMap::ALL.into_iter().zip(plots)
    }

    /// Writes `B − A` into `values`; which cells neither sees. `None` where the columns are not the same.
    fn subtract(&mut self, pair: &Pair<'_>) -> Option<Hidden> {
        self.values.clear();
        if !pair.is_alike() {
            return None;
        }
        let (a, b) = pair.heads();
        self.values.extend(a.iter().zip(b).map(|(a, b)| b - a));
        let (a, b) = (pair.a.hidden(), pair.b.hidden());
        let (queries, keys) = (pair.a.queries.len(), pair.a.keys.len());
        Some(Hidden::new(queries, keys, |query, key| {
            a.is_hidden(query, key) && b.is_hidden(query, key)
        }))
    }

    fn looks(&self, beside: &ComparedRuns<'_>) -> [ColourStyle; 2] {
        let palette = &beside.colours.palette;
        let largest = self
            .values
            .iter()
            .fold(0.0_f32, |most, value| most.max(value.abs()));
        [
            ColourStyle {
                palette: palette.clone(),
                lut: beside.colours.of_weights().clone(),
                scale: Scale::new(beside.colours.scale.kind(), beside.pair.largest()),
            },
            ColourStyle {
                palette: palette.clone(),
                lut: Lut::diverging(palette.ground),
                scale: Scale::symmetric(largest),
            },
        ]
    }

    fn name(&mut self, pair: &Pair<'_>) {
        let language = pair.language;
        let runs = [(pair.a, pair.head), (pair.b, pair.head_b())];
        for (text, (run, head)) in self.heads.iter_mut().zip(runs) {
            text.set_text(&names::unparted(&names::head(run, head, language)));
        }
    }
}

fn cells<'a>(run: &'a Run, grid: Grid<'a>, colours: &'a ColourStyle) -> Cells<'a> {
    Cells {
        grid,
        queries: &run.queries,
        keys: &run.keys,
        is_mixed: run.state.linformer,
        colours,
    }
}
