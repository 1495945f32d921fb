//! What a text becomes.

/// The tokens of a text, one entry of each list for each token.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Encoding {
    /// Rows of the embedding.
    pub ids: Vec<u32>,
    /// Strings of the vocabulary, as it writes them: `Ġthe`, `▁the`, `##ing`; of a control token in the text, the text with the spaces that belong to it.
    pub tokens: Vec<String>,
    /// Where each token stands in the text, `[begin, end)` in code points.
    ///
    /// They may overlap and leave gaps: parts of one character have its place, a prefix has the place of what follows, spaces and accents may belong to no
    /// token. A token that was added has `[0, 0]`.
    pub offsets: Vec<[usize; 2]>,
    /// Where each token comes from.
    pub origins: Vec<Origin>,
}

/// Where a token of a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The text's characters.
    Text,
    /// A control token that the text spells out, such as `[MASK]` or `<|im_start|>`.
    Control,
    /// The tokenizer, which adds it to every text.
    Added,
}
