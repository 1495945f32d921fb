//! What differs, as a table: settings, then what they make of the same tokens.

use web_sys::Element;

use super::Pair;
use crate::analysis::difference::{OutputDifference, WeightsDifference, outputs, weights};
use crate::app::beside::{Otherwise, otherwise, value};
use crate::app::sentences;
use crate::ui::dom::{self, Attribute, MissingPart, Root, Text};
use crate::ui::panels::rows::{Row, Rows};
use crate::ui::run::Run;
use crate::view::format::{self, CellStyle};
use crate::words::{Key, fill, say};

/// The table.
pub struct Numbers {
    rows: Rows<TableRow>,
    summary: Text,
}

struct TableRow {
    element: Element,
    kind: Attribute,
    cells: [Text; 4],
}

/// A line of the table.
#[derive(Default)]
struct Line {
    is_setting: bool,
    /// Name, A, B, B − A.
    cells: [String; 4],
}

impl Row for TableRow {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let element: Element = dom::append(parent, "tr", "")?;
        let name: Element = dom::append(&element, "th", "")?;
        dom::set(&name, "scope", "row");
        let cell = || dom::append::<Element>(&element, "td", "").map(Text::new);
        Some(Self {
            kind: Attribute::new(element.clone(), "class"),
            cells: [Text::new(name), cell()?, cell()?, cell()?],
            element,
        })
    }

    fn element(&self) -> &Element {
        &self.element
    }
}

impl Numbers {
    pub fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            rows: Rows::new(root.find("#versus-numbers tbody")?),
            summary: Text::find(root, "#versus-summary")?,
        })
    }

    /// Shows how far both are apart.
    pub fn show(&mut self, pair: &Pair<'_>) {
        let apart = Apart::of(pair);
        let mut lines = settings(pair);
        lines.extend(measures(pair));
        lines.extend(apart.lines(pair));
        let rows = self.rows.take(lines.len());
        for (row, line) in rows.iter_mut().zip(&lines) {
            row.kind
                .set(if line.is_setting { "is-setting" } else { "" });
            for (cell, words) in row.cells.iter_mut().zip(&line.cells) {
                cell.say(words);
            }
        }
        self.summary.say(&apart.summary(pair));
    }

    /// Says in place of a summary why there is nothing to compare.
    pub fn refuse(&mut self, sentence: &str) {
        self.summary.say(sentence);
    }
}

/// What was measured of both together.
struct Apart {
    weights: Option<WeightsDifference>,
    outputs: Option<OutputDifference>,
}

impl Apart {
    fn of(pair: &Pair<'_>) -> Self {
        let (a, b) = pair.heads();
        let output = |run: &'_ Run| run.reply.output.clone().unwrap_or_default();
        let width = pair.a.state.d_model;
        Self {
            weights: weights(a, b, pair.a.keys.len()).filter(|_| pair.is_alike()),
            outputs: outputs(&output(pair.a), &output(pair.b), width),
        }
    }

    fn lines(&self, pair: &Pair<'_>) -> Vec<Line> {
        let language = pair.place.language;
        let line = |key, value: String| Line {
            cells: [
                say(language, key).to_owned(),
                String::new(),
                String::new(),
                value,
            ],
            ..Line::default()
        };
        let mut lines = Vec::new();
        if let Some(of) = &self.weights {
            let place = [of.at.0, of.at.1];
            let tokens = [&pair.a.queries, &pair.a.keys];
            let [query, key] = [0, 1].map(|side| token(tokens[side], place[side]));
            let largest = number(of.largest);
            let values = [("value", largest.as_str()), ("query", query), ("key", key)];
            lines.push(line(
                Key::VersusWeights,
                fill(language, Key::VersusAtCell, &values),
            ));
            lines.push(line(Key::VersusMoved, number(of.moved_mean)));
        }
        if let Some(of) = &self.outputs {
            let at = |key, value: f64, at: usize| {
                let value = number(value);
                let values = [
                    ("value", value.as_str()),
                    ("token", token(&pair.a.queries, at)),
                ];
                line(key, fill(language, Key::VersusAtToken, &values))
            };
            lines.push(at(Key::VersusLargest, of.largest, of.at.0));
            lines.push(line(Key::VersusMean, number(of.mean)));
            if let Some((mean, (worst, least))) = of.cosine_mean.zip(of.worst) {
                lines.push(line(Key::VersusCosine, number(mean)));
                lines.push(at(Key::VersusCosineLeast, least, worst));
            }
        }
        lines
    }

