//! Where transformers has the parts of a model.

wasm_chunks::chunk!("model");

/// Where transformers has the parts of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Modules {
    /// The attention of a layer, in the base model.
    pub(super) attention: &'static str,
    /// In it, what takes the mask.
    pub(super) scores: &'static str,
    /// In it, the output projection.
    pub(super) projection: &'static str,
    /// Whether transformers opens GGUF files of the family.
    pub(super) opens_gguf: bool,
}

impl Modules {
    /// Those of a family by its name; `None` for a family that is not known.
    pub(super) fn of_family(family: &str) -> Option<Self> {
        let (attention, scores, projection) = match family {
            "llama" | "mistral" | "qwen2" | "qwen3" | "gemma2" | "gemma3_text" => {
                ("layers[layer].self_attn", "", ".o_proj")
            }
            "gpt2" => ("h[layer].attn", "", ".c_proj"),
            "gpt_neox" => ("layers[layer].attention", "", ".dense"),
            "bert" | "roberta" => ("encoder.layer[layer].attention", ".self", ".output.dense"),
            "distilbert" => ("transformer.layer[layer].attention", "", ".out_lin"),
            _ => return None,
        };
        Some(Self {
            attention,
            scores,
            projection,
            opens_gguf: !matches!(family, "gpt_neox" | "bert" | "roberta" | "distilbert"),
        })
    }
}
