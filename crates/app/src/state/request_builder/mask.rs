//! The mask of a state.

use std::num::NonZeroUsize;

use ndarray::Array4;

use super::{lengths, own_rule};
use crate::state::{Alignment, Hiding, ImportedData, MaskPart, Painting, State};
use attention::{Bias, CellIndex, ExplicitMask, Mask};

/// The mask of a state over `keys` columns: what is painted, and elsewhere what [`structured`] says. Linformer's columns
/// are no positions, so no mask applies to them.
pub fn mask(state: &State, keys: usize) -> Mask {
    mask_of_shape(state, (lengths(state).0, keys))
}

/// The same over so many rows and columns.
pub(super) fn mask_of_shape(state: &State, shape: (usize, usize)) -> Mask {
    MaskKey::new(state, shape).mask()
}

/// Everything that a mask is made from: equal keys make equal masks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MaskKey {
    rule: Mask,
    cells: Option<CellsKey>,
}

/// What is worked out cell by cell, on a map of so many rows and columns.
#[derive(Clone, Debug, PartialEq)]
struct CellsKey {
    /// A rule in words, which must allow a cell as well.
    words: String,
    /// Cells painted over both.
    paint: Painting,
    shape: (usize, usize),
}

impl MaskKey {
    /// For a map of so many rows and columns.
    pub(super) fn new(state: &State, shape: (usize, usize)) -> Self {
        let is_causal = state.imported.as_ref().is_some_and(ImportedData::is_causal);
        if state.linformer || is_causal {
            let rule = if state.linformer {
                Mask::Full
            } else {
                Mask::Causal
            };
            return Self { rule, cells: None };
        }
        let has_cells = !state.rule.is_empty() || is_on_map(&state.paint, shape);
        Self {
            rule: without_words(state, shape),
            cells: has_cells.then(|| CellsKey {
                words: state.rule.clone(),
                paint: state.paint.clone(),
                shape,
            }),
        }
    }

    /// Whether cells are worked out, each of which the mask may then hold.
    pub(super) fn has_cells(&self) -> bool {
        self.cells.is_some()
    }

    pub(super) fn mask(&self) -> Mask {
        let Some(CellsKey {
            words,
            paint,
            shape,
        }) = &self.cells
        else {
            return self.rule.clone();
        };
        let rule = with_words(self.rule.clone(), words, *shape);
        if !is_on_map(paint, *shape) {
            return rule;
        }
        let cells = Array4::from_shape_fn((1, 1, shape.0, shape.1), |(_, _, query, key)| {
            let painted = paint.at(query, key);
            painted.unwrap_or_else(|| is_visible(&rule, query, key))
        });
        Mask::Painted(ExplicitMask::new(cells))
    }

    /// Numbers of 32 bits that the cells take.
    pub(super) fn length(&self) -> usize {
        let cells = self.cells.as_ref();
        cells.map_or(0, |cells| cells.shape.0 * cells.shape.1 / 4)
    }
}

/// Whether any painted cell lies on a map of so many rows and columns.
fn is_on_map(paint: &Painting, (queries, keys): (usize, usize)) -> bool {
    paint
        .iter()
        .any(|(query, mut at, _)| query < queries && at.next().is_some_and(|key| key < keys))
}

/// The structured mask and the rule in words, without what is painted, for a map of so many rows and columns.
pub fn ruled(state: &State, shape: (usize, usize)) -> Mask {
    with_words(without_words(state, shape), &state.rule, shape)
}

/// The structured mask where the queries of such a map stand.
fn without_words(state: &State, shape: (usize, usize)) -> Mask {
    clipped(structured(state), shape).from_place(query_start(state, shape))
}

/// A mask whose cells a rule in words must allow as well.
fn with_words(mask: Mask, words: &str, shape: (usize, usize)) -> Mask {
    if words.is_empty() {
        return mask;
    }
    let own = own_rule(words, shape).unwrap_or_default();
    let all = [mask, own].into_iter().filter(|mask| !mask.is_full());
    one_or(all.collect(), Mask::All)
}

/// The structured mask, without what is painted: causal and padding each hide what they hide; where local or strided is
/// on, a key is visible that either of them shows, or that is among the first where those are kept. First tokens alone
/// hide nothing.
pub fn structured(state: &State) -> Mask {
    let is_on = |part| state.masks.contains(part);
    let shows = |part| match part {
        MaskPart::Local => Some(Mask::Local {
            window: state.window,
        }),
        MaskPart::Strided => NonZeroUsize::new(state.stride).map(|stride| Mask::Strided { stride }),
        MaskPart::First => Some(Mask::Padding { valid: state.first }),
        MaskPart::Causal | MaskPart::Padding => None,
    };
    let is_sparse = is_on(MaskPart::Local) || is_on(MaskPart::Strided);
    let any = state.masks.iter().filter_map(shows).collect();
    let all = [
        is_on(MaskPart::Causal).then_some(Mask::Causal),
        is_on(MaskPart::Padding).then_some(Mask::Padding { valid: state.valid }),
        pads_rows(state).then_some(Mask::PaddedQueries { valid: state.valid }),
        is_sparse.then(|| one_or(any, Mask::Any)),
    ];
    one_or(all.into_iter().flatten().collect(), Mask::All)
}

/// Where the first of `n` queries stands among `m` keys.
pub fn query_start(state: &State, (n, m): (usize, usize)) -> i64 {
    match state.alignment {
        Alignment::First => 0,
        Alignment::Last => m as i64 - n as i64,
    }
}

/// Whether rows of padded tokens are hidden: queries of another text are not padded as keys are.
pub fn pads_rows(state: &State) -> bool {
    state.pad_rows && state.masks.contains(MaskPart::Padding) && state.second.is_none()
}

/// Whether a cell of the first head is visible.
pub fn is_visible(mask: &Mask, query: usize, key: usize) -> bool {
    let (batch, head) = (0, 0);
    mask.visible(CellIndex {
        batch,
        head,
        query,
        key,
    })
}

/// Whether a mask is added to the scores, so that nothing is hidden.
pub fn is_added(state: &State, mask: &Mask) -> bool {
    state.hiding == Hiding::Added && !state.linformer && !mask.is_full()
}

/// A mask as numbers that are added to the scores of all heads, `[1, 1, n, m]`: 1 where it shows, 0 where it hides.
pub(super) fn as_bias(mask: &Mask, (n, m): (usize, usize)) -> Bias {
    Bias::new(Array4::from_shape_fn((1, 1, n, m), |(_, _, query, key)| {
        f32::from(u8::from(is_visible(mask, query, key)))
    }))
}

/// A mask alone, or several joined; none hides nothing.
fn one_or(mut masks: Vec<Mask>, join: fn(Vec<Mask>) -> Mask) -> Mask {
    match masks.len() {
        0 => Mask::Full,
        1 => masks.remove(0),
        _ => join(masks),
    }
}

/// The same mask with no valid length beyond the last query or key, which hides nothing more.
fn clipped(mask: Mask, (queries, keys): (usize, usize)) -> Mask {
    let all = |masks: Vec<Mask>| {
        let masks = masks.into_iter();
        masks.map(|mask| clipped(mask, (queries, keys))).collect()
    };
    match mask {
        Mask::PaddedQueries { valid } => Mask::PaddedQueries {
            valid: valid.min(queries),
        },
        Mask::Padding { valid } => Mask::Padding {
            valid: valid.min(keys),
        },
        Mask::All(masks) => Mask::All(all(masks)),
        Mask::Any(masks) => Mask::Any(all(masks)),
        other => other,
    }
}
