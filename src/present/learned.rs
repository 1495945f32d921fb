//! What is said of a model that has learned: what it cannot read, the words that can be exchanged, what its heads do and what it answers.

use super::percent::percent;
use super::run::Run;
use crate::engine::training_run::BATCH;
use crate::i18n::number::CellStyle;
use crate::i18n::{Key, Language, text};
use crate::state::learned::{LearnedKey, LearnedLayer, grammar};
use crate::state::{Origin, State};
use attention::model::behaviour::Behaviour;
use attention::text::tokenize;
use attention::text::vocabulary;
use attention::{Code, Error};

/// Words that are named where the model does not know one.
const NAMED: usize = 8;

/// How a share is written.
const SHARE: CellStyle = CellStyle {
    decimals: 2,
    leading_zero: false,
};

/// A word of the sentence that others can stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchangeable {
    /// Which word of the sentence.
    pub at: usize,
    /// As it is in the grammar.
    pub word: &'static str,
    /// The words that can stand there, itself among them.
    pub others: Vec<&'static str>,
}

/// What a model answers at a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelAnswer {
    /// What is asked.
    pub title: String,
    /// The likeliest word.
    pub word: &'static str,
    /// Its share.
    pub share: String,
    /// What comes next.
    pub then: String,
    /// What is the likeliest without the chosen head.
    pub without: String,
}

/// The words of the sentence that can be exchanged, in its order; none where nothing was learned, or the model cannot read it.
pub fn exchangeable(state: &State) -> Vec<Exchangeable> {
    if state.origin != Origin::Learned {
        return Vec::new();
    }
    let grammar = grammar(&state.text);
    let known = grammar.words();
    let words = vocabulary::read(&known, &state.text).unwrap_or_default();
    let words = words.into_iter().enumerate();
    let with_others = words.map(|(at, number)| Exchangeable {
        at,
        word: known[number],
        others: grammar.alternatives(known[number]),
    });
    with_others.filter(|own| !own.others.is_empty()).collect()
}

/// The text with another word in the place of one; `None` where there is no such word.
pub fn exchanged(text: &str, at: usize, other: &str) -> Option<String> {
    let words = vocabulary::words(&grammar(text).words(), text).ok()?;
    let place = words.get(at)?.at.clone();
    let [before, after] = [text.get(..place.start)?, text.get(place.end..)?];
    Some([before, other, after].concat())
}

/// Why the model of a state cannot read its text; `None` where it can, and where nothing was learned.
pub fn problem(state: &State, language: Language) -> Option<String> {
    let Error { code, value, .. } = refusal(state)?;
    let grammar = grammar(&state.text);
    Some(match code {
        Code::UnknownOption => {
            let word = tokenize(&value).words.into_iter().next();
            let words = grammar.animate.iter().chain(grammar.inanimate).take(NAMED);
            let words = words.copied().collect::<Vec<_>>().join(", ");
            let count = grammar.words().len();
            text::learned_unknown(language, &word.unwrap_or(value), &count, &words)
        }
        Code::TooLarge => text::learned_long(language, &grammar.length(), &value),
        _ => Key::LearnedEmpty.text(language).to_owned(),
    })
}

/// Whether the numbers of a state can be computed.
pub fn is_readable(state: &State) -> bool {
    refusal(state).is_none()
}

fn refusal(state: &State) -> Option<Error> {
    let is_learned = state.origin == Origin::Learned;
    is_learned.then(|| LearnedKey::new(state).err()).flatten()
}

/// Where the weights come from, and how far the model has come that is on screen.
pub fn note(state: &State, language: Language) -> String {
    text::weights_learned_note(language, &state.trained, &BATCH)
}

/// What a head, counted on through the layers, does on average.
pub fn role(layer: &LearnedLayer, head: usize, language: Language) -> Option<String> {
    let (behaviour, share) = layer.behaviour(head)?;
    let name = named(behaviour).text(language);
    Some(text::learned_does(language, &name, &SHARE.write(share)))
}

