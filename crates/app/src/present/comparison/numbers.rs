//! Differences as a table: settings, then their results on the same tokens.

use super::cosines::Cosines;
use super::{NONE, Pair, value};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::present::notice_text;
use crate::present::reading::{fixed, from_to};
use crate::present::run::Run;
use crate::state::comparison::{SettingDiff, diff};
use attention::analysis::difference::{OutputDifference, WeightsDifference, outputs, weights};

/// The table, the list below it, and the sentence above the maps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    pub rows: Vec<Row>,
    pub cosines: Cosines,
    pub summary: String,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name for scripts.
    pub name: &'static str,
    pub kind: RowKind,
    /// Name, A, B, B − A.
    pub cells: [String; 4],
}

/// Kinds of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// A setting that differs.
    Setting,
    /// A measure of each by itself.
    Measure,
    /// A measure of both together.
    Apart,
}

impl Numbers {
    /// Builds the table of differences.
    pub fn new(pair: &Pair<'_>) -> Self {
        let apart = Apart::between(pair);
        let outputs = apart.outputs.as_ref();
        Self {
            rows: [settings(pair), measures(pair), apart.rows(pair)].concat(),
            cosines: Cosines::new(pair, outputs.map_or(&[], |of| &of.cosine_per_token)),
            summary: apart.summary(pair),
        }
    }

    /// Why there is nothing to compare, in place of all numbers.
    pub fn refused(sentence: &str) -> Self {
        Self {
            summary: sentence.to_owned(),
            ..Self::default()
        }
    }
}

/// Differences between both runs.
struct Apart {
    weights: Option<WeightsDifference>,
    outputs: Option<OutputDifference>,
}

impl Apart {
    fn between(pair: &Pair<'_>) -> Self {
        let (a, b) = pair.heads();
        Self {
            weights: weights(a, b, pair.a.keys.len()).filter(|_| pair.is_alike()),
            outputs: outputs(output(pair.a), output(pair.b), pair.a.config.sizes.d_out),
        }
    }

    fn rows(&self, pair: &Pair<'_>) -> Vec<Row> {
        let language = pair.language;
        let line = |name, words: String, value| Row {
            name,
            kind: RowKind::Apart,
            cells: [words, String::new(), String::new(), number(value)],
        };
        let plain = |name, key: Key, value| line(name, key.text(language).to_owned(), value);
        let mut rows = Vec::new();
        if let Some(of) = &self.weights {
            let (query, key) = of.at;
            let (query, key) = (token(&pair.a.queries, query), token(&pair.a.keys, key));
            let place = (of.largest != 0.0).then(|| format!("{query} → {key}"));
            let words = measure(language, Key::VersusWeights, place.as_deref());
            rows.push(line("weights", words, of.largest));
            rows.push(plain("moved", Key::VersusMoved, of.moved_mean));
        }
        let at = |name, key, value, at: usize| {
            let place = (!self.is_none()).then(|| token(&pair.a.queries, at));
            line(name, measure(language, key, place), value)
        };
        if let Some(of) = &self.outputs {
            rows.push(at("largest", Key::VersusLargest, of.largest, of.at.0));
            rows.push(plain("mean", Key::VersusMean, of.mean));
            if let Some((mean, (worst, least))) = of.cosine_mean.zip(of.worst) {
                rows.push(plain("cosine", Key::VersusCosine, mean));
                rows.push(at("cosine-least", Key::VersusCosineLeast, least, worst));
            }
        }
        rows
    }

    /// Whether no output has changed.
    fn is_none(&self) -> bool {
        self.outputs.as_ref().is_some_and(|of| of.largest == 0.0)
    }

