//! NaN in tensors: a row that is NaN throughout stays, as PyTorch writes the attention of a query that sees no key; any other is refused.

use crate::error::{FormatError, FormatRule};
use crate::tensor::Tensor;

/// # Errors
/// [`FormatRule::NotFinite`] for a NaN beside numbers, in a row of one, and where there is nothing else.
pub(crate) fn check(tensor: &Tensor) -> Result<(), FormatError> {
    let Some(first) = tensor.data.iter().position(|number| number.is_nan()) else {
        return Ok(());
    };
    let columns = match tensor.shape[..] {
        [_, .., columns] if columns > 1 => columns,
        _ => tensor.data.len(),
    };
    let is_whole = |row: &[f32]| row.iter().all(|number| number.is_nan());
    let mut rows = tensor.data.chunks_exact(columns);
    let has_numbers = rows.clone().any(|row| !is_whole(row));
    let single = rows.position(|row| !is_whole(row) && row.iter().any(|number| number.is_nan()));
    let at = match single {
        Some(row) => {
            let cells = tensor.data[row * columns..].iter();
            row * columns + cells.take_while(|number| !number.is_nan()).count()
        }
        None if has_numbers => return Ok(()),
        None => first,
    };
    let rule = FormatRule::NotFinite;
    let (name, shape) = (&tensor.name, &tensor.shape);
    Err(FormatError::of_element(name, shape, at, "NaN", rule))
}
