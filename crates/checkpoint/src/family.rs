//! Families of models.

use std::fmt;

/// A family: models that differ in sizes and numbers alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// BERT (Devlin et al. 2019), MiniLM and other sentence encoders.
    Bert,
    /// DistilBERT (Sanh et al. 2019).
    DistilBert,
    /// RoBERTa (Liu et al. 2019), XLM-RoBERTa, CamemBERT.
    Roberta,
    /// GPT-2 (Radford et al. 2019).
    Gpt2,
    /// GPT-NeoX (Black et al. 2022), Pythia.
    GptNeoX,
    /// Llama (Touvron et al. 2023) and what is built alike, such as SmolLM; in GGUF files Mistral too.
    Llama,
    /// Mistral (Jiang et al. 2023).
    Mistral,
    /// Qwen 2 and 2.5.
    Qwen2,
    /// Qwen 3.
    Qwen3,
    /// Gemma 2 (Gemma Team 2024).
    Gemma2,
    /// Gemma 3, text alone (Gemma Team 2025).
    Gemma3,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Bert,
        Self::DistilBert,
        Self::Roberta,
        Self::Gpt2,
        Self::GptNeoX,
        Self::Llama,
        Self::Mistral,
        Self::Qwen2,
        Self::Qwen3,
        Self::Gemma2,
        Self::Gemma3,
    ];

    /// Its name, which is `model_type` in `config.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bert => "bert",
            Self::DistilBert => "distilbert",
            Self::Roberta => "roberta",
            Self::Gpt2 => "gpt2",
            Self::GptNeoX => "gpt_neox",
            Self::Llama => "llama",
            Self::Mistral => "mistral",
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
            Self::Gemma2 => "gemma2",
            Self::Gemma3 => "gemma3_text",
        }
    }

    /// The family of a `model_type`. Some have the names of models that are built alike.
    pub(crate) fn of_model_type(name: &str) -> Option<Self> {
        let known = match name {
            "xlm-roberta" | "camembert" => "roberta",
            other => other,
        };
        Self::ALL.into_iter().find(|family| family.name() == known)
    }

    /// `general.architecture` in GGUF files, of those that have one.
    pub(crate) const fn architecture(self) -> Option<&'static str> {
        match self {
            Self::Bert => Some("bert"),
            Self::Gpt2 => Some("gpt2"),
            Self::GptNeoX => Some("gptneox"),
            Self::Llama => Some("llama"),
            Self::Qwen2 => Some("qwen2"),
            Self::Qwen3 => Some("qwen3"),
            Self::Gemma2 => Some("gemma2"),
            Self::Gemma3 => Some("gemma3"),
            Self::DistilBert | Self::Roberta | Self::Mistral => None,
        }
    }

    /// Gemma's way: norms on both sides, scaled embeddings.
    pub(crate) const fn is_gemma(self) -> bool {
        matches!(self, Self::Gemma2 | Self::Gemma3)
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
