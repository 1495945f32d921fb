//! What heads are called.

use crate::app::{Origin, State};
use crate::text::teaching::{ROLES, Role};
use crate::words::{Key, Language, fill, say};

/// "head 1 · pronoun → noun", or "head 1" where heads have no role.
pub fn head(state: &State, head: usize, language: Language) -> String {
    let number = fill(
        language,
        Key::HeadNumber,
        &[("number", &(head + 1).to_string())],
    );
    match role(state, head) {
        Some(role) => format!("{number} · {}", say(language, key(role))),
        None => number,
    }
}

fn role(state: &State, head: usize) -> Option<Role> {
    (state.origin == Origin::Teaching)
        .then(|| ROLES.get(head).copied())
        .flatten()
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
