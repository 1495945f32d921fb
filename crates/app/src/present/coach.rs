//! Four hints above the map, one at a time, each with the act that it speaks of.
//!
//! A learned model that reads the sentence answers to all four: another adjective turns the pronoun to the other noun, the first one turns
//! it back, the answer changes where its noun is hidden, and the training can be watched.

wasm_chunks::chunk!("input": Coach::act);

use super::learned::{Exchangeable, exchangeable, exchanged};
use crate::i18n::{Key, Language, text};
use crate::state::learned::{grammar, key};
use crate::state::{Action, Field, Painting, State, Value, request_builder};
use attention::text::vocabulary;

/// What the next hint speaks of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hint {
    /// An adjective that makes the pronoun mean the other noun.
    #[default]
    Exchange,
    /// The adjective that was there first.
    Back,
    /// The noun that the pronoun means, to be hidden from it.
    Hide,
    /// The training.
    Watch,
    /// What comes after it.
    Lessons,
}

/// The hints, and how far they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coach {
    hint: Hint,
    is_left: bool,
    /// The sentence as the hints found it.
    first: Option<Meaning>,
}

/// A sentence, and what its pronoun means.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Meaning {
    adjective: Exchangeable,
    /// Row of the pronoun and column of its noun.
    cell: (usize, usize),
    pronoun: &'static str,
    noun: &'static str,
}

/// A sentence around the words that act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoachLine {
    /// With [`PLACE`](Self::PLACE) where the words stand.
    pub sentence: String,
    pub act: String,
}

impl CoachLine {
    pub const PLACE: char = '\u{fffc}';
}

/// What pressing the words of a hint does.
#[derive(Clone, Debug, PartialEq)]
pub enum CoachAct {
    Set(Action),
    Watch,
    Lessons,
}

impl Meaning {
    fn new(state: &State) -> Option<Self> {
        let mut words = exchangeable(state).into_iter();
        let adjective = words.find(|own| own.is_decisive)?;
        let grammar = grammar(&state.text);
        let known = grammar.words();
        let read = vocabulary::read(&known, &state.text).ok()?;
        let (row, noun) = grammar.meant(&read)?;
        Some(Self {
            adjective,
            cell: (row, read.iter().position(|word| *word == noun)?),
            pronoun: known[read[row]],
            noun: known[noun],
        })
    }

    /// Whether both are of one sentence, in which other nouns, verbs and adjectives may stand.
    fn is_of_sentence(&self, other: &Self) -> bool {
        let place = |own: &Self| (own.cell.0, own.adjective.at);
        place(self) == place(other) && self.adjective.others == other.adjective.others
    }

    /// The first adjective that makes the pronoun of `text` mean another noun.
    fn turning(&self, text: &str) -> Option<&'static str> {
        let grammar = grammar(text);
        let known = grammar.words();
        let mut read = vocabulary::read(&known, text).ok()?;
        let mut turns = |other: &&'static str| {
            let number = known.iter().position(|word| word == other)?;
            *read.get_mut(self.adjective.at)? = number;
            let (_, noun) = grammar.meant(&read)?;
            (known[noun] != self.noun).then_some(*other)
        };
        self.adjective.others.iter().find_map(&mut turns)
    }
}

impl Coach {
    /// Goes on where a state has what the hint asks for. Hints begin anew with another sentence.
    pub fn follow(&mut self, before: &State, state: &State) {
        let Some(now) = Meaning::new(state) else {
            return;
        };
        let first = self.first.get_or_insert_with(|| now.clone());
        if !first.is_of_sentence(&now) {
            (self.hint, self.first) = (Hint::Exchange, Some(now));
            return;
        }
        let is_done = match self.hint {
            Hint::Exchange => now.noun != first.noun,
            Hint::Back => now.noun == first.noun,
            Hint::Hide => hides(state, now.cell),
            Hint::Watch => before.trained != state.trained,
            Hint::Lessons => false,
        };
        if is_done {
            self.hint = self.hint.next();
        }
    }

    /// Leaves the hints.
    pub fn leave(&mut self) {
        self.is_left = true;
    }

    /// Begins them anew.
    pub fn begin(&mut self) {
        *self = Self::default();
    }

