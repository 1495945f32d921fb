//! The training lab: a model that learns, at one of its steps, reading one sequence.

use crate::engine::training_run::{Reading, TrainingRun};
use crate::i18n::number::{self, CellStyle};
use crate::i18n::{Key, Language, text};
use crate::scene::chart::{Axis, Chart, Room, Series};
use crate::scene::colour::{Ink, Lut};
use crate::scene::line_chart::{LineChart, SIZE};
use crate::scene::role::{CurveStyle, Role, Stroke, Tone};
use crate::scene::shape::Shape;

/// Height of a chart, and its narrowest and widest room.
const HEIGHT: f64 = 140.0;
const WIDTHS: (f64, f64) = (280.0, 720.0);
/// Words up to which the cells of the map have numbers.
const MOST_WRITTEN: usize = 13;

/// How weights are written.
const WEIGHT: CellStyle = CellStyle {
    decimals: 2,
    leading_zero: false,
};

/// What is shown.
pub struct TrainingView<'a> {
    /// The training so far.
    pub run: &'a TrainingRun,
    /// The step that is looked at; 0 is before the first.
    pub step: usize,
    /// What the model of that step reads.
    pub reading: &'a Reading,
    /// The chosen head, counted on through the layers.
    pub head: usize,
    /// The chosen row.
    pub row: usize,
    /// What was measured at this step by switching heads off.
    pub ablation: &'a Ablation,
    /// CSS pixels across for the charts.
    pub width: f64,
    /// Colours of weights.
    pub lut: &'a Lut,
    /// In which everything is said.
    pub language: Language,
}

/// Shares of right answers to what training does not draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ablation {
    /// With all heads.
    pub whole: Option<f64>,
    /// Without each head, as far as that has been measured.
    pub without: Vec<f64>,
}

/// A head of the wall.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadLine {
    /// Its layer and number.
    pub name: String,
    /// Where the chosen row looks most.
    pub looks: String,
    /// What is right without it; empty where that is not known.
    pub without: String,
    /// Whether more than one answer in a hundred is lost.
    pub is_needed: bool,
}

/// A cell of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapCell {
    /// The weight, where there is room for numbers.
    pub value: String,
    /// Its colour and one that can be read on it.
    pub colours: [String; 2],
}

