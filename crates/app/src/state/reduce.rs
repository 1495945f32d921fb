//! Applies an action to a state.

use super::setting::ValueKind;
use super::settings::LONGEST_TEXT;
use super::value::{decimal, number};
use super::{
    Action, Adjustment, Cell, Field, ImportedData, LabTask, LayerOfModel, MapView, MaskPart,
    Origin, Panel, Part, SettingError, State, Value, brush, cell_tracking, comparison, initial,
    locks, steps, url,
};
use crate::i18n::Language;
use crate::state::external_settings::laid_out_as;
use crate::state::presets;

/// Returns the state after `action`, and all adjustments.
///
/// Pure: the same in, the same out. Where every head has a key/value head of its own, that stays so when the number of
/// heads changes, and what is looked at follows without a word. Whatever else becomes impossible is moved to the nearest possible
/// and noticed.
pub fn reduce(mut state: State, action: Action) -> (State, Vec<Adjustment>) {
    if let Action::Replace(other) = action {
        return (*other, Vec::new());
    }
    if let Some(notice) = locks::blocked(&state, &action) {
        return (state, vec![notice]);
    }
    let locked = (!state.lock.is_empty()).then(|| state.clone());
    let (mut before, step) = ((state.heads, state.kv_heads), steps::shown(&state));
    let (imported, words) = (
        state.imported.clone(),
        cell_tracking::words_before(&state, &action),
    );
    let (is_of_origin, was_learned) = (
        action.field() == Some(Field::Origin),
        state.origin == Origin::Learned,
    );
    let is_of_language = action.field() == Some(Field::Language);
    let mut notices = act(&mut state, action);
    if let Some(language) = state.language.filter(|_| is_of_language) {
        translate(&mut state, language);
    }
    if is_of_origin && was_learned != (state.origin == Origin::Learned) {
        select_first_head(&mut state);
    }
    if let Some(before) = locked {
        let broken = locks::violations(&before, &state);
        if !broken.is_empty() {
            return (before, broken);
        }
    }
    // What is brought says itself which heads share.
    before.0 *= usize::from(imported == state.imported);
    if let Some(words) = words {
        cell_tracking::move_cell(&mut state, &words);
    }
    steps::keep_cell(&mut state, step);
    let settled = clamp_dependents(&mut state, before).into_iter();
    notices.extend(settled.filter(|notice| !matches!(notice.field, Field::Head | Field::Cell)));
    (state, notices)
}

/// Selects the first head: heads of a model do not correspond to hand-built or random ones.
fn select_first_head(state: &mut State) {
    let is_locked = Field::Head.part().is_some_and(|part| state.is_locked(part));
    if !is_locked {
        state.head = 0;
    }
}

fn act(state: &mut State, action: Action) -> Vec<Adjustment> {
    // Another training begins at its beginning.
    if matches!(
        action.field(),
        Some(Field::Task | Field::TaskText | Field::TaskSeed)
    ) {
        state.task_step = 0;
    }
    // A step is a matrix, which curves are not.
    if action.field() == Some(Field::Step) {
        state.view = MapView::Map;
    }
    let notice = match action {
        Action::Set(field, value) => set_nearest(state, field, value),
        Action::Enter(field, written) => enter(state, field, written.trim()),
        Action::Include(field, name, on) => include(state, field, name, on),
        Action::Paint {
            from,
            to,
            is_visible,
        } => {
            let painting = brush::painted(state, from, to, is_visible);
            let refused = state.set(Field::Paint, Value::Painting(painting)).err();
            refused.map(|rule| Adjustment::new(state, Field::Paint, "", rule))
        }
        Action::ChooseHead(head) => return choose_head(state, head),
        Action::Reset(field) => set_nearest(state, field, state.default_of(field)),
        Action::Cross(true) => return begin_cross(state),
        Action::Cross(false) => set_nearest(state, Field::Second, Value::Absent),
        Action::Preset(id) => return take_preset(state, id),
        Action::Import(data, settings) => return import(state, data, settings),
        Action::Layer(layer) => return take_layer(state, *layer),
        Action::Standard(language) => {
            take_standard(state, language);
            None
        }
        Action::Compare(action) => return comparison::act(state, action),
        Action::HandBuilt => return take_hand_built(state),
        Action::NewSeed => {
            state.seed = next_seed(state.seed);
            None
        }
        Action::Move { rows, columns } => {
            state.cell = moved(state, rows, columns);
            None
        }
        Action::Replace(other) => {
            *state = *other;
            None
        }
    };
    notice.into_iter().collect()
}

