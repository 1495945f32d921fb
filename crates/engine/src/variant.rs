//! Variants of a training setup, each of which drops one established practice to
//! show its effect.

use model::{Init, ModelConfig, ModelPositions, Norm, NormPlace, OptimizerKind, OptimizerOptions};

/// How a model is made and trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Its stack.
    pub config: ModelConfig,
    /// Its first numbers.
    pub init: Init,
    /// How steps are taken.
    pub optimizer: OptimizerOptions,
}

/// The one thing that a second run does in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Scores are not divided by `√d_k` (Vaswani et al. 2017, section 3.2.1).
    Unscaled,
    /// First numbers with a deviation of 1 (against Glorot and Bengio 2010).
    Large,
    /// All first numbers are 0.
    Zero,
    /// No path around the layers (He et al. 2016).
    NoResidual,
    /// No norm (Ba et al. 2016).
    NoNorm,
    /// The norm after the sum, as in the first Transformer (Xiong et al. 2020).
    NormAfter,
    /// No position encoding.
    NoPositions,
    /// One layer, or two where the recipe has one.
    OtherDepth,
    /// One head as wide as all.
    OneHead,
    /// One number for each query, key and value of a head.
    Narrow,
    /// The learning rate rises over the first 30 steps (Vaswani et al. 2017, eq. 3).
    WarmUp,
    /// The norm of the gradient is at most ½ (Pascanu et al. 2013).
    Clip,
    /// A learning rate thirty times as high.
    FastRate,
    /// Plain descent at the same rate, without Adam.
    Sgd,
}

impl Variant {
    /// Every one.
    pub const ALL: [Self; 14] = [
        Self::Unscaled,
        Self::Large,
        Self::Zero,
        Self::NoResidual,
        Self::NoNorm,
        Self::NormAfter,
        Self::NoPositions,
        Self::OtherDepth,
        Self::OneHead,
        Self::Narrow,
        Self::WarmUp,
        Self::Clip,
        Self::FastRate,
        Self::Sgd,
    ];

    /// Its name in the menu of the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unscaled => "unscaled",
            Self::Large => "large",
            Self::Zero => "zero",
            Self::NoResidual => "no-residual",
            Self::NoNorm => "no-norm",
            Self::NormAfter => "norm-after",
            Self::NoPositions => "no-positions",
            Self::OtherDepth => "other-depth",
            Self::OneHead => "one-head",
            Self::Narrow => "narrow",
            Self::WarmUp => "warm-up",
            Self::Clip => "clip",
            Self::FastRate => "fast-rate",
            Self::Sgd => "sgd",
        }
    }

    /// The one of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }

    /// The set-up with this difference.
    #[must_use]
    pub fn apply(self, mut setup: Setup) -> Setup {
        let Setup {
            config, optimizer, ..
        } = &mut setup;
        match self {
            Self::Unscaled => config.scaled = false,
            Self::Large => setup.init = Init::Normal { std: 1.0 },
            Self::Zero => setup.init = Init::Normal { std: 0.0 },
            Self::NoResidual => config.residual = false,
            Self::NoNorm => config.norm = Norm::None,
            Self::NormAfter => config.norm_place = NormPlace::After,
            Self::NoPositions => config.positions = ModelPositions::None,
            Self::OtherDepth => config.layers = if config.layers == 1 { 2 } else { 1 },
            Self::OneHead => {
                config.d_k *= config.heads;
                (config.heads, config.kv_heads) = (1, 1);
            }
            Self::Narrow => config.d_k = 1,
            Self::WarmUp => optimizer.warmup = 30,
            Self::Clip => optimizer.clip = Some(0.5),
            Self::FastRate => optimizer.rate *= 30.0,
            Self::Sgd => optimizer.kind = OptimizerKind::Sgd,
        }
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_practice_makes_another_set_up_that_a_model_can_have() {
        let usual = Setup {
            config: ModelConfig {
                norm: Norm::Layer,
                ..ModelConfig::new(9, 7, 16, 2, 4)
            },
            init: Init::Xavier,
            optimizer: OptimizerOptions::default(),
        };
        let mut seen = vec![usual];
        for variant in Variant::ALL {
            let other = variant.apply(usual);
            assert!(!seen.contains(&other), "{variant:?}");
            assert_eq!(other.config.check(), Ok(()), "{variant:?}");
            assert_eq!(Variant::from_name(variant.name()), Some(variant));
            seen.push(other);
        }
        assert_eq!(Variant::from_name(""), None);
    }
}
