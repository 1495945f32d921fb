//! Notices about adjusted and ignored settings, as sentences.

use crate::i18n::{Key, Language, text};
use crate::present::imported_text;
use crate::state::request_builder::Sides;
use crate::state::value::hundredths;
use crate::state::{Adjustment, Field, LinkWarning, Origin, PositionKind, SettingError, State};
use attention::text::teaching::{ROLES, Role};
use attention::text::{MAX_TOKENS, Tokens};

/// Problems of a link that are listed one by one.
const MOST_NOTES: usize = 3;

/// What a notice says: what was asked for, why it cannot be, what it is now.
pub fn notice(language: Language, notice: &Adjustment) -> String {
    let name = &name(language, notice.field);
    match (notice.field, &notice.rule) {
        (Field::Cell, _) => text::notice_cell_gone(language, &notice.asked),
        (Field::Paint, SettingError::Painted { .. }) => rule(language, &notice.rule),
        (_, SettingError::Locked) => text::notice_locked(language, name),
        (_, SettingError::Long { max }) => text::notice_text_cut(language, name, max),
        (_, reason) => {
            let (rule, became) = (rule(language, reason), notice.became.to_param());
            match &*notice.asked {
                // An empty field, or letters that a browser keeps to itself.
                "" => text::notice_nothing(language, name, &rule, &became),
                asked => text::notice_changed(language, name, &asked, &rule, &became),
            }
        }
    }
}

/// What a note about a link says: which part was left out, and why.
pub fn url_note(language: Language, note: &LinkWarning) -> String {
    let reason = rule(language, &note.rule);
    match note.rule {
        SettingError::More(_) | SettingError::DataMissing(_) => reason,
        SettingError::Large { .. } => text::note_large(language, &reason),
        _ => text::note_ignored(language, &note.key, &note.value, &reason),
    }
}

/// What is said of what was ignored in a link: as much of it as leaves room for the map.
pub fn url_notes(language: Language, notes: &[LinkWarning]) -> Vec<String> {
    let (said, unsaid) = match notes.split_at_checked(MOST_NOTES) {
        Some((said, unsaid)) if unsaid.len() > 1 => (said, unsaid),
        _ => (notes, &[][..]),
    };
    let mut sentences: Vec<String> = said.iter().map(|note| url_note(language, note)).collect();
    if !unsaid.is_empty() {
        let rule = SettingError::More(unsaid.iter().map(weight).sum());
        sentences.push(self::rule(language, &rule));
    }
    sentences
}

/// How many problems a note summarises.
fn weight(note: &LinkWarning) -> u32 {
    match note.rule {
        SettingError::More(count) => count,
        _ => 1,
    }
}

/// One sentence for each side that has more than [`MAX_TOKENS`] tokens.
pub fn tokens_cut(language: Language, sides: &Sides) -> Vec<String> {
    let said = |(field, tokens): (Field, &Tokens)| {
        (tokens.cut() > 0)
            .then(|| text::tokens_cut(language, &name(language, field), &MAX_TOKENS, &tokens.total))
    };
    let second = sides.source.as_ref().map(|tokens| (Field::Second, tokens));
    [Some((Field::Text, &sides.queries)), second]
        .into_iter()
        .flatten()
        .filter_map(said)
        .collect()
}

/// What a teaching head is built to do, and what keeps it from doing so; `None` with random weights.
pub fn head_role(language: Language, state: &State, head: usize) -> Option<String> {
    let role = *ROLES.get(head)?;
    if state.origin != Origin::Teaching || head >= state.heads {
        return None;
    }
    let said = role_key(role).text(language);
    let owner = head - head % (state.heads / state.kv_heads.max(1)).max(1);
    Some(if owner != head {
        text::role_shared(language, &said, &(owner + 1))
    } else if role.needs_positions() && state.positions != PositionKind::Sinusoidal {
        text::role_without_positions(language, &said)
    } else {
        said.to_owned()
    })
}

