//! What is changed in a pass: heads switched off, cells hidden, outputs of heads from another text.

use super::reads::Reads;
use super::{Fields, inputs, whole};
use app::js_tree::JsTree;
use attention::{Code, Error};
use model::infer::{Inference, Patch};
use model::{HiddenCells, Model, Words};

/// Fields of a call for it.
pub(super) const FIELDS: [&str; 3] = ["off", "hidden_cells", "patch"];

/// A head that is patched, and the words that its output is taken from.
struct From {
    head: (usize, usize),
    words: Words,
}

/// `off`, `hidden_cells` and `patch` of a pass over `words`.
pub(super) fn read(
    fields: &mut Fields,
    model: &Model,
    reads: &Reads,
    words: &Words,
) -> Result<Inference, Error> {
    let off = records(fields.take("off"), "off", ["layer", "head"])?;
    let cell = ["layer", "head", "query", "key"];
    let hidden = records(fields.take("hidden_cells"), "hidden_cells", cell)?;
    let hide = |[layer, head, query, key]: [usize; 4]| HiddenCells {
        layer,
        head,
        cells: vec![(query, key)],
    };
    let sources = list(fields.take("patch"), "patch", "layer, head, tokens or text")?;
    let sources = sources
        .into_iter()
        .map(|raw| from(raw, model, reads, words));
    Ok(Inference {
        off: off.into_iter().map(|[layer, head]| (layer, head)).collect(),
        hide: hidden.into_iter().map(hide).collect(),
        patch: patches(sources.collect::<Result<_, _>>()?, model)?,
        ..Inference::default()
    })
}

/// One of `patch`: its words must be as many as those of the pass.
fn from(raw: JsTree, model: &Model, reads: &Reads, words: &Words) -> Result<From, Error> {
    let mut fields = Fields::parse("patch", raw, &["layer", "head", "tokens", "text"])?;
    let [layer, head] = numbers(&mut fields, "patch", ["layer", "head"])?;
    let field = ["tokens", "text"][usize::from(fields.has("text"))];
    let within = |error: Error| Error {
        field: format!("patch.{}", error.field),
        ..error
    };
    let own = inputs::words(&mut fields, model.config(), reads).map_err(within)?;
    let [found, wanted] = [&own, words].map(|own| [own.batch(), own.length()]);
    if found != wanted {
        let field = format!("patch.{field}");
        let rule = "as many words as the pass has";
        return Err(Error::shape(field, &found, &wanted, rule));
    }
    let head = (layer, head);
    Ok(From { head, words: own })
}

/// The outputs of the heads, one pass for all that come from the same words.
fn patches(mut sources: Vec<From>, model: &Model) -> Result<Vec<Patch>, Error> {
    let mut patches = Vec::new();
    while let Some(first) = sources.first() {
        let words = first.words.clone();
        let (own, others) = sources.into_iter().partition(|from| from.words == words);
        sources = others;
        let own: Vec<From> = own;
        let how = Inference {
            contexts: own.iter().map(|from| from.head).collect(),
            ..Inference::default()
        };
        let found = model.infer(&words, &how).map_err(|error| Error {
            field: "patch".to_owned(),
            ..error
        })?;
        let rows = own.iter().zip(found.contexts);
        patches.extend(rows.map(|(from, rows)| Patch {
            layer: from.head.0,
            head: from.head.1,
            rows,
        }));
    }
    Ok(patches)
}

/// A list of objects of whole numbers.
fn records<const N: usize>(
    raw: Option<JsTree>,
    field: &'static str,
    names: [&'static str; N],
) -> Result<Vec<[usize; N]>, Error> {
    let read = |raw| numbers(&mut Fields::parse(field, raw, &names)?, field, names);
    let list = list(raw, field, &names.join(", "))?;
    list.into_iter().map(read).collect()
}

/// A list of objects.
fn list(raw: Option<JsTree>, field: &str, names: &str) -> Result<Vec<JsTree>, Error> {
    match raw {
        None => Ok(Vec::new()),
        Some(JsTree::List(list)) => Ok(list),
        Some(JsTree::Doubles(numbers)) if numbers.is_empty() => Ok(Vec::new()),
        Some(other) => {
            let rule = format!("must be a list of objects with {names}");
            let (code, found) = (Code::UnknownOption, other.describe());
            Err(Error::new(code, field, found, rule))
        }
    }
}

/// Whole numbers that an object has.
fn numbers<const N: usize>(
    fields: &mut Fields,
    field: &str,
    names: [&str; N],
) -> Result<[usize; N], Error> {
    let mut numbers = [0; N];
    for (number, name) in numbers.iter_mut().zip(names) {
        let path = format!("{field}.{name}");
        let rule = "each of them has it";
        let raw = fields
            .take(name)
            .ok_or_else(|| Error::missing(&path, rule))?;
        *number = whole(&path, &raw, 0, Code::ShapeMismatch)?;
    }
    Ok(numbers)
}
