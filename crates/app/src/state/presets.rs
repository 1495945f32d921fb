//! Example sentences, from `content/presets.toml`.

wasm_chunks::chunk!("more": pair_for);

use super::{Field, Origin, State, learned};
use crate::i18n::Language;

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
    /// Settings applied with the sentence, in link syntax; may be empty.
    pub settings: &'static str,
}

/// What the settings of examples begin with that a model has learned.
const LEARNED: &str = "weights=learned";

include!(concat!(env!("OUT_DIR"), "/presets.rs"));

impl Preset {
    /// Name in the language with the short name `code`; in the first language if that is unknown.
    pub fn name(&self, code: &str) -> &'static str {
        let named = self.names.iter().find(|(language, _)| *language == code);
        named
            .or(self.names.first())
            .map_or(self.id, |(_, name)| name)
    }
}

/// Every preset, in the order of the menu; the first is the sentence of a link that names none.
pub fn all() -> &'static [Preset] {
    PRESETS
}

/// The sentence that a first visit in this language opens with: a model has learned what its pronoun means.
pub(crate) fn opening(language: Language) -> &'static Preset {
    of_language(language, ["learned", "learned-zh"])
}

/// The sentence, in the user's language, of a hand-written link that names none: with hand-built
/// heads.
pub(crate) fn hand_built(language: Language) -> &'static Preset {
    of_language(language, ["animal", "chinese-it"])
}

fn of_language(language: Language, [english, chinese]: [&str; 2]) -> &'static Preset {
    let id = match language {
        Language::En => english,
        Language::Zh => chinese,
    };
    by_id(id).unwrap_or(&PRESETS[0])
}

/// The sentence of the pronoun task, in the language of the page or of its text.
pub fn learned(state: &State) -> &'static Preset {
    let is_chinese = state.language == Some(Language::Zh) || has_han(&state.text);
    opening(if is_chinese {
        Language::Zh
    } else {
        Language::En
    })
}

/// Whether a text has Chinese characters.
pub(super) fn has_han(text: &str) -> bool {
    text.chars().any(|c| ('一'..='鿿').contains(&c))
}

/// The example that a state shows, also once words of it are exchanged; none beside imported numbers. Of several it is the one with its
/// seed, or else the first.
pub fn shown(state: &State) -> Option<&'static Preset> {
    let is_of = |preset: &&Preset| {
        let is_learned = preset.settings.starts_with(LEARNED);
        let has_text = preset.text == state.text && preset.source == state.second.as_deref();
        let is_exchanged =
            || state.second.is_none() && learned::are_exchanged(preset.text, &state.text);
        match state.origin == Origin::Learned {
            true if is_learned => has_text || is_exchanged(),
            true => has_text,
            false => has_text && !is_learned,
        }
    };
    let seed = state.get(Field::Seed).to_param();
    let has_seed = |own: &&Preset| {
        let mut settings = super::url::split(own.settings);
        settings.any(|setting| setting == (Field::Seed.key(), &seed))
    };
    let is_shown = |preset: &&Preset| state.imported.is_none() && is_of(preset);
    let mut own = PRESETS.iter().filter(is_shown);
    own.clone().find(has_seed).or_else(|| own.next())
}

/// The preset with this id.
pub fn by_id(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}

/// The pair that cross-attention begins with where the sentence is an example without a second one: the first in its script.
pub(crate) fn pair_for(state: &State) -> Option<&'static Preset> {
    let is_example = |preset: &Preset| preset.text == state.text && preset.source.is_none();
    let is_alone = state.second.is_none() && state.given(Field::Second).is_none();
    let example = PRESETS
        .iter()
        .find(|preset| is_alone && is_example(preset))?;
    let is_pair = |pair: &&Preset| pair.source.is_some();
    let mut pairs = PRESETS.iter().filter(is_pair);
    pairs.find(|pair| has_han(pair.text) == has_han(example.text))
}