/// Sets a field to a value, or to the nearest possible one.
fn set_nearest(state: &mut State, field: Field, value: Value) -> Option<Adjustment> {
    let rule = state.set(field, value.clone()).err()?;
    if let Some(possible) = nearest(state, field, &value) {
        let _ = state.set(field, possible);
    }
    Some(Adjustment::new(state, field, &value.to_param(), rule))
}

/// Applies imported data with their settings; locked settings keep their values.
fn import(state: &mut State, data: ImportedData, settings: Vec<(Field, Value)>) -> Vec<Adjustment> {
    let before = state.clone();
    let all = [(Field::Data, Value::Data(data))]
        .into_iter()
        .chain(settings);
    let set = |(field, value)| set_nearest(state, field, value);
    let mut notices: Vec<Adjustment> = all.filter_map(set).collect();
    notices.extend(locks::restore_locked(&before, state));
    notices
}

fn choose_head(state: &mut State, head: usize) -> Vec<Adjustment> {
    let (layer, own) = if state.origin == Origin::Learned {
        (head / state.heads + 1, head % state.heads)
    } else {
        (state.layer, head)
    };
    let fields = [(Field::Layer, layer), (Field::Head, own + 1)];
    let set = |(field, number)| set_nearest(state, field, Value::Number(number as u32));
    fields.into_iter().filter_map(set).collect()
}

/// The nearest possible value, for numbers and texts.
fn nearest(state: &State, field: Field, value: &Value) -> Option<Value> {
    match value {
        Value::Number(number) => {
            let (min, max) = state.limits(field)?;
            let inside = (*number).clamp(min, max);
            let possible = (min..=inside)
                .rev()
                .find(|n| state.check(field, &Value::Number(*n)).is_ok());
            possible.map(Value::Number)
        }
        Value::Centi(number) => {
            let (min, max) = state.limits(field)?;
            Some(Value::Centi((*number).clamp(min, max)))
        }
        Value::Text(text) => Some(Value::Text(text.chars().take(LONGEST_TEXT).collect())),
        _ => None,
    }
}

fn enter(state: &mut State, field: Field, written: &str) -> Option<Adjustment> {
    match field.parse(written) {
        Ok(value) => set_nearest(state, field, value),
        Err(rule) => {
            let far = match field.kind() {
                ValueKind::Number { .. } => number(written).map(|far| Value::Number(edge(far))),
                ValueKind::Centi { .. } => decimal(written).map(|far| Value::Centi(edge(far))),
                _ => None,
            };
            if let Some(far) = far {
                let _ = set_nearest(state, field, far);
            }
            Some(Adjustment::new(state, field, written, rule))
        }
    }
}

fn edge(far: i64) -> u32 {
    if far < 0 { 0 } else { u32::MAX }
}

fn include(state: &mut State, field: Field, name: &'static str, on: bool) -> Option<Adjustment> {
    if on
        && (field, name) == (Field::Panels, Panel::Compare.name())
        && !state.open_panels().contains(Panel::Compare)
    {
        comparison::begin(state);
    }
    let Value::Names(mut names) = state.get(field) else {
        return None;
    };
    names.retain(|own| *own != name);
    if on {
        names.push(name);
    }
    set_nearest(state, field, Value::Names(names))
}

