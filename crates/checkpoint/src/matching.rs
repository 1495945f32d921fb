//! Finds the tensors of a model among those of a file.

use std::collections::BTreeMap;

use attention::{Code, Error};
use model::{ModelConfig, TensorSpec};

use crate::described::Described;
use crate::table::{How, Row, Table};
use crate::value::excerpt;
use crate::{FileTensor, MappedTensor, Origin, Taken};

/// The tensors of a file by name.
pub(crate) struct Index<'a> {
    tensors: &'a [FileTensor],
    by_name: BTreeMap<&'a str, usize>,
}

impl<'a> Index<'a> {
    /// # Errors
    /// [`Code::NotApplicable`] for a name that stands there twice.
    pub(crate) fn new(tensors: &'a [FileTensor]) -> Result<Self, Error> {
        let mut by_name = BTreeMap::new();
        for (at, tensor) in tensors.iter().enumerate() {
            if by_name.insert(tensor.name.as_str(), at).is_some() {
                let (field, rule) = (excerpt(&tensor.name), "stands in the file twice");
                return Err(Error::new(Code::NotApplicable, field, &tensor.dtype, rule));
            }
        }
        Ok(Self { tensors, by_name })
    }

    pub(crate) fn len(&self) -> usize {
        self.tensors.len()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    pub(crate) fn shape(&self, name: &str) -> Option<&'a [usize]> {
        let at = self.by_name.get(name)?;
        Some(&self.tensors[*at].shape)
    }

    /// Some names, for a refusal.
    pub(crate) fn sample(&self) -> String {
        const MOST: usize = 5;
        let names: Vec<String> = (self.tensors.iter().take(MOST))
            .map(|tensor| excerpt(&tensor.name))
            .collect();
        let more = if self.len() > MOST { ", …" } else { "" };
        format!("{}{more}", names.join(", "))
    }

    /// The prefix under which the file has the words' vectors; the last one where it has them under none.
    pub(crate) fn prefix(&self, table: &Table) -> &'static str {
        let tokens = (table.rows.iter().copied().flatten()).find(|row| row.ours == "tokens");
        let is_there =
            |prefix: &&&str| tokens.is_some_and(|row| self.has(&format!("{prefix}{}", row.theirs)));
        let mut prefixes = table.prefixes.iter();
        let last = prefixes.clone().next_back().copied().unwrap_or_default();
        prefixes.find(is_there).copied().unwrap_or(last)
    }
}

/// The tensors of a model, each with where it comes from, and those of the file that are passed over.
pub(crate) struct Matched {
    pub(crate) mapped: Vec<MappedTensor>,
    pub(crate) passed_over: Vec<usize>,
}

/// Matches all tensors of a file with those of a model.
///
/// # Errors
/// By the file's name: [`Code::MissingField`] for a tensor that is missing, [`Code::ShapeMismatch`] for one of another shape,
/// [`Code::UnknownOption`] for a type that is not among `types`, [`Code::NotApplicable`] for one too many.
pub(crate) fn matched(
    index: &Index,
    described: &Described,
    table: &Table,
    types: &[&str],
) -> Result<Matched, Error> {
    let config = &described.config;
    let prefix = index.prefix(table);
    let matcher = Matcher {
        index,
        table,
        prefix,
        types,
        d_k: config.d_k,
    };
    let mut taken = vec![false; index.len()];
    let mut mapped = Vec::new();
    for spec in tensors(config, index)? {
        let origin = if described.is_zero(&spec) {
            Origin::Zeros
        } else if described.makes(&spec) {
            Origin::Given(Vec::new())
        } else {
            Origin::File(matcher.find(&spec)?)
        };
        if let Origin::File(own) = &origin {
            taken[own.tensor] = true;
        }
        mapped.push(MappedTensor {
            name: spec.name,
            shape: spec.shape,
            origin,
        });
    }
    for tensor in &mut mapped {
        if let Origin::Given(numbers) = &mut tensor.origin {
            *numbers = described.made()?;
        }
    }
    let passed_over: Vec<usize> = (0..index.len()).filter(|at| !taken[*at]).collect();
    for at in &passed_over {
        matcher.check_passed_over(&index.tensors[*at], described)?;
    }
    Ok(Matched {
        mapped,
        passed_over,
    })
}

/// The tensors that a model of `config` has, listed only where the file can hold as many layers.
fn tensors(config: &ModelConfig, index: &Index) -> Result<Vec<TensorSpec>, Error> {
    if config.layers > index.len() {
        let rule = format!("the file has {} tensors in all", index.len());
        return Err(Error::new(
            Code::ShapeMismatch,
            "layers",
            config.layers,
            rule,
        ));
    }
    config.tensors()
}

struct Matcher<'a> {
    index: &'a Index<'a>,
    table: &'a Table,
    prefix: &'static str,
    types: &'a [&'a str],
    d_k: usize,
}

