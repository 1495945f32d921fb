//! Masks: tensors of 0 and 1, kinds, and combinations of masks.

use std::borrow::Cow;

use std::num::NonZeroUsize;

use ndarray::Array4;

use super::fields::Fields;
use super::options::whole;
use super::tensor::{Flags, Tensor};
use app::js_tree::JsTree;
use attention::{Code, Error, ExplicitMask, Mask};

/// Combinations inside combinations, and masks in all: more than any lecture needs, few enough to look at per cell.
const DEEPEST: usize = 8;
const MOST_MASKS: usize = 64;

/// Axes that a mask has to match.
#[derive(Clone, Copy)]
pub(super) struct MaskAxes {
    /// Entries of the batch; `None` where the request has no such axis.
    pub(super) batch: Option<usize>,
    pub(super) heads: usize,
    /// `[n, m]`.
    pub(super) cells: [usize; 2],
}

/// Reads masks for a request.
pub(super) struct MaskReader {
    axes: MaskAxes,
    count: usize,
}

impl MaskReader {
    pub(super) fn new(axes: MaskAxes) -> Self {
        Self { axes, count: 0 }
    }

    /// The mask that `raw` describes.
    pub(super) fn read(&mut self, raw: JsTree) -> Result<Mask, Error> {
        self.at_depth(raw, 0)
    }

    fn at_depth(&mut self, raw: JsTree, depth: usize) -> Result<Mask, Error> {
        self.count += 1;
        if depth > DEEPEST || self.count > MOST_MASKS {
            let rule = format!("at most {MOST_MASKS} masks may be combined, {DEEPEST} levels deep");
            return Err(Error::new(
                Code::TooLarge,
                "mask",
                format!("mask {} at level {depth}", self.count),
                rule,
            ));
        }
        match raw {
            JsTree::List(items) if holds_masks(&items) => self.list(items, depth).map(Mask::All),
            JsTree::Doubles(numbers) if numbers.is_empty() => Ok(Mask::Full),
            JsTree::Record(entries) if entries.iter().any(|(name, _)| name == "any") => {
                self.any(JsTree::Record(entries), depth)
            }
            JsTree::Record(entries)
                if entries
                    .iter()
                    .any(|(name, _)| name == "shape" || name == "data") =>
            {
                self.painted(JsTree::Record(entries))
            }
            JsTree::Record(entries) => kind(entries),
            other => self.painted(other),
        }
    }

    fn list(&mut self, items: Vec<JsTree>, depth: usize) -> Result<Vec<Mask>, Error> {
        items
            .into_iter()
            .map(|item| self.at_depth(item, depth + 1))
            .collect()
    }

    fn any(&mut self, raw: JsTree, depth: usize) -> Result<Mask, Error> {
        let mut fields = Fields::parse("mask", raw, &["any"])?;
        match fields.take("any") {
            Some(JsTree::List(items)) => self.list(items, depth).map(Mask::Any),
            Some(JsTree::Doubles(numbers)) if numbers.is_empty() => Ok(Mask::Any(Vec::new())),
            other => {
                let found = other.unwrap_or(JsTree::Absent).describe();
                Err(Error::new(
                    Code::UnknownOption,
                    "mask.any",
                    found,
                    "must be a list of masks",
                ))
            }
        }
    }

    fn painted(&self, raw: JsTree) -> Result<Mask, Error> {
        let tensor = Tensor::read("mask", raw, Flags::Taken)?;
        check_cells(&tensor.data)?;
        let shape = self.four_axes(&tensor.shape)?;
        let cells = tensor.data.iter().map(|cell| *cell == 1.0).collect();
        let cells = Array4::from_shape_vec(shape, cells).map_err(|_| wrong_axes(&tensor.shape))?;
        Ok(Mask::Painted(ExplicitMask::new(cells)))
    }

