//! Settings that a link has locked against changes by the user.

use super::Adjustment;
use super::{Action, Field, Part, SettingError, State};

/// Notice for an `action` that a lock blocks before it is applied.
pub(crate) fn blocked(state: &State, action: &Action) -> Option<Adjustment> {
    let is_refused = match action {
        Action::Preset(_) => state.is_locked(Part::Presets) || state.is_locked(Part::Sentence),
        Action::Cross(_) => state.is_locked(Part::Sentence),
        _ => false,
    };
    is_refused.then(|| notice(state, Field::Text))
}

/// Violations of locks by an action: the locked settings in which `after` differs from `before`.
/// Settings that follow from others, such as key/value heads from heads, are adjusted later and do
/// not count.
pub(crate) fn violations(before: &State, after: &State) -> Vec<Adjustment> {
    let fields = fields(before).filter(|field| before.get(*field) != after.get(*field));
    fields.map(|field| notice(before, field)).collect()
}

/// Restores locked settings as far as the others permit, and reports those that differ.
pub(crate) fn restore_locked(before: &State, after: &mut State) -> Vec<Adjustment> {
    let mut notices = Vec::new();
    for notice in violations(before, after) {
        if after.set(notice.field, before.get(notice.field)).is_ok() {
            notices.push(notice);
        }
    }
    notices
}

fn fields(state: &State) -> impl Iterator<Item = Field> {
    let is_locked = |field: &Field| field.part().is_some_and(|part| state.is_locked(part));
    Field::ALL.into_iter().filter(is_locked)
}

fn notice(state: &State, field: Field) -> Adjustment {
    Adjustment::new(state, field, "", SettingError::Locked)
}

#[cfg(test)]
mod tests {
    use crate::state::comparison::ComparisonAction;
    use crate::state::{
        Action, Adjustment, Field, Part, Parts, SettingError, State, Value, reduce, url,
    };

    fn locked(parts: &[Part]) -> State {
        State {
            lock: parts.iter().copied().collect(),
            ..State::default()
        }
    }

    fn rules(notices: &[Adjustment]) -> Vec<(Field, SettingError)> {
        let rule = |notice: &Adjustment| (notice.field, notice.rule.clone());
        notices.iter().map(rule).collect()
    }

    #[test]
    fn no_action_moves_what_is_locked() {
        let actions = [
            Action::Set(Field::Heads, Value::Number(2)),
            Action::Enter(Field::DK, "8".to_owned()),
            Action::Reset(Field::DModel),
            Action::Include(Field::Masks, "causal", true),
            Action::Paint {
                from: (0, 0),
                to: (3, 3),
                is_visible: false,
            },
            Action::Cross(true),
            Action::NewSeed,
            Action::Preset("translation"),
            Action::Set(Field::Head, Value::Number(2)),
            Action::Set(Field::Step, Value::Choice("mask")),
            Action::Compare(ComparisonAction::Take),
            Action::Compare(ComparisonAction::Swap),
        ];
        let (mut state, _) = url::parse("d_model=32&lock=all&against=mask%3Dcausal");
        state.cell = None;
        for action in actions {
            let (after, notices) = reduce(state.clone(), action.clone());
            assert_eq!(after, state, "{action:?}");
            assert!(
                notices
                    .iter()
                    .all(|notice| notice.rule == SettingError::Locked)
            );
            assert!(!notices.is_empty(), "{action:?}");
        }
    }

    #[test]
    fn a_cell_can_still_be_chosen_and_a_panel_opened() {
        let state = locked(&[Part::All]);
        let down = Action::Move {
            rows: 1,
            columns: 0,
        };
        let open = Action::Include(Field::Panels, "cost", true);
        let (state, notices) = reduce(state, down);
        assert_eq!(
            (state.cell.map(|cell| cell.query), notices),
            (Some(8), vec![])
        );
        assert_eq!(reduce(state, open).1, []);
    }

    #[test]
    fn what_follows_from_another_setting_follows() {
        let state = locked(&[Part::KvHeads, Part::Small]);
        let (state, notices) = reduce(state, Action::Set(Field::Heads, Value::Number(6)));
        assert_eq!((state.kv_heads, notices), (6, vec![]));
    }

    #[test]
    fn an_example_brings_what_is_not_locked() {
        let (state, notices) = reduce(locked(&[Part::Small]), Action::Preset("translation"));
        assert_eq!(state.second.as_deref(), Some("I love machine learning"));
        assert_eq!(
            (state.head, rules(&notices)),
            (0, vec![(Field::Head, SettingError::Locked)])
        );
        let (state, notices) = reduce(locked(&[Part::Sentence]), Action::Preset("translation"));
        assert_eq!(state, locked(&[Part::Sentence]));
        assert_eq!(notices[0].rule, SettingError::Locked);
    }

    #[test]
    fn links_and_hosts_set_what_they_have_locked() {
        let (state, notes) = url::parse("heads=2&lock=heads");
        assert_eq!((state.heads, notes), (2, vec![]));
        let other = Action::Replace(Box::default());
        assert_eq!(reduce(state, other).0.lock, Parts::EMPTY);
    }
}
