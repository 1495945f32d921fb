//! The metadata of a GGUF file as settings of a model and as a vocabulary.

use checkpoint::{Lookup, Value};
use formats::gguf::{GgufError, Metadata, Texts};
use tokenizer::GgufVocabulary;

/// The settings of a model.
pub(crate) struct Settings<'a>(pub(crate) &'a Metadata);

impl Lookup for Settings<'_> {
    /// `None` also for what no setting of a model is: an array of texts, or a text that is not UTF-8.
    fn value(&self, key: &str) -> Option<Value> {
        let Self(metadata) = self;
        let text = || Some(Value::Text(metadata.text(key).ok()??.to_owned()));
        let flag = || metadata.flag(key).ok().flatten().map(Value::Flag);
        let float = || metadata.float(key).ok().flatten().map(Value::Number);
        let whole = || {
            let whole = metadata.whole(key).ok().flatten();
            whole.map(|whole| Value::Number(whole as f64))
        };
        let wholes = || {
            let list = metadata.wholes(key).ok().flatten()?;
            Some(numbers(list.into_iter().map(|whole| whole as f64)))
        };
        let floats = || {
            let list = metadata.floats(key).ok().flatten()?;
            Some(numbers(list.into_iter().map(f64::from)))
        };
        let flags = || {
            let list = metadata.flags(key).ok().flatten()?;
            Some(Value::List(list.into_iter().map(Value::Flag).collect()))
        };
        let of_one = || text().or_else(flag).or_else(float).or_else(whole);
        of_one().or_else(wholes).or_else(floats).or_else(flags)
    }
}

fn numbers(list: impl Iterator<Item = f64>) -> Value {
    Value::List(list.map(Value::Number).collect())
}

/// The vocabulary of a file.
///
/// # Errors
/// A key that is there and has a value of another type.
pub(crate) fn vocabulary(metadata: &Metadata) -> Result<GgufVocabulary, GgufError> {
    let key = |name: &str| format!("tokenizer.ggml.{name}");
    let id = |name| {
        let whole = metadata.whole(&key(name))?;
        Ok(whole.and_then(|id| u32::try_from(id).ok()))
    };
    let flag = |name| metadata.flag(&key(name));
    let texts = |name| metadata.texts(&key(name));
    let text = |name| Ok(metadata.text(&key(name))?.map(str::to_owned));
    let owned =
        |texts: Option<&Texts>| texts.map(|texts| texts.iter().map(str::to_owned).collect());
    let types = metadata.wholes(&key("token_type"))?;
    Ok(GgufVocabulary {
        model: text("model")?.unwrap_or_default(),
        pre: text("pre")?,
        tokens: owned(texts("tokens")?).unwrap_or_default(),
        scores: metadata.floats(&key("scores"))?,
        token_types: types.map(|types| {
            let narrow = |kind: i64| i32::try_from(kind).unwrap_or(i32::MAX);
            types.into_iter().map(narrow).collect()
        }),
        merges: owned(texts("merges")?),
        bos: id("bos_token_id")?,
        eos: id("eos_token_id")?,
        unknown: id("unknown_token_id")?,
        separator: id("seperator_token_id")?,
        class: id("cls_token_id")?,
        add_bos: flag("add_bos_token")?,
        add_eos: flag("add_eos_token")?,
        add_space_prefix: flag("add_space_prefix")?,
        lowercase: flag("normalizer.lowercase")?,
        strip_accents: flag("normalizer.strip_accents")?,
    })
}