impl TrainingView<'_> {
    /// The words of the sequence.
    pub fn words(&self) -> Vec<&str> {
        let known = self.run.words();
        let words = self.reading.words.iter();
        words
            .map(|word| known.get(*word).map_or("", String::as_str))
            .collect()
    }

    /// How far the training has come at the step that is looked at.
    pub fn progress(&self) -> String {
        let at = self
            .step
            .checked_sub(1)
            .and_then(|at| self.run.history().get(at));
        at.map_or_else(
            || Key::TrainingUntrained.text(self.language).to_owned(),
            |step| {
                let loss = number::short(step.score.loss as f32);
                let norm = number::short(step.norm as f32);
                text::training_progress(self.language, &loss, &percent(step.score.accuracy), &norm)
            },
        )
    }

    /// All heads, layer by layer.
    pub fn heads(&self) -> Vec<HeadLine> {
        let config = self.run.config();
        (0..config.layers * config.heads)
            .map(|head| self.head_line(head))
            .collect()
    }

    /// Heads of a layer.
    pub fn heads_in_layer(&self) -> usize {
        self.run.config().heads
    }

    fn head_line(&self, head: usize) -> HeadLine {
        let words = self.words();
        let row = self.reading.row(head, self.row);
        let most = (0..row.len()).max_by(|one, other| row[*one].total_cmp(&row[*other]));
        let looks = most.map_or_else(String::new, |key| {
            let weight = WEIGHT.write(row[key]);
            text::training_looks(self.language, &words[self.row], &words[key], &weight)
        });
        let without = self.ablation.without.get(head);
        let lost = without
            .zip(self.ablation.whole)
            .map(|(without, whole)| whole - without);
        HeadLine {
            name: self.head_name(head),
            looks,
            without: without.map_or_else(String::new, |right| {
                text::training_without(self.language, &percent(*right))
            }),
            is_needed: lost.is_some_and(|lost| lost > 0.01),
        }
    }

    /// A head by its layer.
    pub fn head_name(&self, head: usize) -> String {
        let heads = self.heads_in_layer();
        text::training_head(self.language, &(head / heads + 1), &(head % heads + 1))
    }

    /// The map of the chosen head, row by row.
    pub fn cells(&self) -> Vec<MapCell> {
        let has_numbers = self.reading.words.len() <= MOST_WRITTEN;
        let cell = |weight: &f32| {
            let index = colour_index(*weight);
            let [r, g, b, _] = self.lut.colour(index);
            let ink = match self.lut.ink(index) {
                Ink::Black => "#000",
                Ink::White => "#fff",
            };
            MapCell {
                value: if has_numbers {
                    WEIGHT.write(*weight)
                } else {
                    String::new()
                },
                colours: [format!("rgb({r} {g} {b})"), ink.to_owned()],
            }
        };
        self.reading.weights(self.head).iter().map(cell).collect()
    }

    /// What the model answers at the chosen row: the likeliest word, its share, and what comes next.
    pub fn answer(&self) -> [String; 3] {
        let known = self.run.words();
        let prediction = self.reading.prediction(self.row);
        let word = |at: usize| prediction.get(at).and_then(|(word, _)| known.get(*word));
        let share = |at: usize| prediction.get(at).map_or(0.0, |(_, share)| *share);
        let likeliest = word(0).cloned().unwrap_or_default();
        let next = (1..3).filter_map(|at| Some(format!("{} {}", word(at)?, percent(share(at)))));
        let next = next.collect::<Vec<_>>().join(", ");
        [
            likeliest,
            percent(share(0)),
            text::training_then(self.language, &next),
        ]
    }

    /// Loss and share of right answers over the steps, each with its size: a line marks the step that is looked at.
    pub fn charts(&self) -> [((f64, f64), Vec<Shape>); 2] {
        let history = self.run.history();
        let loss = history.iter().map(|step| step.score.loss);
        let right = history.iter().map(|step| step.score.accuracy);
        let vocabulary = self.run.words().len() as f64;
        let guess = libm::log(vocabulary);
        let highest = loss.clone().fold(guess, f64::max);
        let chance = [
            (guess, Key::TrainingAnyWord.text(self.language)),
            (1.0, Key::TrainingAllRight.text(self.language)),
        ];
        let axes = [Axis::round(0.0, highest, 4), Axis::linear(0.0, 1.0)];
        let [loss, right] = [loss.collect::<Vec<_>>(), right.collect()];
        let [losses, rights] = [(loss, 0), (right, 1)].map(|(values, at)| {
            let label: fn(f64) -> String = if at == 0 {
                |y| number::short(y as f32)
            } else {
                percent
            };
            (
                self.size(),
                self.chart(&values, axes[at], chance[at], label),
            )
        });
        [losses, rights]
    }

    /// Width and height of a chart.
    fn size(&self) -> (f64, f64) {
        (self.width.clamp(WIDTHS.0, WIDTHS.1), HEIGHT)
    }

    fn chart(
        &self,
        values: &[f64],
        y: Axis,
        level: (f64, &str),
        y_label: fn(f64) -> String,
    ) -> Vec<Shape> {
        let steps = self.run.recipe().steps as f64;
        let numbered = values.iter().enumerate();
        let points = numbered
            .map(|(at, value)| ((at + 1) as f64, *value))
            .collect();
        let (level, name) = level;
        let series = |name: &str, points| Series {
            name: name.to_owned(),
            points,
        };
        let chart = Chart {
            x: Axis::linear(0.0, steps),
            y,
            series: vec![
                series(name, vec![(0.0, level), (steps, level)]),
                series("", points),
            ],
        };
        let layout = chart.layout(&Room {
            width: self.size().0,
            height: HEIGHT,
            size: SIZE,
            measure: &width,
            x_label: &|step| number::short(step as f32),
            y_label: &y_label,
        });
        let here = layout
            .place((self.step as f64, y.low()))
            .map(|place| place.x);
        let dashed = Role::Curve(CurveStyle::dashed("curve", &[2.0, 3.0]));
        let own = Role::Curve(CurveStyle {
            class: "curve own",
            stroke: Stroke::new(Tone::Ink, 1.5),
        });
        let chart = LineChart {
            layout: &layout,
            series: &[(dashed, name), (own, "")],
            crossings: &[],
            here: (here, ""),
            letter: "",
        };
        chart.shapes()
    }

    /// What the reader is told when heads have been switched off one at a time.
    pub fn needed(&self) -> String {
        self.ablation.whole.map_or_else(String::new, |whole| {
            text::training_whole(self.language, &self.step, &percent(whole))
        })
    }
}

