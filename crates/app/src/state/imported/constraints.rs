//! Which settings imported numbers fix, and what these were before.

wasm_chunks::chunk!("more": apply, fixed_value);

use super::{ImportedData, ImportedKind, ImportedTensors};
use crate::state::overrides::Overrides;
use crate::state::setting::Scope;
use crate::state::{
    Field, Hiding, Origin, Painting, PositionKind, ScoringKind, State, StepKind, Value, url,
};

impl ImportedData {
    /// Value that the imported data fix for a setting; `None` if it can be set.
    pub fn fixed_value(&self, field: Field) -> Option<Value> {
        match field {
            Field::Origin => Some(Value::Choice(Origin::Random.name())),
            Field::Second if self.is_cross() == Some(false) => Some(Value::Absent),
            Field::DModel | Field::DK | Field::Heads | Field::KvHeads => self.sizes(field),
            _ if self.is_finished() => finished(field),
            _ => None,
        }
    }

    /// Whether imported data permit a value of a setting.
    pub fn allows(&self, field: Field, value: &Value) -> bool {
        match (field, value) {
            (Field::Second, Value::Absent) => self.is_cross() != Some(true),
            // They are added to rows that queries and keys are made of.
            (Field::Positions, Value::Choice(name))
                if self.kind() == ImportedKind::Heads
                    && *name == PositionKind::Sinusoidal.name() =>
            {
                false
            }
            _ => self.fixed_value(field).is_none_or(|given| given == *value),
        }
    }

    fn sizes(&self, field: Field) -> Option<Value> {
        let number = |number: usize| Some(Value::Number(number as u32));
        match (self.contents(), field) {
            (ImportedTensors::Heads { q, .. }, Field::Heads) => number(q.dim().0),
            (ImportedTensors::Heads { k, .. }, Field::KvHeads) => number(k.dim().0),
            (ImportedTensors::Heads { q, .. }, Field::DK) => number(q.dim().2),
            (ImportedTensors::Heads { q, v, .. }, Field::DModel) => number(q.dim().0 * v.dim().2),
            (ImportedTensors::Embeddings(inputs), Field::DModel) => number(inputs.queries.ncols()),
            (ImportedTensors::Layer { heads, .. }, Field::Heads) => number(*heads),
            (ImportedTensors::Layer { kv_heads, .. }, Field::KvHeads) => number(*kv_heads),
            (ImportedTensors::Layer { weights, heads, .. }, Field::DK) => {
                number(weights.query.w.ncols() / heads)
            }
            (ImportedTensors::Layer { weights, .. }, Field::DModel) => {
                number(weights.query.w.nrows())
            }
            (ImportedTensors::Matrix(weights), Field::Heads | Field::KvHeads) => {
                number(weights.dim().0)
            }
            _ => None,
        }
    }

    /// Default of a setting that a link does not mention.
    pub(crate) fn default_of(&self, field: Field) -> Option<Value> {
        match field {
            // Nothing is added to what was brought unless somebody asks for it.
            Field::Positions => Some(Value::Choice(PositionKind::None.name())),
            Field::Cell => Some(Value::Absent),
            Field::Second if self.is_cross() == Some(true) => Some(Value::Text(String::new())),
            Field::SavedSettings => {
                let mut state = State::default();
                apply(&mut state, self.clone());
                Some(Value::SavedSettings(state.saved))
            }
            _ => self.fixed_value(field),
        }
    }
}

/// Values fixed for finished weights, whose computation is unknown.
fn finished(field: Field) -> Option<Value> {
    Some(match field {
        Field::Masks => Value::Names(Vec::new()),
        Field::Paint => Value::Painting(Painting::default()),
        Field::Hiding => Value::Choice(Hiding::LeftOut.name()),
        Field::Scoring => Value::Choice(ScoringKind::Dot.name()),
        Field::Scaled => Value::Switch(true),
        Field::Positions => Value::Choice(PositionKind::None.name()),
        Field::Linformer => Value::Switch(false),
        Field::Temperature => Value::Centi(100),
        Field::Step => Value::Choice(StepKind::Weights.name()),
        Field::Overrides => Value::Overrides(Overrides::default()),
        _ => return None,
    })
}

/// Settings that an import changed, with their previous values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedSettings(Vec<(Field, Value)>);

impl SavedSettings {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The settings as a fragment of their own, without a version.
    pub fn to_param(&self) -> String {
        let written = |(field, value): &(Field, Value)| (*field, value.to_param());
        url::join(self.0.iter().map(written))
    }

    /// Reads what [`to_param`](Self::to_param) writes; `None` for anything else.
    pub fn parse(written: &str) -> Option<Self> {
        let mut kept = Vec::new();
        for (key, raw) in url::split(written) {
            let field = Field::from_key(key).filter(|field| is_kept(*field))?;
            let raw = url::decode(raw)?;
            let is_first = kept.iter().all(|(own, _)| *own != field);
            let value = match (field, raw.as_str()) {
                (Field::Second, NO_SECOND) => Value::Absent,
                _ => field.parse(&raw).ok()?,
            };
            kept.push((field, is_first.then_some(value)?));
        }
        Some(Self(kept))
    }
}

/// How a second text that is not there is written in links.
const NO_SECOND: &str = "none";

/// Whether a setting can change when numbers come.
const fn is_kept(field: Field) -> bool {
    !matches!(field.row().scope, Scope::Page) && !matches!(field, Field::Data | Field::Backend)
}

/// The state with these numbers, and everything that they decide.
pub(crate) fn apply(state: &mut State, imported: ImportedData) {
    remove(state);
    let before = state.clone();
    state.imported = Some(imported.clone());
    for field in Field::ALL.into_iter().filter(|field| is_kept(*field)) {
        let own = before.get(field);
        if field == Field::Cell || field == Field::Positions || !imported.allows(field, &own) {
            let given = imported.default_of(field).unwrap_or(own);
            let _ = state.set(field, given);
        }
    }
    state.head = state.head.min(state.heads.saturating_sub(1));
    let changed = Field::ALL.into_iter().filter(|field| is_kept(*field));
    let changed = changed.map(|field| (field, before.get(field)));
    let changed = changed.filter(|(field, value)| state.get(*field) != *value);
    state.saved = SavedSettings(changed.collect());
}

/// Removes the imported data, and restores the settings that they fixed. A previous value that is
/// not known, as a link may omit it, becomes the default if the page's own numbers cannot have the
/// current one.
pub(crate) fn remove(state: &mut State) {
    if state.imported.take().is_none() {
        return;
    }
    for (field, value) in std::mem::take(&mut state.saved).0 {
        let _ = state.set(field, value);
    }
    for field in Field::ALL.into_iter().filter(|field| is_kept(*field)) {
        if state.check(field, &state.get(field)).is_err() {
            let _ = state.set(field, state.default_of(field));
        }
    }
}
