//! Curves over n: which are drawn, their values, and where they cross.

use super::benchmark::Benchmark;
use super::{CARDS, Card, CostPart, CostSetting};
use crate::i18n::{Key, Language, number};
use crate::scene::chart::{self, Axis, Chart};
use attention::complexity::{Crossing, Layer, Measure, crossings};
use attention::sort;

/// The low end of the axis of n.
pub const LOW: f64 = 4.0;
/// The high end.
pub const HIGH: f64 = 16_384.0;
/// Places at which a curve is computed; a power of two falls on every eighth.
const PLACES: i32 = 8 * 12;

/// Settings of the chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The measure on the vertical axis.
    pub measure: Measure,
    /// The layers whose curves are shown.
    pub layers: Vec<Layer>,
    /// Whether the parts of the setting are shown, where FLOPs are counted.
    pub has_parts: bool,
}

/// A line of the chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// A kind of layer.
    Layer(Layer),
    /// The setting of the page as it is computed here.
    Own,
    /// A part of it.
    Part(CostPart),
    /// Measured times, the number of their series.
    Measured(usize),
}

impl Line {
    /// Returns the name of the curve; empty for measured times.
    pub fn name(self, language: Language) -> &'static str {
        match self {
            Self::Layer(layer) => Card::for_layer(layer).name.text(language),
            Self::Own => Key::CostOwn.text(language),
            Self::Part(CostPart::Projections) => Key::CostOwnProjections.text(language),
            Self::Part(CostPart::Attention) => Key::CostOwnAttention.text(language),
            Self::Measured(_) => "",
        }
    }
}

impl Default for Choice {
    fn default() -> Self {
        let shown = CARDS.iter().filter(|card| card.is_shown);
        Self {
            measure: Measure::default(),
            layers: shown.map(|card| card.layer).collect(),
            has_parts: true,
        }
    }
}

impl Choice {
    /// Shows or hides a layer.
    pub fn set(&mut self, layer: Layer, is_shown: bool) {
        self.layers.retain(|shown| *shown != layer);
        if is_shown {
            self.layers.push(layer);
            let place = |layer: &Layer| Layer::ALL.iter().position(|known| known == layer);
            sort::sort(&mut self.layers, |one, other| place(one).cmp(&place(other)));
        }
    }

    /// The lines of the chart, in the order of its series.
    pub fn lines(&self, measured: usize) -> Vec<Line> {
        let layers = self.layers.iter().copied().map(Line::Layer);
        // A time stands for the operations that it took, so that it has no place among other measures.
        let is_timed = self.measure == Measure::Flops;
        let own = (self.measure != Measure::Leading).then_some(Line::Own);
        let parts = CostPart::ALL
            .into_iter()
            .filter(|_| is_timed && self.has_parts);
        let own = own.into_iter().chain(parts.map(Line::Part));
        let times = (0..measured).filter(|_| is_timed).map(Line::Measured);
        own.chain(layers).chain(times).collect()
    }

    /// Value of a curve at `n`; `None` for measured times, which are points.
    pub fn value(&self, line: Line, n: f64, setting: &CostSetting) -> Option<f64> {
        match line {
            Line::Layer(layer) => Some(layer.amount(self.measure, n, &setting.dims)),
            Line::Own => Some(setting.amount(self.measure, n)),
            Line::Part(part) => (self.measure == Measure::Flops).then(|| setting.part(part, n)),
            Line::Measured(_) => None,
        }
    }

    /// The values of all layers at `n`, in the order of [`CARDS`], then those of the setting and its parts.
    pub fn values(&self, setting: &CostSetting, n: f64) -> impl Iterator<Item = String> {
        let layers = CARDS.iter().map(|card| Some(Line::Layer(card.layer)));
        let own = (self.measure != Measure::Leading).then_some(Line::Own);
        let value = move |line: Option<Line>| {
            let value = line.and_then(|line| self.value(line, n, setting));
            value.map_or_else(|| "–".to_owned(), |value| written(self.measure, value))
        };
        let parts = CostPart::ALL.map(|part| Some(Line::Part(part)));
        layers.chain([own]).chain(parts).map(value)
    }

