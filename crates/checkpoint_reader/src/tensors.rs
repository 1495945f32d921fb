//! Which bytes of the files are read, and the tensors that they fill.

use std::ops::Range;

use attention::{Code, Error};
use checkpoint::{FileTensor, StoredBlocks};
use formats::StoredTensor;

use crate::{Piece, ReadError};

/// Bytes that are asked for at once, unless a header is longer.
pub(crate) const PIECE: u64 = 4 << 20;

/// Bytes between two tensors up to which both are read in one piece.
const GAP: u64 = 1 << 16;

/// A tensor of one of the files.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) file: usize,
    pub(crate) tensor: StoredTensor,
}

/// Tensors that are being filled, in the order of their bytes.
#[derive(Debug, Default)]
pub(crate) struct Filling {
    tensors: Vec<Placed>,
    /// Places in the list, by file and first byte.
    order: Vec<usize>,
    stored: Vec<Vec<u8>>,
    /// The first in `order` that is not full.
    at: usize,
    read: u64,
    total: u64,
}

impl Filling {
    /// Fills those of `tensors` that `is_taken`.
    pub(crate) fn new(
        tensors: Vec<Placed>,
        is_taken: impl Fn(usize) -> bool,
        most: u64,
    ) -> Result<Self, ReadError> {
        let has_bytes = |at: &usize| length(&tensors[*at].tensor.span) > 0;
        let all = (0..tensors.len()).filter(has_bytes);
        let mut order: Vec<usize> = all.filter(|at| is_taken(*at)).collect();
        order.sort_by_key(|at| (tensors[*at].file, tensors[*at].tensor.span.start));
        let length = |at: &usize| length(&tensors[*at].tensor.span);
        let total = order.iter().map(length).fold(0, u64::saturating_add);
        if total > most {
            let rule = format!("at most {most} bytes of weights fit into memory here");
            return Err(Error::new(Code::TooLarge, "weights", total, rule).into());
        }
        Ok(Self {
            stored: vec![Vec::new(); tensors.len()],
            tensors,
            order,
            at: 0,
            read: 0,
            total,
        })
    }

    pub(crate) const fn read(&self) -> u64 {
        self.read
    }

    pub(crate) const fn total(&self) -> u64 {
        self.total
    }

    /// The next piece, of one file; `None` once all tensors are full.
    pub(crate) fn wants(&self) -> Option<Piece> {
        let first = &self.tensors[*self.order.get(self.at)?];
        let filled = self.stored[self.order[self.at]].len() as u64;
        let start = first.tensor.span.start + filled;
        let most = start.saturating_add(PIECE);
        let mut end = start;
        for place in &self.order[self.at..] {
            let Placed { file, tensor } = &self.tensors[*place];
            if *file != first.file || tensor.span.start > end.saturating_add(GAP).min(most) {
                break;
            }
            end = end.max(tensor.span.end.min(most));
        }
        Some(Piece {
            file: first.file,
            span: start..end,
        })
    }

    /// Takes the bytes of the piece that is wanted.
    pub(crate) fn take(&mut self, piece: &Piece, bytes: &[u8]) -> Result<(), ReadError> {
        while let Some(&place) = self.order.get(self.at) {
            let Placed { file, tensor } = &self.tensors[place];
            let (span, own) = (&tensor.span, &mut self.stored[place]);
            let start = span.start + own.len() as u64;
            if *file != piece.file || start >= piece.span.end {
                break;
            }
            if own.is_empty() {
                own.try_reserve_exact(length(span) as usize).map_err(|_| {
                    let rule = "the weights do not fit into memory";
                    Error::new(Code::TooLarge, &tensor.name, length(span), rule)
                })?;
            }
            let within = |at: u64| (at - piece.span.start) as usize;
            let new = within(start)..within(span.end.min(piece.span.end));
            self.read += new.len() as u64;
            own.extend_from_slice(&bytes[new]);
            if (own.len() as u64) < length(span) {
                break;
            }
            self.at += 1;
        }
        Ok(())
    }

    /// A tensor as it is stored, moved out.
    pub(crate) fn taken(&mut self, at: usize) -> Result<StoredBlocks, Error> {
        let bytes = std::mem::take(&mut self.stored[at]);
        StoredBlocks::new(&listed(&self.tensors[at]), bytes)
    }
}

/// A tensor as a checkpoint is matched with it.
pub(crate) fn listed(Placed { tensor, .. }: &Placed) -> FileTensor {
    FileTensor {
        name: tensor.name.clone(),
        dtype: tensor.stored.name().to_owned(),
        shape: tensor.shape.clone(),
    }
}

const fn length(span: &Range<u64>) -> u64 {
    span.end - span.start
}
