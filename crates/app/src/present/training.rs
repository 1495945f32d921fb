//! The training lab: a model that learns, at one of its steps, reading one sequence.

wasm_chunks::chunk!("models");

mod map;

pub use map::{MOST_WRITTEN, MapCell, colour_index, map_cell};

use super::learned::named;
use super::percent::percent;
use super::training_lab::{HeadMasks, HeadNames, OtherRun};
use crate::i18n::number::{self, CellStyle};
use crate::i18n::{Key, Language, text};
use crate::scene::colour::Lut;
use crate::state::LabTask;
use engine::training_run::{Reading, TrainingRun};
use engine::variant::Variant;

/// View of the training panel.
pub struct TrainingView<'a> {
    /// The training so far.
    pub run: &'a TrainingRun,
    /// The step that is looked at; 0 is before the first.
    pub step: usize,
    /// Input and results of that step's model.
    pub reading: &'a Reading,
    /// The chosen head, counted on through the layers.
    pub head: usize,
    /// The chosen row.
    pub row: usize,
    /// The run beside it.
    pub other: Option<&'a OtherRun>,
    /// Accuracy at this step with heads switched off.
    pub ablation: &'a Ablation,
    /// Masks of the heads.
    pub masks: &'a HeadMasks,
    /// Summary once all steps are done; empty before.
    pub conclusion: String,
    /// Behaviours of the heads, as far as they have been measured at this step.
    pub names: &'a HeadNames,
    /// CSS pixels across for each chart.
    pub width: f64,
    /// Colours of weights.
    pub lut: &'a Lut,
    /// In which everything is said.
    pub language: Language,
}

/// Shares of right answers in the examples that are held out.
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
    /// Its average behaviour, where that has a name.
    pub does: String,
    /// Where the chosen row looks most.
    pub looks: String,
    /// How much is hidden from it; empty where nothing is.
    pub hidden: String,
    /// Accuracy without it; empty if unknown.
    pub without: String,
    /// Whether more than one answer in a hundred is lost.
    pub is_needed: bool,
}

