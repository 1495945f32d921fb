//! One layer, saved as each library saves it, is the same layer; and what a file leaves open is asked, listed and said.

use crate::common::cases::numbers;
use app::i18n::Language;
use app::import::{
    AxisTransform, Line, Role, TensorAssignment, Why, heads_note, line, lines, open, why,
};
use app::state::imported::warnings::{Remark, remarks};
use app::state::imported::{ImportedKind, ImportedTensors, Refusal};
use attention::{Linear, Weights};
use formats::Tensor;
use ndarray::{Array, Array1, Array2, Array3, Dimension, concatenate, s};

const HEADS: usize = 3;
const WIDTH: usize = 8;
const D: usize = 4;

/// A layer with biases, `[rows of inputs, columns]` as this page has it.
fn layer(kv_heads: usize) -> Weights {
    let linear = |rows, columns, seed| Linear {
        w: numbers((rows, columns), seed),
        b: Some(numbers(columns, seed + 1)),
    };
    Weights {
        query: linear(WIDTH, HEADS * D, 10),
        key: linear(WIDTH, kv_heads * D, 20),
        value: linear(WIDTH, kv_heads * D, 30),
        output: Some(linear(HEADS * D, WIDTH, 40)),
        additive: None,
    }
}

fn tensor<D: Dimension>(name: impl Into<String>, array: &Array<f32, D>) -> Tensor {
    let data = array.iter().copied().collect();
    Tensor::new(name, array.shape().to_vec(), data)
}

/// The weights and biases by the names `q`, `k`, `v` and `o`, each made by `as_saved` from those of this page.
fn four(weights: &Weights, mut as_saved: impl FnMut(char, &Linear) -> [Tensor; 2]) -> Vec<Tensor> {
    let output = weights.output.as_ref().expect("there is one");
    let all = [
        ('q', &weights.query),
        ('k', &weights.key),
        ('v', &weights.value),
        ('o', output),
    ];
    all.into_iter()
        .flat_map(|(letter, own)| as_saved(letter, own))
        .collect()
}

fn bias(own: &Linear) -> &Array1<f32> {
    own.b.as_ref().expect("there is one")
}

/// As PyTorch's `nn.Linear` holds it, by the name that `name` gives to each letter.
fn torch(weights: &Weights, name: impl Fn(char) -> String) -> Vec<Tensor> {
    four(weights, |letter, own| {
        let name = name(letter);
        [
            tensor(format!("{name}.weight"), &own.w.t().to_owned()),
            tensor(format!("{name}.bias"), bias(own)),
        ]
    })
}

/// As JAX and Keras hold a dense layer over several axes: `[d_model, heads, d]`, and `[heads, d, d_model]` of the output.
fn kernels(weights: &Weights, name: impl Fn(char) -> [String; 2]) -> Vec<Tensor> {
    four(weights, |letter, own| {
        let [w, b] = name(letter);
        let heads = own.w.len() / WIDTH / D;
        let (lengths, biases) = match letter {
            'o' => ((heads, D, WIDTH), (1, WIDTH)),
            _ => ((WIDTH, heads, D), (heads, D)),
        };
        let kernel = own.w.clone().into_shape_with_order(lengths);
        let bias = bias(own).clone().into_shape_with_order(biases);
        [
            tensor(w, &kernel.expect("its shape")),
            tensor(b, &bias.expect("its shape")),
        ]
    })
}

/// `[heads, d_model, d]`, and `[heads, d, d_model]` of the output, as TransformerLens holds it.
fn by_head(weights: &Weights, prefix: &str) -> Vec<Tensor> {
    four(weights, |letter, own| {
        let upper = letter.to_ascii_uppercase();
        let heads = own.w.len() / WIDTH / D;
        let apart = match letter {
            'o' => own.w.clone().into_shape_with_order((heads, D, WIDTH)),
            _ => {
                let apart = own.w.clone().into_shape_with_order((WIDTH, heads, D));
                apart.map(|apart| apart.permuted_axes([1, 0, 2]))
            }
        };
        let apart: Array3<f32> = apart.expect("its shape");
        let lengths = if letter == 'o' {
            (1, WIDTH)
        } else {
            (heads, D)
        };
        let bias = bias(own).clone().into_shape_with_order(lengths);
        let bias: Array2<f32> = bias.expect("its shape");
        [
            tensor(format!("{prefix}W_{upper}"), &apart),
            tensor(format!("{prefix}b_{upper}"), &bias),
        ]
    })
}

/// Q, K and V side by side, with the output by itself.
fn fused(weights: &Weights) -> (Array2<f32>, Array1<f32>) {
    let three = [&weights.query, &weights.key, &weights.value];
    let w = concatenate(ndarray::Axis(1), &three.map(|own| own.w.view()));
    let b = concatenate(ndarray::Axis(0), &three.map(|own| bias(own).view()));
    let w = w.expect("alike rows").as_standard_layout().into_owned();
    (w, b.expect("vectors"))
}

