//! Looks numbers up in the matrices of a run.

use super::{CellRef, Derivation, Explanation, Operand};
use crate::present::steps;
use crate::present::steps::{Matrix, Numbers};
use crate::state::StepKind;
use crate::state::steps::adds_mask;
use attention::plan::Side;
use attention::{CellIndex, Config, InputKind, Linear, Position, Scoring, Source, kv_head_of};

/// The numbers of a run, and which step reads which.
pub(super) struct Book<'a> {
    pub numbers: &'a Numbers<'a>,
}

/// One step's matrix, whose numbers know where they stand.
pub(super) struct Page<'a> {
    step: StepKind,
    matrix: Matrix<'a>,
}

impl<'a> Book<'a> {
    pub(super) fn new(numbers: &'a Numbers<'a>) -> Self {
        Self { numbers }
    }

    pub(super) fn config(&self) -> &'a Config {
        self.numbers.request.config()
    }

    pub(super) fn open(&self, step: StepKind) -> Option<Page<'a>> {
        let matrix = steps::matrix(step, self.numbers)?;
        Some(Page { step, matrix })
    }

    /// One number of a step.
    pub(super) fn operand(&self, step: StepKind, row: usize, column: usize) -> Option<Operand> {
        let value = self.numbers.at(step, row, column)?;
        Some(Operand {
            value: f64::from(value),
            place: Some(CellRef { step, row, column }),
        })
    }

    /// An explanation of a cell that is there, with nothing said yet.
    pub(super) fn begin(&self, place: CellRef, way: Derivation) -> Option<Explanation> {
        let computed = self.numbers.at(place.step, place.row, place.column)?;
        Some(Explanation::new(place, way, computed))
    }

    /// Step whose rows queries, or keys and values, are projected from.
    pub(super) fn inputs(&self, is_keys: bool) -> StepKind {
        match self.config().input {
            InputKind::CrossAttention if is_keys => StepKind::Source,
            _ if self.numbers.learned.is_some() => StepKind::Normed,
            _ => StepKind::Input,
        }
    }

    /// The position of a row of one side.
    pub(super) fn position(&self, side: Side, row: usize) -> i64 {
        self.numbers.request.call().places.of(side, 0, row)
    }

    /// The position of the first row of the encoding.
    pub(super) fn first_place(&self) -> i64 {
        self.numbers.request.call().places.first()
    }

    fn is_rotary(&self) -> bool {
        self.config().position.rotation().is_some()
    }

    /// The queries that the scores read.
    pub(super) fn queries(&self) -> StepKind {
        if self.is_rotary() {
            StepKind::RotatedQueries
        } else {
            StepKind::Queries
        }
    }

    /// The keys before Linformer.
    pub(super) fn long_keys(&self) -> StepKind {
        if self.is_rotary() {
            StepKind::RotatedKeys
        } else {
            StepKind::Keys
        }
    }

    /// The keys that the scores read.
    pub(super) fn keys(&self) -> StepKind {
        if self.config().linformer {
            StepKind::ShortKeys
        } else {
            self.long_keys()
        }
    }

    /// The values that are weighted.
    pub(super) fn values(&self) -> StepKind {
        if self.config().linformer {
            StepKind::ShortValues
        } else {
            StepKind::Values
        }
    }

    /// The scores that ALiBi takes its bias off.
    pub(super) fn unbiased(&self) -> StepKind {
        let config = self.config();
        if config.scoring == Scoring::Dot && config.scale != 1.0 {
            StepKind::Scaled
        } else {
            StepKind::Scores
        }
    }

    /// The scores before the mask.
    pub(super) fn unmasked(&self) -> StepKind {
        match self.config().position {
            Position::Alibi { .. } => StepKind::Biased,
            _ => self.unbiased(),
        }
    }

    /// The scores that the softmax reads.
    pub(super) fn scores(&self) -> StepKind {
        let config = self.config();
        if (config.masked && !config.mask_after) || adds_mask(config) {
            StepKind::Masked
        } else {
            self.unmasked()
        }
    }

    /// W_Q, W_K, W_V with the column that `column` of the chosen head has in it.
    pub(super) fn projection(&self, step: StepKind, column: usize) -> Option<(&'a Linear, usize)> {
        let Source::Layer { layer, .. } = self.numbers.request.source() else {
            return None;
        };
        let (sizes, head) = (self.numbers.request.sizes(), self.numbers.head);
        let kv_head = kv_head_of(head, sizes.heads, sizes.kv_heads);
        let weights = &layer.weights();
        Some(match step {
            StepKind::Queries => (&weights.query, head * sizes.d_k + column),
            StepKind::Keys => (&weights.key, kv_head * sizes.d_k + column),
            _ => (&weights.value, kv_head * sizes.d_v + column),
        })
    }

    pub(super) fn is_visible(&self, query: usize, key: usize) -> bool {
        let head = self.numbers.head;
        let at = CellIndex {
            batch: 0,
            head,
            query,
            key,
        };
        self.numbers.request.call().mask.visible(at)
    }
}

impl Page<'_> {
    pub(super) fn operand(&self, row: usize, column: usize) -> Option<Operand> {
        let step = self.step;
        Some(Operand {
            value: f64::from(self.matrix.at(row, column)?),
            place: Some(CellRef { step, row, column }),
        })
    }

    /// A row, from its first column to its last.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = Operand> {
        (0..self.matrix.columns).map_while(move |column| self.operand(row, column))
    }

    /// A column, from its first row to its last.
    pub(super) fn column(&self, column: usize) -> impl Iterator<Item = Operand> {
        (0..self.matrix.rows).map_while(move |row| self.operand(row, column))
    }
}
