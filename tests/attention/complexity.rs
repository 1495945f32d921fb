//! Closed formulas equal the cost of plans, and sparse counts equal what masks say cell by cell.

use crate::common::cases::{Case, Numbers, stride};
use attention::complexity::{
    Count, Dims, Layer, Measure, Memory, crossings, kv_cache_bytes, sum, total, visible_cells,
    without_hidden,
};
use attention::plan::{Operation, Plan};
use attention::{CallOptions, CellIndex, Config, ExplicitMask, Linformer, Mask, Sizes};
use ndarray::Array4;

const LENGTHS: [usize; 9] = [1, 2, 7, 64, 129, 777, 1024, 4096, 16_384];
const DIMS: Dims = Dims {
    d_model: 24.0,
    heads: 6.0,
    d_k: 5.0,
    d_out: 19.0,
    window: 9.0,
    stride: 7.0,
    projected: 3.0,
    kernel: 3.0,
};

/// The configuration of self-attention over `n` tokens with the sizes of [`DIMS`].
fn config(n: usize, kv_heads: usize, is_linformer: bool, mask: Mask) -> Config {
    let mut case = Case {
        cross: false,
        biases: false,
        ..Case::default()
    };
    // Small numbers make the request; its lengths are changed where only they matter.
    case.sizes = Sizes {
        batch: 1,
        heads: 6,
        kv_heads,
        n: 8,
        m: 8,
        keys: 8,
        d_model: Some(24),
        d_k: 5,
        d_v: 5,
        d_out: 19,
    };
    let mut numbers = Numbers::new(5);
    let linformer = is_linformer.then(|| Linformer {
        e: numbers.matrix(3, 8),
        f: numbers.matrix(3, 8),
    });
    let call = CallOptions {
        mask,
        linformer,
        ..CallOptions::default()
    };
    let mut config = *case.request(call).config();
    let sizes = &mut config.sizes;
    (sizes.n, sizes.m) = (n, n);
    sizes.keys = if is_linformer { 3 } else { n };
    config
}

fn mask_of(layer: Layer) -> Mask {
    match layer {
        Layer::Causal => Mask::Causal,
        Layer::Local => Mask::Local { window: 9 },
        Layer::Strided => Mask::Strided { stride: stride(7) },
        _ => Mask::Full,
    }
}

fn plan_of(layer: Layer, n: usize) -> Plan {
    let kv_heads = if layer == Layer::MultiQuery { 1 } else { 6 };
    Plan::full(&config(
        n,
        kv_heads,
        layer == Layer::Linformer,
        mask_of(layer),
    ))
}

/// Cost with a kernel that skips hidden cells.
fn sparse(plan: &Plan, mask: &Mask) -> Count {
    let visible = visible_cells(mask, &plan.config().sizes);
    sum(plan
        .steps()
        .iter()
        .map(|step| without_hidden(plan, step, visible)))
}

#[test]
fn closed_formulas_of_flops_equal_plans_at_every_length() {
    for layer in Layer::ALL.into_iter().filter(|layer| layer.is_attention()) {
        for n in LENGTHS {
            let counted = sparse(&plan_of(layer, n), &mask_of(layer)).flops;
            let formula = layer.flops(n as f64, &DIMS);
            assert_eq!(formula, counted as f64, "{layer:?} n = {n}");
        }
    }
}

#[test]
fn closed_formulas_of_memory_equal_plans_at_every_length() {
    for layer in Layer::ALL.into_iter().filter(|layer| layer.is_attention()) {
        for n in LENGTHS {
            let plan = plan_of(layer, n);
            let memory = Memory::from_plan(&plan);
            let visible = 4 * visible_cells(&mask_of(layer), &plan.config().sizes);
            let held = memory.naive() - memory.scores + visible;
            assert_eq!(
                layer.memory(n as f64, &DIMS),
                held as f64,
                "{layer:?} n = {n}"
            );
        }
    }
}