fn opened(tensors: &[Tensor], heads: Option<usize>) -> (Weights, usize, usize) {
    let mut reading = TensorAssignment::guess(tensors);
    assert_eq!(reading.kind, ImportedKind::Layer, "{:?}", tensors[0].name);
    if let Some(heads) = heads {
        assert!(
            reading.asked_heads(tensors).is_some(),
            "{:?}",
            tensors[0].name
        );
        reading.heads = heads;
    }
    let opened = open(tensors, &reading, "file").expect("a layer");
    let ImportedTensors::Layer {
        weights,
        heads,
        kv_heads,
        ..
    } = opened.imported.contents().clone()
    else {
        panic!("a layer is a layer")
    };
    (weights, heads, kv_heads)
}

fn named<const N: usize>(names: [&str; N], letter: char) -> String {
    let at = ['q', 'k', 'v', 'o']
        .into_iter()
        .position(|own| own == letter);
    names[at.expect("one of four")].to_owned()
}

#[test]
fn modules_of_pytorch_by_the_names_of_many_models() {
    for names in [
        ["q_proj", "k_proj", "v_proj", "o_proj"]
            .map(|own| format!("model.layers.0.self_attn.{own}")),
        ["self.query", "self.key", "self.value", "output.dense"]
            .map(|own| format!("encoder.layer.0.attention.{own}")),
        ["q_lin", "k_lin", "v_lin", "out_lin"]
            .map(|own| format!("transformer.layer.0.attention.{own}")),
        ["q", "k", "v", "o"].map(|own| format!("encoder.block.0.layer.0.SelfAttention.{own}")),
        ["W_query", "W_key", "W_value", "out_proj"].map(|own| format!("trf_blocks.0.att.{own}")),
        ["wq", "wk", "wv", "wo"].map(|own| format!("layers.0.attention.{own}")),
        ["0", "1", "2", "3"].map(|own| format!("encoder.layers.0.self_attn.linears.{own}")),
        ["to_q", "to_k", "to_v", "to_out.0"].map(|own| format!("mid_block.attentions.0.{own}")),
    ] {
        let names = names.each_ref().map(String::as_str);
        for kv_heads in [HEADS, 1] {
            let wanted = layer(kv_heads);
            let tensors = torch(&wanted, |letter| named(names, letter));
            assert_eq!(
                opened(&tensors, Some(HEADS)),
                (wanted, HEADS, kv_heads),
                "{names:?}"
            );
        }
    }
}

#[test]
fn square_modules_are_turned_and_square_kernels_are_not() {
    let linear = |seed| Linear {
        w: numbers((WIDTH, WIDTH), seed),
        b: Some(numbers(WIDTH, seed + 1)),
    };
    let square = Weights {
        query: linear(1),
        key: linear(3),
        value: linear(5),
        output: Some(linear(7)),
        additive: None,
    };
    let names = ["attn.q_proj", "attn.k_proj", "attn.v_proj", "attn.out_proj"];
    let tensors = torch(&square, |letter| named(names, letter));
    assert_eq!(opened(&tensors, Some(2)).0, square);
    let tensors = four(&square, |letter, own| {
        let name = named(["query", "key", "value", "out"], letter);
        [
            tensor(format!("attention/{name}/kernel"), &own.w),
            tensor(format!("attention/{name}/bias"), bias(own)),
        ]
    });
    assert_eq!(opened(&tensors, Some(2)).0, square);
    // GPT-2's own modules hold inputs first, nanoGPT's hold outputs first, by the same names.
    let (w, b) = fused(&square);
    let output = square.output.as_ref().expect("there is one");
    let gpt = |is_turned: bool| {
        let saved = |w: &Array2<f32>| {
            if is_turned {
                w.t().to_owned()
            } else {
                w.clone()
            }
        };
        [
            tensor("h.0.attn.c_attn.weight", &saved(&w)),
            tensor("h.0.attn.c_attn.bias", &b),
            tensor("h.0.attn.c_proj.weight", &saved(&output.w)),
            tensor("h.0.attn.c_proj.bias", bias(output)),
            tensor("h.0.mlp.c_proj.weight", &numbers((2, 2), 1)),
        ]
    };
    for is_turned in [false, true] {
        assert_eq!(
            opened(&gpt(is_turned), Some(2)),
            (square.clone(), 2, 2),
            "{is_turned}"
        );
    }
    let torch = [
        tensor("self_attn.in_proj_weight", &w.t().to_owned()),
        tensor("self_attn.in_proj_bias", &b),
        tensor("self_attn.out_proj.weight", &output.w.t().to_owned()),
        tensor("self_attn.out_proj.bias", bias(output)),
    ];
    assert_eq!(opened(&torch, Some(4)), (square.clone(), 4, 4));
    // With keys of another length PyTorch holds three matrices and one bias.
    let apart = [
        tensor("q_proj_weight", &square.query.w.t().to_owned()),
        tensor("k_proj_weight", &square.key.w.t().to_owned()),
        tensor("v_proj_weight", &square.value.w.t().to_owned()),
        tensor("in_proj_bias", &b),
        tensor("out_proj.weight", &output.w.t().to_owned()),
        tensor("out_proj.bias", bias(output)),
    ];
    assert_eq!(opened(&apart, Some(4)), (square, 4, 4));
}

