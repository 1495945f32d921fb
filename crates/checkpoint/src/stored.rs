//! A checkpoint's numbers as its file stores them, widened line by line.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use attention::{Code, Error};
use formats::blocks::{BlockType, dequantize};
use kernels::all_finite;
use model::{Blocks, StoredNumbers};

use crate::value::excerpt;
use crate::{FileTensor, MappedTensor, Origin, Outputs, Taken};

/// Tensors of which a line is a row, in the model's own order of axes.
const TABLES: [&str; 3] = ["tokens", "positions", "token_types"];
/// Numbers that are widened at a time to be looked at: a whole number of blocks of every type.
const PIECE: usize = 1 << 12;

/// A tensor of a file as it is stored: rows of whole blocks, all numbers finite.
#[derive(Debug, Clone)]
pub struct StoredBlocks {
    name: String,
    kind: BlockType,
    rows: usize,
    /// Numbers of a row.
    width: usize,
    bytes: Vec<u8>,
}

impl StoredBlocks {
    /// A tensor of one axis or two; its type is one of [`BlockType`]'s names. Every number is looked at, nothing is kept of it.
    ///
    /// # Errors
    /// By the tensor's name: [`Code::UnknownOption`] for another type, [`Code::ShapeMismatch`] for other axes, rows that are no whole number
    /// of blocks, or as many bytes as do not fit; [`Code::NotFinite`].
    pub fn new(tensor: &FileTensor, bytes: Vec<u8>) -> Result<Self, Error> {
        let name = excerpt(&tensor.name);
        let mut kinds = BlockType::ALL.into_iter();
        let Some(kind) = kinds.find(|kind| kind.name() == tensor.dtype) else {
            let (value, rule) = (excerpt(&tensor.dtype), "is no type of blocks");
            return Err(Error::new(Code::UnknownOption, name, value, rule));
        };
        let (rows, width) = match *tensor.shape {
            [rows, width] => (rows, width),
            [width] => (1, width),
            _ => (0, 0),
        };
        let blocks = rows.checked_mul(width / kind.length());
        let wanted = blocks.and_then(|blocks| blocks.checked_mul(kind.bytes()));
        if !width.is_multiple_of(kind.length()) || wanted != Some(bytes.len()) {
            let rule = format!(
                "must be {:?} in whole blocks of {}",
                tensor.shape,
                kind.name()
            );
            let value = format!("{} bytes", bytes.len());
            return Err(Error::new(Code::ShapeMismatch, name, value, rule));
        }
        let own = Self {
            name,
            kind,
            rows,
            width,
            bytes,
        };
        own.check_finite()?;
        Ok(own)
    }

    fn check_finite(&self) -> Result<(), Error> {
        let mut piece = [0.0; PIECE];
        for bytes in self
            .bytes
            .chunks(PIECE / self.kind.length() * self.kind.bytes())
        {
            let piece = &mut piece[..bytes.len() / self.kind.bytes() * self.kind.length()];
            widen(self.kind, bytes, piece);
            if !all_finite(piece) {
                let other = piece.iter().find(|x| !x.is_finite());
                let value = other.map_or(String::new(), f32::to_string);
                let rule = "must be a finite number";
                return Err(Error::new(Code::NotFinite, &self.name, value, rule));
            }
        }
        Ok(())
    }

    /// Some rows, `[which, width]`.
    fn rows(&self, which: Range<usize>, out: &mut [f32]) {
        widen(self.kind, self.bytes_of(which), out);
    }

    fn bytes_of(&self, which: Range<usize>) -> &[u8] {
        let row = self.width / self.kind.length() * self.kind.bytes();
        let bytes = self.bytes.get(which.start * row..which.end * row);
        bytes.unwrap_or_default()
    }

    fn widened(&self) -> Vec<f32> {
        let mut all = vec![0.0; self.rows * self.width];
        self.rows(0..self.rows, &mut all);
        all
    }

    /// The same numbers column by column, where each is a block of its own.
    fn transposed(&self) -> Result<Self, Error> {
        if self.kind.length() > 1 {
            let rule = "its rows are those of the inputs, and a block would hold numbers of several outputs";
            let value = self.kind.name();
            return Err(Error::new(Code::NotApplicable, &self.name, value, rule));
        }
        let (size, row) = (self.kind.bytes(), self.width * self.kind.bytes());
        let mut bytes = Vec::with_capacity(self.bytes.len());
        for column in 0..self.width {
            for row in self.bytes.chunks_exact(row.max(1)) {
                bytes.extend_from_slice(&row[column * size..][..size]);
            }
        }
        Ok(Self {
            name: self.name.clone(),
            kind: self.kind,
            rows: self.width,
            width: self.rows,
            bytes,
        })
    }

    fn check_shape(&self, rows: usize, width: usize) -> Result<(), Error> {
        if (self.rows, self.width) == (rows, width) {
            return Ok(());
        }
        let (found, wanted) = ([self.rows, self.width], [rows, width]);
        Err(Error::shape(
            &self.name,
            &found,
            &wanted,
            "by the checkpoint",
        ))
    }
}

