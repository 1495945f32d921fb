//! Two halves of a run, each with half of the heads, as one.

wasm_chunks::chunk!("more");

use ndarray::{Array, Array3, Axis, Dimension, ErrorKind, RemoveAxis, ShapeError, concatenate};

use super::RunResult;
use attention::{Request, Trace};

impl RunResult {
    /// The results of `request` from those of its [halves](attention::cpu::Share), this being the first: the same bits as those of a run
    /// with all heads. Weights are in neither.
    ///
    /// Tensors are concatenated along the heads, outputs are added where W_O has mixed the heads.
    ///
    /// # Errors
    /// One half lacks a tensor of the other, or their shapes do not fit.
    pub fn joined(self, second: Self, request: &Request) -> Result<Self, ShapeError> {
        let (one, two) = (self.trace, second.trace);
        let output = match (one.output, two.output) {
            (Some(one), Some(two)) if request.output().is_some() => Some(sum(one, &two)?),
            (one, two) => concatenated(one, two, Axis(2))?,
        };
        let trace = Trace {
            q: concatenated(one.q, two.q, HEADS)?,
            k: concatenated(one.k, two.k, HEADS)?,
            v: concatenated(one.v, two.v, HEADS)?,
            scores: concatenated(one.scores, two.scores, HEADS)?,
            weights: None,
            context: concatenated(one.context, two.context, HEADS)?,
            output,
            empty_rows: one.empty_rows,
        };
        let stats = self.stats.zip(second.stats).map(|(mut one, two)| {
            for (one, two) in one.iter_mut().zip(two) {
                one.extend(two);
            }
            one
        });
        Ok(Self {
            trace,
            stats,
            backend: self.backend,
            sizes: self.sizes,
        })
    }
}

/// The axis of the heads in `[batch, heads, rows, columns]`.
const HEADS: Axis = Axis(1);

/// Two tensors one after the other along `axis`; nothing where there are none.
fn concatenated<D: Dimension + RemoveAxis>(
    one: Option<Array<f32, D>>,
    two: Option<Array<f32, D>>,
    axis: Axis,
) -> Result<Option<Array<f32, D>>, ShapeError> {
    match (one, two) {
        (None, None) => Ok(None),
        (Some(one), Some(two)) => {
            let both = concatenate(axis, &[one.view(), two.view()])?;
            let is_standard = both.is_standard_layout();
            Ok(Some(if is_standard {
                both
            } else {
                both.as_standard_layout().into_owned()
            }))
        }
        _ => Err(mismatch()),
    }
}

fn sum(mut one: Array3<f32>, two: &Array3<f32>) -> Result<Array3<f32>, ShapeError> {
    if one.dim() != two.dim() {
        return Err(mismatch());
    }
    one += two;
    Ok(one)
}

fn mismatch() -> ShapeError {
    ShapeError::from_kind(ErrorKind::IncompatibleShape)
}