    /// Summary in one sentence, also for screen readers.
    fn summary(&self, pair: &Pair<'_>) -> String {
        let language = pair.language;
        let Some(of) = &self.outputs else {
            return String::new();
        };
        if diff(&pair.a.state, &pair.b.state).is_empty() {
            return Key::VersusAlike.text(language).to_owned();
        }
        if self.is_none() {
            return Key::VersusNoEffect.text(language).to_owned();
        }
        let largest = number::short(of.largest as f32);
        let Some((mean, (worst, least))) = of.cosine_mean.zip(of.worst) else {
            return text::versus_summary_short(language, &largest);
        };
        let (mean, least) = (fixed(mean), fixed(least));
        text::versus_summary(
            language,
            &largest,
            &mean,
            &token(&pair.a.queries, worst),
            &least,
        )
    }
}

/// Name of a measure, with its place where there is one.
fn measure(language: Language, key: Key, place: Option<&str>) -> String {
    let measure = key.text(language);
    place.map_or_else(
        || measure.to_owned(),
        |place| text::versus_where(language, &measure, &place),
    )
}

/// The settings that differ.
fn settings(pair: &Pair<'_>) -> Vec<Row> {
    let language = pair.language;
    let line = |both: SettingDiff| Row {
        name: both.field.key(),
        kind: RowKind::Setting,
        cells: [
            notice_text::name(language, both.field).to_owned(),
            value(language, both.field, &both.a),
            value(language, both.field, &both.b),
            String::new(),
        ],
    };
    let all = diff(&pair.a.state, &pair.b.state);
    all.into_iter().map(line).collect()
}

/// Measure of one head of a run.
type Measure = fn(&Run, usize) -> Option<f64>;

/// Rows of the measures that A and B have each by itself.
fn measures(pair: &Pair<'_>) -> Vec<Row> {
    let language = pair.language;
    let runs = [(pair.a, pair.head), (pair.b, pair.head_b())];
    let line = |name, key: Key, of: Measure, write: &dyn Fn(f64) -> String| {
        let [a, b] = runs.map(|(run, head)| of(run, head));
        let or_none = |value: Option<f64>| value.map_or_else(|| NONE.to_owned(), write);
        let difference = a.zip(b).map(|(a, b)| b - a);
        let sign = if difference > Some(0.0) { "+" } else { "" };
        let difference = format!("{sign}{}", or_none(difference));
        Row {
            name,
            kind: RowKind::Measure,
            cells: [
                key.text(language).to_owned(),
                or_none(a),
                or_none(b),
                difference,
            ],
        }
    };
    let nats = |value| text::nats(language, &fixed(value));
    let count = |value: f64| format!("{value}").replace('-', "−");
    let flop = |value| number::si(value, "FLOP");
    let byte = |value| number::si(value, "B");
    let ends = runs.map(|(run, head)| {
        let ends = run.range(head).and_then(|range| range.weights);
        ends.map_or_else(|| NONE.to_owned(), |ends| from_to(ends.map(f64::from)))
    });
    let [ends_of_a, ends_of_b] = ends;
    let name = Key::WeightEnds.text(language).to_owned();
    vec![
        line("visible", Key::VersusVisible, visible, &count),
        Row {
            name: "weight-ends",
            kind: RowKind::Measure,
            cells: [name, ends_of_a, ends_of_b, String::new()],
        },
        line("entropy", Key::VersusEntropy, entropy, &nats),
        line(
            "flops",
            Key::VersusFlops,
            |run, _| Some(run.reply.flops),
            &flop,
        ),
        line(
            "memory",
            Key::VersusMemory,
            |run, _| Some(run.reply.memory),
            &byte,
        ),
    ]
}

fn output(run: &Run) -> &[f32] {
    run.reply.output.as_deref().unwrap_or_default()
}

/// Number of cells that the mask leaves visible, before hidden scores are treated; `None` with
/// Linformer, whose mixtures of keys are neither visible nor hidden.
fn visible(run: &Run, _: usize) -> Option<f64> {
    (!run.state.linformer).then(|| run.seen.visible().iter().sum::<usize>() as f64)
}

fn entropy(run: &Run, head: usize) -> Option<f64> {
    Some(run.reply.stats.get(head)?.entropy_mean)
}

pub(super) fn token(tokens: &[String], at: usize) -> &str {
    tokens.get(at).map_or("", String::as_str)
}

fn number(value: f64) -> String {
    number::exact(value as f32)
}
