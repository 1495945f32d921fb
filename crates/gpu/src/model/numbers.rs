//! The tensors of a model on the device, line by line as the model gives them, or as they are stored.

use std::ops::Range;
use std::rc::Rc;

use super::recorder::{Recorder, Rows};
use crate::pool::Buffer;
use crate::tensor::{Tensor, vectors};
use crate::uniforms::Lines;
use crate::{Gpu, GpuError, Kernel};
use model::{Blocks, Model, Slot, StoredNumbers};

/// Numbers that are uploaded at a time.
const PIECE: usize = 1 << 20;

/// Every tensor of a model.
pub(super) struct Numbers {
    tensors: Vec<DeviceTensor>,
    /// Whether a line is a column.
    by_columns: Vec<bool>,
}

/// A tensor as it lies on the device.
enum DeviceTensor {
    /// In 32 bits.
    Wide(Rows),
    /// In blocks, which are widened whenever it is used.
    Stored(Stored),
}

struct Stored {
    bytes: Buffer,
    blocks: Blocks,
    lines: usize,
    width: usize,
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
        let held = |tensor: usize| match stored(&recorder, model, tensor)? {
            Some(stored) => Ok(DeviceTensor::Stored(stored)),
            None => {
                let [lines, width] = model.line_shape(tensor);
                let room = recorder.rows(lines, width)?;
                upload(gpu, &room, |which, out| model.lines(tensor, which, out));
                Ok(DeviceTensor::Wide(room))
            }
        };
        let tensors = (0..count).map(held).collect::<Result<_, GpuError>>()?;
        recorder.finish().await?;
        Ok(Self {
            tensors,
            by_columns: (0..count).map(|tensor| model.has_columns(tensor)).collect(),
        })
    }

    /// Takes other tensors of the same shapes, all of 32 bits.
    pub(super) fn set(&mut self, tensors: Vec<Rows>) {
        self.tensors = tensors.into_iter().map(DeviceTensor::Wide).collect();
    }

    /// The tensors of a model that learns, which has all numbers in 32 bits.
    pub(super) fn all(&self) -> impl Iterator<Item = &Rows> {
        self.tensors.iter().filter_map(|held| match held {
            DeviceTensor::Wide(rows) => Some(rows),
            DeviceTensor::Stored(_) => None,
        })
    }

    /// The lines of a tensor in 32 bits.
    pub(super) fn of(&self, recorder: &mut Recorder, slot: Slot) -> Result<Rows, GpuError> {
        match &self.tensors[slot.tensor] {
            DeviceTensor::Wide(rows) => Ok(rows.clone()),
            DeviceTensor::Stored(stored) => stored.widened(recorder),
        }
    }

    pub(super) fn has_columns(&self, slot: Slot) -> bool {
        self.by_columns[slot.tensor]
    }
}

impl Stored {
    fn widened(&self, recorder: &mut Recorder) -> Result<Rows, GpuError> {
        let wide = recorder.rows(self.lines, self.width)?;
        let uniform = Lines {
            count: (wide.rows * wide.stride()) as u32,
            columns: self.width as u32,
            stride: wide.stride() as u32,
            kind: self.blocks.id,
            heads: self.blocks.length as u32,
            rows: self.blocks.bytes as u32,
            other: line_bytes(self.blocks, self.width) as u32,
            ..Lines::default()
        };
        let extent = [u64::from(uniform.count), 1, 1];
        let batch = recorder.batch();
        batch.dispatch(Kernel::Widen, uniform, &[&self.bytes, &wide.buffer], extent)?;
        Ok(wide)
    }
}

fn line_bytes(blocks: Blocks, width: usize) -> usize {
    width / blocks.length * blocks.bytes
}

/// A tensor in the blocks that it is stored in, where that is less than 32 bits a number.
fn stored(recorder: &Recorder, model: &Model, tensor: usize) -> Result<Option<Stored>, GpuError> {
    let Some((numbers, blocks)) = model.stored_numbers().and_then(|numbers| {
        let blocks = numbers.blocks(tensor)?;
        (blocks.bytes < 4 * blocks.length).then_some((numbers, blocks))
    }) else {
        return Ok(None);
    };
    let [lines, width] = model.line_shape(tensor);
    let needs = (lines * line_bytes(blocks, width)).next_multiple_of(4);
    let bytes = recorder.storage(needs as u64)?;
    upload_bytes(recorder.gpu(), &bytes, (numbers, tensor), lines);
    Ok(Some(Stored {
        bytes,
        blocks,
        lines,
        width,
    }))
}

/// Pieces begin where the one before them ends, at a whole word.
fn upload_bytes(
    gpu: &Gpu,
    room: &Buffer,
    (numbers, tensor): (&dyn StoredNumbers, usize),
    lines: usize,
) {
    let (mut offset, mut waiting) = (0, Vec::new());
    let mut first = 0;
    while first < lines {
        // As many as come to the size of a piece, if one line does not.
        while first < lines && waiting.len() < PIECE {
            numbers.line_bytes(tensor, first..first + 1, &mut waiting);
            first += 1;
        }
        if first == lines {
            waiting.resize(waiting.len().next_multiple_of(4), 0);
        }
        let whole = waiting.len() / 4 * 4;
        gpu.write_at(room, offset, &waiting[..whole]);
        offset += whole as u64;
        waiting.drain(..whole);
    }
}

/// Fills rows from the host, a piece at a time. `lines` writes some of them one after the other.
fn upload(gpu: &Gpu, room: &Tensor, lines: impl Fn(Range<usize>, &mut [f32])) {
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
pub(super) fn uploaded<'a>(
    gpu: &Gpu,
    like: impl Iterator<Item = &'a Rows>,
    numbers: &[f32],
) -> Vec<Rows> {
    let mut rest = numbers;
    let one = |like: &Rows| {
        let (own, others) = rest.split_at(like.rows * like.width);
        rest = others;
        let room = Tensor::new(gpu, like.rows, like.width);
        upload(gpu, &room, |which, out| {
            out.copy_from_slice(&own[which.start * like.width..which.end * like.width]);
        });
        Rc::new(room)
    };
    like.map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::{Blocks, line_bytes};

    #[test]
    fn a_line_is_whole_blocks() {
        let blocks = Blocks {
            id: 8,
            length: 32,
            bytes: 34,
        };
        assert_eq!(line_bytes(blocks, 96), 102);
        assert_eq!(
            line_bytes(
                Blocks {
                    length: 1,
                    bytes: 2,
                    ..blocks
                },
                7
            ),
            14
        );
    }
}