#[test]
fn kernels_over_heads_say_how_many_there_are() {
    let keras = ["query", "key", "value", "attention_output"];
    let flax = ["query", "key", "value", "out"];
    let einsum = [
        "einsum_dense",
        "einsum_dense_1",
        "einsum_dense_2",
        "einsum_dense_3",
    ];
    let dense = ["query_dense", "key_dense", "value_dense", "output_dense"];
    for kv_heads in [HEADS, 1] {
        let wanted = layer(kv_heads);
        for (names, before, w, b) in [
            (keras, "multi_head_attention/", "/kernel", "/bias"),
            (keras, "multi_head_attention_1/", "/kernel:0", "/bias:0"),
            (flax, "params/SelfAttention_0/", "/kernel", "/bias"),
            (flax, "", ".kernel", ".bias"),
            (einsum, "", "/kernel", "/bias"),
            (dense, "layers/mha/", "/vars/0", "/vars/1"),
        ] {
            let tensors = kernels(&wanted, |letter| {
                let name = named(names, letter);
                [format!("{before}{name}{w}"), format!("{before}{name}{b}")]
            });
            let is_asked = TensorAssignment::guess(&tensors).asked_heads(&tensors);
            assert_eq!(is_asked, None, "{before}{w}");
            assert_eq!(
                opened(&tensors, None),
                (wanted.clone(), HEADS, kv_heads),
                "{before}{w}"
            );
        }
        // Without an output projection only the name tells which axis the heads stand along.
        let mut projections = kernels(&wanted, |letter| {
            let name = named(flax, letter);
            [format!("{name}/kernel"), format!("{name}/bias")]
        });
        projections.retain(|own| !own.name.starts_with("out"));
        let wanted_of_these = Weights {
            output: None,
            ..wanted.clone()
        };
        assert_eq!(
            opened(&projections, None),
            (wanted_of_these, HEADS, kv_heads)
        );
        let lens = by_head(&wanted, "blocks.0.attn.");
        assert_eq!(opened(&lens, None), (wanted, HEADS, kv_heads));
    }
}

#[test]
fn several_matrices_in_one() {
    let wanted = layer(HEADS);
    let (w, b) = fused(&wanted);
    let output = wanted.output.as_ref().expect("there is one");
    let rest = |proj: &str| {
        [
            tensor(format!("{proj}.weight"), &output.w.t().to_owned()),
            tensor(format!("{proj}.bias"), bias(output)),
        ]
    };
    let qkv = [
        tensor("blocks.0.attn.qkv.weight", &w.t().to_owned()),
        tensor("blocks.0.attn.qkv.bias", &b),
    ];
    let qkv = [qkv, rest("blocks.0.attn.proj")].concat();
    assert_eq!(opened(&qkv, Some(HEADS)), (wanted.clone(), HEADS, HEADS));
    // GPT-NeoX and BLOOM hold queries, keys and values of each head together.
    let by_head = |all: Array2<f32>| {
        let rows = all.nrows();
        let apart = all
            .into_shape_with_order((rows, 3, HEADS, D))
            .expect("its shape");
        let apart = apart
            .permuted_axes([0, 2, 1, 3])
            .as_standard_layout()
            .into_owned();
        apart
            .into_shape_with_order((rows, 3 * HEADS * D))
            .expect("its shape")
    };
    let neox = [
        tensor(
            "layers.0.attention.query_key_value.weight",
            &by_head(w.clone()).t().to_owned(),
        ),
        tensor(
            "layers.0.attention.query_key_value.bias",
            &by_head(b.clone().insert_axis(ndarray::Axis(0)))
                .row(0)
                .to_owned(),
        ),
    ];
    let neox = [neox, rest("layers.0.attention.dense")].concat();
    assert_eq!(opened(&neox, Some(HEADS)), (wanted.clone(), HEADS, HEADS));
    // Fewer keys than queries, which only the output projection tells apart.
    let grouped = layer(1);
    let (w, b) = fused(&grouped);
    let wqkv = [
        tensor("h.0.attn.qkv_proj.weight", &w.t().to_owned()),
        tensor("h.0.attn.qkv_proj.bias", &b),
    ];
    let wqkv = [wqkv, rest("h.0.attn.o_proj")].concat();
    assert_eq!(opened(&wqkv, Some(HEADS)), (grouped.clone(), HEADS, 1));
    let pair = concatenate(
        ndarray::Axis(1),
        &[grouped.key.w.view(), grouped.value.w.view()],
    );
    let pair = pair.expect("alike rows").t().to_owned();
    let both = [bias(&grouped.key).to_vec(), bias(&grouped.value).to_vec()].concat();
    let with_bias = [
        tensor("attn.q.weight", &grouped.query.w.t().to_owned()),
        tensor("attn.q.bias", bias(&grouped.query)),
        tensor("attn.kv.weight", &pair),
        tensor("attn.kv.bias", &Array1::from(both)),
    ];
    let with_bias = [&with_bias[..], &rest("attn.proj")].concat();
    assert_eq!(opened(&with_bias, Some(HEADS)), (grouped.clone(), HEADS, 1));
    let mut without = grouped;
    for own in [&mut without.query, &mut without.key, &mut without.value] {
        own.b = None;
    }
    let kv = [
        tensor("to_q.weight", &without.query.w.t().to_owned()),
        tensor("to_kv.weight", &pair),
    ];
    let kv = [kv, rest("to_out")].concat();
    assert_eq!(opened(&kv, Some(HEADS)), (without, HEADS, 1));
}

