//! Roles of hand-built heads, whether the weights of this run show them, and the captions of heads.

use super::head_patterns::{self, Scene, label};
use super::run::Run;
use super::{learned, names};
use crate::i18n::{Key, Language, text};
use crate::state::{Origin, PositionKind, ScoringKind, State};
use attention::text::teaching::{ROLES, Role};

mod shown;

pub(super) use shown::{Shown, shown};

/// Tokens from which on the encoding's fast frequencies nearly repeat.
const LONG: usize = 64;

/// Intended role of a head; `None` where heads are not hand-built.
pub fn built(state: &State, head: usize) -> Option<Role> {
    let role = ROLES.get(head).filter(|_| head < state.heads)?;
    (state.origin == Origin::Teaching).then_some(*role)
}

/// Caption of a head. Hand-built: its role if its weights show it, otherwise what they show and the
/// intended role. Learned: its average behaviour.
pub fn caption(run: &Run, head: usize, language: Language) -> Option<String> {
    if run.learned().is_some() {
        return learned::role(run, run.thumbnail(head), language);
    }
    let role = built(&run.state, head)?;
    if !run.shows_role(head) {
        return Some(missed(run, head, role, language));
    }
    let said = statement(role, run.state.second.is_some()).text(language);
    let is_blurred = role.needs_positions() && run.keys.len() > LONG;
    let said = if is_blurred {
        text::role_repeats(language, &said)
    } else {
        said.to_owned()
    };
    Some(match run.role_exceptions(head) {
        0 => said,
        count => text::role_except(language, &said, &count, &run.queries.len()),
    })
}

/// The same in a few words: "previous token", or what the weights show instead.
pub fn short(run: &Run, head: usize, language: Language) -> Option<String> {
    if run.learned().is_some() {
        return learned::role(run, run.thumbnail(head), language);
    }
    let role = built(&run.state, head)?;
    Some(if run.shows_role(head) {
        names::role(role, language).to_owned()
    } else {
        shown_instead(run, head, language)
    })
}

fn missed(run: &Run, head: usize, role: Role, language: Language) -> String {
    let shown = shown_instead(run, head, language);
    let named = head_patterns::name(language, &run.reading(head).pattern, Scene::from_run(run));
    let name = names::role(role, language);
    match obstacle(run, head, role, language) {
        _ if named == name => shown,
        Some(why) => text::role_missed_why(language, &shown, &name, &why),
        None => text::role_missed(language, &shown, &name),
    }
}

fn shown_instead(run: &Run, head: usize, language: Language) -> String {
    label(language, run.reading(head), Scene::from_run(run))
}

/// Names the setting that keeps a head from its role, if there is one.
fn obstacle(run: &Run, head: usize, role: Role, language: Language) -> Option<String> {
    let state = &run.state;
    let owner = head - head % (state.heads / state.kv_heads.max(1)).max(1);
    let key = match state.positions {
        _ if state.linformer => Key::RoleWhyLinformer,
        _ if state.scoring == ScoringKind::Additive => Key::RoleWhyAdditive,
        _ if owner != head => return Some(text::role_why_shared(language, &(owner + 1))),
        PositionKind::Sinusoidal if role.needs_positions() && state.second.is_some() => {
            Key::RoleWhyPair
        }
        PositionKind::Sinusoidal => return None,
        _ if role.needs_positions() => Key::RoleWhyPositions,
        PositionKind::Rotary | PositionKind::RotaryHalves => Key::RoleWhyRotary,
        PositionKind::None | PositionKind::Alibi => return None,
    };
    Some(key.text(language).to_owned())
}

fn statement(role: Role, is_pair: bool) -> Key {
    match role {
        Role::SameWord if is_pair => Key::RoleSameWordPair,
        Role::PronounToNoun => Key::RolePronounToNoun,
        Role::Previous => Key::RolePrevious,
        Role::SameWord => Key::RoleSameWord,
        Role::First => Key::RoleFirst,
        Role::Next => Key::RoleNext,
        Role::Nouns => Key::RoleNouns,
        Role::Itself => Key::RoleItself,
        Role::ModifierToNoun => Key::RoleModifierToNoun,
    }
}

#[cfg(test)]
mod tests;
