//! A, B and their difference as maps with one crosshair.

use web_sys::{Element, HtmlElement};

use super::ComparedRuns;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::heatmap_view::HeatmapView;
use crate::browser::map::Pointed;
use crate::browser::panels::Legend;
use crate::browser::view::View;
use app::i18n::{Key, text};
use app::present::colour_style::Palette;
use app::present::comparison::Pair;
use app::present::matrix_style::MatrixStyle;
use app::present::names;
use app::present::run::Run;
use app::present::steps::MatrixKind;
use app::scene::heatmap::{Grid, Pooling};
use app::scene::hit::Target;
use app::scene::marks;
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
            maps,
        })
    }

    /// Hit test at a point of one of the maps.
    pub(super) fn target(&self, which: ComparedMap, x: f64, y: f64) -> Option<Target> {
        self.plots[which as usize].view.image.layout()?.target(x, y)
    }

    /// Fonts and colours have changed.
    pub(super) fn restyle(&mut self) {
        self.plots.iter_mut().for_each(|plot| plot.view.restyle());
        self.legends.iter_mut().for_each(Legend::restyle);
    }

    /// Paints all maps.
    pub(super) fn paint(&mut self, beside: &ComparedRuns<'_>) {
        let (pair, dpr) = (&beside.pair, beside.dpr);
        dom::set_flag(&self.maps, "data-outdated", false);
        dom::set_flag(&self.difference, "data-off", !pair.is_alike());
        let difference = pair.difference();
        let values = difference.as_ref().map_or(&[][..], |(values, _)| values);
        let styles = pair.styles(beside.colours, values);
        let grids = [
            pair.a.grid(pair.head),
            pair.b.grid(pair.head_b()),
            difference
                .as_ref()
                .and_then(|(values, hidden)| Grid::new(values, hidden).ok()),
        ];
        let runs = [
            (pair.a, &styles[0]),
            (pair.b, &styles[0]),
            (pair.a, &styles[1]),
        ];
        let mut pooling = None;
        for ((plot, grid), (run, style)) in self.plots.iter_mut().zip(grids).zip(runs) {
            if let Some(grid) = grid {
                let pooled = plot.paint(run, &grid, style, beside);
                let is_of_both = style.kind == MatrixKind::Weights;
                pooling = pooled.filter(|_| is_of_both).or(pooling);
            }
        }
        let is_apart = values.iter().any(|difference| *difference != 0.0);
        self.legends[1].show_only_if(is_apart);
        let palette = &beside.colours.palette;
        for (legend, style) in self.legends.iter_mut().zip(&styles) {
            legend.update((style.lut, &style.scale), palette, dpr, pair.language);
        }
        self.name(pair);
        self.instead.set_text(&pair.instead());
        self.notes.set_text(&pair.notes(pooling));
    }

    /// Marks the maps as outdated; no newer result will arrive.
    pub(super) fn refuse(&mut self) {
        dom::set_flag(&self.maps, "data-outdated", true);
    }

    /// Draws the crosshair on all maps, and reads the cell.
    pub(super) fn point(&mut self, beside: &ComparedRuns<'_>, pointed: Pointed) {
        let pair = &beside.pair;
        for plot in &mut self.plots {
            plot.point(pointed, &beside.colours.palette);
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

    fn name(&mut self, pair: &Pair<'_>) {
        let language = pair.language;
        let runs = [(pair.a, pair.head), (pair.b, pair.head_b())];
        for (text, (run, head)) in self.heads.iter_mut().zip(runs) {
            text.set_text(&names::unparted(&names::head(run, head, language)));
        }
    }
}

/// A map of the panel.
struct Plot {
    element: HtmlElement,
    view: HeatmapView,
}

impl Plot {
    fn new(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        Ok(Self {
            element: root.find(selector)?,
            view: HeatmapView::find_map(root, selector)?,
        })
    }

    /// Paints the map. Returns how cells were pooled, where there are more of them than pixels.
    fn paint(
        &mut self,
        run: &Run,
        grid: &Grid<'_>,
        style: &MatrixStyle<'_>,
        beside: &ComparedRuns<'_>,
    ) -> Option<Pooling> {
        let size = (f64::from(self.element.client_width()), beside.dpr);
        let palette = &beside.colours.palette;
        let request = Pair::request(run, style.form, size, beside.pair.language);
        let layout = self.view.lay_out(&request, f64::INFINITY, palette);
        let hatch = beside.colours.hatch(layout.dpr);
        let height = format!("{}px", layout.height);
        let pooling = (self.view.image).paint_map(layout, grid, &style.pixels(&hatch));
        if self.view.show(palette) {
            // A property that every browser knows.
            let _ = self.element.style().set_property("height", &height);
        }
        pooling
    }

    /// Draws labels and crosshair; cheap enough for every move of the pointer.
    fn point(&mut self, pointed: Pointed, palette: &Palette) {
        if let Some(layout) = self.view.image.layout() {
            let marks = marks::pointed(layout, pointed.query, pointed.key);
            self.view.mark(marks, palette);
        }
    }
}
