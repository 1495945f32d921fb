//! Texts about a learned model: why it cannot read a text, the words that can be exchanged, the
//! roles of its heads and its answers.

mod answers;

pub use answers::{answer_without, answers};

use super::names;
use super::percent::percent;
use super::run::Run;
use crate::i18n::number::CellStyle;
use crate::i18n::{Key, Language, text};
use crate::state::learned::{self, grammar};
use crate::state::{Origin, Part, State};
use attention::text::tokenize;
use attention::text::vocabulary;
use attention::{Code, Error};
use engine::learned::{Answer, LearnedStep};
use engine::training_run::BATCH;
use model::behaviour::Behaviour;
use std::ops::Range;

/// Number of alternatives from which they are those that change what the pronoun means: what both
/// kinds of nouns can be.
const DECISIVE: usize = 9;

/// A word of the sentence that others can stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchangeable {
    /// Which word of the sentence.
    pub at: usize,
    /// Its place in the text, in bytes.
    pub range: Range<usize>,
    /// As it is in the grammar.
    pub word: &'static str,
    /// The words that can stand there, itself among them.
    pub others: Vec<&'static str>,
    /// Whether another word can change what the pronoun means.
    pub is_decisive: bool,
}

/// Answer of a model at the pronoun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelAnswer {
    /// The question.
    pub title: String,
    /// The likeliest word.
    pub word: &'static str,
    /// Its probability.
    pub share: String,
    /// The runners-up; while the head is off, the answer with it.
    pub beside: String,
    /// Name of the button that switches the chosen head off; `None` where it is not known what the model says without it.
    pub switch: Option<String>,
    /// Whether the head is off.
    pub is_off: bool,
}

/// The words of the sentence that can be exchanged, in its order; none where nothing was learned, the model cannot read it, or it is
/// locked.
pub fn exchangeable(state: &State) -> Vec<Exchangeable> {
    let is_free = state.imported.is_none() && !state.is_locked(Part::Sentence);
    if state.origin != Origin::Learned || !is_free {
        return Vec::new();
    }
    let grammar = grammar(&state.text);
    let known = grammar.words();
    let words = vocabulary::words(&known, &state.text).unwrap_or_default();
    let words = words.into_iter().enumerate();
    let with_others = words.map(|(at, own)| {
        let others = grammar.alternatives(known[own.number]);
        Exchangeable {
            at,
            range: own.at,
            word: known[own.number],
            is_decisive: others.len() >= DECISIVE,
            others,
        }
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
            let word = names::token(&word.unwrap_or(value));
            text::learned_unknown(language, &word)
        }
        Code::TooLarge => text::learned_long(language, &grammar.length(), &value),
        _ => Key::LearnedEmpty.text(language).to_owned(),
    })
}

/// The same where hand-built heads may not take over, because the parameters are locked.
pub fn lasting_problem(state: &State, language: Language) -> Option<String> {
    let is_locked = state.is_locked(Part::Weights);
    is_locked.then(|| problem(state, language)).flatten()
}

/// Whether the numbers of a state can be computed.
pub fn is_readable(state: &State) -> bool {
    refusal(state).is_none()
}

fn refusal(state: &State) -> Option<Error> {
    let is_learned = state.origin == Origin::Learned;
    is_learned.then(|| learned::key(state).err()).flatten()
}

/// Source of the weights, and training progress of the model on screen.
pub fn note(state: &State, language: Language) -> String {
    text::weights_learned_note(language, &state.trained, &BATCH)
}

/// Average behaviour of a head, counted on through the layers; where the settings change the layer
/// shown, the sentence says that it describes the head as trained.
pub fn role(run: &Run, head: usize, language: Language) -> Option<String> {
    let (behaviour, share) = run.learned()?.behaviour(head)?;
    let (name, share) = (
        head_name(behaviour).text(language),
        CellStyle::WEIGHT.write(share),
    );
    Some(if is_as_learned(run, head) {
        text::learned_does(language, &name, &share)
    } else {
        text::learned_does_unchanged(language, &name, &share)
    })
}

