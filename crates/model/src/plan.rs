//! The steps of a model, in order: forward they are followed down, backward up.
//!
//! Two tensors go through them: the residual path `X` and a branch `B`, both `[batch·n, d_model]`; where attention and MLP are parallel, a
//! third, `H`, of the same shape.

use super::layout::{LayerSlots, Layout, LinearSlots, MlpSlots, NormSlots, Slot};
use super::{ModelConfig, NormPlace};

/// Operation of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelOperation {
    /// `X = embedding_scale·tokens[word] + positions[place] + token_types[0]`, those that the model has.
    Embed,
    /// `B = X`.
    Branch,
    /// `B = norm(X)`.
    BranchNorm,
    /// `B = attention(B)` of a layer: the steps of its [`Plan`](attention::plan::Plan).
    Attention(usize),
    /// `B = mlp(B)` of a layer.
    Mlp(usize),
    /// `B ← norm(B)`.
    NormBranch,
    /// `H = B`: what one of two parallel parts gives is held for the other.
    Hold,
    /// `B ← B + H`.
    AddHeld,
    /// `X ← X + B`.
    AddBranch,
    /// `X ← B`, where there is no residual path.
    TakeBranch,
    /// `X ← norm(X)`.
    Norm,
    /// `X ← f(X·W + b)` with the MLP's activation `f`, in the head for masked words.
    HeadMap,
    /// `logits = X·U`.
    Unembed,
    /// `logits ← logits + b`.
    AddLogitBias,
    /// `logits ← cap·tanh(logits/cap)`.
    CapLogits,
}

/// An [operation](ModelOperation) with the numbers that it has of its own.
#[allow(
    missing_docs,
    reason = "each is described where it stands without numbers"
)]
#[derive(Debug, Clone, Copy)]
pub enum ModelStep {
    Embed,
    Branch,
    BranchNorm(NormSlots),
    Attention(usize),
    Mlp(usize, MlpSlots),
    NormBranch(NormSlots),
    Hold,
    AddHeld,
    AddBranch,
    TakeBranch,
    Norm(NormSlots),
    HeadMap(LinearSlots),
    Unembed,
    AddLogitBias(Slot),
    CapLogits(f32),
}

impl ModelStep {
    /// Returns the operation without numbers.
    pub fn operation(&self) -> ModelOperation {
        match self {
            Self::Embed => ModelOperation::Embed,
            Self::Branch => ModelOperation::Branch,
            Self::BranchNorm(_) => ModelOperation::BranchNorm,
            Self::Attention(layer) => ModelOperation::Attention(*layer),
            Self::Mlp(layer, _) => ModelOperation::Mlp(*layer),
            Self::NormBranch(_) => ModelOperation::NormBranch,
            Self::Hold => ModelOperation::Hold,
            Self::AddHeld => ModelOperation::AddHeld,
            Self::AddBranch => ModelOperation::AddBranch,
            Self::TakeBranch => ModelOperation::TakeBranch,
            Self::Norm(_) => ModelOperation::Norm,
            Self::HeadMap(_) => ModelOperation::HeadMap,
            Self::Unembed => ModelOperation::Unembed,
            Self::AddLogitBias(_) => ModelOperation::AddLogitBias,
            Self::CapLogits(_) => ModelOperation::CapLogits,
        }
    }
}

/// The steps of a model.
pub(super) fn steps(config: &ModelConfig, layout: &Layout) -> Vec<ModelStep> {
    let mut steps = vec![ModelStep::Embed];
    steps.extend(layout.embedding_norm.map(ModelStep::Norm));
    for (at, layer) in layout.layers.iter().enumerate() {
        let attention = ModelStep::Attention(at);
        let mlp = layer.mlp.map(|mlp| ModelStep::Mlp(at, mlp));
        match mlp {
            Some(mlp) if config.parallel => steps.extend(parallel(layer, attention, mlp)),
            _ => {
                steps.extend(sublayer(
                    config,
                    [layer.norm_1, layer.norm_1_after],
                    attention,
                ));
                let norms = [layer.norm_2, layer.norm_2_after];
                steps.extend(mlp.into_iter().flat_map(|mlp| sublayer(config, norms, mlp)));
            }
        }
    }
    steps.extend(layout.norm.map(ModelStep::Norm));
    if config.logits {
        if let Some(head) = layout.masked_head {
            steps.push(ModelStep::HeadMap(head.map));
            steps.extend(head.norm.map(ModelStep::Norm));
        }
        steps.push(ModelStep::Unembed);
        steps.extend(
            layout
                .masked_head
                .map(|head| ModelStep::AddLogitBias(head.bias)),
        );
        steps.extend(config.logit_cap.map(ModelStep::CapLogits));
    }
    steps
}

fn branch(norm: Option<NormSlots>) -> ModelStep {
    norm.map_or(ModelStep::Branch, ModelStep::BranchNorm)
}

/// Attention or MLP with its norms and the residual path.
fn sublayer(
    config: &ModelConfig,
    [norm, norm_after]: [Option<NormSlots>; 2],
    inner: ModelStep,
) -> Vec<ModelStep> {
    let is_after = config.norm_place == NormPlace::After;
    let mut steps = vec![branch(norm.filter(|_| !is_after)), inner];
    steps.extend(norm_after.map(ModelStep::NormBranch));
    steps.push(if config.residual {
        ModelStep::AddBranch
    } else {
        ModelStep::TakeBranch
    });
    steps.extend(norm.filter(|_| is_after).map(ModelStep::Norm));
    steps
}

/// Both parts of a layer on the same rows.
fn parallel(layer: &LayerSlots, attention: ModelStep, mlp: ModelStep) -> [ModelStep; 7] {
    [
        branch(layer.norm_1),
        attention,
        ModelStep::Hold,
        branch(layer.norm_2),
        mlp,
        ModelStep::AddHeld,
        ModelStep::AddBranch,
    ]
}
