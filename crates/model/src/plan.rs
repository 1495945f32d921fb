//! The steps of a model, in order: forward they are followed down, backward up.
//!
//! Two tensors go through them: the residual path `X` and a branch `B`, both `[batch·n, d_model]`.

use super::layout::{Layout, MlpSlots, NormSlots};
use super::{ModelConfig, NormPlace};

/// Operation of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelOperation {
    /// `X = tokens[word] + positions[place]`.
    Embed,
    /// `B = X`.
    Branch,
    /// `B = norm(X)`.
    BranchNorm,
    /// `B = attention(B)` of a layer: the steps of its [`Plan`](attention::plan::Plan).
    Attention(usize),
    /// `B = mlp(B)` of a layer.
    Mlp(usize),
    /// `X ← X + B`.
    AddBranch,
    /// `X ← B`, where there is no residual path.
    TakeBranch,
    /// `X ← norm(X)`.
    Norm,
    /// `logits = X·U`.
    Unembed,
}

/// An operation with the numbers that it has of its own.
#[derive(Debug, Clone, Copy)]
pub(super) enum ModelStep {
    Embed,
    Branch,
    BranchNorm(NormSlots),
    Attention(usize),
    Mlp(usize, MlpSlots),
    AddBranch,
    TakeBranch,
    Norm(NormSlots),
    Unembed,
}

impl ModelStep {
    pub(super) fn operation(&self) -> ModelOperation {
        match self {
            Self::Embed => ModelOperation::Embed,
            Self::Branch => ModelOperation::Branch,
            Self::BranchNorm(_) => ModelOperation::BranchNorm,
            Self::Attention(layer) => ModelOperation::Attention(*layer),
            Self::Mlp(layer, _) => ModelOperation::Mlp(*layer),
            Self::AddBranch => ModelOperation::AddBranch,
            Self::TakeBranch => ModelOperation::TakeBranch,
            Self::Norm(_) => ModelOperation::Norm,
            Self::Unembed => ModelOperation::Unembed,
        }
    }
}

/// The steps of a model.
pub(super) fn steps(config: &ModelConfig, layout: &Layout) -> Vec<ModelStep> {
    let mut steps = vec![ModelStep::Embed];
    for (at, layer) in layout.layers.iter().enumerate() {
        steps.extend(sublayer(config, layer.norm_1, ModelStep::Attention(at)));
        if let Some(mlp) = layer.mlp {
            steps.extend(sublayer(config, layer.norm_2, ModelStep::Mlp(at, mlp)));
        }
    }
    steps.extend(layout.norm.map(ModelStep::Norm));
    steps.push(ModelStep::Unembed);
    steps
}

/// Attention or MLP with norm and residual path.
fn sublayer(
    config: &ModelConfig,
    norm: Option<NormSlots>,
    inner: ModelStep,
) -> impl Iterator<Item = ModelStep> {
    let [before, after] = match config.norm_place {
        NormPlace::Before => [norm, None],
        NormPlace::After => [None, norm],
    };
    let join = if config.residual {
        ModelStep::AddBranch
    } else {
        ModelStep::TakeBranch
    };
    [
        before.map_or(ModelStep::Branch, ModelStep::BranchNorm),
        inner,
        join,
    ]
    .into_iter()
    .chain(after.map(ModelStep::Norm))
}