/// Short name of the average behaviour of a head, where the settings leave its layer as it has learned.
pub fn role_name(run: &Run, head: usize, language: Language) -> Option<String> {
    let (behaviour, _) = run.learned()?.behaviour(head)?;
    is_as_learned(run, head).then(|| head_name(behaviour).text(language).to_owned())
}

/// Whether a head, counted on through the layers, computes what it has learned: settings change the layer shown alone.
fn is_as_learned(run: &Run, head: usize) -> bool {
    let is_of_layer = head / run.heads().max(1) + 1 == run.state.layer;
    !is_of_layer || answers::is_as_learned(run)
}

/// Name of a head of the sentence's model: what it looks at.
fn head_name(behaviour: Behaviour) -> Key {
    match named(behaviour) {
        Key::TrainingAnswerWord => Key::HeadAnswer,
        name => name,
    }
}

/// Answer of a run's model, with all heads or with the chosen one of the layer shown switched off. It is that of the pronoun whichever row is
/// looked at, and `None` where the text does not ask for a noun: training asked for nothing else, so what the model would say there means
/// nothing.
pub fn answer(run: &Run, head: usize, is_off: bool, language: Language) -> Option<ModelAnswer> {
    let row = run.learned()?.loss()?.row;
    let (answers, known) = (answers(run, row), grammar(&run.state.text).words());
    let without = answer_without(run, run.thumbnail(head), row);
    let likeliest = *answers.first()?;
    let said = |own: &Answer| Some((*known.get(own.word)?, percent(f64::from(own.share))));
    let words = |all: &[Answer]| {
        let all = all.iter().filter_map(said);
        let all = all.map(|(word, share)| format!("{word} {share}"));
        all.collect::<Vec<_>>().join(", ")
    };
    let off = without.filter(|_| is_off);
    let (word, share) = said(&off.unwrap_or(likeliest))?;
    let asked = run.query(row);
    let number = head + 1;
    Some(ModelAnswer {
        title: match (off.is_some(), answers::follow_layer(run)) {
            (false, true) => text::learned_answer(language, &asked),
            (false, false) => text::learned_answer_unchanged(language, &asked),
            (true, true) => text::learned_answer_off(language, &asked, &number),
            (true, false) => text::learned_answer_unchanged_off(language, &asked, &number),
        },
        word,
        share,
        beside: match off {
            Some(_) => text::learned_with(language, &words(&[likeliest])),
            None => text::learned_then(language, &words(&answers[1..])),
        },
        switch: without.map(|_| text::learned_switch(language, &number)),
        is_off: off.is_some(),
    })
}

/// The track of the slider of training steps in its own coordinates, as in `index.html`.
const TRACK: (f64, f64) = (150.0, 24.0);

/// The losses of a model's steps as a path over the track: each at its step, the largest as high as there is room.
pub fn losses(history: &[LearnedStep]) -> String {
    let loss = |step: &LearnedStep| f64::from(step.loss);
    let top = history.iter().map(loss).fold(f64::MIN_POSITIVE, f64::max);
    let place = |(at, step)| {
        let y = TRACK.1 - (TRACK.1 - 1.0) * loss(step) / top;
        format!("{} {y:.1}", at + 1)
    };
    let places: Vec<String> = history.iter().enumerate().map(place).collect();
    if places.is_empty() {
        return String::new();
    }
    format!("M{}V{}H1Z", places.join(" "), TRACK.1)
}

/// The step of a model that is on the map, with the share of answers that were right in it.
pub fn step(history: &[LearnedStep], at: usize, language: Language) -> String {
    let last = State::default().trained;
    match at.checked_sub(1).and_then(|at| history.get(at)) {
        Some(step) => text::learning_at(language, &at, &last, &percent(f64::from(step.right))),
        None => text::learning_begins(language, &at, &last),
    }
}

