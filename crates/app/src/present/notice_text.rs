//! Notices about adjusted and ignored settings, as sentences.

use crate::i18n::{Key, Language, text};
use crate::present::imported_text;
use crate::state::request_builder::Sides;
use crate::state::value::hundredths;
use crate::state::{Adjustment, Field, LinkWarning, SettingError};
use attention::text::{MAX_TOKENS, Tokens};

/// Problems of a link that are listed one by one.
const MOST_NOTES: usize = 3;

/// Text of an adjustment: the valid range, and the value now.
pub fn notice(language: Language, notice: &Adjustment) -> String {
    let name = &name(language, notice.field);
    let became = &notice.became.to_param();
    match (notice.field, &notice.rule) {
        (Field::Paint, SettingError::Painted { .. }) => rule(language, &notice.rule),
        (_, SettingError::Locked) => text::notice_locked(language, name),
        (_, SettingError::Long { max }) => text::notice_text_cut(language, name, max),
        (_, SettingError::Range { min, max }) => {
            text::notice_range(language, name, min, max, became)
        }
        (_, SettingError::DecimalRange { min, max }) => {
            let [min, max] = [min, max].map(|end| hundredths(*end));
            text::notice_range(language, name, &min, &max, became)
        }
        (_, reason) => text::notice_changed(language, name, &rule(language, reason), became),
    }
}

/// Text of a link warning: the part that was left out, and the reason.
pub fn url_note(language: Language, note: &LinkWarning) -> String {
    let reason = rule(language, &note.rule);
    match note.rule {
        SettingError::More(_) | SettingError::DataMissing(_) => reason,
        SettingError::Large { .. } => text::note_large(language, &reason),
        _ => text::note_ignored(language, &note.key, &note.value, &reason),
    }
}

/// Texts of the link warnings; at most as many as leave room for the map, then a count.
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

/// Name of a setting in a sentence.
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
        SettingError::Learned => plain(Key::RuleLearned),
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
    use crate::state::{Action, State, Value, reduce, request_builder, url};

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
            ["key/value heads: It must divide the number of heads, 4. Set to 2."]
        );
        assert_eq!(
            notices(Action::Enter(Field::DK, "500".to_owned())),
            ["query and key size d_k must be 1–128; set to 128."]
        );
        assert_eq!(
            notices(Action::Enter(Field::Seed, String::new())),
            ["seed: It must be a whole number. Set to 42."]
        );
        assert_eq!(
            notices(Action::Enter(Field::Temperature, "0".to_owned())),
            ["temperature must be 0.05–10; set to 0.05."]
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
}
