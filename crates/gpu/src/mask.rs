//! A mask for the device: a program in postfix order, and painted cells as bits.

use crate::pool::{Buffer, Use};
use crate::results::Tile;
use crate::{Gpu, GpuError};
use attention::{CellIndex, ExplicitMask, Mask, Sizes};

/// Operation codes of a mask program, as in `mask.wgsl`.
mod code {
    pub(super) const NOTHING: u32 = 0;
    pub(super) const EVERYTHING: u32 = 1;
    pub(super) const CAUSAL: u32 = 2;
    pub(super) const PADDING: u32 = 3;
    pub(super) const LOCAL: u32 = 4;
    pub(super) const STRIDED: u32 = 5;
    pub(super) const PAINTED: u32 = 6;
    pub(super) const BOTH: u32 = 7;
    pub(super) const EITHER: u32 = 8;
    pub(super) const PADDED_QUERIES: u32 = 9;
    pub(super) const LEFT_PADDING: u32 = 10;
    pub(super) const PREFIX: u32 = 11;
}

/// Answers that fit on the stack of the kernel.
const DEEPEST: usize = 32;

/// A mask on the device.
pub(super) struct DeviceMask {
    pub(super) program: Buffer,
    pub(super) painted: Buffer,
    /// Steps of the program.
    pub(super) operations: usize,
    /// Whether heads or batch entries differ.
    pub(super) has_slices: bool,
}

/// Words of 32 cells in a row.
pub(super) fn words(keys: usize) -> usize {
    keys.div_ceil(32)
}

impl DeviceMask {
    pub(super) fn new(gpu: &Gpu, mask: &Mask, sizes: &Sizes) -> Result<Self, GpuError> {
        let mut writer = Writer::new(sizes, gpu.largest_tensor());
        let (batches, heads) = mask.own_axes();
        if depth(mask) > DEEPEST {
            writer.cells(mask, (batches, heads))?;
        } else {
            writer.write(mask, 0)?;
        }
        let [program, painted] =
            [writer.program.as_flattened(), &writer.painted].map(|numbers: &[u32]| {
                let buffer = gpu.take(Use::Storage, 4 * numbers.len() as u64);
                gpu.write(&buffer, numbers);
                buffer
            });
        Ok(Self {
            program,
            painted,
            operations: writer.program.len(),
            has_slices: (batches, heads) != (1, 1),
        })
    }
}

impl DeviceMask {
    /// Slices of bits that a tile needs: one where all heads and batch entries share them.
    pub(super) fn slices(&self, tile: Tile) -> usize {
        if self.has_slices { tile.slices } else { 1 }
    }
}

/// Answers on the stack at once, at most.
fn depth(mask: &Mask) -> usize {
    match mask {
        Mask::All(masks) | Mask::Any(masks) => {
            let parts = masks.iter().enumerate();
            // From the second part on, the answer of those before it waits below.
            parts
                .map(|(at, mask)| depth(mask) + at.min(1))
                .max()
                .unwrap_or(1)
        }
        Mask::Offset { mask, .. } => depth(mask),
        _ => 1,
    }
}

struct Writer<'a> {
    sizes: &'a Sizes,
    /// Bytes of cells at most.
    most: u64,
    program: Vec<[u32; 4]>,
    painted: Vec<u32>,
}

impl<'a> Writer<'a> {
    fn new(sizes: &'a Sizes, most: u64) -> Self {
        Self {
            sizes,
            most,
            program: Vec::new(),
            painted: Vec::new(),
        }
    }