#[test]
fn heads_that_stand_apart_are_put_together_and_counted() {
    let wanted = layer(HEADS);
    let mut tensors: Vec<Tensor> = Vec::new();
    for layer in 0..2 {
        for head in 0..HEADS {
            let columns = s![.., head * D..(head + 1) * D];
            for (name, own) in [
                ("key", &wanted.key),
                ("query", &wanted.query),
                ("value", &wanted.value),
            ] {
                let name = format!("blocks.{layer}.sa.heads.{head}.{name}");
                let w = own.w.slice(columns).t().mapv(|own| own + layer as f32);
                tensors.push(tensor(format!("{name}.weight"), &w));
            }
        }
    }
    let reading = TensorAssignment::guess(&tensors);
    assert_eq!(
        (reading.entries(&tensors), reading.asked_heads(&tensors)),
        (2, None)
    );
    let (read, heads, kv_heads) = opened(&tensors, None);
    assert_eq!((heads, kv_heads), (HEADS, HEADS));
    assert_eq!(
        (read.query.w, read.value.w),
        (wanted.query.w, wanted.value.w)
    );
    let maps: Vec<Tensor> = (0..3)
        .map(|head| {
            tensor(
                format!("head_{head}"),
                &numbers((2, 2), head).mapv(|own: f32| own.abs() * 0.1),
            )
        })
        .collect();
    let map = open(&maps, &TensorAssignment::guess(&maps), "").expect("a map");
    assert_eq!(map.imported.contents().shape(), [3, 2, 2]);
}

fn heads_of(shapes: &[(&str, &[usize])]) -> (usize, Option<usize>, String) {
    let made = shapes.iter().map(|(name, shape)| {
        let count = shape.iter().product();
        Tensor::new(*name, shape.to_vec(), vec![0.5; count])
    });
    let tensors: Vec<Tensor> = made.collect();
    let reading = TensorAssignment::guess(&tensors);
    let asked = reading.asked_heads(&tensors);
    let said = asked.map_or_else(String::new, |asked| {
        heads_note(Language::En, asked, &tensors)
    });
    (reading.heads, asked.map(|asked| asked.group), said)
}

#[test]
fn heads_are_one_unless_the_file_says_more() {
    let unsaid = "The file does not say how many.";
    let four: &[usize] = &[4, 4];
    for shapes in [
        &[("q", four), ("k", four), ("v", four)][..],
        &[("w_q", four), ("w_k", four), ("w_v", four)],
        &[
            ("in_proj_weight", &[12, 4]),
            ("in_proj_bias", &[12]),
            ("out_proj.weight", four),
            ("out_proj.bias", &[4]),
        ],
        &[
            ("h.0.attn.c_attn.weight", &[768, 2304]),
            ("h.0.attn.c_attn.bias", &[2304]),
        ],
    ] {
        assert_eq!(
            heads_of(shapes),
            (1, Some(1), unsaid.to_owned()),
            "{shapes:?}"
        );
    }
    let llama: &[(&str, &[usize])] = &[
        ("self_attn.q_proj.weight", &[256, 256]),
        ("self_attn.k_proj.weight", &[64, 256]),
        ("self_attn.v_proj.weight", &[64, 256]),
        ("self_attn.o_proj.weight", &[256, 256]),
    ];
    let (heads, group, said) = heads_of(llama);
    assert_eq!((heads, group), (4, Some(4)));
    assert!(said.contains("a multiple of 4"), "{said}");
    let with =
        |name: &'static str, shape: &'static [usize]| heads_of(&[llama, &[(name, shape)]].concat());
    for (name, shape) in [
        ("self_attn.q_norm.weight", &[8][..]),
        ("self_attn.rotary_emb.inv_freq", &[4]),
        ("relative_attention_bias.weight", &[16, 32]),
        ("q", &[32, 5, 8]),
        ("attn_weights", &[1, 32, 5, 5]),
    ] {
        assert_eq!(
            with(name, shape),
            (32, Some(4), format!("as “{name}” says"))
        );
    }
    // What does not fit says nothing.
    assert_eq!(with("relative_attention_bias.weight", &[16, 6]).0, 4);
    assert_eq!(with("self_attn.q_norm.weight", &[256]).0, 4);
}