fn role_key(role: Role) -> Key {
    match role {
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

/// What a setting is called in a sentence.
pub fn name(language: Language, field: Field) -> &'static str {
    field.row().label.text(language)
}

/// A rule as a sentence.
fn rule(language: Language, rule: &SettingError) -> String {
    let plain = |key: Key| key.text(language).to_owned();
    match rule {
        SettingError::Number => plain(Key::RuleNumber),
        SettingError::Range { min, max } => text::rule_range(language, min, max),
        SettingError::Divisor { heads } => text::rule_divisor(language, heads),
        SettingError::TeachingHeads { max } => text::rule_teaching_heads(language, max),
        SettingError::Decimal => plain(Key::RuleDecimal),
        SettingError::DecimalRange { min, max } => {
            text::rule_range(language, &hundredths(*min), &hundredths(*max))
        }
        SettingError::Options(names) | SettingError::Names(names) => {
            let sentence = match rule {
                SettingError::Names(_) => text::rule_names,
                _ => text::rule_options,
            };
            sentence(language, &names.join(", "))
        }
        SettingError::PaintingForm => plain(Key::RulePaintingForm),
        SettingError::Painted { max } => text::rule_painted(language, max),
        SettingError::Cell { rows, columns } => text::rule_cell(language, rows, columns),
        SettingError::CellForm => plain(Key::RuleCellForm),
        SettingError::Long { max } => text::rule_long(language, max),
        SettingError::Kind => plain(Key::RuleKind),
        SettingError::Locked => plain(Key::RuleLocked),
        SettingError::Origins => plain(Key::RuleOrigins),
        SettingError::Many { max } => text::rule_many(language, max),
        SettingError::Encoding => plain(Key::RuleEncoding),
        SettingError::Given => plain(Key::RuleGiven),
        SettingError::DataForm => plain(Key::RuleDataForm),
        SettingError::DataMissing(missing) => imported_text::missing(language, missing),
        SettingError::Unknown => plain(Key::RuleUnknown),
        SettingError::Repeated => plain(Key::RuleRepeated),
        SettingError::Version { known } => text::rule_version(language, known),
        SettingError::Large { max } => text::rule_large(language, max),
        SettingError::More(count) => text::note_more(language, count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, Value, reduce, request_builder, url};

    fn notices(action: Action) -> Vec<String> {
        let (_, notices) = reduce(State::default(), action);
        notices
            .iter()
            .map(|one| notice(Language::En, one))
            .collect()
    }

    #[test]
    fn a_link_with_many_problems_leaves_room_for_the_map() {
        let said = |link: &str| {
            let (_, notes) = url::parse(link);
            url_notes(Language::En, &notes)
        };
        assert_eq!(said("a=1&b=1&c=1&d=1").len(), 4);
        let many = said("a=1&b=1&c=1&d=1&e=1");
        assert_eq!(many.len(), 4);
        assert!(many[0].contains('a') && many[3].contains('2'), "{many:?}");
    }

    #[test]
    fn a_notice_says_what_and_why() {
        assert_eq!(
            notices(Action::Set(Field::KvHeads, Value::Number(3))),
            [
                "key/value heads: “3” is not possible. It must divide the number of heads, 4. It is 2 now."
            ]
        );
        assert_eq!(
            notices(Action::Enter(Field::DK, "500".to_owned())),
            [
                "query and key size d_k: “500” is not possible. It goes from 1 to 128. It is 128 now."
            ]
        );
        assert_eq!(
            notices(Action::Enter(Field::Seed, String::new())),
            ["seed: It must be a whole number. It is 42 now."]
        );
        assert_eq!(
            notices(Action::Set(Field::Text, Value::Text("one".to_owned()))),
            ["The chosen cell 8 is no longer on the map, so none is chosen."]
        );
    }

    #[test]
    fn every_rule_has_a_sentence_in_every_language() {
        let fragments = [
            "d_k=0&heads=9&kv_heads=3&cell=99&cell=1&mask=x&text=%F&nothing=1&v=7",
            "cell=x&scaled=&seed=0.5&temperature=1e2&paint=%21&against=text%3Dx",
            "temperature=99&scoring=cosine&against=x&origins=x&lock=map&show=x&embed=2",
        ];
        for language in Language::ALL {
            let notes = fragments.iter().flat_map(|fragment| url::parse(fragment).1);
            for said in notes.map(|note| url_note(language, &note)) {
                assert!(!said.contains(['{', '}']), "{said}");
            }
        }
        let many = "q=1&".repeat(20);
        let said: Vec<String> = url::parse(&many)
            .1
            .iter()
            .map(|note| url_note(Language::En, note))
            .collect();
        assert_eq!(said[0], "Ignored: q = “1”. No setting has this name.");
        assert_eq!(said[11], "More settings were ignored: 9.");
    }

    #[test]
    fn cut_tokens_are_told_for_each_side() {
        let state = State {
            second: Some("ha ".repeat(1_030)),
            ..State::default()
        };
        let said = tokens_cut(Language::En, &request_builder::tokens(&state));
        assert_eq!(
            said,
            [
                "second sentence (keys): the first 1024 of 1030 tokens are used; the text itself is kept."
            ]
        );
    }

    #[test]
    fn roles_say_what_keeps_a_head_from_its_work() {
        let state = State {
            heads: 6,
            kv_heads: 3,
            ..State::default()
        };
        let said = |state: &State, head| head_role(Language::En, state, head);
        let previous = "each token looks at the one before it";
        assert_eq!(said(&State::default(), 1).as_deref(), Some(previous));
        assert_eq!(
            said(&state, 1),
            Some(format!(
                "{previous}; spoiled here, because it shares the keys of head 1"
            ))
        );
        let flat = State {
            positions: PositionKind::Rotary,
            ..State::default()
        };
        assert_eq!(
            said(&flat, 1),
            Some(format!(
                "{previous}; it cannot, without sinusoidal positions"
            ))
        );
        assert_eq!(said(&flat, 0), said(&State::default(), 0));
        assert_eq!((said(&state, 6), said(&state, 99)), (None, None));
        let random = State {
            origin: Origin::Random,
            ..State::default()
        };
        assert_eq!(said(&random, 0), None);
    }
}