    /// The sentence to show; `None` where they were left, and where nothing answers to them.
    pub fn line(&self, state: &State, language: Language) -> Option<CoachLine> {
        if self.is_left || key(state).is_err() || !state.lesson.is_empty() {
            return None;
        }
        let now = Meaning::new(state)?;
        let (place, pronoun) = (CoachLine::PLACE, now.pronoun);
        let (sentence, act) = match self.hint {
            Hint::Exchange => {
                let other = now.turning(&state.text)?;
                let sentence = text::coach_exchange(language, &place, &pronoun);
                (sentence, other.to_owned())
            }
            Hint::Back => {
                let first = self.first.as_ref()?.adjective.word;
                (text::coach_back(language, &place), first.to_owned())
            }
            Hint::Hide => (
                text::coach_hide(language, &place),
                text::coach_hide_act(language, &now.noun, &pronoun),
            ),
            Hint::Watch => (
                text::coach_watch(language, &place),
                Key::CoachWatchAct.text(language).to_owned(),
            ),
            Hint::Lessons => (
                text::coach_lessons(language, &place),
                Key::Lessons.text(language).to_owned(),
            ),
        };
        Some(CoachLine { sentence, act })
    }

    /// What the words of the hint do.
    #[inline(never)]
    pub fn act(&self, state: &State) -> Option<CoachAct> {
        let now = Meaning::new(state)?;
        let set_adjective = |word| {
            let text = exchanged(&state.text, now.adjective.at, word)?;
            let action = Action::Set(Field::Text, Value::Text(text));
            Some(CoachAct::Set(action))
        };
        Some(match self.hint {
            Hint::Exchange => set_adjective(now.turning(&state.text)?)?,
            Hint::Back => set_adjective(self.first.as_ref()?.adjective.word)?,
            Hint::Hide => CoachAct::Set(Action::Paint {
                from: now.cell,
                to: now.cell,
                is_visible: false,
            }),
            Hint::Watch => CoachAct::Watch,
            Hint::Lessons => CoachAct::Lessons,
        })
    }
}

impl Hint {
    const fn next(self) -> Self {
        match self {
            Self::Exchange => Self::Back,
            Self::Back => Self::Hide,
            Self::Hide => Self::Watch,
            Self::Watch | Self::Lessons => Self::Lessons,
        }
    }
}

/// The painting without what the hint has hidden, so that the model that learns sees every word.
pub fn shown_again() -> Action {
    Action::Set(Field::Paint, Value::Painting(Painting::default()))
}

fn hides(state: &State, (row, column): (usize, usize)) -> bool {
    let (_, keys) = request_builder::lengths(state);
    let mask = request_builder::mask(state, keys);
    !request_builder::is_visible(&mask, row, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{initial, reduce, url};

    fn said(coach: &Coach, state: &State) -> String {
        let line = coach.line(state, Language::En).expect("a hint");
        line.sentence.replace(CoachLine::PLACE, &line.act)
    }

    fn press(coach: &mut Coach, state: &State) -> State {
        let Some(CoachAct::Set(action)) = coach.act(state) else {
            panic!("nothing to set");
        };
        let (next, notices) = reduce(state.clone(), action);
        assert_eq!(notices, []);
        coach.follow(state, &next);
        next
    }

    #[test]
    fn each_hint_is_met_by_its_own_words() {
        for (language, wide, tired) in [(Language::En, "wide", "tired"), (Language::Zh, "宽", "累")]
        {
            let (mut coach, first) = (Coach::default(), initial::standard(language).clone());
            coach.follow(&first, &first);
            assert!(
                said(&coach, &first).contains(wide),
                "{}",
                said(&coach, &first)
            );
            let turned = press(&mut coach, &first);
            assert!(turned.text.contains(wide), "{}", turned.text);
            assert!(said(&coach, &turned).contains(tired));
            let back = press(&mut coach, &turned);
            assert_eq!(back.text, first.text);
            let hidden = press(&mut coach, &back);
            assert!(!hidden.paint.is_empty());
            assert_eq!(coach.act(&hidden), Some(CoachAct::Watch));
            let (shown, _) = reduce(hidden.clone(), shown_again());
            assert_eq!(shown.paint, first.paint);
            let learning = State {
                trained: 3,
                ..shown.clone()
            };
            coach.follow(&shown, &learning);
            assert_eq!(coach.act(&learning), Some(CoachAct::Lessons));
        }
    }

    #[test]
    fn hints_are_left_and_found_again() {
        let state = initial::standard(Language::En).clone();
        let mut coach = Coach::default();
        coach.follow(&state, &state);
        press(&mut coach, &state);
        coach.leave();
        assert_eq!(coach.line(&state, Language::En), None);
        coach.begin();
        coach.follow(&state, &state);
        assert!(said(&coach, &state).contains("wide"));
    }

    #[test]
    fn there_are_none_where_nothing_answers_to_them() {
        let coach = Coach::default();
        for link in [
            "text=a+b",
            "weights=learned&text=the+fox",
            "weights=learned&text=x",
        ] {
            let state = url::parse(link).0;
            assert_eq!(coach.line(&state, Language::En), None, "{link}");
        }
        let lesson = State {
            lesson: "05-what-it-means".to_owned(),
            ..initial::standard(Language::En).clone()
        };
        assert_eq!(coach.line(&lesson, Language::En), None);
    }
}
