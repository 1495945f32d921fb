//! Charts as figures.

use super::compose::FigureBuilder;
use crate::i18n::number;
use crate::i18n::{Key, text};
use crate::present::cost::{GrowthChart, GrowthSource};
use crate::present::{head_charts, names, token_curves};
use crate::scene::bar_chart::BarChart;
use crate::scene::chart::Axis;
use crate::scene::figure::Figure;
use crate::scene::figure::bars::Bars;
use crate::scene::figure::curves::Between;
use crate::scene::figure::figure_page::{FigurePage, SMALL, room};

/// Widest text below charts, for lines that can be read.
const WIDEST: f64 = 560.0;
/// Height of a chart over its width.
const ASPECT: f64 = 0.5;

impl FigureBuilder<'_> {
    /// The weights as curves between tokens.
    pub(super) fn curves(&self) -> Figure {
        let (run, language) = (self.view.run, self.view.language);
        let between = Between {
            weights: run.head(self.view.head),
            queries: &run.queries,
            keys: &run.keys,
            titles: [Key::CurvesQueries, Key::CurvesKeys].map(|key| key.text(language)),
        };
        let title = self.titled(Key::SaveCurves);
        let mut sheet = self.sheet(&title);
        let least = between.draw(&mut sheet, self.setting);
        sheet.note(&token_curves::smallest_drawn(language, least));
        sheet.caption(&self.mechanism);
        self.finish(sheet, &title)
    }

    /// A bar for each query, under what they are and over what that means; `unit` is what their axis counts.
    pub(super) fn by_query(
        &self,
        [title, meaning]: [Key; 2],
        unit: &str,
        chart: BarChart,
    ) -> Figure {
        let top = if chart.top > 0.0 { chart.top } else { 1.0 };
        let axis = Axis::round(0.0, top, 6);
        let written = |value: f64| (value, number::short(value as f32));
        let ticks: Vec<(f64, String)> = axis.ticks(6).into_iter().map(written).collect();
        let top = axis.high();
        let bars = Bars {
            chart: &BarChart { top, ..chart },
            ticks: &ticks,
            title: unit,
            names: &self.view.run.queries,
            chosen: Some(self.view.row),
        };
        self.bars([title, meaning], &bars)
    }

    /// How many cells have which weight.
    pub(super) fn histogram(&self) -> Option<Figure> {
        let counts = self.view.run.histogram(self.view.head)?;
        let chart = head_charts::histogram(&counts);
        let steps = [0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000_u32];
        let ticks: Vec<(f64, String)> = (steps.into_iter())
            .map(|count| (libm::log1p(f64::from(count)), count.to_string()))
            .filter(|(value, _)| *value <= chart.top)
            .collect();
        let names = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0_f32].map(number::short);
        let bars = Bars {
            chart: &chart,
            ticks: &ticks,
            title: Key::PictureCells.text(self.view.language),
            names: &names,
            chosen: None,
        };
        Some(self.bars([Key::ChartWeights, Key::PictureHistogram], &bars))
    }

    fn bars(&self, [title, meaning]: [Key; 2], bars: &Bars<'_>) -> Figure {
        let title = self.titled(title);
        let mut sheet = self.sheet(&title);
        bars.draw(&mut sheet, self.setting);
        sheet.caption(meaning.text(self.view.language));
        sheet.caption(&self.mechanism);
        self.finish(sheet, &title)
    }

    /// How cost grows with the length.
    pub(super) fn cost(&self, growth: &GrowthSource<'_>) -> Figure {
        let (language, width) = (self.view.language, room(self.setting));
        let height = (width * ASPECT).clamp(200.0, 420.0);
        let chart = GrowthChart::new(growth, (width, height), self.setting.measure);
        let title = Key::CostCurves.text(language);
        let mut sheet = FigurePage::new(self.setting, width);
        sheet.heading(title);
        let height = chart.layout.height + 0.5 * SMALL;
        sheet.chart(chart.title, (width, height), chart.shapes);
        sheet.caption(&self.mechanism);
        self.finish(sheet, title)
    }

    fn sheet(&self, title: &str) -> FigurePage<'_> {
        let mut sheet = FigurePage::new(self.setting, WIDEST);
        sheet.heading(title);
        sheet
    }

    /// "Entropy of each query · head 1 · pronoun → noun".
    fn titled(&self, title: Key) -> String {
        let (view, language) = (self.view, self.view.language);
        let head = names::head(view.run, view.head, language);
        text::map_title(language, &title.text(language), &head)
    }
}