impl TrainingView<'_> {
    /// The words of the sequence.
    pub fn words(&self) -> Vec<&str> {
        let known = self.run.words();
        let words = self.reading.words.iter();
        words
            .map(|word| known.get(*word).map_or("", |word| shown(word)))
            .collect()
    }

    /// How far the training has come at the step that is looked at.
    pub fn progress(&self) -> String {
        self.progress_of(self.run)
    }

    fn progress_of(&self, run: &TrainingRun) -> String {
        let at = self
            .step
            .checked_sub(1)
            .and_then(|at| run.history().get(at));
        at.map_or_else(
            || Key::TrainingUntrained.text(self.language).to_owned(),
            |step| {
                let [loss, norm, rate] =
                    [step.score.loss, step.norm, step.rate].map(|x| number::short(x as f32));
                let right = percent(step.score.accuracy);
                text::training_progress(self.language, &loss, &right, &norm, &rate)
            },
        )
    }

    /// Variant of the other run, and its progress.
    pub fn other_progress(&self) -> Option<[String; 2]> {
        let other = self.other?;
        let name = variant(other.variant).text(self.language);
        Some([name.to_owned(), self.progress_of(&other.run)])
    }

    /// All heads, layer by layer.
    pub fn heads(&self) -> Vec<HeadLine> {
        (0..self.run.heads())
            .map(|head| self.head_line(head))
            .collect()
    }

    /// All heads of the other run: their names, and where the chosen row looks most.
    pub fn other_heads(&self) -> Vec<HeadLine> {
        let Some(other) = self.other else {
            return Vec::new();
        };
        (0..other.run.heads())
            .map(|head| self.head_of((&other.run, &other.reading), other.names(), head))
            .collect()
    }

    /// Heads of a layer.
    pub fn heads_in_layer(&self) -> usize {
        self.run.config().heads
    }

    fn head_line(&self, head: usize) -> HeadLine {
        let without = self.ablation.without.get(head);
        let lost = without
            .zip(self.ablation.whole)
            .map(|(without, whole)| whole - without);
        HeadLine {
            without: without.map_or_else(String::new, |right| {
                text::training_without(self.language, &percent(*right))
            }),
            is_needed: lost.is_some_and(|lost| lost > 0.01),
            hidden: match self.masks.count(head) {
                0 => String::new(),
                count => text::training_hidden(self.language, &count),
            },
            ..self.head_of((self.run, self.reading), self.names, head)
        }
    }

    /// A head of either run.
    fn head_of(
        &self,
        (run, reading): (&TrainingRun, &Reading),
        names: &HeadNames,
        head: usize,
    ) -> HeadLine {
        let words = self.words();
        let row = reading.row(head, self.row);
        let most = (0..row.len()).max_by(|one, other| row[*one].total_cmp(&row[*other]));
        let looks = most.map_or_else(String::new, |key| {
            let weight = CellStyle::WEIGHT.write(row[key]);
            text::training_looks(self.language, &words[self.row], &words[key], &weight)
        });
        let heads = run.config().heads;
        HeadLine {
            name: text::training_head(self.language, &(head / heads + 1), &(head % heads + 1)),
            does: names.of(head).map_or_else(String::new, |(does, share)| {
                let name = named(does).text(self.language);
                text::training_does(self.language, &name, &CellStyle::WEIGHT.write(share as f32))
            }),
            looks,
            hidden: String::new(),
            without: String::new(),
            is_needed: false,
        }
    }

    /// A head by its layer.
    pub fn head_name(&self, head: usize) -> String {
        let heads = self.heads_in_layer();
        text::training_head(self.language, &(head / heads + 1), &(head % heads + 1))
    }

    /// Answer at the chosen row without masks; empty if no mask is painted.
    pub fn open_answer(&self) -> String {
        let Some(open) = self.masks.open() else {
            return String::new();
        };
        let [word, share, _] = self.answer_of(open);
        text::training_open_answer(self.language, &word, &share)
    }

    /// Accuracy with the painted masks, and without them.
    pub fn masked(&self) -> String {
        let measured = self.masks.right().zip(self.ablation.whole);
        measured.map_or_else(String::new, |(right, whole)| {
            let [right, whole] = [right, whole].map(percent);
            let examples = scored(self.run, self.language);
            text::training_masked(
                self.language,
                &self.masks.total(),
                &right,
                &examples,
                &whole,
            )
        })
    }

    /// Answer at the chosen row: the likeliest word, its probability, and the runners-up.
    pub fn answer(&self) -> [String; 3] {
        self.answer_of(self.reading)
    }

    fn answer_of(&self, reading: &Reading) -> [String; 3] {
        let known = self.run.words();
        let prediction = reading.prediction(self.row);
        let word = |at: usize| {
            let word = prediction.get(at).and_then(|(word, _)| known.get(*word));
            word.map(|word| shown(word))
        };
        let share = |at: usize| prediction.get(at).map_or(0.0, |(_, share)| *share);
        let likeliest = word(0).unwrap_or_default().to_owned();
        let next = (1..3).filter_map(|at| Some(format!("{} {}", word(at)?, percent(share(at)))));
        let next = next.collect::<Vec<_>>().join(", ");
        [
            likeliest,
            percent(share(0)),
            text::training_then(self.language, &next),
        ]
    }

    /// Explains the accuracies with one head switched off at a time.
    pub fn needed(&self) -> String {
        self.ablation.whole.map_or_else(String::new, |whole| {
            let examples = scored(self.run, self.language);
            text::training_whole(self.language, &self.step, &percent(whole), &examples)
        })
    }
}

/// Names the examples that accuracies refer to: a user's own text has no held-out examples.
pub(super) fn scored(run: &TrainingRun, language: Language) -> String {
    if run.goes_on() {
        text::training_pieces(language, &run.different_examples().unwrap_or_default())
    } else {
        Key::TrainingUnseen.text(language).to_owned()
    }
}

