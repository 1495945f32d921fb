//! Charts as figures.

use super::FigureBuilder;
use crate::browser::main_view::ViewContext;
use crate::browser::panels::CostChart;
use crate::browser::panels::registry::PanelRegistry;
use crate::i18n::number::{self, CellStyle};
use crate::i18n::{Key, text};
use crate::present::names;
use crate::scene::chart::Axis;
use crate::scene::figure::Figure;
use crate::scene::figure::bars::Bars;
use crate::scene::figure::curves::Between;
use crate::scene::figure::figure_page::{FigurePage, SMALL, room};
use crate::scene::figure::line_chart::Lines;
use crate::scene::figure::palette::Inks;
use attention::analysis::{BINS, entropy_limit};

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
    values: Vec<f64>,
    limits: Vec<f64>,
    top: f64,
}

impl FigureBuilder<'_> {
    /// The weights as curves between tokens.
    pub(super) fn curves(&self) -> Option<Figure> {
        let ViewContext {
            run,
            head,
            language,
            ..
        } = *self.sight;
        let between = Between {
            weights: run.head(head),
            queries: &run.queries,
            keys: &run.keys,
            titles: [Key::CurvesQueries, Key::CurvesKeys].map(|key| key.text(language)),
        };
        let title = self.titled(Key::SaveCurves);
        let mut sheet = self.sheet(&title);
        let least = LEAST.write(between.draw(&mut sheet, self.setting));
        sheet.note(&text::curves_least(language, &least));
        sheet.caption(&self.mechanism);
        Some(self.finish(sheet, &title))
    }

    /// The entropy of each query.
    pub(super) fn entropy(&self) -> Option<Figure> {
        let ViewContext { run, head, .. } = *self.sight;
        let stats = run.reply.stats.get(head)?;
        let reachable = run.seen.reachable();
        let rows = 0..run.queries.len();
        let limits: Vec<f64> = rows
            .map(|row| entropy_limit(reachable.get(row).copied().unwrap_or(0)))
            .collect();
        self.by_query(Chart {
            title: Key::ChartEntropy,
            meaning: Key::ChartEntropyMeaning,
            unit: Key::PictureNats.text(self.sight.language),
            values: stats.entropy_per_query.to_vec(),
            top: limits.iter().copied().fold(0.0, f64::max),
            limits,
        })
    }

    /// The weight of each token on itself.
    pub(super) fn itself(&self) -> Option<Figure> {
        let ViewContext { run, head, .. } = *self.sight;
        let stats = run.reply.stats.get(head)?;
        let own = stats.self_weight.iter().copied().map(f64::from);
        self.by_query(Chart {
            title: Key::ChartItself,
            meaning: Key::ChartItselfMeaning,
            unit: "A(i, i)",
            values: own.collect(),
            limits: Vec::new(),
            top: 1.0,
        })
    }

    /// The weight of each query on the first token.
    pub(super) fn first(&self) -> Option<Figure> {
        let ViewContext { run, head, .. } = *self.sight;
        let first = |row| run.row(head, row).first().copied().unwrap_or(0.0);
        let rows = 0..run.queries.len();
        self.by_query(Chart {
            title: Key::ChartFirst,
            meaning: Key::ChartFirstMeaning,
            unit: "A(i, 1)",
            values: rows.map(|row| f64::from(first(row))).collect(),
            limits: Vec::new(),
            top: 1.0,
        })
    }

    fn by_query(&self, chart: Chart<'_>) -> Option<Figure> {
        let ViewContext {
            run, row, language, ..
        } = *self.sight;
        let axis = Axis::round(0.0, if chart.top > 0.0 { chart.top } else { 1.0 }, 6);
        let written = |value: f64| (value, number::short(value as f32));
        let ticks: Vec<(f64, String)> = axis.ticks(6).into_iter().map(written).collect();
        let bars = Bars {
            values: &chart.values,
            limits: &chart.limits,
            axis,
            ticks: &ticks,
            title: chart.unit,
            names: &run.queries,
            chosen: Some(row),
            hue: Inks::of(self.setting.ground).query,
        };
        let title = self.titled(chart.title);
        let mut sheet = self.sheet(&title);
        bars.draw(&mut sheet, self.setting);
        sheet.caption(chart.meaning.text(language));
        sheet.caption(&self.mechanism);
        Some(self.finish(sheet, &title))
    }

    /// How many cells have which weight.
    pub(super) fn histogram(&self) -> Option<Figure> {
        let ViewContext {
            run,
            head,
            language,
            ..
        } = *self.sight;
        let counts = run.reply.stats.get(head)?.histogram;
        let values = counts.map(|count| libm::log1p(f64::from(count)));
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        let steps = [0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000_u32];
        let ticks: Vec<(f64, String)> = (steps.into_iter())
            .filter(|count| *count <= most)
            .map(|count| (libm::log1p(f64::from(count)), count.to_string()))
            .collect();
        let names = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0_f32].map(number::short);
        let bars = Bars {
            values: &values[..BINS],
            limits: &[],
            axis: Axis::linear(0.0, libm::log1p(f64::from(most))),
            ticks: &ticks,
            title: Key::PictureCells.text(language),
            names: &names,
            chosen: None,
            hue: Inks::of(self.setting.ground).ink,
        };
        let title = self.titled(Key::ChartWeights);
        let mut sheet = self.sheet(&title);
        bars.draw(&mut sheet, self.setting);
        sheet.caption(Key::PictureHistogram.text(language));
        sheet.caption(&self.mechanism);
        Some(self.finish(sheet, &title))
    }

    /// How cost grows with the length.
    pub(super) fn cost(&self, folds: &PanelRegistry) -> Option<Figure> {
        let (language, width) = (self.sight.language, room(self.setting));
        let height = (width * ASPECT).clamp(200.0, 420.0);
        let inks = Inks::of(self.setting.ground);
        let CostChart {
            layout,
            series,
            crossings,
            here,
            title: counted,
        } = folds.chart((width, height), self.setting.measure, &inks)?;
        let title = Key::CostCurves.text(language);
        let mut sheet = FigurePage::new(self.setting, width);
        sheet.heading(title);
        let lines = Lines {
            layout: &layout,
            series: &series,
            crossings: &crossings,
            here: here.as_ref().map(|(x, text)| (*x, text.as_str())),
            title: &counted,
        };
        lines.draw(&mut sheet, (width, height + 0.5 * SMALL));
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
        let ViewContext {
            run,
            head,
            language,
            ..
        } = *self.sight;
        let head = names::head(&run.state, head, language);
        text::map_title(language, &title.text(language), &head)
    }
}
