//! Example sentences, from `content/presets.toml`.

/// A sentence, or a pair of sentences, that the page offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// A name that stays the same for ever.
    pub id: &'static str,
    names: &'static [(&'static str, &'static str)],
    /// The query side, and the key side too where there is no `source`.
    pub text: &'static str,
    /// The key side of a cross-attention.
    pub source: Option<&'static str>,
    /// What the page sets along with the sentence, written as in a link; may be empty.
    pub settings: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/presets.rs"));

impl Preset {
    /// What a menu says in the language with the short name `code`; the first language's name for an unknown one.
    pub fn name(&self, code: &str) -> &'static str {
        let named = self.names.iter().find(|(language, _)| *language == code);
        named
            .or(self.names.first())
            .map_or(self.id, |(_, name)| name)
    }
}

/// Every preset, in the order of the menu; the first is the sentence that the page opens with.
pub fn all() -> &'static [Preset] {
    PRESETS
}

/// The preset with this id.
pub fn by_id(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}
