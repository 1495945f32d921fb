//! Comparison of two settings: A is what the page shows, B is a set of overrides on A.
//!
//! B is never stored whole. Overrides survive changes to A, even when A takes the same value; one that is invalid next to A, such as
//! twelve hand-built heads, is clamped until it becomes valid.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": ComparisonAction);

use super::overrides::{Overrides, mechanism};
use super::setting_enums::named;
use super::{
    Action, Adjustment, Field, MaskPart, Origin, Painting, Panel, Panels, Parts, PositionKind,
    ScoringKind, State, StepKind, Value, reduce,
};
use attention::text::teaching::ROLES;

/// Something that is done with both settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparisonAction {
    /// Applies an action to B as if it were the only setting. Only settings of the mechanism are accepted.
    Edit(Box<Action>),
    /// Sets up a comparison that courses make, from the mechanism of a state.
    Preset(ComparisonPreset, Box<State>),
    /// B becomes the setting, and there is no other.
    Take,
    /// A and B change places.
    Swap,
    /// B is as A.
    Same,
}

named! {
    /// A comparison that courses make.
    ComparisonPreset {
        /// Every key against those up to the query.
        Causal = "causal",
        /// Scores divided by `√d_k` against scores that are not, where `d_k` is large: random
        /// weights give them a standard deviation of about `√d_k`, and the softmax of undivided
        /// scores has hardly more than one weight per row.
        Scaled = "scaled",
        /// Dot products against additive scores, both from random weights, since the hand-built
        /// heads are designed for dot products.
        Additive = "additive",
        /// Every key against the nearest.
        Local = "local",
        /// Every key against every second, third …
        Strided = "strided",
        /// Every key against a few mixtures of keys.
        Linformer = "linformer",
        /// Keys and values for each head against one set of them for all.
        MultiQuery = "multi-query",
        /// With positions against without.
        Positions = "positions",
    }
}

/// A setting that two states have otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingDiff {
    /// Which.
    pub field: Field,
    /// Value in A.
    pub a: Value,
    /// Value in B.
    pub b: Value,
}

/// Setting B of a state. It has no B of its own, and none of its settings are locked: locks apply
/// to A and to the comparison.
pub fn variant(a: &State) -> State {
    with(without_overrides(a), a.overrides.iter().cloned())
}

fn without_overrides(state: &State) -> State {
    State {
        overrides: Overrides::default(),
        lock: Parts::EMPTY,
        ..state.clone()
    }
}

/// State to compute for B, without settings that only affect the display, so that changes of those
/// recompute nothing.
pub fn compute_state(b: &State) -> State {
    State {
        cell: None,
        step: StepKind::default(),
        panels: Panels::EMPTY.with(Panel::Compare, true),
        overrides: Overrides::default(),
        ..b.shown_as(&State::default())
    }
}

/// Head of B that is compared with `head` of A: the same, or the last one.
pub fn head_of(b: &State, head: usize) -> usize {
    head.min(b.heads.saturating_sub(1))
}

/// The settings of the mechanism that two states have otherwise, in the order of links.
pub fn diff(a: &State, b: &State) -> Vec<SettingDiff> {
    let both = mechanism().map(|field| SettingDiff {
        field,
        a: a.get(field),
        b: b.get(field),
    });
    both.filter(|both| both.a != both.b).collect()
}

/// Settings in which B differs from A.
fn overrides_between(a: &State, b: &State) -> Overrides {
    let mut against = Overrides::default();
    for SettingDiff { field, b, .. } in diff(a, b) {
        against.set(field, Some(b));
    }
    against
}

/// B of a comparison that begins: A with a causal mask, or without the one that it has.
pub(crate) fn begin(state: &mut State) {
    let is_locked = Field::Overrides
        .part()
        .is_some_and(|part| state.is_locked(part));
    let is_idle = is_locked
        || state.linformer
        || state.imported.as_ref().is_some_and(|own| own.is_finished());
    if !state.overrides.is_empty() || is_idle {
        return;
    }
    let is_causal = state.masks.contains(MaskPart::Causal);
    let masks = state.masks.with(MaskPart::Causal, !is_causal);
    state
        .overrides
        .set(Field::Masks, Some(Value::Names(masks.names())));
}

/// Sets one field after the other, each to the nearest possible.
fn with(state: State, settings: impl IntoIterator<Item = (Field, Value)>) -> State {
    settings.into_iter().fold(state, |state, (field, value)| {
        reduce(state, Action::Set(field, value)).0
    })
}

