//! What heads are coloured and sorted by.

wasm_chunks::chunk!("model");

use interpret::measure::Measure;

use super::OpenModel;
use crate::i18n::Key;

/// A measure of heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Of the maps.
    Measure(Measure),
    /// How much less likely the answer is without the head.
    Need,
}

impl Choice {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 8] = [
        Self::Measure(Measure::Repeats),
        Self::Measure(Measure::Previous),
        Self::Measure(Measure::First),
        Self::Measure(Measure::SameToken),
        Self::Measure(Measure::Delimiter),
        Self::Measure(Measure::Entropy),
        Self::Measure(Measure::Reach),
        Self::Need,
    ];

    /// The name in markup.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Measure(Measure::Repeats) => "repeats",
            Self::Measure(Measure::Previous) => "previous",
            Self::Measure(Measure::First) => "first",
            Self::Measure(Measure::SameToken) => "same",
            Self::Measure(Measure::Delimiter) => "delimiter",
            Self::Measure(Measure::Entropy) => "entropy",
            Self::Measure(Measure::Reach) => "reach",
            Self::Need => "need",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.name() == name)
    }

    /// What it is called.
    pub const fn key(self) -> Key {
        match self {
            Self::Measure(Measure::Repeats) => Key::ModelRepeats,
            Self::Measure(Measure::Previous) => Key::ModelPrevious,
            Self::Measure(Measure::First) => Key::ModelFirst,
            Self::Measure(Measure::SameToken) => Key::ModelSame,
            Self::Measure(Measure::Delimiter) => Key::ModelDelimiter,
            Self::Measure(Measure::Entropy) => Key::ModelEntropy,
            Self::Measure(Measure::Reach) => Key::ModelReach,
            Self::Need => Key::ModelNeed,
        }
    }

    /// What it measures, in a sentence.
    pub const fn meaning(self) -> Key {
        match self {
            Self::Measure(Measure::Repeats) => Key::ModelRepeatsMeaning,
            Self::Measure(Measure::Previous) => Key::ModelPreviousMeaning,
            Self::Measure(Measure::First) => Key::ModelFirstMeaning,
            Self::Measure(Measure::SameToken) => Key::ModelSameMeaning,
            Self::Measure(Measure::Delimiter) => Key::ModelDelimiterMeaning,
            Self::Measure(Measure::Entropy) => Key::ModelEntropyMeaning,
            Self::Measure(Measure::Reach) => Key::ModelReachMeaning,
            Self::Need => Key::ModelNeedMeaning,
        }
    }
}

/// A head and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Counted on through the layers.
    pub head: usize,
    pub value: f64,
}

impl OpenModel {
    /// The measures that the model has.
    pub fn choices(&self) -> impl Iterator<Item = Choice> {
        let (is_causal, has_logits) = (self.about.is_causal, self.about.has_logits);
        Choice::ALL.into_iter().filter(move |choice| match choice {
            Choice::Measure(Measure::Repeats) => is_causal,
            Choice::Measure(_) => true,
            Choice::Need => has_logits,
        })
    }

    /// The value of every head, as far as it is known.
    pub fn values(&self, choice: Choice) -> Vec<Option<f64>> {
        let heads = self.heads();
        let known = |own: &f32| Some(f64::from(*own)).filter(|own| !own.is_nan());
        match choice {
            Choice::Measure(Measure::Repeats) => match &self.repeats {
                Some(repeats) => repeats.iter().map(known).collect(),
                None => vec![None; heads],
            },
            Choice::Measure(measure) => {
                let at = Measure::OF_TEXT.iter().position(|own| *own == measure);
                let reading = self.reading.as_ref();
                let own = at
                    .zip(reading)
                    .and_then(|(at, reading)| reading.measures.get(at * heads..(at + 1) * heads));
                own.map_or_else(|| vec![None; heads], |own| own.iter().map(known).collect())
            }
            Choice::Need => {
                let base = self.answer_share();
                let lost = |without: &Option<f64>| Some(base? - (*without)?);
                let mut lost: Vec<_> = self.without.iter().map(lost).collect();
                lost.resize(heads, None);
                lost
            }
        }
    }

    /// The value that has the strongest colour: 1 for shares, the largest for others.
    pub fn strongest(&self, choice: Choice) -> f64 {
        let largest = || {
            self.values(choice)
                .into_iter()
                .flatten()
                .fold(0.0, f64::max)
        };
        match choice {
            Choice::Measure(Measure::Reach) | Choice::Need => largest(),
            Choice::Measure(_) => 1.0,
        }
    }

    /// The heads with the largest values, the largest first; of equal ones the first.
    pub fn ranked(&self, choice: Choice, most: usize) -> Vec<Ranked> {
        let values = self.values(choice).into_iter().enumerate();
        let known = values.filter_map(|(head, value)| {
            Some(Ranked {
                head,
                value: value?,
            })
        });
        let mut all: Vec<Ranked> = known.collect();
        all.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.head.cmp(&b.head)));
        all.truncate(most);
        all
    }
}
