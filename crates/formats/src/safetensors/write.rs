//! Writes a file of 32-bit floats.

use std::fmt::Write as _;
use std::iter::once;

use crate::PIECE;
use crate::dtype;
use crate::json;
use crate::tensor::Tensor;

/// The library lets the numbers begin at a multiple of this.
const ALIGNMENT: usize = 8;

/// The file, header first.
pub(crate) fn pieces(tensors: &[Tensor]) -> impl Iterator<Item = Vec<u8>> {
    let numbers = tensors.iter().flat_map(|tensor| tensor.data.chunks(PIECE));
    once(head(tensors)).chain(numbers.map(dtype::encode))
}

fn head(tensors: &[Tensor]) -> Vec<u8> {
    let (mut header, mut end) = (String::from("{"), 0);
    for (at, tensor) in tensors.iter().enumerate() {
        let start = end;
        end += 4 * tensor.data.len();
        header.push_str(if at == 0 { "" } else { "," });
        json::write_string(&mut header, &tensor.name);
        // Writing into a string cannot fail.
        let _ = write!(
            header,
            ":{{\"dtype\":\"F32\",\"shape\":{:?},\"data_offsets\":[{start},{end}]}}",
            tensor.shape
        );
    }
    header.push('}');
    while !header.len().is_multiple_of(ALIGNMENT) {
        header.push(' ');
    }
    let mut out = (header.len() as u64).to_le_bytes().to_vec();
    out.extend(header.into_bytes());
    out
}