/// Applies `action`, and returns the settings of B that differ from the requested ones.
pub(crate) fn act(state: &mut State, action: ComparisonAction) -> Vec<Adjustment> {
    let b = variant(state);
    match action {
        ComparisonAction::Edit(action) => {
            let (b, mut notices) = reduce(b, *action);
            // Which head and cell are chosen is A's.
            notices.retain(|notice| notice.field.is_mechanism());
            state.overrides = overrides_between(state, &b);
            return notices;
        }
        ComparisonAction::Preset(set_up, from) => {
            for field in mechanism() {
                state.copy(field, &from);
            }
            state.head = from.head;
            *state = set_up.apply_to(state);
        }
        ComparisonAction::Take => {
            *state = State {
                lock: state.lock,
                ..b
            }
        }
        ComparisonAction::Swap => {
            let against = overrides_between(&b, state);
            *state = State {
                overrides: against,
                lock: state.lock,
                ..b
            };
        }
        ComparisonAction::Same => state.overrides = Overrides::default(),
    }
    Vec::new()
}

impl ComparisonPreset {
    /// This comparison, made from `state`: sets the compared settings on both sides and keeps all
    /// others.
    pub fn apply_to(self, state: &State) -> State {
        let a = with(without_overrides(state), self.of_a(state));
        let b = with(a.clone(), [self.of_b()]);
        State {
            overrides: overrides_between(&a, &b),
            lock: state.lock,
            ..a
        }
    }

    /// The comparison that `state` shows, if it is one of these.
    pub fn shown(state: &State) -> Option<Self> {
        let has = |(field, value): &(Field, Value)| state.get(*field) == *value;
        Self::ALL.into_iter().find(|set_up| {
            let b = [set_up.of_b()];
            state.overrides.iter().eq(&b) && set_up.of_a(state).iter().all(has)
        })
    }

    fn of_a(self, state: &State) -> Vec<(Field, Value)> {
        match self {
            Self::Causal | Self::Local | Self::Strided => every_key(),
            Self::Linformer => {
                let mut settings = every_key();
                // Mixtures of keys have no distance from a query.
                let is_kept = state.positions != PositionKind::Alibi;
                settings.extend((!is_kept).then(|| positions(PositionKind::Sinusoidal)));
                settings
            }
            Self::Scaled => {
                let mut settings = plain_dots();
                settings.push((Field::DK, Value::Number(LARGE_D_K)));
                settings
            }
            Self::Additive => plain_dots(),
            Self::MultiQuery => {
                let heads = if state.heads > 1 { state.heads } else { HEADS } as u32;
                vec![
                    (Field::Heads, Value::Number(heads)),
                    (Field::KvHeads, Value::Number(heads)),
                    // The first head keeps its keys; what becomes of the others is to be seen.
                    (Field::Head, Value::Number(state.head.max(1) as u32 + 1)),
                ]
            }
            Self::Positions => {
                let head = match state.origin {
                    Origin::Teaching => head_with_positions(state),
                    Origin::Random | Origin::Learned => state.head,
                };
                vec![
                    positions(PositionKind::Sinusoidal),
                    (Field::Head, Value::Number(head as u32 + 1)),
                ]
            }
        }
    }

    fn of_b(self) -> (Field, Value) {
        let only = |part: MaskPart| (Field::Masks, Value::Names(vec![part.name()]));
        match self {
            Self::Causal => only(MaskPart::Causal),
            Self::Local => only(MaskPart::Local),
            Self::Strided => only(MaskPart::Strided),
            Self::Scaled => (Field::Scaled, Value::Switch(false)),
            Self::Additive => (Field::Scoring, Value::Choice(ScoringKind::Additive.name())),
            Self::Linformer => (Field::Linformer, Value::Switch(true)),
            Self::MultiQuery => (Field::KvHeads, Value::Number(1)),
            Self::Positions => positions(PositionKind::None),
        }
    }
}

/// A `d_k` at which the softmax of scores that are not divided shows what the division is for.
const LARGE_D_K: u32 = 128;

/// Heads where there was one, so that there is something to share.
const HEADS: usize = 4;

/// Every query sees every key.
fn every_key() -> Vec<(Field, Value)> {
    vec![
        (Field::Masks, Value::Names(Vec::new())),
        (Field::Paint, Value::Painting(Painting::default())),
        (Field::Linformer, Value::Switch(false)),
    ]
}

/// Dot products of random weights, divided by `√d_k` and nothing else.
fn plain_dots() -> Vec<(Field, Value)> {
    vec![
        (Field::Origin, Value::Choice(Origin::Random.name())),
        (Field::Scoring, Value::Choice(ScoringKind::Dot.name())),
        (Field::Scaled, Value::Switch(true)),
        (Field::Temperature, Value::Centi(100)),
    ]
}

fn positions(kind: PositionKind) -> (Field, Value) {
    (Field::Positions, Value::Choice(kind.name()))
}

/// The chosen hand-built head if it depends on positions, otherwise the first that does.
fn head_with_positions(state: &State) -> usize {
    let needs = |head: &usize| ROLES.get(*head).is_some_and(|role| role.needs_positions());
    let mut heads = std::iter::once(state.head).chain(0..state.heads);
    heads.find(needs).unwrap_or(state.head)
}

#[cfg(test)]
mod tests;
