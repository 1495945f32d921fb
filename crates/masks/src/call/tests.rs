//! Calls as people paste them, against what the libraries were measured to do.

mod refused;

use super::*;
use crate::dialect::EmptyRows;
use crate::imported::Element;
use crate::rule::{self, Align, Rule};
use crate::{Axes, Inverted};
use ndarray::Array4;

fn call(text: &str) -> Call {
    read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn rules(text: &str) -> Vec<Rule> {
    let meanings = call(text).meanings.into_iter();
    meanings
        .map(|meaning| match meaning {
            Meaning::Rule(rule) => rule,
            other => panic!("{text}: {other:?}"),
        })
        .collect()
}

fn written(text: &str) -> Rule {
    rule::parse(text).expect("a rule")
}

#[test]
fn flags_and_windows_are_read_as_each_library_means_them() {
    let calls = [
        (
            "F.scaled_dot_product_attention(q, k, v)",
            Function::TorchSdpa,
            "",
        ),
        (
            "F.scaled_dot_product_attention(q, k, v, is_causal=True)",
            Function::TorchSdpa,
            "causal",
        ),
        (
            "out = torch.nn.functional.scaled_dot_product_attention(q, k, v, None, 0.0, True)",
            Function::TorchSdpa,
            "causal",
        ),
        (
            "F.scaled_dot_product_attention(q, k, v, is_causal=False)",
            Function::TorchSdpa,
            "",
        ),
        (
            "F.scaled_dot_product_attention(q, k, v, attn_mask=causal_lower_right(2, 5))",
            Function::TorchSdpa,
            "causal end",
        ),
        (
            "flash_attn_func(q, k, v, causal=True)",
            Function::FlashAttention,
            "causal end",
        ),
        (
            "flash_attn_func(q, k, v, causal=True, window_size=(128, 0))",
            Function::FlashAttention,
            "window 128, 0 end",
        ),
        (
            "flash_attn_func(q, k, v, causal=True, window_size=(128, 128))",
            Function::FlashAttention,
            "window 128, 0 end",
        ),
        (
            "flash_attn_func(q, k, v, window_size=(2, -1))",
            Function::FlashAttention,
            "i + m - n - j <= 2",
        ),
        (
            "flash_attn_func(q, k, v, window_size=(-1, 2))",
            Function::FlashAttention,
            "j <= i + m - n + 2",
        ),
        (
            "flash_attn_func(q, k, v, window_size=(-1, -1))",
            Function::FlashAttention,
            "",
        ),
        (
            "jax.nn.dot_product_attention(q, k, v, is_causal=True)",
            Function::Jax,
            "causal",
        ),
        (
            "jax.nn.dot_product_attention(q, k, v, is_causal=True, local_window_size=(2, 0))",
            Function::Jax,
            "window 2, 0",
        ),
        (
            "jax.nn.dot_product_attention(q, k, v, local_window_size=2)",
            Function::Jax,
            "window 2",
        ),
        (
            "mx.fast.scaled_dot_product_attention(q, k, v, scale=1.0, mask=\"causal\")",
            Function::Mlx,
            "causal end",
        ),
        (
            "keras.ops.dot_product_attention(q, k, v, is_causal=True)",
            Function::KerasOps,
            "causal",
        ),
        (
            "layer(x, x, use_causal_mask=True)",
            Function::KerasLayer,
            "causal",
        ),
        (
            "keras.layers.MultiHeadAttention(2, 8)(x, x, use_causal_mask=True)",
            Function::KerasLayer,
            "causal",
        ),
        ("Attention(is_causal=1)", Function::Onnx, "causal"),
        (
            "Attention(left_window_size=2)",
            Function::Onnx,
            "i - j <= 2",
        ),
        (
            "Attention(left_window_size=2, right_window_size=0)",
            Function::Onnx,
            "window 2, 0",
        ),
        (
            "node = helper.make_node(\"Attention\", [\"q\", \"k\", \"v\"], [\"out\"], is_causal=1)",
            Function::Onnx,
            "causal",
        ),
        (
            "xformers.ops.memory_efficient_attention(q, k, v, attn_bias=xops.LowerTriangularMask())",
            Function::Xformers,
            "causal",
        ),
        ("LowerTriangularMask()", Function::Xformers, "causal"),
        (
            "LowerTriangularFromBottomRightMask()",
            Function::Xformers,
            "causal end",
        ),
        (
            "LocalAttentionFromBottomRightMask(2, 2)",
            Function::Xformers,
            "window 2 end",
        ),
        (
            "LowerTriangularFromBottomRightLocalAttentionMask(_window_size=2)",
            Function::Xformers,
            "window 1, 0 end",
        ),
        (
            "BlockDiagonalMask.from_seqlens([3, 2, 4])",
            Function::Xformers,
            "documents 3, 2, 4",
        ),
        (
            "fmha.BlockDiagonalCausalMask.from_seqlens([4, 2])",
            Function::Xformers,
            "causal and documents 4, 2",
        ),
        (
            "sliding_window=4",
            Function::Transformers,
            "window 3, 0 end",
        ),
        (
            "MistralConfig(sliding_window=4)",
            Function::Transformers,
            "window 3, 0 end",
        ),
        ("sliding_window = None", Function::Transformers, ""),
        (
            "block_mask = create_block_mask(lambda b, h, q, k: q >= k, None, None, 5, 7)",
            Function::FlexAttention,
            "q >= k",
        ),
        (
            "flex_attention(q, k, v, block_mask=create_block_mask(lambda b, h, i, j: (i - j < 8) & (i >= j), 1, 1, 9, 9))",
            Function::FlexAttention,
            "i - j < 8 and i >= j",
        ),
        (
            "lambda b, h, q_idx, kv_idx: q_idx >= kv_idx",
            Function::FlexAttention,
            "q >= k",
        ),
        (
            "def mask(b, h, q, k):\n    return q >= k",
            Function::FlexAttention,
            "q >= k",
        ),
    ];
    for (text, function, wanted) in calls {
        assert_eq!(call(text).function, function, "{text}");
        let wanted = (!wanted.is_empty()).then(|| written(wanted));
        assert_eq!(
            rules(text),
            wanted.into_iter().collect::<Vec<_>>(),
            "{text}"
        );
    }
}

#[test]
fn lengths_are_those_of_the_text() {
    let lengths = |text: &str| call(text).lengths;
    assert_eq!(lengths("causal_lower_right(2, 5)"), Some((2, 5)));
    assert_eq!(
        lengths("create_block_mask(lambda b, h, q, k: q >= k, None, None, 5, 7)"),
        Some((5, 7))
    );
    assert_eq!(
        lengths("create_block_mask(lambda b, h, q, k: q >= k, B, H, S, S)"),
        None
    );
    assert_eq!(
        lengths("mha(x, x, x, attn_mask=torch.zeros(3, 4).bool())"),
        Some((3, 4))
    );
    assert_eq!(
        lengths("F.scaled_dot_product_attention(q, k, v, is_causal=True)"),
        None
    );
}

#[test]
fn remarks_name_the_alignment() {
    let remarks = |text: &str| call(text).remarks;
    let [start, end] = [Align::Start, Align::End].map(Remark::AlignedAt);
    assert_eq!(
        remarks("F.scaled_dot_product_attention(q, k, v, is_causal=True)"),
        [start]
    );
    assert_eq!(remarks("flash_attn_func(q, k, v, causal=True)"), [end]);
    assert_eq!(
        remarks("Attention(is_causal=1)"),
        [start, Remark::EndWithCache]
    );
    assert_eq!(remarks("sliding_window=4"), [end, Remark::CausalCount]);
    assert_eq!(
        remarks("mx.fast.scaled_dot_product_attention(q, k, v, scale=1., mask='causal')"),
        [end]
    );
    assert_eq!(
        remarks("mha(x, x, x, attn_mask=m, is_causal=True)"),
        [Remark::FlagIsHint]
    );
}

#[test]
fn true_hides_in_multihead_attention() {
    let causal = [Rule::Causal(Align::Start)];
    for mask in [
        "torch.triu(torch.ones(8, 8), diagonal=1).bool()",
        "torch.triu(torch.ones(8, 8, dtype=torch.bool), 1)",
        "~torch.tril(torch.ones(8, 8)).bool()",
        "torch.tril(torch.ones((8, 8))) == 0",
        "torch.ones(8, 8).triu(1).to(torch.bool)",
        "torch.arange(8)[:, None] < torch.arange(8)",
        "nn.Transformer.generate_square_subsequent_mask(8)",
        "torch.triu(torch.full((8, 8), float(\"-inf\")), diagonal=1)",
        "torch.zeros(8, 8).masked_fill(torch.ones(8, 8).triu(1) == 1, float('-inf'))",
        "torch.where(torch.tril(torch.ones(8, 8)) == 1, 0.0, torch.finfo(torch.float32).min)",
        "(1 - torch.tril(torch.ones(8, 8))) * -1e9",
    ] {
        let text = format!("nn.MultiheadAttention(16, 2)(x, x, x, attn_mask={mask})");
        assert_eq!(rules(&text), causal, "{text}");
    }
    let remarks = |mask: &str| call(&format!("self_attn(x, x, x, attn_mask={mask})")).remarks;
    assert_eq!(
        remarks("torch.triu(torch.ones(8, 8), 1).bool()"),
        [Remark::TrueHides]
    );
    assert_eq!(
        remarks("torch.tril(torch.ones(8, 8)).bool()"),
        [
            Remark::TrueHides,
            Remark::LooksInverted(Inverted::FutureAlone),
            Remark::EmptyRows {
                rows: 1,
                library: EmptyRows::NotANumber
            }
        ]
    );
}

#[test]
fn ones_as_floats_are_added_and_hide_nothing() {
    for function in [
        "nn.MultiheadAttention(16, 2)",
        "F.scaled_dot_product_attention",
    ] {
        let call = call(&format!(
            "{function}(x, x, x, attn_mask=torch.tril(torch.ones(8, 8)))"
        ));
        let lower = Array4::from_shape_fn((1, 1, 8, 8), |(_, _, i, j)| f32::from(u8::from(j <= i)));
        assert_eq!(call.meanings, [Meaning::Added(lower)]);
        assert_eq!(call.remarks, [Remark::OnesAreAdded]);
    }
    let shown = "layer(x, x, attention_mask=np.tril(np.ones((8, 8))))";
    assert_eq!(rules(shown), [Rule::Causal(Align::Start)]);
    let mlx = call(
        "mx.fast.scaled_dot_product_attention(q, k, v, scale=1.0, mask=np.array([[1, 0], [1, 1]]))",
    );
    assert_eq!(mlx.remarks, [Remark::OnesAreAdded]);
}

#[test]
fn true_shows_elsewhere() {
    let causal = [Rule::Causal(Align::Start)];
    assert_eq!(
        rules(
            "F.scaled_dot_product_attention(q, k, v, attn_mask=torch.tril(torch.ones(8, 8)).bool())"
        ),
        causal
    );
    assert_eq!(
        rules("jax.nn.dot_product_attention(q, k, v, mask=jnp.tril(jnp.ones((8, 8), dtype=bool)))"),
        causal
    );
    assert_eq!(
        rules(
            "jax.nn.dot_product_attention(q, k, v, mask=jnp.tri(2, 5, 3, dtype=bool)[None, None])"
        ),
        [Rule::Causal(Align::End)]
    );
    let text = "jax.nn.dot_product_attention(q, k, v, mask=jnp.array([[True, False], [True, True], [False, False]]))";
    let call = call(text);
    let cells = [[true, false], [true, true], [false, false]];
    let wanted = Array4::from_shape_fn((1, 1, 3, 2), |(_, _, i, j)| cells[i][j]);
    assert_eq!(call.meanings, [Meaning::Cells(wanted)]);
    let library = EmptyRows::Mean;
    assert_eq!(call.remarks, [Remark::EmptyRows { rows: 1, library }]);
}

#[test]
fn numbers_that_hide_show_where_all_but_zero_shows() {
    let call = call("layer(x, x, attention_mask=np.triu(np.full((4, 4), -np.inf), 1))");
    assert!(call.remarks.contains(&Remark::HidingNumbersShow));
    assert!(
        call.remarks
            .contains(&Remark::LooksInverted(Inverted::FutureAlone))
    );
}

#[test]
fn padding_is_by_batch_entry() {
    let call = call(
        "mha(x, x, x, key_padding_mask=torch.tensor([[False, True, True], [False, False, True]]))",
    );
    let hidden = [[false, true, true], [false, false, true]];
    let wanted = Array4::from_shape_fn((2, 1, 1, 3), |(b, _, _, j)| !hidden[b][j]);
    assert_eq!(call.meanings, [Meaning::Cells(wanted)]);
    assert_eq!(call.lengths, None);
}

#[test]
fn a_variable_is_told_with_its_usage() {
    let meanings = |text: &str| call(text).meanings;
    let tensor = |name: &str, booleans, integers, floats| Meaning::Tensor {
        name: name.to_owned(),
        usage: Usage {
            booleans,
            integers,
            floats,
        },
    };
    use Booleans::{Hide, Show};
    use Numbers::{Added, NonZeroShow, Refused};
    assert_eq!(
        meanings("F.scaled_dot_product_attention(q, k, v, attn_mask=mask)"),
        [tensor("mask", Show, Refused, Added)]
    );
    assert_eq!(
        meanings("mha(q, k, v, attn_mask=a, key_padding_mask=batch.padding)"),
        [
            tensor("a", Hide, Refused, Added),
            tensor("batch.padding", Hide, Refused, Added)
        ]
    );
    assert_eq!(
        meanings("jax.nn.dot_product_attention(q, k, v, mask=m)"),
        [tensor("m", Show, Refused, Refused)]
    );
    assert_eq!(
        meanings("layer(x, x, attention_mask=m)"),
        [tensor("m", Show, NonZeroShow, NonZeroShow)]
    );
    assert_eq!(
        meanings("jax.nn.dot_product_attention(q, k, v, is_causal=True, mask=m)"),
        [
            Meaning::Rule(Rule::Causal(Align::Start)),
            tensor("m", Show, Refused, Refused)
        ]
    );
}

#[test]
fn tensors_can_be_written_as_text() {
    let imported = tensor("torch.tril(torch.ones(2, 3))").expect("a tensor");
    assert_eq!(
        (imported.shape, imported.element),
        (vec![2, 3], Element::Float)
    );
    assert_eq!(imported.data, [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    let list = tensor("attention_mask = [[0, 0, 1], [1, 1, 1]]").expect("a tensor");
    assert_eq!((list.shape, list.element), (vec![2, 3], Element::Integer));
    let hidden = tensor("np.where(np.eye(2, 3) > 0, -np.inf, 0)").expect("a tensor");
    assert_eq!(hidden.data[..2], [f64::NEG_INFINITY, 0.0]);
    let columns = tensor("np.where(np.arange(2)[:, None] > 0, np.arange(3), 7)").expect("a tensor");
    assert_eq!(columns.data, [7.0, 7.0, 7.0, 0.0, 1.0, 2.0]);
    assert_eq!(
        tensor("np.arange(2, 5) % 2").expect("a tensor").data,
        [0.0, 1.0, 0.0]
    );
    let axes = Axes::of_map(2, 3);
    let inverted = tensor("np.triu(np.ones((2, 3)), k=1).astype(bool)").expect("a tensor");
    let readings = crate::imported::readings(&inverted, &axes).expect("it fits");
    assert!(readings[1].likely);
}
