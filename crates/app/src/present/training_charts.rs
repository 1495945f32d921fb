//! Curves of the training lab over its steps.

wasm_chunks::chunk!("models");

use super::learned::named;
use super::percent::percent;
use super::small_chart::{LEVEL, Line, NamedChart, OTHER, OWN, SmallChart};
use super::training::TrainingView;
use crate::i18n::{Key, number};
use crate::scene::chart::Axis;
use crate::scene::role::{CurveStyle, Role};
use model::TrainingStep;
use model::behaviour::{Behaviour, Shares};

/// Curves of a head that are told apart, and the share that one of them has reached at some step.
const MOST_BEHAVIOURS: usize = 4;
const SEEN: f64 = 0.25;
/// How many times the level of chance is still shown of a loss.
const MOST_CHANCES: f64 = 2.0;
/// Gradients below this are shown with it: an axis of powers has no 0.
const SMALLEST_NORM: f64 = 1e-3;

/// The strongest behaviour first.
const BEHAVIOURS: [Role; MOST_BEHAVIOURS] = [
    OWN,
    OTHER,
    LEVEL,
    Role::Curve(CurveStyle::dashed("curve", &[8.0, 3.0, 2.0, 3.0])),
];

impl TrainingView<'_> {
    /// Loss, share of right answers, gradient norm, and what the chosen head does, over the steps; a line marks the step that is looked at.
    pub fn charts(&self) -> [NamedChart; 4] {
        let plain: fn(f64) -> String = |y| number::short(y as f32);
        let guess = libm::log(self.run.words().len() as f64);
        let most = MOST_CHANCES * guess;
        let mut losses = self.lines(|step| step.score.loss.min(most));
        let highest = points(&losses).fold(guess, f64::max);
        let norms = self.lines(|step| step.norm.max(SMALLEST_NORM));
        let [least, largest] = [f64::min, f64::max].map(|pick| points(&norms).fold(1.0, pick));
        let level = |key: Key, at: f64| {
            let steps = self.run.recipe().steps as f64;
            Line {
                role: LEVEL,
                name: key.text(self.language),
                points: vec![(0.0, at), (steps, at)],
            }
        };
        losses.insert(0, level(Key::TrainingAnyWord, guess));
        let mut rights = self.lines(|step| step.score.accuracy);
        rights.insert(0, level(Key::TrainingAllRight, 1.0));
        let share = Axis::linear(0.0, 1.0);
        [
            self.chart(
                Key::TrainingLoss,
                losses,
                Axis::round(0.0, highest, 4),
                plain,
            ),
            self.chart(Key::TrainingRight, rights, share, percent),
            self.chart(
                Key::TrainingNorm,
                norms,
                Axis::powers(10.0, least, largest),
                plain,
            ),
            self.chart(Key::TrainingBehaviour, self.behaviours(), share, plain),
        ]
    }

    /// The loss over the steps so far, for the track of the slider of steps: places across it and up it, from 0 to 1.
    pub fn track(&self) -> Vec<(f64, f64)> {
        let history = self.run.history();
        let losses = history.iter().map(|step| step.score.loss);
        let highest = losses.clone().fold(f64::MIN_POSITIVE, f64::max);
        let steps = history.len().max(1) as f64;
        let places = losses.enumerate();
        places
            .map(|(at, loss)| ((at + 1) as f64 / steps, loss / highest))
            .collect()
    }

    /// A measure of each step, of this run and of the other.
    fn lines(&self, measure: impl Fn(&TrainingStep) -> f64) -> Vec<Line<'_>> {
        let points = |history: &[TrainingStep]| {
            let steps = history.iter();
            steps
                .map(|step| (f64::from(step.step), measure(step)))
                .collect()
        };
        let other = self.other.map(|other| Line {
            role: OTHER,
            name: Key::TrainingOther.text(self.language),
            points: points(other.run.history()),
        });
        let own = Line {
            role: OWN,
            name: "",
            points: points(self.run.history()),
        };
        other.into_iter().chain([own]).collect()
    }

    /// Behaviours of the chosen head over the steps; those that never reach [`SEEN`] are left out.
    fn behaviours(&self) -> Vec<Line<'_>> {
        let all: Vec<&Shares> = self.run.behaviours(self.head).collect();
        let most = |at: usize| all.iter().map(|shares| shares[at]).fold(0.0, f64::max);
        let mut seen: Vec<usize> = (0..Behaviour::ALL.len())
            .filter(|at| most(*at) >= SEEN)
            .collect();
        attention::sort::sort(&mut seen, |one, other| most(*other).total_cmp(&most(*one)));
        let lines = seen.into_iter().zip(BEHAVIOURS);
        lines
            .map(|(at, role)| Line {
                role,
                name: named(Behaviour::ALL[at]).text(self.language),
                points: (all.iter().enumerate())
                    .map(|(step, shares)| (step as f64, shares[at]))
                    .collect(),
            })
            .collect()
    }

    fn chart(
        &self,
        name: Key,
        lines: Vec<Line<'_>>,
        y: Axis,
        y_label: fn(f64) -> String,
    ) -> NamedChart {
        let chart = SmallChart {
            name,
            width: self.width,
            x: Axis::linear(0.0, self.run.recipe().steps as f64),
            y,
            y_label,
            lines,
            here: self.step as f64,
        };
        chart.drawn(self.language)
    }
}

/// All values of some lines.
fn points<'a>(lines: &'a [Line<'_>]) -> impl Iterator<Item = f64> + 'a {
    lines
        .iter()
        .flat_map(|line| line.points.iter().map(|(_, y)| *y))
}