    /// Writes a mask whose rules take query `i` for `start + i`.
    fn write(&mut self, mask: &Mask, start: i64) -> Result<(), GpuError> {
        // Lengths beyond 32 bit are beyond every sequence too.
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        match mask {
            Mask::Full => self.step(code::EVERYTHING, 0, 0),
            Mask::Causal => self.step(code::CAUSAL, 0, start),
            Mask::Padding { valid } => self.step(code::PADDING, number(*valid), 0),
            Mask::LeftPadding { padded } => self.step(code::LEFT_PADDING, number(*padded), 0),
            Mask::PaddedQueries { valid } => self.step(code::PADDED_QUERIES, number(*valid), 0),
            Mask::Local { window } => self.step(code::LOCAL, number(*window), start),
            Mask::Strided { stride } => self.step(code::STRIDED, number(stride.get()), start),
            Mask::Prefix { length } => self.step(code::PREFIX, number(*length), start),
            Mask::Documents(_) => self.cells(&mask.clone().from_place(start), (1, 1))?,
            Mask::Painted(painted) => self.painted(painted)?,
            Mask::Offset { queries, mask } => self.write(mask, start.saturating_add(*queries))?,
            Mask::All(masks) => self.combined(masks, start, code::BOTH, code::EVERYTHING)?,
            Mask::Any(masks) => self.combined(masks, start, code::EITHER, code::NOTHING)?,
        }
        Ok(())
    }

    /// One step; `start` as two's complement in 32 bits, within which every start lies.
    fn step(&mut self, code: u32, number: u32, start: i64) {
        self.program.push([code, number, start as u32, 0]);
    }

    fn combined(
        &mut self,
        masks: &[Mask],
        start: i64,
        how: u32,
        of_none: u32,
    ) -> Result<(), GpuError> {
        if masks.is_empty() {
            self.step(of_none, 0, 0);
        }
        for (at, mask) in masks.iter().enumerate() {
            self.write(mask, start)?;
            if at > 0 {
                self.step(how, 0, 0);
            }
        }
        Ok(())
    }

    fn painted(&mut self, painted: &ExplicitMask) -> Result<(), GpuError> {
        let mask = Mask::Painted(painted.clone());
        self.cells(&mask, mask.own_axes())
    }

    /// Every cell as a bit, for the batch entries and heads that differ.
    fn cells(&mut self, mask: &Mask, (batches, heads): (usize, usize)) -> Result<(), GpuError> {
        let (n, words) = (self.sizes.n, words(self.sizes.keys));
        let all = [batches, heads, n, words].map(|length| length as u64);
        let bytes = all.into_iter().fold(4, u64::saturating_mul);
        let bytes = bytes.saturating_add(4 * self.painted.len() as u64);
        if bytes > self.most {
            return Err(GpuError::TooLarge(format!("a mask of {bytes} bytes")));
        }
        let plane = (n * words) as u32;
        let base = self.painted.len() as u32;
        let step = |count, size| if count > 1 { size } else { 0 };
        let of_batch = step(batches, plane * heads as u32);
        self.program
            .push([code::PAINTED, base, of_batch, step(heads, plane)]);
        let mut row = vec![0.0; self.sizes.keys];
        for batch in 0..batches {
            for head in 0..heads {
                for query in 0..n {
                    let first = CellIndex {
                        batch,
                        head,
                        query,
                        key: 0,
                    };
                    mask.write_row(first, &mut row);
                    self.painted.extend(row.chunks(32).map(word));
                }
            }
        }
        Ok(())
    }
}

fn word(cells: &[f32]) -> u32 {
    let bits = cells.iter().zip(0..);
    bits.fold(0, |word, (cell, bit)| word | u32::from(*cell > 0.0) << bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use attention::Documents;

    /// Before a cell is written.
    #[test]
    fn cells_beyond_the_device_are_refused() {
        let sizes = Sizes {
            batch: 1,
            heads: 1,
            kv_heads: 1,
            n: 1 << 30,
            m: 1 << 20,
            keys: 1 << 20,
            d_model: None,
            d_k: 1,
            d_v: 1,
            d_out: 1,
        };
        let documents = Mask::Documents(Documents::new([3, 5]));
        let written = Writer::new(&sizes, 1 << 30).write(&documents, 0);
        let bytes = 4_u64 << 45;
        let wanted = GpuError::TooLarge(format!("a mask of {bytes} bytes"));
        assert_eq!(written, Err(wanted));
    }
}