/// About how wide a text is: the page's font is not asked.
fn width(text: &str, size: f64) -> f64 {
    let ems = text.chars().map(|c| if c.is_ascii() { 0.55 } else { 1.0 });
    size * ems.sum::<f64>()
}

/// What is learned, and what to look at.
pub fn about(task: &str) -> Key {
    match task {
        "pronoun" => Key::TrainingSeePronoun,
        "pronoun-zh" => Key::TrainingSeePronounZh,
        "repeat" => Key::TrainingSeeRepeat,
        "reverse" => Key::TrainingSeeReverse,
        "copy" => Key::TrainingSeeCopy,
        "sort" => Key::TrainingSeeSort,
        "brackets" => Key::TrainingSeeBrackets,
        _ => Key::TrainingSeeTranslation,
    }
}

/// The place of a weight among the colours.
pub fn colour_index(weight: f32) -> u8 {
    (255.0 * weight.clamp(0.0, 1.0)) as u8
}

/// A share in per cent. Only what is all is written as 100 %, and only what is nothing as 0 %.
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        all if all >= 100.0 => "100\u{202f}%".to_owned(),
        none if none <= 0.0 => "0\u{202f}%".to_owned(),
        few if few < 0.1 => "<0.1\u{202f}%".to_owned(),
        nearly if nearly > 99.9 => ">99.9\u{202f}%".to_owned(),
        share if (10.0..99.0).contains(&share) => format!("{share:.0}\u{202f}%"),
        share => format!("{share:.1}\u{202f}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::training_run::RECIPES;
    use crate::scene::colour::Background;

    #[test]
    fn nothing_is_rounded_to_all_or_to_none() {
        let written = [0.0, 1e-5, 0.004, 0.5, 0.996, 0.9996, 1.0].map(percent);
        let numbers = written.map(|text| text.replace("\u{202f}%", ""));
        assert_eq!(numbers, ["0", "<0.1", "0.4", "50", "99.6", ">99.9", "100"]);
    }

    #[test]
    fn a_view_follows_the_step_that_is_looked_at() {
        let mut run = TrainingRun::new(RECIPES[0], 1).expect("a task");
        for _ in 0..3 {
            run.step().expect("finite");
        }
        let words = run.parse("the dog didn't enter the river because it was too deep .");
        let words = words.expect("words of the grammar");
        let row = run.asked_at(&words);
        let ablation = Ablation {
            whole: Some(0.9),
            without: vec![0.9, 0.5],
        };
        let reading = run.read(2, words).expect("finite");
        let view = TrainingView {
            run: &run,
            step: 2,
            reading: &reading,
            head: 5,
            row,
            ablation: &ablation,
            width: 500.0,
            lut: &Lut::mask(Background::Light),
            language: Language::En,
        };
        assert_eq!(view.words()[row], "it");
        let heads = view.heads();
        assert_eq!(heads.len(), 8);
        assert_eq!(heads[5].name, "layer 2, head 2");
        assert!(heads[5].looks.starts_with("it → "), "{:?}", heads[5]);
        assert_eq!(
            [&heads[0], &heads[1], &heads[2]].map(|head| head.is_needed),
            [false, true, false]
        );
        assert_eq!(heads[2].without, "");
        assert_eq!(view.cells().len(), 144);
        let second = run.history()[1];
        assert!(
            view.progress()
                .contains(&number::short(second.score.loss as f32)),
            "{}",
            view.progress()
        );
        let sum: f64 = reading.prediction(row).iter().map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        assert!(view.charts().iter().all(|(_, shapes)| shapes.len() > 5));
    }
}
