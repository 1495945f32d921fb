//! The growth chart as a figure for files.

use super::Shown;
use crate::browser::panels::registry::Measure;
use crate::engine::Backend;
use crate::i18n::number;
use crate::i18n::{Key, text};
use crate::present::cost::{Benchmark, Card, Choice, HIGH, LOW, Line};
use crate::scene::chart::{Layout, Point, Room};
use crate::scene::figure::Stroke;
use crate::scene::figure::figure_page::SMALL;
use crate::scene::figure::line_chart::Style;
use crate::scene::figure::palette::Inks;
use attention::complexity::Measure as Count;

/// A chart with its lines.
pub(crate) struct CostChart {
    pub layout: Layout,
    pub series: Vec<(Style, String)>,
    pub crossings: Vec<Point>,
    /// The length of the text on the page.
    pub here: Option<(f64, String)>,
    /// What is counted.
    pub title: String,
}

impl CostChart {
    pub(super) fn new(
        shown: &Shown,
        choice: &Choice,
        measured: &[Benchmark],
        (width, height): (f64, f64),
        measure: Measure<'_>,
        inks: &Inks,
    ) -> Self {
        let name = |line: Line| line.name(shown.language).to_owned();
        let layout = choice.chart(&shown.setting, measured, &name).layout(&Room {
            width,
            height,
            size: SMALL,
            measure,
            x_label: &|n| n.to_string(),
            y_label: &|value| number::short(value as f32),
        });
        let lines = choice.lines(measured.len()).into_iter();
        let crossings = choice.crossings(&shown.setting).into_iter();
        let place =
            |(one, n): (Line, f64)| layout.place((n, choice.value(one, n, &shown.setting)?));
        let counted = match choice.measure {
            Count::Flops => Key::CostCountFlops,
            Count::Leading => Key::CostCountLeading,
            Count::Memory => Key::CostCountMemory,
        };
        Self {
            series: lines
                .map(|line| (style(line, measured, inks), name(line)))
                .collect(),
            crossings: crossings
                .filter_map(|(one, _, crossing)| place((one, crossing.n)))
                .collect(),
            here: here(shown, &layout),
            title: counted.text(shown.language).to_owned(),
            layout,
        }
    }
}

fn here(shown: &Shown, layout: &Layout) -> Option<(f64, String)> {
    let n = shown.lengths.0 as f64;
    let low = layout.y_ticks.first()?.value;
    let place = layout.place((n, low));
    let x = place.filter(|_| (LOW..=HIGH).contains(&n))?.x;
    Some((x, text::cost_here(shown.language, &shown.lengths.0)))
}

/// As in the style sheet of the panel.
fn style(line: Line, measured: &[Benchmark], inks: &Inks) -> Style {
    let plain = Stroke::new(inks.soft, 1.5);
    let dashed = |dashes| Stroke { dashes, ..plain };
    Style::Line(match line {
        Line::Measured(at) => {
            return match measured.get(at).map(|series| series.backend) {
                Some(Backend::WebGpu) => Style::Squares,
                _ => Style::Discs,
            };
        }
        Line::Own => Stroke {
            opacity: 0.45,
            ..Stroke::new(inks.ink, 3.0)
        },
        Line::Layer(layer) => match Card::for_layer(layer).id {
            "causal" => dashed(&[8.0, 3.0]),
            "local" => dashed(&[2.0, 3.0]),
            "strided" => dashed(&[8.0, 3.0, 2.0, 3.0]),
            "linformer" => dashed(&[12.0, 4.0]),
            "multi-query" => dashed(&[5.0, 5.0]),
            "recurrent" => Stroke {
                width: 2.0,
                is_round: true,
                ..dashed(&[1.0, 4.0])
            },
            "convolutional" => dashed(&[12.0, 3.0, 2.0, 3.0, 2.0, 3.0]),
            _ => plain,
        },
    })
}
