//! What a page opens with.
//!
//! A link that a page has written begins with its version and says everything, also by what it leaves out: it opens to the same
//! numbers for everybody. One that was written by hand, or none at all, leaves the sentence to the reader's language, and head and
//! row to the page.

use super::{Field, LinkWarning, State, presets, url};
use crate::i18n::Language;

/// A state that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// The state.
    pub state: State,
    /// What was left out of the link.
    pub notes: Vec<LinkWarning>,
    /// The link names a text but neither head nor cell, so that the page chooses both.
    pub is_unchosen: bool,
}

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

/// The standard settings in a language.
pub fn standard(language: Language) -> State {
    open("", |_| language).state
}

/// Adds the sentence of the language, with the settings that the link leaves to it.
fn in_language(
    fragment: &str,
    (state, notes): (State, Vec<LinkWarning>),
    language: impl FnOnce(&State) -> Language,
) -> Initial {
    let preset = presets::opening(language(&state));
    let (state, notes) = if preset.text == state.text {
        (state, notes)
    } else {
        let text = (Field::Text, preset.text.to_owned());
        let mut extended = format!("{fragment}&{}", url::join([text].into_iter()));
        for (key, value) in url::split(preset.settings).filter(|(key, _)| !names(fragment, key)) {
            extended.push_str(&format!("&{key}={value}"));
        }
        url::parse(&extended)
    };
    Initial {
        state,
        notes,
        is_unchosen: false,
    }
}

fn names(fragment: &str, key: &str) -> bool {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    url::split(fragment).any(|(own, _)| own == key)
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
    fn a_first_visit_opens_in_the_reader_s_language() {
        let english = opened("", Language::En);
        assert_eq!(english.state, State::default());
        for fragment in ["", "#lang=zh", "heads=8", "embed"] {
            let chinese = opened(fragment, Language::Zh);
            assert_eq!(
                chinese.state.text, "小猫没有过街，因为它太累了。",
                "{fragment}"
            );
            assert!(chinese.state.cell.is_some() && !chinese.is_unchosen);
            // What the page writes of it opens alike for everybody.
            let link = url::to_fragment(&chinese.state);
            assert_eq!(opened(&link, Language::En).state, chinese.state);
        }
        let own = opened("cell=2&d_k=8", Language::Zh).state;
        assert_eq!((own.cell.map(|cell| cell.query), own.d_k), (Some(1), 8));
        assert_eq!(standard(Language::Zh), opened("", Language::Zh).state);
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