    /// `[n, m]` serves all; of three axes the first is the batch where it fits, else the heads.
    fn four_axes(&self, shape: &[usize]) -> Result<[usize; 4], Error> {
        let MaskAxes { batch, heads, .. } = self.axes;
        let (four, axes) = match *shape {
            [n, m] => ([1, 1, n, m], "n, m"),
            [first, n, m] if batch == Some(first) => ([first, 1, n, m], "batch, n, m"),
            [first, n, m] if first == 1 || first == heads => ([1, first, n, m], "heads, n, m"),
            [batch, heads, n, m] if self.axes.batch.is_some() => {
                ([batch, heads, n, m], "batch, heads, n, m")
            }
            _ => return Err(wrong_axes(shape)),
        };
        let [before @ .., _, _] = shape else {
            return Err(wrong_axes(shape));
        };
        if four[2..] != self.axes.cells {
            // The shape as it was given, which a mask of four axes would not tell.
            let wanted = [before, &self.axes.cells].concat();
            return Err(Error::shape("mask", shape, &wanted, axes));
        }
        Ok(four)
    }
}

/// Lists of numbers are painted masks; lists of objects are masks, all of which must allow a cell.
fn holds_masks(items: &[JsTree]) -> bool {
    let is_mask = |item: &JsTree| {
        matches!(
            item,
            JsTree::Record(_) | JsTree::Text(_) | JsTree::TooLarge(_) | JsTree::Other(_)
        )
    };
    let is_list = |item: &JsTree| matches!(item, JsTree::List(inner) if holds_masks(inner));
    items.iter().any(|item| is_mask(item) || is_list(item))
}

fn wrong_axes(shape: &[usize]) -> Error {
    let rule =
        "must be [n, m], [heads, n, m], or with a batch [batch, n, m] or [batch, heads, n, m]";
    Error::new(Code::ShapeMismatch, "mask", format!("{shape:?}"), rule)
}

fn check_cells(cells: &[f32]) -> Result<(), Error> {
    let Some((index, cell)) = cells
        .iter()
        .enumerate()
        .find(|(_, cell)| **cell != 0.0 && **cell != 1.0)
    else {
        return Ok(());
    };
    let code = if cell.is_finite() {
        Code::UnknownOption
    } else {
        Code::NotFinite
    };
    let rule = format!(
        "every cell must be 0 (hidden) or 1 (visible), but the one at index {index} is not"
    );
    Err(Error::new(code, "mask", cell, rule))
}

fn kind(entries: Vec<(Cow<'static, str>, JsTree)>) -> Result<Mask, Error> {
    let name = entries
        .iter()
        .find(|(name, _)| name == "kind")
        .map(|(_, value)| value.clone());
    match &name {
        Some(JsTree::Text(text)) => match text.as_str() {
            "causal" => {
                Fields::parse("mask", JsTree::Record(entries), &["kind"]).map(|_| Mask::Causal)
            }
            "padding" => parameter(entries, "valid", 0).map(|valid| Mask::Padding { valid }),
            "padded_queries" => {
                parameter(entries, "valid", 0).map(|valid| Mask::PaddedQueries { valid })
            }
            "local" => parameter(entries, "window", 0).map(|window| Mask::Local { window }),
            "strided" => parameter(entries, "stride", 1).map(|stride| Mask::Strided {
                stride: NonZeroUsize::new(stride).unwrap_or(NonZeroUsize::MIN),
            }),
            _ => Err(unknown_kind(&JsTree::Text(text.clone()))),
        },
        None | Some(JsTree::Absent) => {
            Fields::parse(
                "mask",
                JsTree::Record(entries),
                &["kind", "any", "shape", "data"],
            )?;
            Err(Error::missing(
                "mask.kind",
                "a mask is a tensor, a list, { any: […] } or has a kind",
            ))
        }
        Some(other) => Err(unknown_kind(other)),
    }
}

fn unknown_kind(found: &JsTree) -> Error {
    let rule = "must be one of \"causal\", \"padding\", \"padded_queries\", \"local\", \"strided\"";
    Error::new(Code::UnknownOption, "mask.kind", found.describe(), rule)
}

/// The one parameter of a kind, a whole number of at least `least`.
fn parameter(
    entries: Vec<(Cow<'static, str>, JsTree)>,
    name: &'static str,
    least: usize,
) -> Result<usize, Error> {
    let mut fields = Fields::parse("mask", JsTree::Record(entries), &["kind", name])?;
    let field = fields.name(name);
    let raw = fields
        .take(name)
        .ok_or_else(|| Error::missing(&field, "this kind of mask needs it"))?;
    whole(&field, &raw, least, Code::UnknownOption)
}
