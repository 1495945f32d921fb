//! Matrices on the device: rows padded with zeros to whole vectors of four.

use ndarray::{Array2, Array3, Array4, ArrayView2, s};

use crate::pool::{Buffer, Use};
use crate::staging::Arrived;
use crate::writer::{Piece, ResultWriter as _};
use crate::{Gpu, GpuError};

/// Rows of `width` numbers on the device.
pub(super) struct Tensor {
    pub(super) buffer: Buffer,
    pub(super) rows: usize,
    pub(super) width: usize,
}

/// How many vectors of four hold `width` numbers.
pub(super) fn vectors(width: usize) -> usize {
    width.div_ceil(4)
}

impl Tensor {
    /// Room for rows whose numbers are still to be made.
    pub(super) fn new(gpu: &Gpu, rows: usize, width: usize) -> Self {
        Self {
            buffer: gpu.take(Use::Storage, bytes(rows, width)),
            rows,
            width,
        }
    }

    /// Rows from the host.
    pub(super) fn upload<'a>(
        gpu: &Gpu,
        width: usize,
        rows: impl Iterator<Item = ArrayView2<'a, f32>>,
    ) -> Self {
        let (mut count, mut padded) = (0, Vec::new());
        for part in rows {
            count += part.nrows();
            append(part, &mut padded);
        }
        let tensor = Self::new(gpu, count, width);
        gpu.write(&tensor.buffer, &padded);
        tensor
    }

    /// One matrix from the host.
    pub(super) fn of_matrix(gpu: &Gpu, matrix: ArrayView2<f32>) -> Self {
        Self::upload(gpu, matrix.ncols(), std::iter::once(matrix))
    }

    /// Many matrices from the host, one below the other.
    pub(super) fn of_rows(gpu: &Gpu, rows: &Array3<f32>) -> Self {
        Self::upload(gpu, rows.dim().2, rows.outer_iter())
    }

    /// Many matrices of two leading axes from the host, one below the other.
    pub(super) fn of_slices(gpu: &Gpu, slices: &Array4<f32>) -> Self {
        let (batch, heads, _, width) = slices.dim();
        let planes = (0..batch).flat_map(|entry| (0..heads).map(move |head| (entry, head)));
        let matrices = planes.map(|(entry, head)| slices.slice(s![entry, head, .., ..]));
        Self::upload(gpu, width, matrices)
    }

    /// One matrix from the host as a high part and a low part.
    pub(super) fn parts(gpu: &Gpu, exact: &Array2<f64>) -> [Self; 2] {
        let high = exact.mapv(|x| x as f32);
        let low = (exact - &high.mapv(f64::from)).mapv(|x| x as f32);
        [high, low].map(|part| Self::of_matrix(gpu, part.view()))
    }

    /// Vectors of four in a row.
    pub(super) fn stride(&self) -> usize {
        vectors(self.width)
    }

    pub(super) fn bytes(&self) -> u64 {
        bytes(self.rows, self.width)
    }
}

/// Adds the rows of a matrix, padded; in one go where they lie as they are to.
fn append(matrix: ArrayView2<f32>, padded: &mut Vec<f32>) {
    if let (Some(numbers), true) = (matrix.as_slice(), matrix.ncols().is_multiple_of(4)) {
        return padded.extend_from_slice(numbers);
    }
    for row in matrix.outer_iter() {
        match row.as_slice() {
            Some(numbers) => padded.extend_from_slice(numbers),
            None => padded.extend(row.iter()),
        }
        padded.resize(padded.len().next_multiple_of(4), 0.0);
    }
}

/// Bytes of `rows` padded rows.
pub(super) fn bytes(rows: usize, width: usize) -> u64 {
    rows as u64 * vectors(width) as u64 * 16
}

/// Copies rows that came back, without their padding, to `out`.
pub(super) fn unpad(arrived: Arrived, width: usize, out: &mut [f32]) -> Result<(), GpuError> {
    let rows = out.len() / width.max(1);
    let (pieces, length) = match width % 4 {
        0 => (1, out.len()),
        _ => (rows, width),
    };
    let mut pieces = (0..pieces).map(|row| Piece {
        from: row * 4 * vectors(width),
        to: row * width,
        length,
    });
    arrived.show(|numbers| {
        let mut out = out;
        out.write(&numbers, &mut pieces);
    })
}
