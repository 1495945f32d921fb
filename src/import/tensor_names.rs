//! The names that libraries give to tensors.

use super::{Role, TensorAssignment};
use crate::export::tensors::{self, Name};
use crate::state::imported::Refusal;
use formats::Tensor;

/// Which tensor plays which role, by their names: the first of each.
pub(super) fn cast(tensors: &[Tensor]) -> Vec<(Role, usize)> {
    let mut cast: Vec<(Role, usize)> = Vec::new();
    for (at, tensor) in tensors.iter().enumerate() {
        let Some(role) = role_of(&tensor.name, tensor.shape.len()) else {
            continue;
        };
        if cast.iter().all(|(own, _)| *own != role) {
            cast.push((role, at));
        }
    }
    cast
}

/// The refusal with the name that the file gives to its tensor, alone or as a part of it: readers know their tensors by these.
pub(super) fn renamed(refusal: Refusal, reading: &TensorAssignment, tensors: &[Tensor]) -> Refusal {
    refusal.named(|role| {
        let whole = match role {
            "w_q" | "w_k" | "w_v" => reading.plays(Role::Fused),
            "b_q" | "b_k" | "b_v" => reading.plays(Role::FusedBias),
            _ => None,
        };
        let own = || reading.plays(Role::ALL.into_iter().find(|own| own.name() == role)?);
        let name = &tensors.get(whole.or_else(own)?)?.name;
        Some(name).filter(|name| !name.is_empty()).cloned()
    })
}

/// Whether a tensor is the weight of a PyTorch module, which holds its output along its first axis.
pub(super) fn is_of_module(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_of_gpt2 = name.contains("c_attn") || name.contains("c_proj");
    (name.ends_with(".weight") && !is_of_gpt2) || name.ends_with("in_proj_weight")
}

fn role_of(name: &str, axes: usize) -> Option<Role> {
    if let Some(own) = tensors::named(name) {
        return of_own(own);
    }
    let name = name.to_ascii_lowercase();
    let (stem, end) = split(&name);
    let last = stem.rsplit(['.', '/', ':']).next().unwrap_or(stem);
    let plain: String = last.chars().filter(char::is_ascii_alphanumeric).collect();
    match end {
        End::Weight => of_weight(&plain),
        End::Bias => of_bias(&plain),
        End::None => of_array(&plain, axes),
    }
}

/// The names that this page gives, to tensors and to their files.
const fn of_own(name: Name) -> Option<Role> {
    Some(match name {
        Name::X => Role::Queries,
        Name::XKeysValues => Role::KeysValues,
        Name::WQ => Role::WQ,
        Name::WK => Role::WK,
        Name::WV => Role::WV,
        Name::WA => Role::WA,
        Name::WO => Role::WO,
        Name::BQ => Role::BQ,
        Name::BK => Role::BK,
        Name::BV => Role::BV,
        Name::BO => Role::BO,
        Name::Q => Role::Q,
        Name::K => Role::K,
        Name::V => Role::V,
        Name::Weights => Role::Weights,
        _ => return None,
    })
}

enum End {
    Weight,
    Bias,
    None,
}

/// The name without what says that it is a module's weight or bias.
fn split(name: &str) -> (&str, End) {
    for (suffix, is_weight) in [
        (".weight", true),
        ("_weight", true),
        (".kernel", true),
        ("/kernel", true),
        (".bias", false),
        ("_bias", false),
        ("/bias", false),
    ] {
        if let Some(stem) = name.strip_suffix(suffix) {
            let is_attention = stem.ends_with("attn") || stem.ends_with("attention");
            // The weights of an attention are no weights of a module.
            if is_attention && !stem.ends_with("c_attn") {
                continue;
            }
            return (stem, if is_weight { End::Weight } else { End::Bias });
        }
    }
    (name, End::None)
}

fn of_weight(plain: &str) -> Option<Role> {
    Some(match plain {
        "q" | "query" | "qproj" | "queryproj" | "wq" | "toq" | "qlin" => Role::WQ,
        "k" | "key" | "kproj" | "keyproj" | "wk" | "tok" | "klin" => Role::WK,
        "v" | "value" | "vproj" | "valueproj" | "wv" | "tov" | "vlin" => Role::WV,
        "o" | "out" | "outproj" | "oproj" | "cproj" | "wo" | "toout" | "outlin" | "dense" => {
            Role::WO
        }
        "inproj" | "cattn" | "qkv" | "wqkv" | "qkvproj" | "querykeyvalue" => Role::Fused,
        _ => return None,
    })
}

fn of_bias(plain: &str) -> Option<Role> {
    Some(match of_weight(plain)? {
        Role::WQ => Role::BQ,
        Role::WK => Role::BK,
        Role::WV => Role::BV,
        Role::WO => Role::BO,
        _ => Role::FusedBias,
    })
}

fn of_array(plain: &str, axes: usize) -> Option<Role> {
    Some(match plain {
        "q" | "query" => Role::Q,
        "k" | "key" | "keys" => Role::K,
        "v" | "value" | "values" => Role::V,
        // Inputs have no heads.
        "queries" if axes > 2 => Role::Q,
        "x" | "queries" | "emb" | "embedding" | "embeddings" | "input" | "inputs" | "hidden"
        | "hiddenstates" => Role::Queries,
        "y" | "xkv" | "keysvalues" | "source" | "memory" => Role::KeysValues,
        "bq" => Role::BQ,
        "bk" => Role::BK,
        "bv" => Role::BV,
        "bo" => Role::BO,
        "wa" => Role::WA,
        "a" | "attn" | "attention" | "attentions" | "attnweights" | "attentionweights"
        | "weights" | "attnprobs" | "attentionprobs" | "probs" | "alpha" | "pattern"
        | "hookpattern" => Role::Weights,
        _ if plain.starts_with('w') || plain.contains("proj") => return of_weight(plain),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_libraries_are_known() {
        for (name, role) in [
            ("q", Role::Q),
            ("Query", Role::Q),
            ("W_Q", Role::WQ),
            ("w_o", Role::WO),
            ("blocks.0.attn.W_K", Role::WK),
            ("blocks.0.attn.hook_pattern", Role::Weights),
            ("model.layers.3.self_attn.q_proj.weight", Role::WQ),
            ("model.layers.3.self_attn.o_proj.weight", Role::WO),
            ("encoder.layer.0.attention.self.key.bias", Role::BK),
            ("self_attn.in_proj_weight", Role::Fused),
            ("self_attn.in_proj_bias", Role::FusedBias),
            ("self_attn.out_proj.bias", Role::BO),
            ("h.0.attn.c_attn.weight", Role::Fused),
            ("attn_weights", Role::Weights),
            ("attention", Role::Weights),
            ("embeddings", Role::Queries),
            ("x_kv", Role::KeysValues),
            ("w_a", Role::WA),
            ("attention-q", Role::Q),
            ("attention-w_k (2)", Role::WK),
        ] {
            assert_eq!(role_of(name, 2), Some(role), "{name}");
        }
        for name in [
            "",
            "scores",
            "context",
            "output",
            "mlp.fc.weight",
            "ln_1.bias",
        ] {
            assert_eq!(role_of(name, 2), None, "{name}");
        }
        assert_eq!(role_of("queries", 3), Some(Role::Q));
    }

    #[test]
    fn modules_hold_their_output_first() {
        assert!(is_of_module("a.q_proj.weight") && is_of_module("in_proj_weight"));
        assert!(!is_of_module("W_Q") && !is_of_module("h.0.attn.c_attn.weight"));
    }
}
