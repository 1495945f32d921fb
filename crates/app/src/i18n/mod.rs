//! All texts that people read, in every language, from `content/`.
//!
//! Keys and functions are generated at build time from `content/<language>/ui.toml`; the build fails on a text that is missing in a
//! language, unused, or has other placeholders there. A text that is always the same is a [`Key`], which tables and `index.html` hold as
//! data; one with placeholders is a function in [`mod@text`].

#![allow(
    rustdoc::bare_urls,
    rustdoc::broken_intra_doc_links,
    reason = "the documentation of a text is its English sentence as it is read, which is no markup"
)]

pub mod file_messages;
mod lines;
pub mod number;
mod quote;
pub mod text;

pub use quote::beginning;

include!(concat!(env!("OUT_DIR"), "/keys.rs"));

/// A language that the page speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Language {
    /// Every language, in the order of the switch.
    pub const ALL: [Self; 2] = [Self::En, Self::Zh];

    /// The short name used in links and in storage: `en` or `zh`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// The value of an HTML `lang` attribute (BCP 47).
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh-Hans",
        }
    }

    /// The language with a short name or a BCP 47 tag (`zh-CN`, `en-GB`); `None` for one that is not spoken here.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|language| primary.eq_ignore_ascii_case(language.code()))
    }
}

impl Key {
    /// The kebab-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The key with a kebab-case name, as `index.html` writes it in `data-t`; `None` for an unknown name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let at = NAMES.binary_search(&name).ok()?;
        KEYS.get(at).copied()
    }

    /// The text in a language.
    #[must_use]
    pub fn text(self, language: Language) -> &'static str {
        lines::text(language, self as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_finds_itself_by_name() {
        for (at, name) in NAMES.iter().enumerate() {
            assert_eq!(Key::named(name).map(|key| key as usize), Some(at), "{name}");
        }
        assert_eq!(Key::named("no-such-key"), None);
    }

    #[test]
    fn the_languages_say_different_things() {
        let same = KEYS
            .iter()
            .filter(|key| key.text(Language::En) == key.text(Language::Zh))
            .count();
        assert!(
            same * 10 <= KEYS.len(),
            "{same} of {} texts are the same in both languages",
            KEYS.len()
        );
    }

    #[test]
    fn tags_of_browsers_are_understood() {
        assert_eq!(Language::from_tag("zh-CN"), Some(Language::Zh));
        assert_eq!(Language::from_tag("EN_gb"), Some(Language::En));
        assert_eq!(Language::from_tag("eno"), None);
        assert_eq!(Language::from_tag(""), None);
    }
}