#[test]
fn a_number_beside_the_tensors_may_say_the_heads() {
    let mut tensors = ["w_q", "w_k", "w_v"]
        .map(|name| tensor(name, &numbers((6, 8), 1)))
        .to_vec();
    tensors.push(Tensor::new("num_attention_heads", vec![], vec![4.0]));
    assert_eq!(TensorAssignment::guess(&tensors).heads, 4);
    tensors[3].data[0] = 3.0;
    assert_eq!(
        TensorAssignment::guess(&tensors).heads,
        1,
        "3 do not divide 8"
    );
}

#[test]
fn queries_of_transformer_lens_have_their_rows_first() {
    let tensors: Vec<Tensor> = ["q", "k", "v"]
        .map(|letter| {
            tensor(
                format!("blocks.0.attn.hook_{letter}"),
                &numbers((1, 6, 4, 8), 2),
            )
        })
        .into();
    let reading = TensorAssignment::guess(&tensors);
    let opened = open(&tensors, &reading, "").expect("heads");
    let ImportedTensors::Heads { q, .. } = opened.imported.contents() else {
        panic!("heads are heads")
    };
    assert_eq!(q.dim(), (4, 6, 8));
    assert_eq!(q[[2, 5, 3]], tensors[0].data[(5 * 4 + 2) * 8 + 3]);
    assert_eq!(
        opened.parts[0].how,
        [AxisTransform::Batch, AxisTransform::RowsFirst]
    );
    assert!(
        reading.asks_rows_first(&tensors),
        "the other reading is offered"
    );
}

fn said(tensors: &[Tensor], reading: &TensorAssignment) -> Vec<String> {
    let result = open(tensors, reading, "file");
    let lines = lines(tensors, reading, &result).into_iter();
    let said = lines.map(|own| {
        let rest = line(Language::En, &own, tensors);
        match own {
            Line::Part(part) => format!("{}: {rest}", part.role.name()),
            Line::Role { role, .. } => format!("{}? {rest}", role.name()),
            Line::Other { role, .. } => format!("{}… {rest}", role.name()),
            Line::Setting { .. } => format!("setting: {rest}"),
            Line::Unused { .. } => format!("not used: {rest}"),
        }
    });
    said.collect()
}

#[test]
fn every_tensor_is_listed_with_its_role_or_as_not_used() {
    let gpt = [
        tensor("h.0.attn.c_attn.weight", &numbers((8, 24), 1)),
        tensor("h.0.attn.c_attn.bias", &numbers(24, 2)),
        tensor("h.0.ln_1.weight", &numbers(8, 3)),
        tensor("h.1.attn.c_attn.weight", &numbers((8, 24), 4)),
        tensor("h.1.attn.c_attn.bias", &numbers(24, 5)),
        tensor("h.1.ln_1.weight", &numbers(8, 6)),
        tensor("wte", &numbers((5, 8), 7)),
    ];
    let mut reading = TensorAssignment::guess(&gpt);
    assert_eq!(
        said(&gpt, &reading),
        [
            "w_qkv: “h.0.attn.c_attn.weight” [8, 24]; number 1 of 2 layers or batch entries; split into W_Q, W_K and W_V = d_model × 3·heads·d_k",
            "w_qkv… “h.1.attn.c_attn.weight” [8, 24]: under another number",
            "b_qkv: “h.0.attn.c_attn.bias” [24] = one number for each column of its weights",
            "b_qkv… “h.1.attn.c_attn.bias” [24]: under another number",
            "not used: “h.0.ln_1.weight” [8] and 1 more like it",
            "not used: “wte” [5, 8]",
        ]
    );
    reading.heads = 3;
    let refused = said(&gpt, &reading);
    assert_eq!(
        refused[0],
        "w_qkv? “h.0.attn.c_attn.weight” [8, 24] = d_model × 3·heads·d_k"
    );
    assert_eq!(refused.len(), 6);
}

