use super::*;

fn role_of(name: &str, axes: usize) -> Option<Role> {
    TensorName::new(name, axes).role
}

#[test]
fn names_of_libraries_are_known() {
    for (name, role) in [
        ("q", Role::Q),
        ("Query", Role::Q),
        ("W_Q", Role::WQ),
        ("w_o", Role::WO),
        ("blocks.0.attn.W_K", Role::WK),
        ("blocks.0.attn.b_Q", Role::BQ),
        ("blocks.0.attn.hook_pattern", Role::Weights),
        ("blocks.0.attn.hook_q", Role::Q),
        ("blocks.0.attn.hook_v", Role::V),
        ("model.layers.3.self_attn.q_proj.weight", Role::WQ),
        ("model.layers.3.self_attn.o_proj.weight", Role::WO),
        ("layers.0.attention.wo.weight", Role::WO),
        ("encoder.layer.0.attention.self.key.bias", Role::BK),
        ("encoder.layer.0.attention.output.dense.weight", Role::WO),
        (
            "distilbert.transformer.layer.0.attention.q_lin.weight",
            Role::WQ,
        ),
        ("encoder.block.0.layer.0.SelfAttention.q.weight", Role::WQ),
        ("decoder.block.0.layer.1.EncDecAttention.o.weight", Role::WO),
        (
            "vit.encoder.layer.0.attention.attention.value.weight",
            Role::WV,
        ),
        ("blocks.3.attn.qkv.weight", Role::Fused),
        ("blocks.3.attn.proj.bias", Role::BO),
        (
            "gpt_neox.layers.0.attention.query_key_value.weight",
            Role::Fused,
        ),
        ("gpt_neox.layers.0.attention.dense.weight", Role::WO),
        ("self_attn.in_proj_weight", Role::Fused),
        ("self_attn.in_proj_bias", Role::FusedBias),
        ("self_attn.q_proj_weight", Role::WQ),
        ("self_attn.out_proj.bias", Role::BO),
        ("h.0.attn.c_attn.weight", Role::Fused),
        ("transformer.h.0.attn.c_attn.bias", Role::FusedBias),
        ("att.W_query.weight", Role::WQ),
        ("W_key", Role::WK),
        ("W_value.weight", Role::WV),
        ("layers.0.0.fn.to_q.weight", Role::WQ),
        ("layers.0.0.fn.to_kv.weight", Role::FusedKV),
        ("transformer.layers.0.0.to_qkv.weight", Role::Fused),
        ("mid_block.attentions.0.to_out.0.weight", Role::WO),
        ("multi_head_attention/query/kernel", Role::WQ),
        ("multi_head_attention_1/query/kernel:0", Role::WQ),
        ("multi_head_attention/attention_output/bias", Role::BO),
        ("layers/multi_head_attention/query_dense/vars/0", Role::WQ),
        ("layers/multi_head_attention/value_dense/vars/1", Role::BV),
        ("einsum_dense/kernel", Role::WQ),
        ("einsum_dense_7/bias", Role::BO),
        ("params/attention/out/kernel", Role::WO),
        ("['params']['self_attention']['key']['kernel']", Role::WK),
        ("query.kernel", Role::WQ),
        ("transformer/~/multi_head_attention/query/w", Role::WQ),
        ("encoder.layers.0.self_attn.linears.2.weight", Role::WV),
        ("encoder.layers.0.self_attn.linears.3.bias", Role::BO),
        ("attn_weights", Role::Weights),
        ("attention", Role::Weights),
        ("attentions.3", Role::Weights),
        ("decoder_attentions.10", Role::Weights),
        ("encoder.layers.0.self_attn.weight", Role::Weights),
        ("embeddings", Role::Queries),
        ("x_kv", Role::KeysValues),
        ("w_a", Role::WA),
        ("q_1", Role::Q),
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
        "mask",
        "attention_mask",
        "mlp.fc.weight",
        "h.0.mlp.c_proj.weight",
        "h.0.attn.bias",
        "encoder.layer.0.output.dense.weight",
        "pooler.dense.weight",
        "patch_embed.proj.weight",
        "blocks.0.attn.hook_attn_scores",
        "blocks.0.attn.hook_z",
        "ln_1.bias",
        "layer_0",
        "arr_0",
        "linears.4.weight",
    ] {
        assert_eq!(role_of(name, 2), None, "{name}");
    }
    assert_eq!(role_of("queries", 3), Some(Role::Q));
}

#[test]
fn numbers_say_which_layer_and_which_head() {
    let at = |name| {
        let name = TensorName::new(name, 2);
        (name.pattern, name.at, name.head)
    };
    let same = |one, other| assert_eq!(at(one).0, at(other).0);
    same("layer_0", "layer_10");
    same("attentions.3", "attentions.12");
    same(
        "multi_head_attention/query/kernel",
        "multi_head_attention_1/query/kernel",
    );
    same("einsum_dense/kernel", "einsum_dense_4/kernel");
    same("h.0.attn.c_attn.weight", "h.1.attn.c_attn.weight");
    assert_ne!(at("linears.0.weight").0, at("linears.1.weight").0);
    assert_ne!(at("h.0.ln_1.weight").0, at("h.0.ln_1.bias").0);
    assert_eq!(at("layer_10").1, [10]);
    assert_eq!(at("h.3.attn.c_attn.weight").1, [3]);
    assert_eq!(at("layers.2.self_attn.linears.3.weight").1, [2]);
    assert_eq!(at("einsum_dense_5/kernel").1, [1]);
    let heads = at("blocks.2.sa.heads.7.key.weight");
    assert_eq!((heads.1, heads.2), (vec![2], Some(7)));
    assert_eq!(at("head_3").2, Some(3));
}

#[test]
fn roles_are_those_of_one_attention() {
    let named = |name: &&str| Tensor::new(*name, vec![2, 2], vec![0.0; 4]);
    let tensors: Vec<Tensor> = [
        "decoder.0.mlp.out.weight",
        "decoder.0.self_attn.k_proj.weight",
        "decoder.0.encoder_attn.k_proj.weight",
        "decoder.0.encoder_attn.out_proj.weight",
        "decoder.0.encoder_attn.q_proj.weight",
        "decoder.0.self_attn.out_proj.weight",
        "decoder.0.self_attn.q_proj.weight",
    ]
    .iter()
    .map(named)
    .collect();
    let mut roles = roles(&tensors);
    roles.sort_by_key(|(_, tensor)| *tensor);
    assert_eq!(roles, [(Role::WK, 2), (Role::WO, 3), (Role::WQ, 4)]);
}

#[test]
fn modules_hold_their_output_first() {
    assert!(is_of_module("a.q_proj.weight") && is_of_module("in_proj_weight"));
    assert!(is_of_module("k_proj_weight"));
    assert!(!is_of_module("W_Q") && !is_of_module("query/kernel"));
}