/// What the model of a run answers at a row, with all heads and without one of the layer that is looked at.
pub fn answer(run: &Run, head: usize, row: usize, language: Language) -> Option<ModelAnswer> {
    let learned = run.learned()?;
    let known = grammar(&run.state.text).words();
    let answers = learned.answers(row);
    let word = |at: usize| answers.get(at).and_then(|own| known.get(own.word)).copied();
    let share = |at: usize| answers.get(at).map_or(0.0, |own| f64::from(own.share));
    let next =
        (1..answers.len()).filter_map(|at| Some(format!("{} {}", word(at)?, percent(share(at)))));
    let next = next.collect::<Vec<_>>().join(", ");
    let without = learned.answer_without(run.thumbnail(head), row);
    Some(ModelAnswer {
        title: text::learned_answer(language, &run.query(row)),
        word: word(0)?,
        share: percent(share(0)),
        then: text::learned_then(language, &next),
        without: without.map_or_else(String::new, |own| {
            let word = known.get(own.word).copied().unwrap_or_default();
            text::learned_without(language, &word, &percent(f64::from(own.share)))
        }),
    })
}

/// What a head does, in a few words.
pub fn named(behaviour: Behaviour) -> Key {
    match behaviour {
        Behaviour::Previous => Key::NamePrevious,
        Behaviour::Itself => Key::ReadingItself,
        Behaviour::Next => Key::NameNext,
        Behaviour::First => Key::NameFirst,
        Behaviour::Mirrored => Key::TrainingMirrored,
        Behaviour::Induction => Key::TrainingInduction,
        Behaviour::SameWord => Key::NameSameWord,
        Behaviour::Answer => Key::TrainingAnswerWord,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use crate::state::url;

    const LINK: &str = "weights=learned&trained=3&text=The+Dog+wasn't+Happy";

    fn state(text: &str) -> State {
        url::parse(&format!("weights=learned&text={text}")).0
    }

    #[test]
    fn a_word_is_exchanged_where_it_stands() {
        let state = state("The+cat+didn't+reach+the+cat.");
        let words = exchangeable(&state);
        let places: Vec<_> = words.iter().map(|own| (own.at, own.word)).collect();
        assert_eq!(places, [(1, "cat"), (3, "reach"), (5, "cat")]);
        let text = exchanged(&state.text, 5, "dog");
        assert_eq!(text.as_deref(), Some("The cat didn't reach the dog."));
        assert_eq!(exchanged(&state.text, 9, "dog"), None);
        let chinese = exchanged("那只狗没有过河", 4, "桥");
        assert_eq!(chinese.as_deref(), Some("那只狗没有过桥"));
        assert_eq!(exchangeable(&State::default()), []);
    }

    #[test]
    fn what_cannot_be_read_is_said_with_its_word() {
        let said = |text: &str| problem(&state(text), Language::En);
        assert_eq!(said("the+fox+was+too+ill"), None);
        assert!(said("the+Elephant,+too").is_some_and(|said| said.contains("“elephant”")));
        assert!(said(&"it+".repeat(13)).is_some_and(|said| said.contains("13")));
        assert!(said("").is_some());
        for text in ["the+fox", "the+elephant", "", &"it+".repeat(13)] {
            let is_readable = is_readable(&state(text));
            assert_eq!(is_readable, said(text).is_none(), "{text}");
        }
        assert!(problem(&url::parse(LINK).0, Language::Zh).is_some());
        assert!(
            problem(&State::default(), Language::En).is_none() && is_readable(&State::default())
        );
    }

    #[test]
    fn the_answer_is_a_word_of_the_grammar() {
        let run = computed(
            "weights=learned&d_model=32&d_k=8&trained=60&seed=1&text=The+dog+didn't+cross+the+road+because+it+was+too+long+.",
        );
        let answer = answer(&run, 1, 7, Language::En).expect("a row");
        assert!(answer.title.contains("“it”"), "{}", answer.title);
        assert!(["dog", "road"].contains(&answer.word), "{answer:?}");
        assert!(
            answer.without.starts_with("without this head: "),
            "{answer:?}"
        );
        assert_eq!(super::answer(&run, 0, 12, Language::En), None);
        assert_eq!(
            super::answer(&computed("text=a+b"), 0, 0, Language::En),
            None
        );
    }
}