#[test]
fn layers_take_turns_in_the_order_of_their_numbers() {
    let map = |name: &str, at: f32| {
        let mut map = tensor(
            name,
            &Array3::<f32>::from_elem((2, 3, 3), 1.0 / 3.0).insert_axis(ndarray::Axis(0)),
        );
        map.data[0..3].copy_from_slice(&[at / 16.0, 1.0 - at / 16.0, 0.0]);
        map
    };
    for pattern in [
        "layer_",
        "attentions.",
        "encoder.layers.",
        "blocks.*.attn.hook_pattern",
        "step",
    ] {
        let name = |at: usize| match pattern.split_once('*') {
            Some((before, after)) => format!("{before}{at}{after}"),
            None => format!("{pattern}{at}"),
        };
        let numbers = [10, 9, 2];
        let tensors = numbers.map(|at| map(&name(at), at as f32));
        let mut reading = TensorAssignment::guess(&tensors);
        assert_eq!(
            (reading.kind, reading.entries(&tensors)),
            (ImportedKind::Matrix, 3),
            "{pattern}"
        );
        for (entry, wanted) in [(0, 2.0), (1, 9.0), (2, 10.0), (7, 10.0)] {
            reading.entry = entry;
            let opened = open(&tensors, &reading, "").expect("a map");
            let ImportedTensors::Matrix(weights) = opened.imported.contents() else {
                panic!("{pattern}: a map is a map")
            };
            assert_eq!(weights[[0, 0, 0]], wanted / 16.0, "{pattern} {entry}");
            let at = entry.min(2);
            assert!(
                opened.parts[0]
                    .how
                    .contains(&AxisTransform::Entry { at, of: 3 })
            );
        }
        reading.entry = 1;
        let said = said(&tensors, &reading);
        assert!(said[0].contains(&name(9)), "{said:?}");
        assert!(
            said[1].contains("and 1 more") && said.len() == 2,
            "{said:?}"
        );
    }
}

#[test]
fn layers_go_together_even_where_one_has_no_bias() {
    let mut tensors: Vec<Tensor> = Vec::new();
    for layer in [0, 1, 10] {
        for letter in ["q", "k", "v"] {
            let name = format!("layers.{layer}.self_attn.{letter}_proj");
            tensors.push(tensor(format!("{name}.weight"), &numbers((6, 4), layer)));
            if layer != 1 {
                tensors.push(tensor(format!("{name}.bias"), &numbers(6, layer)));
            }
        }
    }
    let mut reading = TensorAssignment::guess(&tensors);
    assert_eq!(reading.entries(&tensors), 3);
    let wanted = |layer| -> Array2<f32> { numbers((6, 4), layer).t().to_owned() };
    for (entry, layer) in [(0, 0), (1, 1), (2, 10)] {
        reading.entry = entry;
        let opened = open(&tensors, &reading, "").expect("a layer");
        let ImportedTensors::Layer { weights, .. } = opened.imported.contents() else {
            panic!("a layer is a layer")
        };
        assert_eq!(weights.value.w, wanted(layer));
        assert_eq!(weights.key.b.is_some(), layer != 1);
    }
}

#[test]
fn steps_of_a_generation_are_offered_and_the_prompt_comes_first() {
    let row = |columns: usize| Array::from_elem((1, 2, 1, columns), 1.0 / columns as f32);
    let steps = [
        tensor("0", &Array::from_elem((1, 2, 3, 3), 1.0 / 3.0)),
        tensor("1", &row(4)),
        tensor("2", &row(5)),
    ];
    let mut reading = TensorAssignment::guess(&steps);
    assert_eq!(
        (reading.kind, reading.entries(&steps)),
        (ImportedKind::Matrix, 3)
    );
    let shapes = [0, 1, 2].map(|entry| {
        reading.entry = entry;
        open(&steps, &reading, "")
            .expect("a map")
            .imported
            .contents()
            .shape()
    });
    assert_eq!(shapes, [vec![2, 3, 3], vec![2, 1, 4], vec![2, 1, 5]]);
}

#[test]
fn arrays_without_names_are_roles_and_no_layers() {
    let three: Vec<Tensor> = (0..3)
        .map(|at| tensor(format!("arr_{at}"), &numbers((5, 8), at)))
        .collect();
    let reading = TensorAssignment::guess(&three);
    assert_eq!(
        (reading.kind, reading.why, reading.entries(&three)),
        (ImportedKind::Heads, Why::Alike, 1)
    );
    let opened = open(&three, &reading, "").expect("heads");
    let ImportedTensors::Heads { v, .. } = opened.imported.contents() else {
        panic!("heads are heads")
    };
    assert_eq!(v.iter().copied().collect::<Vec<_>>(), three[2].data);
}

fn read(rows: usize, cells: &[f32]) -> (TensorAssignment, Result<ImportedTensors, Refusal>) {
    let tensors = [Tensor::new(
        "arr_0",
        vec![rows, cells.len() / rows],
        cells.to_vec(),
    )];
    let reading = TensorAssignment::guess(&tensors);
    let opened = open(&tensors, &reading, "");
    (
        reading,
        opened.map(|opened| opened.imported.contents().clone()),
    )
}

