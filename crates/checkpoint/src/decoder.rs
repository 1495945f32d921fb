//! What Llama, Mistral, Qwen and Gemma have in common, in either kind of file.

use model::{Activation, ModelConfig, ModelPositions, Norm, NormPlace};

use crate::Family;

/// Sizes of a decoder.
pub(crate) struct Sizes {
    pub(crate) vocabulary: usize,
    pub(crate) length: usize,
    pub(crate) d_model: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) kv_heads: usize,
    pub(crate) d_k: usize,
    pub(crate) mlp: usize,
}

/// The config of a decoder of a family: RMS norms, a gated MLP, rotary positions, no biases, and what its family adds.
pub(crate) fn config(family: Family, sizes: &Sizes, epsilon: f64, base: f64) -> ModelConfig {
    let plain = ModelConfig {
        kv_heads: sizes.kv_heads,
        d_k: sizes.d_k,
        mlp: sizes.mlp,
        causal: true,
        positions: ModelPositions::Rotary { base: base as f32 },
        norm: Norm::Rms,
        final_norm: true,
        epsilon: epsilon as f32,
        activation: Activation::Silu,
        gated: true,
        qk_norm: matches!(family, Family::Qwen3 | Family::Gemma3),
        qkv_biases: family == Family::Qwen2,
        ..ModelConfig::new(
            sizes.vocabulary,
            sizes.length,
            sizes.d_model,
            sizes.layers,
            sizes.heads,
        )
    };
    if !family.is_gemma() {
        return plain;
    }
    ModelConfig {
        norm_place: NormPlace::Both,
        activation: Activation::GeluTanh,
        embedding_scale: (sizes.d_model as f64).sqrt() as f32,
        ..plain
    }
}