#[test]
fn layers_beside_attention_cost_what_their_formulas_say() {
    // One product of d × d for each position, whose parameters are held once beside the input, its copy and the output.
    assert_eq!(Layer::Linear.flops(10.0, &DIMS), 10.0 * 2.0 * 576.0);
    assert_eq!(
        Layer::Linear.memory(10.0, &DIMS),
        4.0 * (576.0 + 3.0 * 10.0 * 24.0)
    );
    assert!(!Layer::Linear.is_attention());
    // Two products of d × d for each position and d hyperbolic tangents; k products for the convolution.
    assert_eq!(
        Layer::Recurrent.flops(10.0, &DIMS),
        10.0 * (4.0 * 576.0 + 24.0)
    );
    assert_eq!(
        Layer::Convolutional.flops(10.0, &DIMS),
        10.0 * 2.0 * 3.0 * 576.0
    );
}

#[test]
fn leading_terms_are_those_of_table_1() {
    let (n, d) = (100.0, 30.0);
    assert_eq!(Layer::Full.leading(n, &DIMS), n * n * d);
    assert_eq!(Layer::Local.leading(n, &DIMS), 19.0 * n * d);
    assert_eq!(Layer::Linear.leading(n, &DIMS), n * 576.0);
    assert_eq!(Layer::Recurrent.leading(n, &DIMS), n * 576.0);
    assert_eq!(Layer::Convolutional.leading(n, &DIMS), 3.0 * n * 576.0);
}

fn brute(mask: &Mask, sizes: &Sizes) -> u64 {
    let mut visible = 0;
    for batch in 0..sizes.batch {
        for head in 0..sizes.heads {
            for query in 0..sizes.n {
                for key in 0..sizes.keys {
                    visible += u64::from(mask.visible(CellIndex {
                        batch,
                        head,
                        query,
                        key,
                    }));
                }
            }
        }
    }
    visible
}

#[test]
fn visible_cells_are_those_that_the_mask_shows() {
    let shapes = [
        (1, 1),
        (11, 13),
        (13, 11),
        (40, 40),
        (3, 64),
        (64, 3),
        (0, 5),
        (5, 0),
    ];
    for (n, m) in shapes {
        let sizes = Sizes {
            batch: 2,
            heads: 3,
            n,
            m,
            keys: m,
            ..Case::default().sizes
        };
        let shared = Array4::from_shape_fn((1, 1, n, m), |(_, _, i, j)| (i * 5 + j * 3) % 7 != 2);
        let own = Array4::from_shape_fn((2, 3, n, m), |(b, h, i, j)| (i + j * 3 + b + h) % 4 != 1);
        let masks = [
            Mask::Full,
            Mask::Causal,
            Mask::Padding { valid: 0 },
            Mask::Padding { valid: m.min(4) },
            Mask::Local { window: 0 },
            Mask::Local { window: 2 },
            Mask::Local { window: 50 },
            Mask::Local { window: usize::MAX },
            Mask::Strided { stride: stride(1) },
            Mask::Strided { stride: stride(3) },
            Mask::Strided { stride: stride(99) },
            Mask::Painted(ExplicitMask::new(shared)),
            Mask::Painted(ExplicitMask::new(own.clone())),
            Mask::All(vec![Mask::Causal, Mask::Local { window: 3 }]),
            Mask::Any(vec![
                Mask::Local { window: 1 },
                Mask::Strided { stride: stride(4) },
            ]),
            Mask::All(vec![Mask::Painted(ExplicitMask::new(own)), Mask::Causal]),
            Mask::Any(vec![]),
            Mask::All(vec![]),
        ];
        for mask in masks {
            assert_eq!(
                visible_cells(&mask, &sizes),
                brute(&mask, &sizes),
                "{mask:?} {n}×{m}"
            );
        }
    }
}