/// Adds a second text: a copy of the first, or where that is an example a pair of examples, since two equal texts show nothing
/// that one does not.
fn begin_cross(state: &mut State) -> Vec<Adjustment> {
    match presets::pair_for(state) {
        Some(pair) => take_texts(state, pair),
        None => {
            let copy = state.second.take().unwrap_or_else(|| state.text.clone());
            let notice = set_nearest(state, Field::Second, Value::Text(copy));
            notice.into_iter().collect()
        }
    }
}

/// Makes the setting the one that the preset was written for: whatever is computed with is at its default but for what the preset
/// sets. How the page looks, where it computes and what it compares with stay.
fn take_preset(state: &mut State, id: &str) -> Vec<Adjustment> {
    let Some(preset) = presets::by_id(id) else {
        return Vec::new();
    };
    let before = state.clone();
    let _ = state.set(Field::Data, Value::Absent);
    for field in Field::ALL.into_iter().filter(|field| field.is_of_preset()) {
        let _ = state.set(field, state.default_of(field));
    }
    let mut notices = locks::restore_locked(&before, state);
    // Of the rest nothing was asked for by name.
    notices.retain(|notice| notice.field == Field::Data);
    notices.extend(take_texts(state, preset));
    notices
}

/// Hand-built heads with the sizes that they were made for: what a model brought goes with it.
fn take_hand_built(state: &mut State) -> Vec<Adjustment> {
    let before = state.clone();
    let brought = url::split(presets::learned(state).settings);
    let brought = brought.filter_map(|(key, _)| Field::from_key(key));
    for field in brought.filter(|field| *field != Field::Cell) {
        let _ = state.set(field, state.default_of(field));
    }
    locks::restore_locked(&before, state)
}

/// Changes to the settings of a model's layer; locked settings stay, with a notice.
fn take_layer(state: &mut State, layer: LayerOfModel) -> Vec<Adjustment> {
    let before = state.clone();
    let _ = state.set(Field::Data, Value::Data(layer.data));
    for field in Field::ALL.into_iter().filter(|field| field.is_mechanism()) {
        let _ = state.set(field, state.default_of(field));
    }
    if layer.is_causal {
        include(state, Field::Masks, MaskPart::Causal.name(), true);
    }
    if let Some(window) = layer.window {
        include(state, Field::Masks, MaskPart::Local.name(), true);
        let _ = set_nearest(state, Field::Window, Value::Number(window as u32));
    }
    let _ = state.set(Field::Step, state.default_of(Field::Step));
    (state.view, state.head) = (MapView::Map, layer.head);
    state.cell = Some(layer.cell);
    locks::restore_locked(&before, state)
}

/// Puts everything back to what the page opens with, but for language, theme, open panels, what is locked and what a host or a link
/// alone decides. With something locked that a model would change, or could not read, it is the one with hand-built heads.
fn take_standard(state: &mut State, language: Language) {
    let before = state.clone();
    let kept = |opened: State| State {
        language: before.language,
        theme: before.theme,
        panels: before.panels,
        ..laid_out_as(opened, &before)
    };
    *state = kept(initial::standard(language).clone());
    if !locks::violations(&before, state).is_empty() {
        *state = kept(initial::hand_built(language));
        let _ = locks::restore_locked(&before, state);
    }
}

/// Applies texts and settings of a preset, except for locked ones.
fn take_texts(state: &mut State, preset: &presets::Preset) -> Vec<Adjustment> {
    let before = state.clone();
    state.text = preset.text.to_owned();
    let source = preset.source.map(str::to_owned);
    let wanted = source.clone().map_or(Value::Absent, Value::Text);
    // Numbers that were brought, and are locked, may say whether there is a second text.
    if state.check(Field::Second, &wanted) != Err(SettingError::Given) {
        state.second = source;
    }
    state.cell = None;
    let refused = url::apply(state, preset.settings);
    let named = |note: url::LinkWarning| Some((Field::from_key(&note.key)?, note));
    let refused = refused.into_iter().filter_map(named);
    let notices =
        refused.map(|(field, note)| Adjustment::new(state, field, &note.value, note.rule));
    let mut notices: Vec<Adjustment> = notices.collect();
    notices.extend(locks::restore_locked(&before, state));
    notices
}

