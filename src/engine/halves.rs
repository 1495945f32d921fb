//! Two halves of a run, each with half of the heads, as one.

use ndarray::{Array, Array3, Axis, Dimension, RemoveAxis, concatenate};

use super::RunResult;
use attention::{Request, Trace};

impl RunResult {
    /// The results of `request` from those of its [halves](attention::cpu::Share), this being the first: the same bits as those of a run
    /// with all heads. Weights are in neither.
    ///
    /// Tensors are put side by side along the heads, outputs are added where W_O has mixed the heads. `None` where tensors do not fit
    /// each other.
    pub fn joined(self, second: Self, request: &Request) -> Option<Self> {
        let (one, two) = (self.trace, second.trace);
        let output = match (one.output, two.output) {
            (Some(one), Some(two)) if request.output().is_some() => Some(sum(one, &two)?),
            (one, two) => beside(one, two, Axis(2))?,
        };
        let trace = Trace {
            q: beside(one.q, two.q, HEADS)?,
            k: beside(one.k, two.k, HEADS)?,
            v: beside(one.v, two.v, HEADS)?,
            scores: beside(one.scores, two.scores, HEADS)?,
            weights: None,
            context: beside(one.context, two.context, HEADS)?,
            output,
            empty_rows: one.empty_rows,
        };
        let stats = self.stats.zip(second.stats).map(|(mut one, two)| {
            for (one, two) in one.iter_mut().zip(two) {
                one.extend(two);
            }
            one
        });
        Some(Self {
            trace,
            stats,
            backend: self.backend,
            sizes: self.sizes,
        })
    }
}

/// The axis of the heads in `[batch, heads, rows, columns]`.
const HEADS: Axis = Axis(1);

/// Two tensors one after the other along `axis`; `None` where there is one only, or they do not fit.
#[allow(
    clippy::option_option,
    reason = "whether there are tensors, and whether they fit"
)]
fn beside<D: Dimension + RemoveAxis>(
    one: Option<Array<f32, D>>,
    two: Option<Array<f32, D>>,
    axis: Axis,
) -> Option<Option<Array<f32, D>>> {
    match (one, two) {
        (None, None) => Some(None),
        (Some(one), Some(two)) => {
            let both = concatenate(axis, &[one.view(), two.view()]).ok()?;
            let is_standard = both.is_standard_layout();
            Some(Some(if is_standard {
                both
            } else {
                both.as_standard_layout().into_owned()
            }))
        }
        _ => None,
    }
}

fn sum(mut one: Array3<f32>, two: &Array3<f32>) -> Option<Array3<f32>> {
    if one.dim() != two.dim() {
        return None;
    }
    one += two;
    Some(one)
}