    /// The chart. `name` is what stands at the end of a line.
    pub fn chart(
        &self,
        setting: &CostSetting,
        measured: &[Benchmark],
        name: &dyn Fn(Line) -> String,
    ) -> Chart {
        let rate = rate(setting, measured);
        let points = |line: Line| match line {
            Line::Measured(at) => {
                let timed = measured[at].timed().into_iter();
                timed.map(|(n, ms)| (n, ms * rate.unwrap_or(0.0))).collect()
            }
            _ => places()
                .filter_map(|n| Some((n, self.value(line, n, setting)?)))
                .collect::<Vec<_>>(),
        };
        let series: Vec<chart::Series> = (self.lines(measured.len()).into_iter())
            .map(|line| chart::Series {
                name: name(line),
                points: points(line),
            })
            .collect();
        let values = || {
            series
                .iter()
                .flat_map(|series| &series.points)
                .map(|(_, y)| *y)
        };
        Chart {
            x: Axis::log(2.0, LOW, HIGH),
            y: Axis::powers(
                10.0,
                values().filter(|y| *y > 0.0).fold(f64::INFINITY, f64::min),
                values().fold(0.0, f64::max),
            ),
            series,
        }
    }

    /// Every crossing of two shown curves, n rising. Parts of the setting are compared with each other alone.
    pub fn crossings(&self, setting: &CostSetting) -> Vec<(Line, Line, Crossing)> {
        let amount = |line| move |n| self.value(line, n, setting).unwrap_or_default();
        let lines = self.lines(0);
        let mut found = Vec::new();
        for (at, one) in lines.iter().enumerate() {
            let is_part = |line: &Line| matches!(line, Line::Part(_));
            let is_alike = |other: &&Line| is_part(other) == is_part(one);
            for other in lines[at + 1..].iter().filter(is_alike) {
                let crossings = crossings(amount(*one), amount(*other), LOW, HIGH);
                found.extend(
                    crossings
                        .into_iter()
                        .map(|crossing| (*one, *other, crossing)),
                );
            }
        }
        sort::sort(&mut found, |a, b| a.2.n.total_cmp(&b.2.n));
        found
    }
}

/// The lengths at which curves are computed.
fn places() -> impl Iterator<Item = f64> {
    (0..=PLACES).map(|place| LOW * libm::exp2(f64::from(place) / 8.0))
}

/// FLOPs per millisecond that put the last point of the first series on the curve of the setting.
/// Slopes can then be compared, and heights of one series with those of another.
pub fn rate(setting: &CostSetting, measured: &[Benchmark]) -> Option<f64> {
    let timed = measured.iter().find_map(|series| series.timed().pop());
    timed.map(|(n, ms)| setting.amount(Measure::Flops, n) / ms)
}