/// Takes the sentence that the page opens with into another language, and what comes with it. A sentence of one's own, a lesson and
/// a lab that is open stay.
fn translate(state: &mut State, language: Language) {
    if !state.lesson.is_empty() || state.is_locked(Part::Sentence) {
        return;
    }
    let before = state.clone();
    let pairs = [presets::opening, presets::hand_built];
    let others = Language::ALL.into_iter().filter(|other| *other != language);
    for other in others {
        let is_shown = |of: &&fn(Language) -> &'static presets::Preset| {
            presets::shown(&before) == Some(of(other))
        };
        if let Some(of) = pairs
            .iter()
            .find(is_shown)
            .filter(|of| of(other).text == before.text)
        {
            exchange_preset(state, of(other), of(language));
        }
        let has_lab = state.open_panels().contains(Panel::Training);
        if !has_lab && state.task == LabTask::about_pronouns(other) {
            state.task = LabTask::about_pronouns(language);
        }
    }
    let _ = locks::restore_locked(&before, state);
}

/// Puts another example in the place of one. A setting that was changed since stays.
fn exchange_preset(state: &mut State, from: &presets::Preset, to: &presets::Preset) {
    let _ = state.set(Field::Text, Value::Text(to.text.to_owned()));
    let brought: Vec<_> = url::split(from.settings).collect();
    for (key, written) in url::split(to.settings) {
        let Some(field) = Field::from_key(key) else {
            continue;
        };
        let is_unchanged = brought.contains(&(key, &*state.get(field).to_param()));
        if let Some(value) = field
            .parse(written)
            .ok()
            .filter(|_| is_unchanged || field == Field::Cell)
        {
            let _ = state.set(field, value);
        }
    }
}

/// The next of 10,000 short seeds. The sequence visits each of them before it repeats (Hull and Dobell 1962:
/// the increment shares no factor with 10,000, and the factor less 1 is a multiple of 2, 5 and 4).
fn next_seed(seed: u32) -> u32 {
    (seed % 10_000 * 4021 + 2113) % 10_000
}

fn moved(state: &State, rows: i32, columns: i32) -> Option<Cell> {
    let (n, m) = steps::shape(state, steps::shown(state));
    let last = (n.checked_sub(1)?, m.checked_sub(1)?);
    let step =
        |from: usize, by: i32, last: usize| from.saturating_add_signed(by as isize).min(last);
    let Some(Cell { query, key }) = state.cell else {
        return Some(Cell {
            query: 0,
            key: Some(0),
        });
    };
    let key = match key {
        None if columns == 0 => None,
        None => Some(0),
        Some(key) => Some(step(key, columns, last.1)),
    };
    Some(Cell {
        query: step(query, rows, last.0),
        key,
    })
}

/// Moves every field that another one made impossible to the nearest possible.
pub(crate) fn clamp_dependents(
    state: &mut State,
    (heads, kv_heads): (usize, usize),
) -> Vec<Adjustment> {
    let mut notices: Vec<Adjustment> = settle_number(state, Field::Heads).into_iter().collect();
    if heads == kv_heads && kv_heads == state.kv_heads {
        state.kv_heads = state.heads;
    }
    notices.extend(settle_number(state, Field::KvHeads));
    let _ = settle_number(state, Field::Layer);
    notices.extend(settle_number(state, Field::Head));
    notices.extend(settle_cell(state));
    notices
}

fn settle_number(state: &mut State, field: Field) -> Option<Adjustment> {
    set_nearest(state, field, state.get(field))
}

fn settle_cell(state: &mut State) -> Option<Adjustment> {
    let cell = state.get(Field::Cell);
    let rule = state.check(Field::Cell, &cell).err()?;
    state.cell = None;
    Some(Adjustment::new(state, Field::Cell, &cell.to_param(), rule))
}

#[cfg(test)]
mod tests;