/// A word as it is seen: the characters of a text that leave no trace have signs.
pub fn shown(word: &str) -> &str {
    match word {
        " " => "␣",
        "\n" => "↵",
        "\t" => "⇥",
        word => word,
    }
}

/// Name of a task.
pub fn task(task: LabTask) -> Key {
    match task {
        LabTask::Pronoun => Key::TrainingTaskPronoun,
        LabTask::PronounZh => Key::TrainingTaskPronounZh,
        LabTask::Repeat => Key::TrainingTaskRepeat,
        LabTask::Reverse => Key::TrainingTaskReverse,
        LabTask::Copy => Key::TrainingTaskCopy,
        LabTask::Sort => Key::TrainingTaskSort,
        LabTask::Brackets => Key::TrainingTaskBrackets,
        LabTask::Translation => Key::TrainingTaskTranslation,
        LabTask::Text => Key::TrainingTaskText,
    }
}

/// Describes a task, and what to look at.
pub fn about(task: &str) -> Key {
    match task {
        "pronoun" => Key::TrainingSeePronoun,
        "pronoun-zh" => Key::TrainingSeePronounZh,
        "repeat" => Key::TrainingSeeRepeat,
        "reverse" => Key::TrainingSeeReverse,
        "copy" => Key::TrainingSeeCopy,
        "sort" => Key::TrainingSeeSort,
        "brackets" => Key::TrainingSeeBrackets,
        "text" => Key::TrainingSeeText,
        _ => Key::TrainingSeeTranslation,
    }
}

/// Name of a variant.
pub fn variant(variant: Variant) -> Key {
    match variant {
        Variant::Unscaled => Key::VariantUnscaled,
        Variant::Large => Key::VariantLarge,
        Variant::Zero => Key::VariantZero,
        Variant::NoResidual => Key::VariantNoResidual,
        Variant::NoNorm => Key::VariantNoNorm,
        Variant::NormAfter => Key::VariantNormAfter,
        Variant::NoPositions => Key::VariantNoPositions,
        Variant::OtherDepth => Key::VariantOtherDepth,
        Variant::OneHead => Key::VariantOneHead,
        Variant::Narrow => Key::VariantNarrow,
        Variant::WarmUp => Key::VariantWarmUp,
        Variant::Clip => Key::VariantClip,
        Variant::FastRate => Key::VariantFastRate,
        Variant::Sgd => Key::VariantSgd,
    }
}

/// Describes the effect of a variant, with the source.
pub fn about_variant(variant: Variant) -> Key {
    match variant {
        Variant::Unscaled => Key::VariantSeeUnscaled,
        Variant::Large => Key::VariantSeeLarge,
        Variant::Zero => Key::VariantSeeZero,
        Variant::NoResidual => Key::VariantSeeNoResidual,
        Variant::NoNorm => Key::VariantSeeNoNorm,
        Variant::NormAfter => Key::VariantSeeNormAfter,
        Variant::NoPositions => Key::VariantSeeNoPositions,
        Variant::OtherDepth => Key::VariantSeeOtherDepth,
        Variant::OneHead => Key::VariantSeeOneHead,
        Variant::Narrow => Key::VariantSeeNarrow,
        Variant::WarmUp => Key::VariantSeeWarmUp,
        Variant::Clip => Key::VariantSeeClip,
        Variant::FastRate => Key::VariantSeeFastRate,
        Variant::Sgd => Key::VariantSeeSgd,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::colour::Background;
    use engine::training_run::RECIPES;

    #[test]
    fn a_view_follows_the_step_that_is_looked_at() {
        let mut run = TrainingRun::new(RECIPES[0], 1, None).expect("a task");
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
            other: None,
            ablation: &ablation,
            masks: &HeadMasks::default(),
            conclusion: String::new(),
            names: &HeadNames::default(),
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
        assert!(view.charts().iter().all(|chart| chart.shapes.len() > 5));
    }
}
