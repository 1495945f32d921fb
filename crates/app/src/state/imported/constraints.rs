//! Which settings imported numbers fix, and what these were before.

use super::{ImportedData, ImportedTensors, Kind};
use crate::state::overrides::Overrides;
use crate::state::setting::Scope;
use crate::state::{
    Field, Hiding, Origin, Painting, PositionKind, ScoringKind, State, StepKind, Value,
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
                if self.kind() == Kind::Heads && *name == PositionKind::Sinusoidal.name() =>
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
}

/// Removes the imported data; a setting that the page's own numbers cannot have becomes the default.
pub(crate) fn remove(state: &mut State) {
    if state.imported.take().is_none() {
        return;
    }
    for field in Field::ALL.into_iter().filter(|field| is_kept(*field)) {
        if state.check(field, &state.get(field)).is_err() {
            let _ = state.set(field, state.default_of(field));
        }
    }
}

/// The state without its imported data, and with the settings of `earlier`, which has none, that the import replaced.
pub(crate) fn without_import(state: &State, earlier: Option<&State>) -> State {
    let mut after = state.clone();
    remove(&mut after);
    let (Some(imported), Some(earlier)) = (&state.imported, earlier) else {
        return after;
    };
    let mut imposed = earlier.clone();
    apply(&mut imposed, imported.clone());
    for field in Field::ALL.into_iter().filter(|field| is_kept(*field)) {
        let value = earlier.get(field);
        if imposed.get(field) != value {
            let _ = after.set(field, value);
        }
    }
    after
}
