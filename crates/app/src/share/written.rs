//! Initial options of the Share dialog, and the texts that it generates.

use super::{
    Extent, Form, ShareOptions, ShareTarget, ThemeChoice, link, name as page_name, snippet,
};
use crate::i18n::{Key, Language};
use crate::state::imported::ImportedData;
use crate::state::{Origins, Panel, Part, Parts, SettingError, State, Theme};

/// Height of a frame, in CSS pixels: the map takes what it leaves.
pub(super) const FRAME_HEIGHT: u32 = 560;

/// Parts selected by default: those that a first lesson needs.
const SUGGESTED: [Part; 5] = [
    Part::Sentence,
    Part::Heads,
    Part::Mask,
    Part::Legend,
    Part::Reading,
];

/// Texts that the dialog generates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The text to copy.
    pub text: String,
    /// Its link.
    pub link: String,
    /// Link for the QR code, whatever the form.
    pub code: String,
}

impl ShareOptions {
    /// The page as it is shown now.
    pub fn from_state(state: &State) -> Self {
        let shown = state.show;
        Self {
            form: Form::Link,
            extent: match shown {
                None if state.embed => Extent::Compact,
                None => Extent::Whole,
                Some(shown) if shown.contains(Part::All) => Extent::Whole,
                Some(shown) if shown == Parts::from_iter([Part::Map]) => Extent::Map,
                Some(_) => Extent::Chosen,
            },
            parts: shown.unwrap_or_else(|| Parts::from_iter(SUGGESTED)),
            panel: Panel::Steps,
            lock: state.lock,
            language: state.language,
            theme: match state.theme {
                Some(Theme::Light) => ThemeChoice::Light,
                Some(Theme::Dark) => ThemeChoice::Dark,
                None if state.host_theme => ThemeChoice::Host,
                None => ThemeChoice::Reader,
            },
            origins: state.origins.clone(),
        }
    }

    /// Generates the texts for `state` at `address`.
    pub fn written(&self, state: &State, address: &str, language: Language) -> Written {
        let wished = self.apply_to(state);
        let place = ShareTarget {
            address,
            name: &page_name(&wished, wished.language.unwrap_or(language)),
            height: FRAME_HEIGHT,
        };
        let plain = Self {
            form: Form::Link,
            ..self.clone()
        };
        Written {
            text: snippet(self.form, &wished, &place),
            link: link(address, &wished),
            code: link(address, &plain.apply_to(state)),
        }
    }
}

impl Extent {
    /// The extent after a change between embed and page: a whole page becomes a compact embed, and the other way round.
    #[must_use]
    pub const fn suited(self, is_inside: bool) -> Self {
        match (self, is_inside) {
            (Self::Whole, true) => Self::Compact,
            (Self::Compact, false) => Self::Whole,
            (own, _) => own,
        }
    }
}

/// Note on a form.
pub fn note(form: Form, state: &State) -> Key {
    let is_whole = state.imported.as_ref().is_none_or(ImportedData::is_inline);
    match form {
        Form::File => Key::ShareNoteFile,
        _ if !is_whole => Key::ShareNoteNamed,
        Form::Link => Key::ShareNoteLink,
        Form::Frame => Key::ShareNoteFrame,
        Form::Element => Key::ShareNoteElement,
        Form::Markdown => Key::ShareNoteMarkdown,
    }
}

/// Parses the origins in the field; an error is the sentence that explains it.
pub fn read_origins(written: &str) -> Result<Origins, Key> {
    match written.trim() {
        "" => Ok(Origins::default()),
        written => Origins::parse(written).map_err(|error| match error {
            SettingError::Many { .. } => Key::ShareOriginsMany,
            _ => Key::RuleOrigins,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::url;

    #[test]
    fn the_dialog_begins_with_what_is_shown() {
        let extent = |link| ShareOptions::from_state(&url::parse(link).0).extent;
        assert_eq!(extent("v=1"), Extent::Whole);
        assert_eq!(extent("embed"), Extent::Compact);
        assert_eq!(extent("embed&show=all"), Extent::Whole);
        assert_eq!(extent("embed&show=map"), Extent::Map);
        assert_eq!(extent("embed&show=heads"), Extent::Chosen);
        let theme = |link| ShareOptions::from_state(&url::parse(link).0).theme;
        assert_eq!(theme("embed&theme=host"), ThemeChoice::Host);
        assert_eq!(theme("theme=dark"), ThemeChoice::Dark);
        let parts = ShareOptions::from_state(&url::parse("show=mask").0).parts;
        assert!(parts.contains(Part::Mask) && !parts.contains(Part::Legend));
    }

    #[test]
    fn whatever_is_copied_the_code_is_a_link_to_a_page() {
        let state = url::parse("text=a+b").0;
        let options = ShareOptions {
            form: Form::Frame,
            extent: Extent::Map,
            ..ShareOptions::from_state(&state)
        };
        let written = options.written(&state, "https://a.example/#old", Language::En);
        assert!(written.text.starts_with("<iframe") && written.text.contains(" height=\"560\""));
        assert!(written.link.starts_with("https://a.example/#embed&"));
        assert!(written.code.starts_with("https://a.example/#v=1&text=a+b"));
    }

    #[test]
    fn an_embed_suggests_less_and_a_page_all_of_it() {
        assert_eq!(Extent::Whole.suited(true), Extent::Compact);
        assert_eq!(Extent::Compact.suited(false), Extent::Whole);
        for extent in [Extent::Chosen, Extent::Panel, Extent::Map] {
            assert_eq!(
                [true, false].map(|inside| extent.suited(inside)),
                [extent; 2]
            );
        }
    }

    #[test]
    fn sites_that_are_none_say_what_is_wrong() {
        assert_eq!(read_origins("  "), Ok(Origins::default()));
        assert!(read_origins("https://a.example").is_ok());
        assert_eq!(read_origins("not a site"), Err(Key::RuleOrigins));
        let many: Vec<String> = (0..99).map(|at| format!("https://a{at}.example")).collect();
        assert_eq!(read_origins(&many.join(",")), Err(Key::ShareOriginsMany));
    }
}
