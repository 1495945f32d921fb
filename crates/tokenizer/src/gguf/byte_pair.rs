//! `gpt2`: byte pairs of byte-level characters.

use tokenizers::SplitDelimiterBehavior;
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};

use super::GgufVocabulary;
use super::special::{matched, surround, wanted};
use super::split::{self, Rule};
use crate::alphabet::Alphabet;
use crate::error::OpenError;
use crate::model::{BytePair, Merges, Model};
use crate::tokenizer::Parts;

const MERGES: &str = "tokenizer.ggml.merges";

pub(crate) fn open(mut vocabulary: GgufVocabulary) -> Result<(Parts, Alphabet), OpenError> {
    let rule = split::rule(vocabulary.pre.as_deref())?;
    let added = matched(&vocabulary);
    let pieces = vocabulary.pieces()?;
    let count = pieces.len();
    let bos = vocabulary.add_bos.unwrap_or(rule.bos);
    let eos = vocabulary.add_eos.unwrap_or(false);
    let ends = [
        wanted("tokenizer.ggml.bos_token_id", bos, vocabulary.bos, count)?,
        wanted("tokenizer.ggml.eos_token_id", eos, vocabulary.eos, count)?,
    ];
    let merges = vocabulary.merges.ok_or(OpenError::Missing(MERGES))?;
    let pairs = merges.iter().map(|line| pair(line));
    let merges = Merges::new(MERGES, &pieces, pairs)?;
    let mut parts = Parts::new(Model::BytePair(BytePair {
        merges,
        pieces,
        unknown: None,
        fuse_unknown: false,
        bytes: None,
        whole_words: rule.whole_words,
    }));
    parts.with_pre_tokenizer(Some(splitter(&rule)?));
    parts.add_tokens(added).map_err(OpenError::parts)?;
    surround(&mut parts, ends)?;
    Ok((parts, Alphabet::Bytes))
}

/// The two tokens of a line, which are parted by the first space that is not the first character.
fn pair(line: &str) -> Result<(&str, &str), OpenError> {
    let after_first = line.chars().next().map_or(0, char::len_utf8);
    let space = line[after_first..]
        .find(' ')
        .map(|place| place + after_first);
    let pair = space.map(|space| (&line[..space], &line[space + 1..]));
    pair.ok_or_else(|| OpenError::field(MERGES, format!("{line:?}"), "is not two tokens"))
}

/// One pattern after the other, each within the pieces of those before it, and then bytes as characters.
fn splitter(rule: &Rule) -> Result<Sequence, OpenError> {
    let mut steps: Vec<PreTokenizerWrapper> = Vec::new();
    for pattern in rule.patterns {
        let pattern = SplitPattern::Regex((*pattern).to_owned());
        let split = Split::new(pattern, SplitDelimiterBehavior::Isolated, false);
        steps.push(split.map_err(OpenError::parts)?.into());
    }
    steps.push(ByteLevel::new(false, false, false).into());
    Ok(Sequence::new(steps))
}