impl Matcher<'_> {
    fn full_name(&self, theirs: &str, layer: Option<&str>) -> String {
        let named = match theirs.strip_prefix('/') {
            Some(outside) => outside.to_owned(),
            None => format!("{}{theirs}", self.prefix),
        };
        named.replace("{}", layer.unwrap_or_default())
    }

    fn find(&self, spec: &TensorSpec) -> Result<Taken, Error> {
        let (general, layer) = generalized(&spec.name);
        let all = self.table.rows.iter().copied().flatten();
        let rows: Vec<&Row> = all.filter(|row| row.ours == general).collect();
        let names = rows.iter().map(|row| self.full_name(row.theirs, layer));
        let found = rows
            .iter()
            .zip(names.clone())
            .find_map(|(row, name)| Some((row, *self.index.by_name.get(name.as_str())?)));
        let Some((row, tensor)) = found else {
            let wanted = names.collect::<Vec<_>>().join(" or ");
            return Err(missing(&wanted, spec, &rows, self.d_k));
        };
        let taken = taken(row.how, tensor, spec, self.d_k);
        self.check(&self.index.tensors[tensor], &taken, spec)?;
        Ok(taken)
    }

    fn check(&self, tensor: &FileTensor, taken: &Taken, spec: &TensorSpec) -> Result<(), Error> {
        let wanted = taken.shape_in_file(&spec.shape).unwrap_or_default();
        if tensor.shape != wanted {
            let axes = format!("{} by the settings", spec.name);
            let rule = format!("the shape must be {wanted:?} ({axes})");
            let (code, name) = (Code::ShapeMismatch, &tensor.name);
            return Err(Error::new(code, name, shown(&tensor.shape), rule));
        }
        if self.types.contains(&tensor.dtype.as_str()) {
            return Ok(());
        }
        let rule = format!("must be of one of the types {}", self.types.join(", "));
        let (code, name) = (Code::UnknownOption, &tensor.name);
        Err(Error::new(code, name, excerpt(&tensor.dtype), rule))
    }

    /// Refuses a tensor that has no place in the model and that such files don't hold besides.
    fn check_passed_over(&self, tensor: &FileTensor, described: &Described) -> Result<(), Error> {
        let has_rows_alone = !described.config.logits;
        let heads = (self.table.rows.iter().copied().flatten())
            .filter(|row| has_rows_alone && row.ours == "unembedding")
            .map(|row| row.theirs);
        let mut patterns = self.table.passed_over.iter().copied().chain(heads);
        if patterns.any(|pattern| self.fits(pattern, &tensor.name)) {
            return Ok(());
        }
        let rule = format!("is no tensor of a model of {}", described.family);
        let value = format!("{} {}", excerpt(&tensor.dtype), shown(&tensor.shape));
        Err(Error::new(
            Code::NotApplicable,
            excerpt(&tensor.name),
            value,
            rule,
        ))
    }

    /// Whether a pattern, in which `{}` stands for a layer and a `*` at its end for anything, is that of a name.
    fn fits(&self, pattern: &str, name: &str) -> bool {
        let (rest, pattern) = match pattern.strip_prefix('/') {
            Some(pattern) => (Some(name), pattern),
            None => (name.strip_prefix(self.prefix), pattern),
        };
        let Some(rest) = rest else { return false };
        if let Some(beginning) = pattern.strip_suffix('*') {
            return rest.starts_with(beginning);
        }
        let Some((before, after)) = pattern.split_once("{}") else {
            return rest == pattern;
        };
        let layer = rest
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after));
        layer.is_some_and(|layer| {
            !layer.is_empty() && layer.bytes().all(|byte| byte.is_ascii_digit())
        })
    }
}

/// A shape as a refusal repeats it, whatever its length.
fn shown(shape: &[usize]) -> String {
    const MOST: usize = 6;
    match shape.get(..MOST) {
        Some(first) if shape.len() > MOST => {
            format!("{first:?} and {} more axes", shape.len() - MOST)
        }
        _ => format!("{shape:?}"),
    }
}

fn taken(how: How, tensor: usize, spec: &TensorSpec, d_k: usize) -> Taken {
    let (transposed, outputs) = how.places(d_k);
    Taken {
        tensor,
        transposed: transposed && spec.shape.len() == 2,
        outputs,
        plus: f32::from(u8::from(how == How::PlusOne)),
    }
}

fn missing(wanted: &str, spec: &TensorSpec, rows: &[&Row], d_k: usize) -> Error {
    let shape = rows
        .first()
        .and_then(|row| taken(row.how, 0, spec, d_k).shape_in_file(&spec.shape));
    let shape = shape.unwrap_or_else(|| spec.shape.clone());
    let rule = format!("the file must have it, {shape:?}, for {}", spec.name);
    Error::missing(wanted, rule)
}

/// `layers.{}.w_q` and `7` of `layers.7.w_q`.
fn generalized(name: &str) -> (String, Option<&str>) {
    let parts = name
        .strip_prefix("layers.")
        .and_then(|rest| rest.split_once('.'));
    match parts {
        Some((layer, rest)) => (format!("layers.{{}}.{rest}"), Some(layer)),
        None => (name.to_owned(), None),
    }
}
