//! Text to tokens and back.

use tokenizers::{NormalizerWrapper, PostProcessorWrapper, PreTokenizerWrapper, TokenizerImpl};

use crate::alphabet::Alphabet;
use crate::encoding::{Encoding, Origin};
use crate::error::{EncodeError, OpenError};
use crate::gguf::{self, GgufVocabulary};
use crate::json;
use crate::model::{Model, Undecoded};
use crate::spelling::{Boundary, Spelling, spell};

/// The library's tokenizer around a model of ours.
pub(crate) type Parts =
    TokenizerImpl<Model, NormalizerWrapper, PreTokenizerWrapper, PostProcessorWrapper, Undecoded>;

/// The tokenizer of a checkpoint.
#[derive(Debug)]
pub struct Tokenizer {
    parts: Parts,
    alphabet: Alphabet,
    count: usize,
}

impl Tokenizer {
    /// Reads `tokenizer.json`; truncation and padding of the file are passed over.
    ///
    /// # Errors
    /// Those of the format, with what the reader says.
    pub fn from_json(bytes: &[u8]) -> Result<Self, OpenError> {
        let (parts, alphabet) = json::open(bytes)?;
        Ok(Self::new(parts, alphabet))
    }

    /// Takes the vocabulary of a GGUF file.
    ///
    /// # Errors
    /// The field that is missing, unknown or broken.
    pub fn from_gguf(vocabulary: GgufVocabulary) -> Result<Self, OpenError> {
        let (parts, alphabet) = gguf::open(vocabulary)?;
        Ok(Self::new(parts, alphabet))
    }

    fn new(parts: Parts, alphabet: Alphabet) -> Self {
        let added = parts.get_added_vocabulary().get_added_tokens_decoder();
        let added = added
            .keys()
            .max()
            .map_or(0, |&largest| largest as usize + 1);
        let count = added.max(parts.get_model().pieces().len());
        Self {
            parts,
            alphabet,
            count,
        }
    }

    /// One more than the largest id. Embeddings may have more rows: those stand for no token.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The string of an id as the vocabulary writes it.
    pub fn token(&self, id: u32) -> Option<String> {
        self.parts.id_to_token(id)
    }

    /// The id of a string as the vocabulary writes it.
    pub fn id(&self, token: &str) -> Option<u32> {
        self.parts.token_to_id(token)
    }

    /// Whether a token controls the model and stands for no text.
    pub fn is_control(&self, id: u32) -> bool {
        self.added(id).is_some_and(|(_, special)| special)
    }

    /// The tokens of a text, with those that the tokenizer adds to every text.
    ///
    /// # Errors
    /// What the library says against the text.
    pub fn encode(&self, text: &str) -> Result<Encoding, EncodeError> {
        let encoded = self.parts.encode_char_offsets(text, true);
        let encoded = encoded.map_err(|error| EncodeError(error.to_string()))?;
        let offsets = encoded.get_offsets().iter();
        let mut encoding = Encoding {
            ids: encoded.get_ids().to_vec(),
            tokens: encoded.get_tokens().to_vec(),
            offsets: offsets.map(|&(begin, end)| [begin, end]).collect(),
            origins: Vec::with_capacity(encoded.len()),
        };
        for (place, &added) in encoded.get_special_tokens_mask().iter().enumerate() {
            let origin = match added {
                1 => Origin::Added,
                _ => self.origin(encoding.ids[place], text, encoding.offsets[place]),
            };
            encoding.origins.push(origin);
        }
        Ok(encoding)
    }

    /// A control token that the text does not spell out is the unknown token, which stands for some of the text.
    fn origin(&self, id: u32, text: &str, [begin, end]: [usize; 2]) -> Origin {
        match self.added(id) {
            Some((content, true)) => {
                let place: String = text.chars().skip(begin).take(end - begin).collect();
                let same = place.trim().to_lowercase() == content.trim().to_lowercase();
                if same { Origin::Control } else { Origin::Text }
            }
            _ => Origin::Text,
        }
    }

    /// What a token that is matched in the text before everything else is, and whether it is a control token.
    fn added(&self, id: u32) -> Option<(&str, bool)> {
        let added = self.parts.get_added_vocabulary().get_added_tokens_decoder();
        let token = added.get(&id)?;
        Some((&token.content, token.special))
    }

    /// The bytes that a token stands for, which need not be whole characters. Those of a control token are its name.
    pub fn bytes(&self, id: u32) -> Option<Vec<u8>> {
        match self.added(id) {
            Some((content, true)) => Some(content.into()),
            // Such tokens are matched in the text itself, so that no byte of them is written in the vocabulary's alphabet.
            Some((content, false)) if self.alphabet == Alphabet::Bytes => Some(content.into()),
            Some((content, false)) => Some(self.alphabet.bytes(content)),
            None => Some(self.alphabet.bytes(&self.token(id)?)),
        }
    }

    /// A token as it is shown.
    pub fn spelling(&self, id: u32) -> Option<Spelling> {
        let bytes = self.bytes(id)?;
        let text = spell(&bytes);
        let boundary = match &self.alphabet {
            _ if self.is_control(id) => Boundary::Control,
            Alphabet::WordPiece(prefix) if self.token(id)?.starts_with(prefix.as_str()) => {
                Boundary::Joined
            }
            Alphabet::WordPiece(_) => Boundary::Word,
            _ if bytes.first().is_some_and(u8::is_ascii_whitespace) => Boundary::Space,
            _ => Boundary::Joined,
        };
        Some(Spelling { text, boundary })
    }

    /// The text of tokens, without control tokens and ids that stand for none; bytes that are no whole character become U+FFFD. Where the vocabulary leaves
    /// out spaces, one stands before every word but the first.
    pub fn decode(&self, ids: &[u32]) -> String {
        let mut text = Vec::new();
        for &id in ids {
            let (Some(bytes), Some(spelling)) = (self.bytes(id), self.spelling(id)) else {
                continue;
            };
            match spelling.boundary {
                Boundary::Control => continue,
                Boundary::Word if !text.is_empty() => text.push(b' '),
                _ => {}
            }
            text.extend(bytes);
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}