#[test]
fn maps_whose_rows_do_not_sum_to_one_stay_maps_and_the_cause_is_named() {
    let told = |rows, cells: &[f32]| {
        let (reading, read) = read(rows, cells);
        let contents = read.expect("a map");
        assert_eq!(reading.kind, ImportedKind::Matrix, "{cells:?}");
        remarks(&contents)
    };
    let sums = |rows, worst: f64| move |remark: &Remark| matches!(remark, Remark::Sums { rows: own, worst: at } if *own == rows && (at - worst).abs() < 1e-6);
    let padded = told(3, &[0.5, 0.5, 0.0, 0.25, 0.75, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(padded, [Remark::Empty { rows: 1 }]);
    let dropout = told(3, &[0.45, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.2, 0.8]);
    assert!(
        sums(2, 2.0)(&dropout[0]) && dropout[1] == Remark::Dropout,
        "{dropout:?}"
    );
    assert_eq!(dropout[2], Remark::Empty { rows: 1 });
    let halves = told(3, &[0.4, 0.0, 1.6, 0.0, 0.0, 0.0, 0.2, 0.0, 1.4]);
    assert!(
        sums(2, 2.0)(&halves[0]) && halves[1] == Remark::Dropout,
        "{halves:?}"
    );
    // A causal window has zeros in front, and none between.
    let window = told(3, &[1.2, 0.0, 0.0, 0.6, 0.6, 0.0, 0.0, 0.6, 0.6]);
    assert!(sums(3, 1.2)(&window[0]), "{window:?}");
    assert_eq!(window[1..], [Remark::Causal]);
    let mean = told(2, &[0.625, 0.625, 0.25, 0.5]);
    assert_eq!(mean[1], Remark::AveragedDropout);
    let sink = told(3, &[0.3, 0.19, 0.01, 0.5, 0.1, 0.26, 0.25, 0.25, 0.25]);
    assert!(
        sums(3, 0.5)(&sink[0]) && sink[1] == Remark::Sink,
        "{sink:?}"
    );
    // One row alone has no usual cause.
    let one = told(2, &[0.75, 0.75, 0.5, 0.5]);
    assert!(sums(1, 1.5)(&one[0]) && one.len() == 1, "{one:?}");
}

/// The softmax of every row.
fn softmax<const N: usize>(rows: [[f32; N]; 3]) -> Vec<f32> {
    let of = |row: [f32; N]| {
        let powers = row.map(f32::exp);
        let sum: f32 = powers.iter().sum();
        powers.map(|power| power / sum)
    };
    rows.into_iter().flat_map(of).collect()
}

#[test]
fn a_softmax_of_weights_is_told_from_rows_that_are_nearly_even() {
    let told = |cells: &[f32]| remarks(&read(3, cells).1.expect("a map"));
    let weights = [
        [0.9, 0.05, 0.03, 0.02],
        [0.03, 0.9, 0.02, 0.05],
        [0.97, 0.01, 0.01, 0.01],
    ];
    let twice = softmax(weights);
    assert!((twice[0] - 0.442_253).abs() < 1e-6);
    assert_eq!(told(&twice), [Remark::SoftmaxTwice]);
    let printed: Vec<f32> = twice.iter().map(|own| (own * 1e4).round() / 1e4).collect();
    assert_eq!(told(&printed), [Remark::SoftmaxTwice]);
    // Scores that are nearly equal: largest over smallest is below e here too.
    let even = softmax([
        [0.2, 0.1, 0.0, 0.1],
        [0.1, 0.0, 0.1, 0.2],
        [0.7, 0.7, 0.8, 0.0],
    ]);
    assert_eq!(told(&even), []);
    let closer = softmax([
        [0.2, 0.1, 0.0, 0.1],
        [0.1, 0.0, 0.1, 0.2],
        [0.1, 0.2, 0.1, 0.0],
    ]);
    assert_eq!(told(&closer), []);
    assert_eq!(told(&[0.25; 12]), []);
    assert_eq!(told(&weights.concat()), []);
}

#[test]
fn a_map_that_is_causal_but_for_a_cell_says_which() {
    let told = |later: &[(usize, f32)]| {
        let mut cells = [0.0; 36];
        for (query, row) in cells.chunks_exact_mut(6).enumerate() {
            row[..=query].fill(1.0 / (query + 1) as f32);
        }
        for (key, weight) in later {
            cells[*key] = *weight;
            cells[0] -= *weight;
        }
        remarks(&read(6, &cells).1.expect("a map"))
    };
    assert_eq!(told(&[]), [Remark::Causal]);
    let leak = Remark::NearlyCausal {
        cells: 1,
        worst: 0.25,
        query: 0,
        key: 3,
    };
    assert_eq!(told(&[(3, 0.25)]), [leak]);
    assert_eq!(
        told(&[(3, 0.25), (4, 0.125)]),
        [],
        "two of fifteen are no slip"
    );
    // A head that looks at the word before has a weight above the diagonal by chance.
    let mut previous = [0.0; 36];
    for query in 0..6 {
        previous[6 * query + if query == 0 { 3 } else { query - 1 }] = 1.0;
    }
    assert_eq!(remarks(&read(6, &previous).1.expect("a map")), []);
}

#[test]
fn a_softmax_over_the_queries_is_shown_as_it_is_and_the_other_way_round_on_demand() {
    let cells = [0.9, 0.5, 0.25, 0.1, 0.5, 0.75];
    let tensors = [Tensor::new("attn", vec![2, 3], cells.to_vec())];
    let mut reading = TensorAssignment::guess(&tensors);
    let shown = |reading: &TensorAssignment| {
        let opened = open(&tensors, reading, "").expect("a map");
        let ImportedTensors::Matrix(weights) = opened.imported.contents().clone() else {
            panic!("a map is a map")
        };
        (
            weights,
            remarks(opened.imported.contents()),
            opened.parts[0].how.clone(),
        )
    };
    assert!(reading.asks_transposed(&tensors));
    let (weights, remarks, how) = shown(&reading);
    assert_eq!(weights.iter().copied().collect::<Vec<_>>(), cells);
    assert!(
        matches!(remarks[..], [Remark::Sums { rows: 2, .. }, Remark::Columns]),
        "{remarks:?}"
    );
    assert_eq!(how, []);
    reading.is_transposed = true;
    let (weights, remarks, how) = shown(&reading);
    assert_eq!(weights.dim(), (1, 3, 2));
    assert_eq!(
        (weights[[0, 2, 1]], how),
        (0.75, vec![AxisTransform::Turned])
    );
    assert_eq!(remarks, []);
    let right = [Tensor::new("attn", vec![2, 2], vec![0.5, 0.5, 0.25, 0.75])];
    assert!(!TensorAssignment::guess(&right).asks_transposed(&right));
}

#[test]
fn a_row_of_nan_sees_no_key_and_a_single_nan_is_refused() {
    let nan = f32::NAN;
    let mut tensors = [Tensor::new(
        "attn",
        vec![1, 3, 3],
        vec![1.0, 0.0, 0.0, nan, nan, nan, 0.25, 0.25, 0.5],
    )];
    let reading = TensorAssignment::guess(&tensors);
    let opened = open(&tensors, &reading, "").expect("a map");
    assert_eq!(opened.parts[0].how, [AxisTransform::Emptied(1)]);
    let ImportedTensors::Matrix(weights) = opened.imported.contents() else {
        panic!("a map is a map")
    };
    assert_eq!(weights.slice(s![0, 1, ..]).to_vec(), [0.0; 3]);
    let told = remarks(opened.imported.contents());
    assert!(told.contains(&Remark::Empty { rows: 1 }), "{told:?}");
    tensors[0].data[4] = 0.5;
    let refused = open(&tensors, &reading, "").expect_err("two are no numbers");
    assert_eq!(
        refused,
        Refusal::NotFinite {
            tensor: "attn".to_owned(),
            at: vec![1, 2, 1]
        }
    );
    // Of anything but weights such a row is refused.
    let inputs = [Tensor::new("x", vec![2, 2], vec![1.0, 2.0, nan, nan])];
    let refused = open(&inputs, &TensorAssignment::guess(&inputs), "");
    assert!(matches!(refused, Err(Refusal::NotFinite { .. })));
}

#[test]
fn why_a_file_is_taken_for_something_is_said() {
    let told = |tensors: &[Tensor]| {
        let reading = TensorAssignment::guess(tensors);
        let told = Language::ALL.map(|language| why(language, &reading, tensors));
        assert!(
            told.iter()
                .all(|told| !told.is_empty() && !told.contains(['{', '}']))
        );
        (reading.kind, reading.why, told[0].clone())
    };
    let plain = |shape: (usize, usize)| tensor("arr_0", &numbers(shape, 1));
    let (kind, why, said) = told(&[tensor("emb", &numbers((3, 2), 1))]);
    assert_eq!((kind, why), (ImportedKind::Embeddings, Why::Name(0)));
    assert!(said.contains("“emb”"), "{said}");
    assert_eq!(told(&[plain((3, 2))]).1, Why::Rows);
    assert_eq!(
        told(&[tensor("arr_0", &numbers((2, 3, 3), 1))]).1,
        Why::Axes
    );
    assert_eq!(
        told(&[Tensor::new("", vec![2, 2], vec![0.5; 4])]).1,
        Why::Sums
    );
    assert_eq!(
        told(&[Tensor::new("", vec![2, 2], vec![0.25; 4])]).1,
        Why::Fractions
    );
    let tensors = [plain((3, 2))];
    let chosen = TensorAssignment::guess(&tensors).turned_to(ImportedKind::Matrix, &tensors);
    assert_eq!(
        (chosen.why, chosen.plays(Role::Weights)),
        (Why::Chosen, Some(0))
    );
}
