//! Initial state of a page.
//!
//! A link that a page has written begins with its version and says everything, also by what it leaves out: it opens to the same
//! numbers for everybody. One that was written by hand leaves the sentence to the reader's language, and head and row to the page. Without
//! a link the page opens with a model that has learned what a pronoun of the reader's language means.

use std::sync::OnceLock;

use super::{Field, LabTask, LinkWarning, Origin, State, presets, url};
use crate::i18n::Language;

/// A state that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// The state.
    pub state: State,
    /// Parts of the link that were left out.
    pub notes: Vec<LinkWarning>,
    /// The link names a text but neither head nor cell, so that the page chooses both.
    pub is_unchosen: bool,
}

/// A first visit begins without an open panel.
const CALM: &str = "&open=none";

/// The key of a link's version.
const VERSION: &str = "v";

/// Opens a link; `language` is that of the page with its settings.
pub fn open(fragment: &str, language: impl FnOnce(&State) -> Language) -> Initial {
    let (state, notes) = url::parse(fragment);
    let is_written = names(fragment, VERSION);
    let has = |field: Field| names(fragment, field.key());
    let has_text = [Field::Text, Field::Second, Field::Data]
        .into_iter()
        .any(has);
    if !is_written && !has_text {
        return in_language(fragment, (state, notes), language);
    }
    let is_unchosen = !is_written && !has(Field::Data) && !has(Field::Head) && !has(Field::Cell);
    Initial {
        state,
        notes,
        is_unchosen,
    }
}

/// State of a first visit. Parsed once per language, since undo compares every step with it.
pub fn standard(language: Language) -> &'static State {
    static STATES: [OnceLock<State>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    STATES[language as usize].get_or_init(|| open("", |_| language).state)
}

/// State of a hand-written link that changes nothing.
pub fn hand_built(language: Language) -> State {
    let link = url::join([(Field::Origin, Origin::Teaching.name().to_owned())].into_iter());
    open(&link, |_| language).state
}

/// Adds the sentence of the language, with the settings that the link leaves to it.
fn in_language(
    fragment: &str,
    (state, notes): (State, Vec<LinkWarning>),
    language: impl FnOnce(&State) -> Language,
) -> Initial {
    let language = language(&state);
    let is_first_visit = names_only_preferences(fragment);
    let preset = if is_first_visit {
        presets::opening(language)
    } else {
        presets::hand_built(language)
    };
    let (state, notes) = if preset.text == state.text {
        (state, notes)
    } else {
        let text = (Field::Text, preset.text.to_owned());
        let mut extended = format!("{fragment}&{}", url::join([text].into_iter()));
        for (key, value) in url::split(preset.settings).filter(|(key, _)| !names(fragment, key)) {
            extended.push_str(&format!("&{key}={value}"));
        }
        if is_first_visit {
            extended.push_str(CALM);
        }
        url::parse(&extended)
    };
    let task = if names(fragment, Field::Task.key()) {
        state.task
    } else {
        LabTask::about_pronouns(language)
    };
    Initial {
        state: State { task, ..state },
        notes,
        is_unchosen: false,
    }
}

/// Whether a link names a lesson and says nothing of what it is about: it was shortened by hand, or written so.
pub fn names_lesson_alone(fragment: &str) -> bool {
    let own = [
        Field::Lesson,
        Field::LessonStep,
        Field::Language,
        Field::Theme,
        Field::Embed,
    ];
    let own = own.map(Field::key);
    let is_own = |key: &str| key == VERSION || own.contains(&key);
    names(fragment, Field::LessonStep.key()) && keys(fragment).all(is_own)
}

/// Whether a link sets nothing but language and theme.
fn names_only_preferences(fragment: &str) -> bool {
    let own = [Field::Language, Field::Theme].map(Field::key);
    keys(fragment).all(|key| own.contains(&key))
}

fn names(fragment: &str, key: &str) -> bool {
    keys(fragment).any(|own| own == key)
}

fn keys(fragment: &str) -> impl Iterator<Item = &str> {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    url::split(fragment).map(|(key, _)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(fragment: &str, language: Language) -> Initial {
        let initial = open(fragment, |_| language);
        assert_eq!(initial.state.check_all(), Ok(()), "{fragment}");
        initial
    }

    #[test]
    fn a_first_visit_opens_on_what_a_model_has_learned_in_the_reader_s_language() {
        for (language, word) in [(Language::En, "tired"), (Language::Zh, "太累了")] {
            for fragment in ["", "#lang=zh", "theme=dark&lang=en"] {
                let first = opened(fragment, language);
                assert_eq!(first.state.origin, Origin::Learned, "{fragment}");
                assert!(first.state.text.contains(word), "{fragment}");
                assert!(first.state.cell.is_some() && !first.is_unchosen);
                // What the page writes of it opens alike for everybody.
                let link = url::to_fragment(&first.state);
                for reader in Language::ALL {
                    assert_eq!(opened(&link, reader).state, first.state);
                }
            }
            assert_eq!(*standard(language), opened("", language).state);
        }
    }

    #[test]
    fn a_link_by_hand_opens_on_hand_built_heads_in_the_reader_s_language() {
        assert_eq!(
            opened("embed", Language::En).state.text,
            State::default().text
        );
        for fragment in ["heads=8", "embed", "open=cost", "lang=zh&mask=causal"] {
            let chinese = opened(fragment, Language::Zh);
            assert_eq!(
                chinese.state.text, "小猫没有过街，因为它太累了。",
                "{fragment}"
            );
            assert_eq!(chinese.state.origin, Origin::Teaching, "{fragment}");
            assert!(chinese.state.cell.is_some() && !chinese.is_unchosen);
        }
        let own = opened("cell=2&d_k=8", Language::Zh).state;
        assert_eq!((own.cell.map(|cell| cell.query), own.d_k), (Some(1), 8));
    }

    #[test]
    fn a_link_opens_to_the_same_for_everybody() {
        for link in [
            "v=1",
            "v=1&heads=2",
            "text=a+b",
            "v=1&text=a+b",
            "source=a",
            "v=1&lang=zh",
        ] {
            let opened = [Language::En, Language::Zh].map(|language| opened(link, language).state);
            assert_eq!(opened[0], url::parse(link).0, "{link}");
            assert_eq!(opened[0], opened[1], "{link}");
        }
    }

    #[test]
    fn the_page_chooses_where_a_link_by_hand_names_a_text_and_nothing_in_it() {
        let is_unchosen = |link| opened(link, Language::En).is_unchosen;
        assert!(is_unchosen("text=a+b") && is_unchosen("embed=1&source=a&heads=8"));
        for link in [
            "",
            "text=a+b&head=1",
            "text=a+b&cell=none",
            "v=1&text=a+b",
            "heads=2",
        ] {
            assert!(!is_unchosen(link), "{link}");
        }
    }
}