#[test]
fn a_sparse_kernel_saves_cells_and_nothing_else() {
    let plan = plan_of(Layer::Causal, 64);
    let visible = 6 * 64 * 65 / 2;
    for step in plan.steps() {
        let (dense, sparse) = (
            Count::from_cost(&step.cost),
            without_hidden(&plan, step, visible),
        );
        match step.operation {
            Operation::DotScores | Operation::WeightedSum => {
                assert_eq!(sparse.multiply_adds, visible * 5);
            }
            Operation::Scale => assert_eq!(sparse.flops, visible),
            Operation::Softmax => assert_eq!(sparse.flops, 5 * visible),
            Operation::Mask => assert!(sparse.flops == 0 && sparse.bytes < dense.bytes),
            _ => assert_eq!(sparse, dense),
        }
    }
}

#[test]
fn a_mask_after_the_softmax_needs_every_score() {
    let mut config = config(64, 6, false, Mask::Causal);
    config.mask_after = true;
    let plan = Plan::full(&config);
    let visible = 6 * 64 * 65 / 2;
    for step in plan.steps() {
        let (dense, sparse) = (
            Count::from_cost(&step.cost),
            without_hidden(&plan, step, visible),
        );
        match step.operation {
            Operation::WeightedSum => assert_eq!(sparse.multiply_adds, visible * 5),
            _ => assert_eq!(sparse.flops, dense.flops, "{step}"),
        }
    }
}

#[test]
fn with_every_cell_visible_a_sparse_kernel_saves_nothing() {
    let plan = plan_of(Layer::Causal, 77);
    let cells = 6 * 77 * 77;
    assert_eq!(
        sum(plan
            .steps()
            .iter()
            .map(|step| without_hidden(&plan, step, cells))),
        total(&plan)
    );
}

#[test]
fn memory_is_linear_in_tiles_and_quadratic_without() {
    let [short, long] = [4096, 8192].map(|n| Memory::from_plan(&plan_of(Layer::Full, n)));
    assert_eq!(long.scores, 4 * short.scores);
    assert_eq!(long.activations, 2 * short.activations);
    assert!(long.peak() < 2 * short.peak());
    assert_eq!(short.naive() - short.peak(), short.scores - short.tile);
    assert_eq!(short.scores, 6 * 4096 * 4096 * 4);
}

#[test]
fn shared_keys_and_values_make_the_cache_smaller() {
    let sizes = |kv_heads| config(1024, kv_heads, false, Mask::Full).sizes;
    assert_eq!(kv_cache_bytes(&sizes(6)), 1024 * 6 * 10 * 4);
    assert_eq!(kv_cache_bytes(&sizes(6)), 6 * kv_cache_bytes(&sizes(1)));
}

#[test]
fn attention_and_recurrence_cross_where_n_is_d() {
    for d in [96.0, 512.0, 4096.0] {
        let dims = Dims {
            d_model: d,
            heads: 8.0,
            d_k: d / 8.0,
            d_out: d,
            ..DIMS
        };
        let leading = |layer: Layer| move |n| layer.amount(Measure::Leading, n, &dims);
        let found = crossings(
            leading(Layer::Full),
            leading(Layer::Recurrent),
            64.0,
            16_384.0,
        );
        assert_eq!(found.len(), 1, "d = {d}");
        assert!((found[0].n / d - 1.0).abs() < 1e-6, "{found:?}");
        assert!(found[0].first_is_smaller_before);
    }
}

#[test]
fn crossings_of_whole_layers_are_where_both_cost_the_same() {
    let mut found = 0;
    for measure in Measure::ALL {
        for (at, one) in Layer::ALL.into_iter().enumerate() {
            for other in Layer::ALL.into_iter().skip(at + 1) {
                let f = |n| one.amount(measure, n, &DIMS);
                let g = |n| other.amount(measure, n, &DIMS);
                for crossing in crossings(f, g, 64.0, 16_384.0) {
                    let n = crossing.n;
                    assert!((f(n) / g(n) - 1.0).abs() < 1e-6, "{one:?} {other:?} at {n}");
                    let is_smaller = f(n * 0.99) < g(n * 0.99);
                    assert_eq!(is_smaller, crossing.first_is_smaller_before);
                    found += 1;
                }
            }
        }
    }
    assert!(found > 0);
}
