//! Charts as figures.

use super::compose::{FigureBuilder, FigureView, GrowthPanel};
use crate::i18n::number::{self, CellStyle};
use crate::i18n::{Key, fill, say};
use crate::present::{head_charts, names};
use crate::scene::bar_chart::BarChart;
use crate::scene::chart::Axis;
use crate::scene::figure::Figure;
use crate::scene::figure::bars::Bars;
use crate::scene::figure::curves::Between;
use crate::scene::figure::figure_page::{FigurePage, SMALL, room};

/// How the smallest weight that is drawn is written.
const LEAST: CellStyle = CellStyle {
    decimals: 3,
    leading_zero: true,
};
/// Widest text below charts, for lines that can be read.
const WIDEST: f64 = 560.0;
/// Height of a chart over its width.
const ASPECT: f64 = 0.5;

/// What differs between charts of bars.
struct Chart<'a> {
    title: Key,
    meaning: Key,
    unit: &'a str,
    bars: BarChart,
}

impl FigureBuilder<'_> {
    /// The weights as curves between tokens.
    pub(super) fn curves(&self) -> Option<Figure> {
        let FigureView {
            run,
            head,
            language,
            ..
        } = *self.view;
        let between = Between {
            weights: run.head(head),
            queries: &run.queries,
            keys: &run.keys,
            titles: [Key::CurvesQueries, Key::CurvesKeys].map(|key| say(language, key)),
        };
        let title = self.titled(Key::SaveCurves);
        let mut sheet = self.sheet(&title);
        let least = LEAST.write(between.draw(&mut sheet, self.setting));
        sheet.note(&fill(language, Key::CurvesLeast, &[("least", &least)]));
        sheet.caption(&self.mechanism);
        Some(self.finish(sheet, &title))
    }

    /// The entropy of each query.
    pub(super) fn entropy(&self) -> Option<Figure> {
        self.by_query(Chart {
            title: Key::ChartEntropy,
            meaning: Key::ChartEntropyMeaning,
            unit: say(self.view.language, Key::PictureNats),
            bars: head_charts::entropy(self.view.run, self.view.head)?,
        })
    }

    /// The weight of each token on itself.
    pub(super) fn itself(&self) -> Option<Figure> {
        self.by_query(Chart {
            title: Key::ChartItself,
            meaning: Key::ChartItselfMeaning,
            unit: "A(i, i)",
            bars: head_charts::itself(self.view.run, self.view.head)?,
        })
    }

    /// The weight of each query on the first token.
    pub(super) fn first(&self) -> Option<Figure> {
        self.by_query(Chart {
            title: Key::ChartFirst,
            meaning: Key::ChartFirstMeaning,
            unit: "A(i, 1)",
            bars: head_charts::first(self.view.run, self.view.head),
        })
    }

    fn by_query(&self, mut chart: Chart<'_>) -> Option<Figure> {
        let FigureView {
            run, row, language, ..
        } = *self.view;
        let top = chart.bars.top;
        let axis = Axis::round(0.0, if top > 0.0 { top } else { 1.0 }, 6);
        chart.bars.top = axis.high();
        let written = |value: f64| (value, number::short(value as f32));
        let ticks: Vec<(f64, String)> = axis.ticks(6).into_iter().map(written).collect();
        let bars = Bars {
            chart: &chart.bars,
            ticks: &ticks,
            title: chart.unit,
            names: &run.queries,
            chosen: Some(row),
        };
        let title = self.titled(chart.title);
        let mut sheet = self.sheet(&title);
        bars.draw(&mut sheet, self.setting);
        sheet.caption(say(language, chart.meaning));
        sheet.caption(&self.mechanism);
        Some(self.finish(sheet, &title))
    }

    /// How many cells have which weight.
    pub(super) fn histogram(&self) -> Option<Figure> {
        let FigureView {
            run,
            head,
            language,
            ..
        } = *self.view;
        let counts = run.reply.stats.get(head)?.histogram;
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        let steps = [0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000_u32];
        let ticks: Vec<(f64, String)> = (steps.into_iter())
            .filter(|count| *count <= most)
            .map(|count| (libm::log1p(f64::from(count)), count.to_string()))
            .collect();
        let names = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0_f32].map(number::short);
        let bars = Bars {
            chart: &BarChart {
                top: libm::log1p(f64::from(most)),
                ..head_charts::histogram(&counts)
            },
            ticks: &ticks,
            title: say(language, Key::PictureCells),
            names: &names,
            chosen: None,
        };
        let title = self.titled(Key::ChartWeights);
        let mut sheet = self.sheet(&title);
        bars.draw(&mut sheet, self.setting);
        sheet.caption(say(language, Key::PictureHistogram));
        sheet.caption(&self.mechanism);
        Some(self.finish(sheet, &title))
    }

    /// How cost grows with the length.
    pub(super) fn cost(&self, panel: &dyn GrowthPanel) -> Option<Figure> {
        let (language, width) = (self.view.language, room(self.setting));
        let height = (width * ASPECT).clamp(200.0, 420.0);
        let chart = panel.chart((width, height), self.setting.measure)?;
        let title = say(language, Key::CostCurves);
        let mut sheet = FigurePage::new(self.setting, width);
        sheet.heading(title);
        sheet.chart(chart.title, (width, height + 0.5 * SMALL), chart.shapes);
        sheet.caption(&self.mechanism);
        Some(self.finish(sheet, title))
    }

    fn sheet(&self, title: &str) -> FigurePage<'_> {
        let mut sheet = FigurePage::new(self.setting, WIDEST);
        sheet.heading(title);
        sheet
    }

    /// "Entropy of each query · head 1 · pronoun → noun".
    fn titled(&self, title: Key) -> String {
        let FigureView {
            run,
            head,
            language,
            ..
        } = *self.view;
        let head = names::head(&run.state, head, language);
        let values = [("step", say(language, title)), ("head", &*head)];
        fill(language, Key::MapTitle, &values)
    }
}
