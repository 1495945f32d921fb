//! The growth chart: how cost grows with the sequence length, as one picture for the page and for files.

use super::benchmark::Benchmark;
use super::curves::{Choice, HIGH, LOW, Line};
use super::layer_catalog::{Card, OWN};
use super::workload::CostSetting;
use crate::engine::Backend;
use crate::i18n::{Key, Language, fill, number, say};
use crate::scene::chart::{Layout, Point, Room};
use crate::scene::line_chart::{self, LineChart, SIZE};
use crate::scene::role::Role;
use crate::scene::shape::Shape;
use attention::complexity::{Crossing, Measure};

/// What the chart is drawn from.
#[derive(Clone, Copy)]
pub struct GrowthSource<'a> {
    /// What is counted, and for which layers.
    pub choice: &'a Choice,
    /// The setting of the page.
    pub setting: &'a CostSetting,
    /// What was measured for it.
    pub measured: &'a [Benchmark],
    /// The length of the text on the page.
    pub length: usize,
    /// The language of everything written on it.
    pub language: Language,
}

/// The chart in a room.
pub struct GrowthChart {
    /// Where everything is.
    pub layout: Layout,
    /// Its lines.
    pub lines: Vec<Line>,
    /// Where two of them cross.
    pub crossings: Vec<(Line, Line, Crossing)>,
    /// Everything that is drawn.
    pub shapes: Vec<Shape>,
    /// What is counted.
    pub title: &'static str,
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
            title: say(language, counted(choice.measure)),
        };
        chart.shapes = chart.draw(source);
        chart
    }

    fn draw(&self, source: &GrowthSource<'_>) -> Vec<Shape> {
        let series: Vec<_> = (self.lines.iter())
            .map(|line| (role(*line, source.measured), line.name(source.language)))
            .collect();
        let crossings = self.crossings.iter();
        let crossings: Vec<_> = crossings
            .filter_map(|(one, _, crossing)| self.place(source, *one, crossing.n))
            .collect();
        let (x, text) = self.here(source);
        let chart = LineChart {
            layout: &self.layout,
            series: &series,
            crossings: &crossings,
            here: (x, &text),
        };
        chart.shapes()
    }

    /// What is drawn where the curves are read.
    pub fn reading(&self, source: &GrowthSource<'_>, n: f64) -> Vec<Shape> {
        let lines = self.lines.iter();
        let points: Vec<_> = lines
            .filter_map(|line| self.place(source, *line, n))
            .collect();
        line_chart::reading(&self.layout, &points)
    }

    fn place(&self, source: &GrowthSource<'_>, line: Line, n: f64) -> Option<Point> {
        let value = source.choice.value(line, n, source.setting)?;
        self.layout.place((n, value))
    }

    /// The place of the text on the page, and what is said of it; no place where it lies beside the plot.
    fn here(&self, source: &GrowthSource<'_>) -> (Option<f64>, String) {
        let n = source.length as f64;
        let low = self.layout.y_ticks.first().map_or(1.0, |tick| tick.value);
        let place = self.layout.place((n, low));
        let place = place.filter(|_| (LOW..=HIGH).contains(&n));
        let key = if n < LOW {
            Key::CostLeft
        } else {
            Key::CostHere
        };
        let length = source.length.to_string();
        let text = fill(source.language, key, &[("n", &length)]);
        (place.map(|place| place.x), text)
    }
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
        Line::Layer(layer) => Role::Curve(Card::for_layer(layer).curve),
        Line::Measured(at) => match measured.get(at).map(|series| series.backend) {
            Some(Backend::WebGpu) => Role::GraphicsTime,
            _ => Role::ProcessorTime,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CARDS, Load};
    use super::*;
    use crate::scene::role::Role;
    use crate::state::url;

    fn measure(text: &str, size: f64) -> f64 {
        0.55 * size * text.chars().count() as f64
    }

    fn measured(backend: Backend, most: usize) -> Benchmark {
        let mut series = Benchmark::new(backend, most);
        while let Some(n) = series.next() {
            series.took(n as f64, |_| Load {
                bytes: 1,
                flops: 1.0,
            });
        }
        series
    }

    /// Does something with the chart of a text of `length` tokens with every layer.
    fn with_chart(
        length: usize,
        measured: &[Benchmark],
        test: impl Fn(&GrowthChart, &GrowthSource<'_>),
    ) {
        let (state, _) = url::parse("v=1&d_model=512&d_k=128&heads=4");
        let choice = Choice {
            measure: Measure::Flops,
            layers: CARDS.iter().map(|card| card.layer).collect(),
        };
        let source = GrowthSource {
            choice: &choice,
            setting: &CostSetting::from_state(&state, length, length),
            measured,
            length,
            language: Language::En,
        };
        test(
            &GrowthChart::new(&source, (900.0, 380.0), &measure),
            &source,
        );
    }

    fn with_role(shapes: &[Shape], wanted: Role) -> Vec<&Shape> {
        let is_own = |shape: &&Shape| match shape {
            Shape::Rect { role, .. } | Shape::Circle { role, .. } | Shape::Path { role, .. } => {
                *role == wanted
            }
            Shape::Words(words) => words.role == wanted,
            _ => false,
        };
        shapes.iter().filter(is_own).collect()
    }

    #[test]
    fn every_line_has_its_curve_and_its_name() {
        with_chart(128, &[], |chart, source| {
            for card in &CARDS {
                let own = with_role(&chart.shapes, Role::Curve(card.curve));
                assert_eq!(own.len(), 1, "{}", card.id);
            }
            assert_eq!(with_role(&chart.shapes, Role::Curve(OWN)).len(), 1);
            let names: Vec<_> = chart
                .lines
                .iter()
                .map(|line| line.name(source.language))
                .collect();
            let written = with_role(&chart.shapes, Role::Name);
            let text = |shape: &&Shape| match shape {
                Shape::Words(words) => words.text.clone(),
                other => panic!("{other:?}"),
            };
            assert_eq!(written.iter().map(text).collect::<Vec<_>>(), names);
        });
    }

    #[test]
    fn crossings_lie_on_both_of_their_curves() {
        with_chart(128, &[], |chart, source| {
            let drawn = with_role(&chart.shapes, Role::Crossing);
            assert!(!drawn.is_empty());
            assert_eq!(drawn.len(), chart.crossings.len());
            for (shape, (one, other, crossing)) in drawn.iter().zip(&chart.crossings) {
                let Shape::Circle { x, y, .. } = shape else {
                    panic!("{shape:?}");
                };
                for line in [one, other] {
                    let at = chart.place(source, *line, crossing.n).expect("on the plot");
                    assert!((at.x - x).abs() < 1e-6 && (at.y - y).abs() < 0.01);
                }
            }
        });
    }

    #[test]
    fn times_are_discs_of_the_processor_and_squares_of_the_graphics_card() {
        let both = [measured(Backend::Cpu, 256), measured(Backend::WebGpu, 512)];
        with_chart(128, &both, |chart, _| {
            let discs = with_role(&chart.shapes, Role::ProcessorTime);
            let squares = with_role(&chart.shapes, Role::GraphicsTime);
            assert_eq!([discs.len(), squares.len()], [3, 4]);
            assert!(
                discs
                    .iter()
                    .all(|shape| matches!(shape, Shape::Circle { .. }))
            );
            assert!(
                squares
                    .iter()
                    .all(|shape| matches!(shape, Shape::Rect { .. }))
            );
        });
    }

    #[test]
    fn the_text_of_the_page_is_marked_where_it_is_and_said_where_it_is_beside() {
        for (length, marks, said) in [(11, 1, "← n = 11 here"), (128, 2, "n = 128 here")] {
            with_chart(length, &[], |chart, _| {
                let here = with_role(&chart.shapes, Role::Here);
                assert_eq!(here.len(), marks, "{length}");
                let Some(Shape::Words(words)) = here.last() else {
                    panic!("{here:?}");
                };
                assert_eq!(words.text, said);
                let is_at_edge = (words.x - chart.layout.plot.x - 6.0).abs() < 1e-9;
                assert_eq!(is_at_edge, length < 64);
            });
        }
    }

    #[test]
    fn curves_are_read_at_one_line_with_a_point_on_each() {
        with_chart(128, &[measured(Backend::Cpu, 256)], |chart, source| {
            let shapes = chart.reading(source, 1024.0);
            let curves = chart
                .lines
                .iter()
                .filter(|line| !matches!(line, Line::Measured(_)));
            assert_eq!(shapes.len(), 1 + curves.count());
            let xs = shapes[1..].iter().map(|shape| match shape {
                Shape::Circle { x, .. } => *x,
                other => panic!("{other:?}"),
            });
            for x in xs {
                let n = chart.layout.x_at(x).expect("on the plot");
                assert!((n - 1024.0).abs() < 1e-6, "{n}");
            }
        });
    }
}