/// Short name of a behaviour: that of its pattern, if it is one.
pub fn named(behaviour: Behaviour) -> Key {
    let pattern = behaviour.pattern();
    match pattern.and_then(|pattern| names::pattern(&pattern)) {
        Some(name) => name,
        None if behaviour == Behaviour::Mirrored => Key::TrainingMirrored,
        None => Key::TrainingAnswerWord,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use crate::state::{StepKind, url};

    #[test]
    fn losses_go_down_the_track_and_each_step_says_what_was_right() {
        let steps = [(4.0, 0.25), (2.0, 0.5), (0.0, 1.0)];
        let steps = steps.map(|(loss, right)| LearnedStep { loss, right });
        assert_eq!(losses(&steps), "M1 1.0 2 12.5 3 24.0V24H1Z");
        assert_eq!(losses(&[]), "");
        let said = [0, 2, 3, 4].map(|at| step(&steps, at, Language::En));
        assert_eq!(
            said,
            [
                "step 0 of 150",
                "step 2 of 150 · 50\u{202f}% right",
                "step 3 of 150 · 100\u{202f}% right",
                "step 4 of 150",
            ]
        );
    }

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
        let answer = answer(&run, 1, false, Language::En).expect("a noun is asked for");
        assert!(answer.title.contains("“it”"), "{}", answer.title);
        assert!(["dog", "road"].contains(&answer.word), "{answer:?}");
        assert!(answer.beside.starts_with("then "), "{answer:?}");
        let hand_built = computed("text=a+b");
        assert_eq!(super::answer(&hand_built, 0, false, Language::En), None);
    }

    /// Both are the same button's, and pressed again all is as before.
    #[test]
    fn a_head_that_is_off_leaves_the_answer_of_the_others() {
        let link = "weights=learned&d_model=32&d_k=8&trained=60&seed=1&text=The+dog+didn't+cross+the+road+because+it+was+too+long+.";
        for settings in ["", "&layer=1", "&mask=causal", "&layer=1&mask=causal"] {
            let run = computed(&format!("{link}{settings}"));
            let said = |is_off| answer(&run, 1, is_off, Language::En).expect("a noun is asked for");
            let (on, off) = (said(false), said(true));
            let without = answer_without(&run, run.thumbnail(1), 7).expect("a head");
            let word = grammar(&run.state.text).words()[without.word];
            let share = percent(f64::from(without.share));
            assert_eq!((off.word, &off.share), (word, &share), "{settings}");
            assert_eq!(off.title, format!("{} without head 2", on.title));
            assert_eq!(off.beside, format!("with it: {} {}", on.word, on.share));
            assert_eq!(
                (on.switch.as_deref(), &off.switch),
                (Some("Switch head 2 off"), &on.switch)
            );
            assert_eq!((on.is_off, off.is_off), (false, true));
        }
    }

    /// At any other row the model's output was never trained.
    #[test]
    fn the_model_answers_for_the_pronoun_alone() {
        let sentence = "The+animal+didn't+cross+the+street+because+it+was+too+tired.";
        let said = |text: &str, cell: &str| {
            let link = format!("weights=learned&trained=3&d_model=8&text={text}&cell={cell}");
            answer(&computed(&link), 0, false, Language::En)
        };
        let asked = said(sentence, "8").expect("a noun is asked for");
        assert!(asked.title.contains("“it”"), "{}", asked.title);
        for cell in ["1", "7", "12", "5,2", "none"] {
            assert_eq!(said(sentence, cell).as_ref(), Some(&asked), "{cell}");
        }
        for text in ["the+fox", "the+fox+was+tired", "the+fox+because+it+was"] {
            assert_eq!(said(text, "1"), None, "{text}");
        }
    }

    const OPENING: &str = "weights=learned&seed=373&d_model=32&d_k=8&positions=none&layer=2&head=3&cell=8&\
        text=The+animal+didn't+cross+the+street+because+it+was+too+tired.";
    const OPENING_ZH: &str = "weights=learned&seed=205&d_model=32&d_k=8&positions=none&layer=2&head=4&cell=8&\
        text=那只动物没有过马路，因为它太累了。";

    /// Likeliest word and its probability in the pronoun's row of the logits step.
    fn by_logits(run: &Run) -> (&'static str, f64) {
        let logits = run.matrix(StepKind::Logits, run.state.head);
        let logits = logits.expect("the last layer");
        let row = &logits.values[7 * logits.columns..8 * logits.columns];
        let places = 0..row.len();
        let most = places.max_by(|one, other| row[*one].total_cmp(&row[*other]));
        let most = most.expect("words");
        let power = |z: &f32| f64::from(z - row[most]).exp();
        (run.word(most), 1.0 / row.iter().map(power).sum::<f64>())
    }

    /// A mask, a temperature or scores that are not scaled make it another layer, with other answers.
    #[test]
    fn answers_are_those_of_the_layer_as_it_is_shown() {
        for (link, settings, word, share) in [
            (OPENING, "&step=logits", "animal", "99.8\u{202f}%"),
            (OPENING, "&mask=local&window=2", "animal", "37\u{202f}%"),
            (OPENING, "&temperature=10", "animal", "71\u{202f}%"),
            (OPENING, "&scaled=0", "animal", "99.9\u{202f}%"),
            (OPENING_ZH, "&mask=causal", "动物", "99.4\u{202f}%"),
            (OPENING_ZH, "&temperature=10", "动物", "48\u{202f}%"),
            (OPENING_ZH, "&temperature=0.1", "动物", "99\u{202f}%"),
        ] {
            let run = computed(&format!("{link}{settings}"));
            let said = answer(&run, 1, false, Language::En).expect("an answer");
            assert_eq!(
                (said.word, said.share.as_str()),
                (word, share),
                "{settings}"
            );
            let (likeliest, logits) = by_logits(&run);
            let found = f64::from(answers(&run, 7)[0].share);
            assert!(
                likeliest == word && (found - logits).abs() < 1e-6,
                "{settings}: {found} beside {logits}"
            );
            assert!(said.title.starts_with("What the model answers"), "{said:?}");
        }
        let share = |settings| answers(&computed(&format!("{OPENING}{settings}")), 7)[0].share;
        assert!((share("&mask=local&window=2") - 0.373).abs() < 0.0005);
        assert!((share("&temperature=10") - 0.713).abs() < 0.0005);
    }

    /// A mask that hides nothing leaves every answer as it is, with all heads and without each.
    #[test]
    fn answers_of_a_layer_that_is_the_same_are_those_of_its_model() {
        let run = computed(&format!("{OPENING}&mask=local&window=12"));
        assert!(!answers::is_as_learned(&run) && run.hidden().count() == 0);
        let learned = run.learned().expect("a layer");
        let close = |one: Answer, other: Answer| {
            one.word == other.word && (one.share - other.share).abs() < 1e-5
        };
        for row in 0..12 {
            let found = answers(&run, row).into_iter();
            let pairs = found.zip(learned.answers(row));
            assert!(pairs.fold(true, |all, (one, other)| all && close(one, *other)));
            for head in 4..8 {
                let found = answer_without(&run, head, row).expect("a head of the layer");
                let wanted = learned.answer_without(head, row).expect("a head");
                assert!(close(found, wanted), "{row}, {head}: {found:?} {wanted:?}");
            }
            assert_eq!(answer_without(&run, 0, row), None, "of the layer before");
        }
    }

    /// Changes to an earlier layer are not propagated, so its texts describe the trained model.
    #[test]
    fn what_is_said_of_the_model_as_it_has_learned_says_so() {
        let run = computed(&OPENING.replace("layer=2", "layer=1&mask=causal"));
        let said = answer(&run, 1, false, Language::En).expect("an answer");
        assert_eq!(said.title, "What the unchanged model answers for “it”");
        assert_eq!(said.word, "animal");
        // A model whose heads have names.
        let named = OPENING_ZH.replace("seed=205", "seed=27");
        let name = |settings: &str, head| {
            let run = computed(&named.replace("layer=2", settings));
            role(&run, head, Language::En)
        };
        let plain = Some("the answer, .75 on average".to_owned());
        let unchanged = plain
            .as_ref()
            .map(|plain| format!("unchanged model: {plain}"));
        assert_eq!(
            (name("layer=2", 5), name("layer=2", 0)),
            (plain.clone(), None)
        );
        assert_eq!(name("layer=2&mask=local&window=2", 5), unchanged);
        assert_eq!(name("layer=1&mask=causal", 5), plain, "of another layer");
    }
}
