//! The steps of attention, one row each: name in links, name on the page, axes, which heads have it, what it belongs to, and where
//! it stands beside others.

use super::setting_enums::named;
use crate::i18n::Key;
use attention::plan::Axis;

/// Which heads have the matrix of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadScope {
    /// Each has its own.
    Each,
    /// It is the same for every head.
    Same,
    /// Each has its part of it, where heads share keys and values.
    Part,
}

/// What a step belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOwner {
    /// The layer.
    Layer,
    /// The model around it.
    Model,
    /// The backward pass of a layer.
    Backward,
}

macro_rules! steps {
    ($($(#[$doc:meta])* $step:ident = $name:literal, $key:expr, [$rows:ident, $columns:ident], $scope:ident, $owner:ident, $lane:expr;)+) => {
        named! {
            /// A matrix of the computation that can be the large map.
            #[derive(Default)]
            StepKind { $($(#[$doc])* $step = $name,)+ }
        }

        impl StepKind {
            /// Its name on the page.
            pub const fn key(self) -> Key {
                match self { $(Self::$step => $key,)+ }
            }

            /// The axes of its rows and of its columns.
            pub const fn axes(self) -> [Axis; 2] {
                match self { $(Self::$step => [Axis::$rows, Axis::$columns],)+ }
            }

            /// Which heads have it.
            pub const fn scope(self) -> HeadScope {
                match self { $(Self::$step => HeadScope::$scope,)+ }
            }

            /// What it belongs to.
            pub const fn owner(self) -> StepOwner {
                match self { $(Self::$step => StepOwner::$owner,)+ }
            }

            /// The stage that it shares with others, and its lane there.
            pub(super) const fn stage_and_lane(self) -> Option<(u8, usize)> {
                match self { $(Self::$step => $lane,)+ }
            }
        }
    };
}

steps! {
    /// `X`, the embeddings.
    Input = "input", Key::StepInput, [N, DModel], Same, Layer, Some((0, 0));
    /// `Y`, the embeddings of the key side, where they are others.
    Source = "source", Key::StepSource, [M, DModel], Same, Layer, Some((0, 1));
    /// The encoding of positions.
    Positions = "positions", Key::StepPositions, [Positions, DModel], Same, Layer, None;
    /// `Q`, before it is turned by its position.
    Queries = "q", Key::StepQueries, [N, DK], Each, Layer, Some((1, 0));
    /// `K`, before it is turned or shortened.
    Keys = "k", Key::StepKeys, [M, DK], Each, Layer, Some((1, 1));
    /// `V`, before it is shortened.
    Values = "v", Key::StepValues, [M, DV], Each, Layer, Some((1, 2));
    /// `Q` turned by its position.
    RotatedQueries = "q_rotated", Key::StepRotatedQueries, [N, DK], Each, Layer, Some((1, 0));
    /// `K` turned by its position.
    RotatedKeys = "k_rotated", Key::StepRotatedKeys, [M, DK], Each, Layer, Some((1, 1));
    /// Linformer's `E·K`.
    ShortKeys = "short_k", Key::StepShortKeys, [Keys, DK], Each, Layer, Some((1, 1));
    /// Linformer's `F·V`.
    ShortValues = "short_v", Key::StepShortValues, [Keys, DV], Each, Layer, Some((1, 2));
    /// The scores as they are made.
    Scores = "scores", Key::StepScores, [N, Keys], Each, Layer, None;
    /// The scores divided by `√d_k`.
    Scaled = "scaled", Key::StepScaled, [N, Keys], Each, Layer, None;
    /// The scores with ALiBi's bias.
    Biased = "biased", Key::StepBiased, [N, Keys], Each, Layer, None;
    /// The mask.
    Mask = "mask", Key::StepMask, [N, Keys], Same, Layer, Some((2, 0));
    /// The scores under the mask.
    Masked = "masked", Key::StepMasked, [N, Keys], Each, Layer, Some((2, 1));
    /// The softmax over all keys, where the mask comes only after it.
    Softmax = "softmax", Key::StepSoftmax, [N, Keys], Each, Layer, None;
    /// The weights.
    #[default]
    Weights = "weights", Key::StepWeights, [N, Keys], Each, Layer, None;
    /// The weighted sum of the values.
    Context = "context", Key::StepContext, [N, DV], Each, Layer, None;
    /// The heads side by side.
    Merged = "heads", Key::StepMerged, [N, Merged], Same, Layer, None;
    /// The output.
    Output = "output", Key::StepOutput, [N, DOut], Same, Layer, None;
    /// The residual path of a model before a layer.
    Residual = "residual", Key::StepResidual, [N, DModel], Same, Model, None;
    /// The same after its layer norm: what enters the layer.
    Normed = "normed", Key::StepNormed, [N, DModel], Same, Model, None;
    /// The residual path and the output.
    Sum = "sum", Key::StepSum, [N, DModel], Same, Model, None;
    /// The gradient of the loss with respect to the output.
    OutputGradient = "grad_output", Key::StepOutputGradient, [N, DOut], Same, Backward, None;
    /// The same with respect to the weighted sum of the values.
    ContextGradient = "grad_context", Key::StepContextGradient, [N, DV], Each, Backward, Some((3, 0));
    /// The same with respect to the weights.
    WeightsGradient = "grad_weights", Key::StepWeightsGradient, [N, Keys], Each, Backward, Some((4, 0));
    /// The same with respect to `V`.
    ValuesGradient = "grad_v", Key::StepValuesGradient, [M, DV], Part, Backward, Some((4, 1));
    /// The same with respect to the scaled scores.
    ScoresGradient = "grad_scores", Key::StepScoresGradient, [N, Keys], Each, Backward, None;
    /// The same with respect to `Q`.
    QueriesGradient = "grad_q", Key::StepQueriesGradient, [N, DK], Each, Backward, Some((5, 0));
    /// The same with respect to `K`.
    KeysGradient = "grad_k", Key::StepKeysGradient, [M, DK], Part, Backward, Some((5, 1));
    /// The residual stream after the last layer, times the unembedding: one number per word of
    /// the vocabulary.
    Logits = "logits", Key::StepLogits, [N, Vocabulary], Same, Model, None;
    /// The gradient of the loss with respect to the logits.
    LogitsGradient = "grad_logits", Key::StepLogitsGradient, [N, Vocabulary], Same, Model, None;
    /// The same with respect to the head's rows of `W_O`.
    OutputWeightsGradient = "grad_w_o", Key::StepOutputWeightsGradient, [DV, DOut], Each, Backward, Some((3, 1));
    /// The same with respect to the head's columns of `W_Q`.
    QueryWeightsGradient = "grad_w_q", Key::StepQueryWeightsGradient, [DModel, DK], Each, Backward, Some((6, 0));
    /// The same with respect to the head's columns of `W_K`.
    KeyWeightsGradient = "grad_w_k", Key::StepKeyWeightsGradient, [DModel, DK], Part, Backward, Some((6, 1));
    /// The same with respect to the head's columns of `W_V`.
    ValueWeightsGradient = "grad_w_v", Key::StepValueWeightsGradient, [DModel, DV], Part, Backward, Some((6, 2));
    /// The same with respect to the rows that enter the layer.
    NormedGradient = "grad_normed", Key::StepNormedGradient, [N, DModel], Same, Backward, None;
    /// The same with respect to the residual path before it.
    ResidualGradient = "grad_residual", Key::StepResidualGradient, [N, DModel], Same, Backward, None;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::steps::BACKWARD;

    #[test]
    fn the_backward_pass_is_what_its_rows_say() {
        for step in StepKind::ALL {
            let is_backward = step.owner() == StepOwner::Backward;
            assert_eq!(BACKWARD.contains(&step), is_backward, "{step:?}");
        }
    }
}