/// Formats a value of a measure.
pub fn written(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Flops => number::si(value.round(), "FLOP"),
        Measure::Memory => number::si(value.round(), "B"),
        Measure::Leading => number::short(value as f32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::url;
    use engine::Backend;

    use super::super::Load;

    fn setting(link: &str) -> CostSetting {
        CostSetting::from_state(&url::parse(link).0, 11, 11)
    }

    fn measured() -> Benchmark {
        let mut series = Benchmark::new(Backend::Cpu, 256);
        while let Some(n) = series.next() {
            series.took(n as f64, |_| Load {
                bytes: 1,
                flops: 1.0,
            });
        }
        series
    }

    #[test]
    fn every_power_of_two_is_a_place() {
        let all: Vec<f64> = places().collect();
        assert_eq!((all[0], all[8], all[96]), (LOW, 8.0, HIGH));
        assert_eq!(all.len(), 97);
    }

    #[test]
    fn layers_are_shown_in_their_order_whatever_the_order_of_toggles() {
        let mut choice = Choice::default();
        choice.set(Layer::MultiQuery, true);
        choice.set(Layer::Full, false);
        choice.set(Layer::Full, true);
        assert_eq!(choice.layers.first(), Some(&Layer::Full));
        let count = choice.layers.len();
        choice.set(Layer::Full, true);
        assert_eq!(choice.layers.len(), count);
    }

    #[test]
    fn without_mask_or_positions_the_setting_is_self_attention() {
        let setting = setting("v=1&positions=none");
        for n in [64.0, 1024.0, 16_384.0] {
            let full = Layer::Full.flops(n, &setting.dims);
            assert_eq!(setting.amount(Measure::Flops, n), full);
        }
    }

    #[test]
    fn times_lie_on_the_curve_with_their_last_point() {
        let (setting, choice) = (setting("v=1"), Choice::default());
        let chart = choice.chart(&setting, &[measured()], &|_| String::new());
        let points = &chart.series.last().expect("the measured series").points;
        assert_eq!(points.len(), 3);
        let curve = setting.amount(Measure::Flops, 256.0);
        assert!((points[2].1 / curve - 1.0).abs() < 1e-12);
        assert!(
            (points[0].1 / curve - 0.25).abs() < 1e-12,
            "times keep their ratios"
        );
    }

    #[test]
    fn times_have_no_place_among_bytes_or_leading_terms() {
        for (measure, lines) in [
            (Measure::Leading, 5),
            (Measure::Memory, 6),
            (Measure::Flops, 9),
        ] {
            let choice = Choice {
                measure,
                ..Choice::default()
            };
            assert_eq!(choice.lines(1).len(), lines, "{measure:?}");
        }
    }

    #[test]
    fn crossings_are_found_among_the_shown_layers_only() {
        let mut choice = Choice {
            measure: Measure::Leading,
            ..Choice::default()
        };
        let setting = setting("v=1&d_model=512&d_k=128&heads=4");
        let found = choice.crossings(&setting);
        let at = |one, other| {
            found
                .iter()
                .find(|found| (found.0, found.1) == (Line::Layer(one), Line::Layer(other)))
        };
        let (_, _, crossing) = at(Layer::Full, Layer::Recurrent).expect("they cross");
        assert!((crossing.n - 512.0).abs() < 1e-3, "{crossing:?}");
        assert!(found.windows(2).all(|pair| pair[0].2.n <= pair[1].2.n));
        choice.set(Layer::Recurrent, false);
        let left = choice.crossings(&setting);
        let recurrent = Line::Layer(Layer::Recurrent);
        assert!(left.iter().all(|found| found.1 != recurrent) && left.len() < found.len());
    }

    #[test]
    fn the_setting_itself_is_among_the_curves_that_cross() {
        // Additive scores take more than dot products, so that the setting has crossings of its own.
        let setting = setting("v=1&d_model=512&d_k=16&heads=4&scoring=additive&positions=none");
        let choice = Choice {
            measure: Measure::Flops,
            layers: vec![Layer::Convolutional],
            has_parts: false,
        };
        let found = choice.crossings(&setting);
        let [(Line::Own, Line::Layer(Layer::Convolutional), crossing)] = found[..] else {
            panic!("{found:?}");
        };
        let (n, d, cell) = (crossing.n, 512.0, 4.0 * (6.0 * 16.0 + 5.0));
        let own = 8.0 * n * d * 64.0 + cell * n * n;
        assert!((own / (6.0 * n * d * d) - 1.0).abs() < 1e-6, "{crossing:?}");
    }

    /// Four projections of 2·n·d·h·d_k FLOPs each, against h·n²·(4d_k + 6).
    #[test]
    fn projections_and_attention_cross_where_their_flops_are_equal() {
        let setting = setting("v=1&d_model=512&d_k=64&heads=8");
        let mut choice = Choice {
            layers: vec![],
            ..Choice::default()
        };
        let found = choice.crossings(&setting);
        let [(Line::Part(CostPart::Projections), Line::Part(CostPart::Attention), crossing)] =
            found[..]
        else {
            panic!("{found:?}");
        };
        let n = 8.0 * 512.0 * 64.0 / (4.0 * 64.0 + 6.0);
        assert!((crossing.n / n - 1.0).abs() < 1e-6, "{crossing:?} for {n}");
        assert!(
            !crossing.first_is_smaller_before,
            "projections cost more in short texts"
        );
        let [products, cells] = CostPart::ALL.map(|part| setting.part(part, 100.0));
        let all = setting.amount(Measure::Flops, 100.0);
        // The sum lacks the positions that are added.
        assert_eq!(products + cells + 100.0 * 512.0, all);
        choice.has_parts = false;
        assert_eq!(choice.crossings(&setting), []);
    }
}
