//! The tensors of a model on the device, line by line as the model gives them.

use std::rc::Rc;

use super::recorder::{Recorder, Rows};
use crate::tensor::{Tensor, vectors};
use crate::{Gpu, GpuError};
use model::{Model, Slot};

/// Numbers that are uploaded at a time.
const PIECE: usize = 1 << 20;

/// Every tensor of a model.
pub(super) struct Numbers {
    tensors: Vec<Rows>,
    /// Whether a line is a column.
    by_columns: Vec<bool>,
}

impl Numbers {
    /// Uploads all numbers.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] for a tensor beyond what kernels can be given; those of the device.
    pub(super) async fn upload(gpu: &Gpu, model: &Model) -> Result<Self, GpuError> {
        let mut recorder = Recorder::new(gpu);
        // Errors of what follows are caught with the first submission.
        recorder.batch();
        let count = model.tensors().len();
        let tensors = (0..count).map(|tensor| {
            let [lines, width] = model.line_shape(tensor);
            let room = recorder.rows(lines, width)?;
            upload(gpu, &room, |which, out| model.lines(tensor, which, out));
            Ok(room)
        });
        let tensors = tensors.collect::<Result<Vec<_>, GpuError>>()?;
        recorder.finish().await?;
        Ok(Self {
            tensors,
            by_columns: (0..count).map(|tensor| model.has_columns(tensor)).collect(),
        })
    }

    /// The same model with other tensors.
    pub(super) fn with(&self, tensors: Vec<Rows>) -> Self {
        Self {
            tensors,
            by_columns: self.by_columns.clone(),
        }
    }

    pub(super) fn all(&self) -> &[Rows] {
        &self.tensors
    }

    pub(super) fn of(&self, slot: Slot) -> &Rows {
        &self.tensors[slot.tensor]
    }

    pub(super) fn has_columns(&self, slot: Slot) -> bool {
        self.by_columns[slot.tensor]
    }
}

/// Fills rows from the host, a piece at a time. `lines` writes some of them one after the other.
fn upload(gpu: &Gpu, room: &Tensor, lines: impl Fn(std::ops::Range<usize>, &mut [f32])) {
    let (width, stride) = (room.width, 4 * vectors(room.width));
    let each = (PIECE / stride.max(1)).max(1);
    let (mut given, mut padded) = (Vec::new(), Vec::new());
    for first in (0..room.rows).step_by(each) {
        let which = first..(first + each).min(room.rows);
        given.resize(which.len() * width, 0.0);
        lines(which, &mut given);
        padded.clear();
        for line in given.chunks_exact(width.max(1)) {
            padded.extend_from_slice(line);
            padded.resize(padded.len().next_multiple_of(4), 0.0);
        }
        let offset = 4 * (first * stride) as u64;
        gpu.write_at(&room.buffer, offset, &padded);
    }
}

/// Rows of numbers that all are on the host, tensor by tensor as `like` are.
pub(super) fn uploaded(gpu: &Gpu, like: &[Rows], numbers: &[f32]) -> Vec<Rows> {
    let mut rest = numbers;
    let mut one = |like: &Rows| {
        let (own, others) = rest.split_at(like.rows * like.width);
        rest = others;
        let room = Tensor::new(gpu, like.rows, like.width);
        upload(gpu, &room, |which, out| {
            out.copy_from_slice(&own[which.start * like.width..which.end * like.width]);
        });
        Rc::new(room)
    };
    like.iter().map(&mut one).collect()
}
