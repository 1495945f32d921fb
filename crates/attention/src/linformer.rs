//! Linformer: keys and values projected along the sequence.

use ndarray::Array2;

use crate::error::{Error, check_all_finite};

/// The projections of Wang et al. 2020, eq. 7: `K' = E·K`, `V' = F·V`, both `[k, m]·[m, d]`.
///
/// One pair serves every head and every batch entry. The score matrix becomes `[n, k]`; a column is then a mixture
/// of positions, which is why a mask over positions does not apply.
#[derive(Debug, Clone, PartialEq)]
pub struct Linformer {
    /// `E`, `[k, m]`, applied to the keys.
    pub e: Array2<f32>,
    /// `F`, `[k, m]`, applied to the values.
    pub f: Array2<f32>,
}

impl Linformer {
    /// The projected length `k`.
    pub fn length(&self) -> usize {
        self.e.nrows()
    }

    /// Refuses projections that do not fit `m` rows or each other, and values that are not finite.
    pub(crate) fn check(&self, m: usize) -> Result<(), Error> {
        let wanted = [self.length(), m];
        for (field, matrix) in [("linformer.e", &self.e), ("linformer.f", &self.f)] {
            if matrix.shape() != wanted {
                return Err(Error::shape(field, matrix.shape(), &wanted, "k, m"));
            }
            check_all_finite(field, matrix)?;
        }
        Ok(())
    }
}
