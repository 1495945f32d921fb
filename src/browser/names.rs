//! Names of heads.

use crate::i18n::{Key, Language, fill, say};
use crate::state::steps::is_shared;
use crate::state::{Origin, State, StepKind};
use attention::text::teaching::{ROLES, Role};

/// "head 1 · pronoun → noun", or "head 1" where heads have no role.
pub fn head(state: &State, head: usize, language: Language) -> String {
    let number = number(head, language);
    match role(state, head, language) {
        Some(role) => format!("{number} · {role}"),
        None => number,
    }
}

/// A name for a narrow place: no line of it ends with what leads on to the next.
pub fn unparted(name: &str) -> String {
    name.replace(" · ", "\u{a0}·\u{a0}")
        .replace("→ ", "→\u{a0}")
}

/// "head 1".
pub fn number(head: usize, language: Language) -> String {
    let number = (head + 1).to_string();
    fill(language, Key::HeadNumber, &[("number", &number)])
}

/// "pronoun → noun", where heads have a role.
pub fn role(state: &State, head: usize, language: Language) -> Option<&'static str> {
    let role = ROLES
        .get(head)
        .filter(|_| state.origin == Origin::Teaching)?;
    Some(say(language, key(*role)))
}

fn key(role: Role) -> Key {
    match role {
        Role::PronounToNoun => Key::NamePronounToNoun,
        Role::Previous => Key::NamePrevious,
        Role::SameWord => Key::NameSameWord,
        Role::First => Key::NameFirst,
        Role::Next => Key::NameNext,
        Role::Nouns => Key::NameNouns,
        Role::Itself => Key::NameItself,
        Role::ModifierToNoun => Key::NameModifierToNoun,
    }
}

/// What the matrix of a step is called.
pub fn step(step: StepKind, language: Language) -> &'static str {
    let key = match step {
        StepKind::Input => Key::StepInput,
        StepKind::Source => Key::StepSource,
        StepKind::Positions => Key::StepPositions,
        StepKind::Queries => Key::StepQueries,
        StepKind::Keys => Key::StepKeys,
        StepKind::Values => Key::StepValues,
        StepKind::RotatedQueries => Key::StepRotatedQueries,
        StepKind::RotatedKeys => Key::StepRotatedKeys,
        StepKind::ShortKeys => Key::StepShortKeys,
        StepKind::ShortValues => Key::StepShortValues,
        StepKind::Scores => Key::StepScores,
        StepKind::Scaled => Key::StepScaled,
        StepKind::Biased => Key::StepBiased,
        StepKind::Mask => Key::StepMask,
        StepKind::Masked => Key::StepMasked,
        StepKind::Softmax => Key::StepSoftmax,
        StepKind::Weights => Key::StepWeights,
        StepKind::Context => Key::StepContext,
        StepKind::Merged => Key::StepMerged,
        StepKind::Output => Key::StepOutput,
    };
    say(language, key)
}

/// The title of the large map: the step, and the head's name where it is not the same for every head.
pub fn map(state: &State, shown: StepKind, of: usize, language: Language) -> String {
    match shown {
        shared if is_shared(shared) => step(shared, language).to_owned(),
        _ => {
            let (step, head) = (step(shown, language), head(state, of, language));
            fill(language, Key::MapTitle, &[("step", step), ("head", &head)])
        }
    }
}
