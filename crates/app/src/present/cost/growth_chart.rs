//! The growth chart: how cost grows with the sequence length, as one picture for the page and for files.

use super::benchmark::Benchmark;
use super::curves::{Choice, HIGH, LOW, Line, written};
use super::layer_catalog::{Card, OWN, PARTS};
use super::workload::CostSetting;
use crate::i18n::{Key, Language, number, text};
use crate::scene::chart::{Layout, Point, Room};
use crate::scene::line_chart::{self, LineChart, SIZE};
use crate::scene::role::Role;
use crate::scene::shape::Shape;
use attention::complexity::{Crossing, Measure};
use engine::Backend;

/// Data of the chart.
#[derive(Clone, Copy)]
pub struct GrowthSource<'a> {
    /// The measure, and the layers to plot.
    pub choice: &'a Choice,
    /// The setting of the page.
    pub setting: &'a CostSetting,
    /// Benchmarks of the setting.
    pub measured: &'a [Benchmark],
    /// The length of the text on the page.
    pub length: usize,
    /// The language of everything written on it.
    pub language: Language,
}

/// The chart at a given size.
pub struct GrowthChart {
    /// Its layout.
    pub layout: Layout,
    /// Its lines.
    pub lines: Vec<Line>,
    /// Where two of them cross.
    pub crossings: Vec<(Line, Line, Crossing)>,
    /// Everything that is drawn.
    pub shapes: Vec<Shape>,
    /// Name of the measure.
    pub title: &'static str,
}

/// The curves as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthTable {
    /// Names of the curves.
    pub names: Vec<&'static str>,
    /// A length and the values of the curves there.
    pub rows: Vec<(f64, Vec<String>)>,
}

impl GrowthChart {
    /// Draws the chart in a room of this width and height.
    pub fn new(
        source: &GrowthSource<'_>,
        (width, height): (f64, f64),
        measure: &dyn Fn(&str, f64) -> f64,
    ) -> Self {
        let GrowthSource {
            choice,
            setting,
            measured,
            language,
            ..
        } = *source;
        let name = |line: Line| line.name(language).to_owned();
        let layout = choice.chart(setting, measured, &name).layout(&Room {
            width,
            height,
            size: SIZE,
            measure,
            x_label: &|n| n.to_string(),
            y_label: &|value| number::short(value as f32),
        });
        let mut chart = Self {
            layout,
            lines: choice.lines(measured.len()),
            crossings: choice.crossings(setting),
            shapes: Vec::new(),
            title: counted(choice.measure).text(language),
        };
        chart.shapes = chart.draw(source);
        chart
    }

    fn draw(&self, source: &GrowthSource<'_>) -> Vec<Shape> {
        let series: Vec<_> = (self.lines.iter())
            .map(|line| role(*line, source.measured))
            .collect();
        let crossings = self.crossings.iter();
        let crossings: Vec<_> = crossings
            .filter_map(|(one, _, crossing)| self.point_on(source, *one, crossing.n))
            .collect();
        let (x, text) = self.here(source);
        let chart = LineChart {
            layout: &self.layout,
            series: &series,
            crossings: &crossings,
            here: (x, &text),
            letter: "n",
        };
        chart.shapes()
    }

    /// Draws the marks for the values that are read off at `n`.
    pub fn reading(&self, source: &GrowthSource<'_>, n: f64) -> Vec<Shape> {
        let lines = self.lines.iter();
        let points: Vec<_> = lines
            .filter_map(|line| self.point_on(source, *line, n))
            .collect();
        line_chart::reading(&self.layout, &points)
    }

    /// The curves as a table, over the lengths that are powers of two.
    pub fn table(&self, source: &GrowthSource<'_>) -> GrowthTable {
        let is_curve = |line: &&Line| !matches!(line, Line::Measured(_));
        let lines: Vec<&Line> = self.lines.iter().filter(is_curve).collect();
        let choice = source.choice;
        let value = |line: &Line, n| {
            let value = choice.value(*line, n, source.setting);
            written(choice.measure, value.unwrap_or_default())
        };
        let lengths = std::iter::successors(Some(LOW), |n| Some(2.0 * n));
        let row = |n| (n, lines.iter().map(|line| value(line, n)).collect());
        GrowthTable {
            names: lines
                .iter()
                .map(|line| line.name(source.language))
                .collect(),
            rows: lengths.take_while(|n| *n <= HIGH).map(row).collect(),
        }
    }

    fn point_on(&self, source: &GrowthSource<'_>, line: Line, n: f64) -> Option<Point> {
        let value = source.choice.value(line, n, source.setting)?;
        self.layout.place((n, value))
    }

    /// Position of the page's own length, if the axis includes it, and its label.
    fn here(&self, source: &GrowthSource<'_>) -> (Option<f64>, String) {
        let n = source.length as f64;
        let low = self.layout.y_ticks.first().map_or(1.0, |tick| tick.value);
        let place = self.layout.place((n, low));
        let place = place.filter(|_| (LOW..=HIGH).contains(&n));
        let sentence = if n < LOW {
            text::cost_left
        } else {
            text::cost_here
        };
        let said = sentence(source.language, &source.length);
        (place.map(|place| place.x), said)
    }
}

/// Length to read the curves at after a key: the next power of two, or an end; `None` for other
/// keys.
pub fn reading_after(n: f64, key: &str) -> Option<f64> {
    let power = libm::log2(n);
    let power = match key {
        "ArrowRight" | "ArrowUp" => (power + 1e-9).floor() + 1.0,
        "ArrowLeft" | "ArrowDown" => (power - 1e-9).ceil() - 1.0,
        "Home" => libm::log2(LOW),
        "End" => libm::log2(HIGH),
        _ => return None,
    };
    Some(libm::exp2(power).clamp(LOW, HIGH))
}

const fn counted(measure: Measure) -> Key {
    match measure {
        Measure::Flops => Key::CostCountFlops,
        Measure::Leading => Key::CostCountLeading,
        Measure::Memory => Key::CostCountMemory,
    }
}

fn role(line: Line, measured: &[Benchmark]) -> Role {
    match line {
        Line::Own => Role::Curve(OWN),
        Line::Part(part) => Role::Curve(PARTS[part as usize]),
        Line::Layer(layer) => Role::Curve(Card::for_layer(layer).curve),
        Line::Measured(at) => match measured.get(at).map(|series| series.backend) {
            Some(Backend::WebGpu) => Role::GraphicsTime,
            _ => Role::ProcessorTime,
        },
    }
}

#[cfg(test)]
mod tests;