    /// The whole comparison in a sentence, also for the ear.
    fn summary(&self, pair: &Pair<'_>) -> String {
        let language = pair.place.language;
        let Some(of) = &self.outputs else {
            return String::new();
        };
        if otherwise(&pair.a.state, &pair.b.state).is_empty() {
            return say(language, Key::VersusAlike).to_owned();
        }
        if of.largest == 0.0 {
            return say(language, Key::VersusNoEffect).to_owned();
        }
        let largest = number(of.largest);
        let Some((mean, (worst, least))) = of.cosine_mean.zip(of.worst) else {
            return fill(language, Key::VersusSummaryShort, &[("largest", &largest)]);
        };
        let (mean, least) = (number(mean), number(least));
        let values = [
            ("largest", largest.as_str()),
            ("mean", &mean),
            ("least", &least),
            ("token", token(&pair.a.queries, worst)),
        ];
        fill(language, Key::VersusSummary, &values)
    }
}

/// The settings that differ.
fn settings(pair: &Pair<'_>) -> Vec<Line> {
    let language = pair.place.language;
    let line = |both: Otherwise| Line {
        is_setting: true,
        cells: [
            sentences::name(language, both.field).to_owned(),
            value(language, both.field, &both.a),
            value(language, both.field, &both.b),
            String::new(),
        ],
    };
    let all = otherwise(&pair.a.state, &pair.b.state);
    all.into_iter().map(line).collect()
}

/// What can be said of each by itself.
fn measures(pair: &Pair<'_>) -> Vec<Line> {
    let language = pair.place.language;
    let heads = [pair.head, pair.head_b()];
    let runs = [pair.a, pair.b];
    let line = |key, values: [f64; 2], write: &dyn Fn(f64) -> String| {
        let [a, b] = values;
        let sign = if b > a { "+" } else { "" };
        let apart = format!("{sign}{}", write(b - a));
        Line {
            cells: [say(language, key).to_owned(), write(a), write(b), apart],
            ..Line::default()
        }
    };
    let entropy = [0, 1].map(|at| {
        let stats = runs[at].reply.stats.get(heads[at]);
        stats.map_or(0.0, |stats| stats.entropy_mean)
    });
    let nats = |value: f64| fill(language, Key::Nats, &[("value", &fixed(value))]);
    let whole = |value: f64| format::si(value, "").trim_end().to_owned();
    vec![
        line(
            Key::VersusVisible,
            runs.map(|run| visible(run) as f64),
            &whole,
        ),
        line(Key::VersusEntropy, entropy, &nats),
        line(
            Key::VersusFlops,
            runs.map(|run| run.reply.flops),
            &|value| format::si(value, "FLOP"),
        ),
        line(
            Key::VersusMemory,
            runs.map(|run| run.reply.memory),
            &|value| format::si(value, "B"),
        ),
    ]
}

fn visible(run: &Run) -> usize {
    run.queries.len() * run.keys.len() - run.hidden().count()
}

fn token(tokens: &[String], at: usize) -> &str {
    tokens.get(at).map_or("", String::as_str)
}

fn number(value: f64) -> String {
    format::exact(value as f32)
}

fn fixed(value: f64) -> String {
    const STYLE: CellStyle = CellStyle {
        decimals: 3,
        leading_zero: true,
    };
    STYLE.write(value as f32)
}