/// Lengths fit, since tensors were checked when they were made.
fn widen(kind: BlockType, bytes: &[u8], out: &mut [f32]) {
    let widened = dequantize(kind, bytes, out);
    debug_assert_eq!(widened, Ok(()));
}

/// The numbers of a model.
#[derive(Debug)]
pub(crate) struct CheckpointNumbers(Vec<Lines>);

/// The lines of a tensor.
#[derive(Debug)]
enum Lines {
    /// The one line of a vector.
    One(Vec<f32>),
    /// Rows of the file.
    Rows {
        blocks: Arc<StoredBlocks>,
        outputs: Outputs,
        count: usize,
        plus: f32,
    },
}

impl CheckpointNumbers {
    pub(crate) fn new(
        tensors: &[MappedTensor],
        read: impl FnMut(usize) -> Result<StoredBlocks, Error>,
    ) -> Result<Self, Error> {
        let mut known = Known {
            read,
            blocks: BTreeMap::new(),
        };
        let lines = tensors.iter().map(|tensor| known.lines(tensor));
        lines.collect::<Result<_, _>>().map(Self)
    }
}

/// The tensors that were read, those that are turned around by themselves.
struct Known<R> {
    read: R,
    blocks: BTreeMap<(usize, bool), Arc<StoredBlocks>>,
}

impl<R: FnMut(usize) -> Result<StoredBlocks, Error>> Known<R> {
    fn lines(&mut self, tensor: &MappedTensor) -> Result<Lines, Error> {
        if let (Origin::File(taken), [rows, columns]) = (&tensor.origin, &tensor.shape[..]) {
            return self.matrix(&tensor.name, [*rows, *columns], *taken);
        }
        let widened = |at| self.blocks(at, false).map(|blocks| blocks.widened());
        tensor.numbers(widened).map(Lines::One)
    }

    fn matrix(
        &mut self,
        name: &str,
        [rows, columns]: [usize; 2],
        taken: Taken,
    ) -> Result<Lines, Error> {
        let is_table = TABLES.contains(&name);
        let [count, width] = if is_table {
            [rows, columns]
        } else {
            [columns, rows]
        };
        let blocks = self.blocks(taken.tensor, taken.transposed == is_table)?;
        let in_file = taken.outputs.count_in_file(count).unwrap_or(usize::MAX);
        blocks.check_shape(in_file, width)?;
        Ok(Lines::Rows {
            blocks,
            outputs: taken.outputs,
            count,
            plus: taken.plus,
        })
    }

    fn blocks(&mut self, at: usize, is_turned: bool) -> Result<Arc<StoredBlocks>, Error> {
        if let Some(known) = self.blocks.get(&(at, is_turned)) {
            return Ok(Arc::clone(known));
        }
        let own = (self.read)(at)?;
        let own = Arc::new(if is_turned { own.transposed()? } else { own });
        self.blocks.insert((at, is_turned), Arc::clone(&own));
        Ok(own)
    }
}

/// The rows of the file that some lines are, one run after the other.
fn runs(outputs: &Outputs, count: usize, which: Range<usize>) -> Vec<Range<usize>> {
    let in_file = |line| outputs.in_file(line, count);
    match outputs {
        Outputs::All | Outputs::Part(_) => {
            let first = in_file(which.start);
            std::iter::once(first..first + which.len()).collect()
        }
        Outputs::PartOfHeads { .. } | Outputs::Neighbours { .. } => {
            which.map(|line| in_file(line)..in_file(line) + 1).collect()
        }
    }
}

impl StoredNumbers for CheckpointNumbers {
    fn lines(&self, tensor: usize, which: Range<usize>, out: &mut [f32]) {
        match &self.0[tensor] {
            Lines::One(numbers) => out.copy_from_slice(numbers),
            Lines::Rows {
                blocks,
                outputs,
                count,
                plus,
            } => {
                let mut rest = &mut *out;
                for rows in runs(outputs, *count, which) {
                    let (own, others) = rest.split_at_mut(rows.len() * blocks.width);
                    blocks.rows(rows, own);
                    rest = others;
                }
                if *plus != 0.0 {
                    out.iter_mut().for_each(|x| *x += plus);
                }
            }
        }
    }

    fn blocks(&self, tensor: usize) -> Option<Blocks> {
        match &self.0[tensor] {
            Lines::Rows { blocks, plus, .. } if *plus == 0.0 => Some(Blocks {
                id: blocks.kind.id(),
                length: blocks.kind.length(),
                bytes: blocks.kind.bytes(),
            }),
            _ => None,
        }
    }

    fn line_bytes(&self, tensor: usize, which: Range<usize>, out: &mut Vec<u8>) {
        if let Lines::Rows {
            blocks,
            outputs,
            count,
            ..
        } = &self.0[tensor]
        {
            for rows in runs(outputs, *count, which) {
                out.extend_from_slice(blocks.bytes_of(rows));
            }
        }
    }
}
