//! Masks: tensors of 0 and 1, kinds, and combinations of masks.

use std::borrow::Cow;
use std::fmt::Display;

use std::num::NonZeroUsize;

use ndarray::{Array2, Array4};

use super::fields::Fields;
use super::options::{named, whole};
use super::tensor::{Flags, Tensor};
use app::js_tree::{JsTree, clip};
use attention::{Code, Documents, Error, ExplicitMask, Mask};
use masks::Axes;
use masks::rule::{MaskError, parse};

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
    /// Where the first query stands among the keys, for masks of a kind.
    pub(super) query_start: i64,
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
            JsTree::Record(entries) if entries.iter().any(|(name, _)| name == "rule") => {
                self.rule(JsTree::Record(entries))
            }
            JsTree::Record(entries)
                if entries
                    .iter()
                    .any(|(name, _)| name == "shape" || name == "data") =>
            {
                self.painted(JsTree::Record(entries))
            }
            JsTree::Record(entries) => {
                let mask = self.kind(entries)?;
                Ok(mask.from_place(self.axes.query_start))
            }
            other => self.painted(other),
        }
    }

    /// `{ rule }`, a rule in words, which counts rows from 0 wherever queries stand.
    fn rule(&self, raw: JsTree) -> Result<Mask, Error> {
        let mut fields = Fields::parse("mask", raw, &["rule"])?;
        let text = match fields.take("rule") {
            Some(JsTree::Text(text)) => text,
            other => {
                let found = other.unwrap_or(JsTree::Absent).describe();
                let rule = "must be a text such as \"causal and window 2\"";
                return Err(Error::new(Code::UnknownOption, "mask.rule", found, rule));
            }
        };
        let refused = |code, error: &dyn Display| {
            Err(Error::new(
                code,
                "mask.rule",
                format!("\"{}\"", clip(&text)),
                error.to_string(),
            ))
        };
        let [n, m] = self.axes.cells;
        let axes = Axes {
            batch: self.axes.batch.unwrap_or(1),
            heads: self.axes.heads,
            n,
            m,
        };
        let rule = match parse(&text) {
            Ok(rule) => rule,
            Err(error) => return refused(Code::UnknownOption, &error),
        };
        match rule.mask(&axes) {
            Ok(mask) => Ok(mask),
            Err(error @ (MaskError::TooManyCells { .. } | MaskError::TooManySteps { .. })) => {
                refused(Code::TooLarge, &error)
            }
            Err(error) => refused(Code::ShapeMismatch, &error),
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
        check_cells("mask", &tensor.data)?;
        let shape = self.four_axes(&tensor.shape)?;
        let cells = tensor.data.iter().map(|cell| *cell == 1.0).collect();
        let cells = Array4::from_shape_vec(shape, cells).map_err(|_| wrong_axes(&tensor.shape))?;
        Ok(Mask::Painted(ExplicitMask::new(cells)))
    }

    /// `[n, m]` serves all; of three axes the first is the batch where it fits, else the heads. Any axis may be 1.
    fn four_axes(&self, shape: &[usize]) -> Result<[usize; 4], Error> {
        let MaskAxes { batch, heads, .. } = self.axes;
        let (four, axes) = match *shape {
            [n, m] => ([1, 1, n, m], "n, m"),
            [first, n, m] if batch == Some(first) => ([first, 1, n, m], "batch, n, m"),
            [first, n, m] if first == 1 || first == heads => ([1, first, n, m], "heads, n, m"),
            [batch, heads, n, m] if batch == 1 || self.axes.batch.is_some() => {
                ([batch, heads, n, m], "batch, heads, n, m")
            }
            _ => return Err(wrong_axes(shape)),
        };
        let [before @ .., _, _] = shape else {
            return Err(wrong_axes(shape));
        };
        let mut cells = four[2..].iter().zip(&self.axes.cells);
        if !cells.all(|(found, wanted)| *found == 1 || found == wanted) {
            // The shape as it was given, which a mask of four axes would not tell.
            let wanted = [before, &self.axes.cells].concat();
            return Err(Error::shape("mask", shape, &wanted, axes));
        }
        Ok(four)
    }

    /// A mask of one kind.
    fn kind(&self, entries: Vec<(Cow<'static, str>, JsTree)>) -> Result<Mask, Error> {
        let name = entries
            .iter()
            .find(|(name, _)| name == "kind")
            .map(|(_, value)| value.clone());
        let raw = JsTree::Record(entries);
        match &name {
            Some(JsTree::Text(text)) => match text.as_str() {
                "causal" => Fields::parse("mask", raw, &["kind"]).map(|_| Mask::Causal),
                "padding" => self.padding(raw),
                "key_padding" => self.key_padding(raw),
                "padded_queries" => {
                    parameter(raw, "valid", 0).map(|valid| Mask::PaddedQueries { valid })
                }
                "local" => parameter(raw, "window", 0).map(|window| Mask::Local { window }),
                "strided" => parameter(raw, "stride", 1).map(|stride| Mask::Strided {
                    stride: NonZeroUsize::new(stride).unwrap_or(NonZeroUsize::MIN),
                }),
                "prefix" => parameter(raw, "length", 0).map(|length| Mask::Prefix { length }),
                "documents" => documents(raw),
                _ => Err(unknown_kind(&JsTree::Text(text.clone()))),
            },
            None | Some(JsTree::Absent) => {
                Fields::parse("mask", raw, &["kind", "any", "rule", "shape", "data"])?;
                Err(Error::missing(
                    "mask.kind",
                    "a mask is a tensor, a list, { any: […] }, { rule } or has a kind",
                ))
            }
            Some(other) => Err(unknown_kind(other)),
        }
    }

    /// `{ valid, side }`: how many keys are real, for all batch entries or each, and on which side the others are.
    fn padding(&self, raw: JsTree) -> Result<Mask, Error> {
        let mut fields = Fields::parse("mask", raw, &["kind", "valid", "side"])?;
        let sides = [("right", false), ("left", true)];
        let is_left = fields
            .take("side")
            .map_or(Ok(false), |raw| named("mask.side", &raw, &sides))?;
        let valid = fields
            .take("valid")
            .ok_or_else(|| Error::missing("mask.valid", "this kind of mask needs it"))?;
        let m = self.axes.cells[1];
        if let JsTree::Number(_) = valid {
            let valid = whole("mask.valid", &valid, 0, Code::UnknownOption)?;
            return match m.checked_sub(valid) {
                Some(padded) if is_left => Ok(Mask::LeftPadding { padded }),
                // Too many are refused where the request is made, in the words for all paddings.
                _ => Ok(Mask::Padding { valid }),
            };
        }
        let valid = lengths("mask.valid", valid)?;
        let batch = self.axes.batch.unwrap_or(1);
        if valid.len() != batch {
            let axes = "batch";
            return Err(Error::shape("mask.valid", &[valid.len()], &[batch], axes));
        }
        if let Some(more) = valid.iter().find(|valid| **valid > m) {
            let rule = format!("must be at most the number of keys, m = {m}");
            return Err(Error::new(Code::ShapeMismatch, "mask.valid", more, rule));
        }
        let sees = |(entry, key): (usize, usize)| {
            if is_left {
                key >= m - valid[entry]
            } else {
                key < valid[entry]
            }
        };
        Ok(self.of_keys(&Array2::from_shape_fn((batch, m), sees)))
    }

    /// `{ visible }` or `{ hidden }`: for each key whether it is seen, `[m]` or `[batch, m]`; the name says what 1 means.
    fn key_padding(&self, raw: JsTree) -> Result<Mask, Error> {
        let mut fields = Fields::parse("mask", raw, &["kind", "visible", "hidden"])?;
        let (field, raw, one_shows) = match (fields.take("visible"), fields.take("hidden")) {
            (Some(raw), None) => ("mask.visible", raw, true),
            (None, Some(raw)) => ("mask.hidden", raw, false),
            (Some(_), Some(_)) => {
                let rule = "give either visible or hidden";
                let code = Code::NotApplicable;
                return Err(Error::new(code, "mask.hidden", "both", rule));
            }
            (None, None) => {
                let rule = "key padding says with visible or hidden what 1 means";
                return Err(Error::missing("mask.visible", rule));
            }
        };
        let mut tensor = Tensor::read(field, raw, Flags::Taken)?;
        check_cells(field, &tensor.data)?;
        if tensor.shape.len() == 1 {
            tensor.shape.insert(0, 1);
        }
        let (batch, m) = (self.axes.batch.unwrap_or(1), self.axes.cells[1]);
        let axes = "batch, m; the batch may be left out";
        let keys = tensor.into_array::<2, _>(axes)?;
        if keys.ncols() != m || (keys.nrows() != 1 && keys.nrows() != batch) {
            return Err(Error::shape(field, keys.shape(), &[batch, m], axes));
        }
        Ok(self.of_keys(&keys.mapv(|one| (one == 1.0) == one_shows)))
    }

    /// Keys that every query of a batch entry sees, `[batch or 1, m]`.
    fn of_keys(&self, keys: &Array2<bool>) -> Mask {
        let (batch, m) = keys.dim();
        let cells =
            Array4::from_shape_fn((batch, 1, 1, m), |(entry, _, _, key)| keys[[entry, key]]);
        Mask::Painted(ExplicitMask::new(cells))
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
    let rule = "must be [n, m], [heads, n, m], or with a batch [batch, n, m] or [batch, heads, n, m]; any axis may be 1";
    Error::new(Code::ShapeMismatch, "mask", format!("{shape:?}"), rule)
}

fn check_cells(field: &str, cells: &[f32]) -> Result<(), Error> {
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
    Err(Error::new(code, field, cell, rule))
}

/// `{ lengths }` of documents that stand one after the other.
fn documents(raw: JsTree) -> Result<Mask, Error> {
    let mut fields = Fields::parse("mask", raw, &["kind", "lengths"])?;
    let raw = fields
        .take("lengths")
        .ok_or_else(|| Error::missing("mask.lengths", "this kind of mask needs it"))?;
    let lengths = lengths("mask.lengths", raw)?;
    Ok(Mask::Documents(Documents::new(lengths)))
}

/// A list of lengths.
fn lengths(field: &'static str, raw: JsTree) -> Result<Vec<usize>, Error> {
    let tensor = Tensor::read(field, raw, Flags::Refused)?;
    let list = tensor.into_array::<1, _>("a list of lengths")?;
    let one = |length: &f32| {
        let raw = JsTree::Number(f64::from(*length));
        whole(field, &raw, 0, Code::UnknownOption)
    };
    list.iter().map(one).collect()
}

fn unknown_kind(found: &JsTree) -> Error {
    let rule = "must be one of \"causal\", \"padding\", \"key_padding\", \"padded_queries\", \"local\", \"strided\", \"prefix\", \"documents\"";
    Error::new(Code::UnknownOption, "mask.kind", found.describe(), rule)
}

/// The one parameter of a kind, a whole number of at least `least`.
fn parameter(raw: JsTree, name: &'static str, least: usize) -> Result<usize, Error> {
    let mut fields = Fields::parse("mask", raw, &["kind", name])?;
    let field = fields.name(name);
    let raw = fields
        .take(name)
        .ok_or_else(|| Error::missing(&field, "this kind of mask needs it"))?;
    whole(&field, &raw, least, Code::UnknownOption)
}
