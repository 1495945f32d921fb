//! Where large results go as they come back.

#[cfg(not(target_arch = "wasm32"))]
use std::borrow::Cow;

/// Takes the numbers of a result where it is kept; what is not written is 0.
pub trait ResultWriter {
    /// Copies pieces of what the device has mapped.
    fn write(&mut self, numbers: &MappedNumbers<'_>, pieces: &mut dyn Iterator<Item = Piece>);
}

/// Numbers that are copied in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The first among those that came back.
    pub from: usize,
    /// The first in the result.
    pub to: usize,
    /// How many.
    pub length: usize,
}

/// Where scores and weights go, and which scores are wanted. Without a writer they are part of the trace.
#[derive(Default)]
pub struct Destinations {
    /// Takes the scores.
    pub scores: Option<Box<dyn ResultWriter>>,
    /// Takes the weights, `[batch, heads, n, keys]`.
    pub weights: Option<Box<dyn ResultWriter>>,
    /// The query head of the first batch entry whose scores are wanted alone, as `[1, 1, n, keys]`.
    pub scores_of: Option<usize>,
}

/// Numbers that came back, in memory that the device has mapped.
pub struct MappedNumbers<'a>(pub(super) &'a wgpu::BufferView);

impl MappedNumbers<'_> {
    /// The numbers as JavaScript sees them, without a copy; gone once the buffer is given back.
    #[cfg(target_arch = "wasm32")]
    pub fn array(&self) -> js_sys::Float32Array {
        let bytes = self.0.as_uint8array();
        js_sys::Float32Array::new_with_byte_offset_and_length(
            &bytes.buffer(),
            bytes.byte_offset(),
            bytes.length() / 4,
        )
    }

    /// The numbers; in a browser a copy of them.
    #[cfg(not(target_arch = "wasm32"))]
    fn numbers(&self) -> Cow<'_, [f32]> {
        match bytemuck::try_cast_slice(self.0) {
            Ok(numbers) => Cow::Borrowed(numbers),
            Err(_) => Cow::Owned(bytemuck::pod_collect_to_vec(self.0)),
        }
    }
}

impl ResultWriter for &mut [f32] {
    #[cfg(not(target_arch = "wasm32"))]
    fn write(&mut self, numbers: &MappedNumbers<'_>, pieces: &mut dyn Iterator<Item = Piece>) {
        let numbers = numbers.numbers();
        for Piece { from, to, length } in pieces {
            self[to..][..length].copy_from_slice(&numbers[from..][..length]);
        }
    }

    #[cfg(target_arch = "wasm32")]
    fn write(&mut self, numbers: &MappedNumbers<'_>, pieces: &mut dyn Iterator<Item = Piece>) {
        let numbers = numbers.array();
        for Piece { from, to, length } in pieces {
            let piece = numbers.subarray(from as u32, (from + length) as u32);
            piece.copy_to(&mut self[to..][..length]);
        }
    }
}
