//! The plan says what runs; its cost equals closed formulas.

use crate::common::cases::{Case, Numbers};
use attention::complexity::{score_matrix_bytes, total};
use attention::plan::{Operation, Plan, Side};
use attention::{CallOptions, Linformer, Mask, Outputs, Position, Scoring};

fn operations(plan: &Plan) -> Vec<Operation> {
    plan.steps().iter().map(|step| step.operation).collect()
}

#[test]
fn the_full_plan_prints_step_by_step() {
    let case = Case {
        position: Position::Sinusoidal,
        ..Case::default()
    };
    let request = case.request(CallOptions {
        mask: Mask::Causal,
        ..CallOptions::default()
    });
    let wanted = "\
X [batch 1, n 11, d_model 17] = X + PE (queries)
X [batch 1, m 13, d_model 17] = X + PE (keys and values)
Q [batch 1, heads 6, n 11, d_k 5] = X·W_Q + b_Q
K [batch 1, kv_heads 2, m 13, d_k 5] = X·W_K + b_K
V [batch 1, kv_heads 2, m 13, d_v 7] = X·W_V + b_V
S [batch 1, heads 6, n 11, keys 13] = Q·Kᵀ
S [batch 1, heads 6, n 11, keys 13] = S·scale
S [batch 1, heads 6, n 11, keys 13] = S where visible
A [batch 1, heads 6, n 11, keys 13] = softmax(S)
C [batch 1, heads 6, n 11, d_v 7] = A·V
C [batch 1, n 11, heads·d_v 42] = heads concatenated
Y [batch 1, n 11, d_out 19] = C·W_O + b_O
";
    assert_eq!(Plan::full(request.config()).to_string(), wanted);
}

#[test]
fn positions_and_hiding_are_steps_of_their_own() {
    let printed = |position, call: CallOptions| {
        let case = Case {
            position,
            ..Case::default()
        };
        let plan = Plan::full(case.request(call).config()).to_string();
        plan.lines()
            .skip(3)
            .take_while(|line| !line.starts_with('C'))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut numbers = Numbers::new(2);
    let linformer = Some(Linformer {
        e: numbers.matrix(3, 13),
        f: numbers.matrix(3, 13),
    });
    let turned = CallOptions {
        linformer,
        temperature: 0.5,
        ..CallOptions::default()
    };
    assert_eq!(
        printed(Position::ROTARY, turned),
        [
            "Q [batch 1, heads 6, n 11, d_k 5] = R·Q",
            "K [batch 1, kv_heads 2, m 13, d_k 5] = R·K",
            "K [batch 1, kv_heads 2, keys 3, d_k 5] = E·K",
            "V [batch 1, kv_heads 2, keys 3, d_v 7] = F·V",
            "S [batch 1, heads 6, n 11, keys 3] = Q·Kᵀ",
            "S [batch 1, heads 6, n 11, keys 3] = S·scale",
            "A [batch 1, heads 6, n 11, keys 3] = softmax(S/T)",
        ]
    );
    let after = CallOptions {
        mask: Mask::Causal,
        mask_after: true,
        ..CallOptions::default()
    };
    assert_eq!(
        printed(Position::ALIBI, after),
        [
            "S [batch 1, heads 6, n 11, keys 13] = Q·Kᵀ",
            "S [batch 1, heads 6, n 11, keys 13] = S·scale",
            "S [batch 1, heads 6, n 11, keys 13] = S − slope·|i−j|",
            "A [batch 1, heads 6, n 11, keys 13] = softmax(S)",
            "A [batch 1, heads 6, n 11, keys 13] = A where visible",
        ]
    );
}

/// Queries come turned where queries alone are wanted.
#[test]
fn turning_belongs_to_what_is_turned() {
    let case = Case {
        position: Position::ROTARY,
        ..Case::default()
    };
    let config = *case.request(CallOptions::default()).config();
    let plan = |want| operations(&Plan::for_results(&config, &want));
    let (q, v) = (
        Outputs {
            q: true,
            ..Outputs::NOTHING
        },
        Outputs {
            v: true,
            ..Outputs::NOTHING
        },
    );
    assert_eq!(
        plan(q),
        [Operation::ProjectQueries, Operation::RotateQueries]
    );
    assert_eq!(plan(v), [Operation::ProjectValues]);
}

#[test]
fn a_plan_holds_only_what_the_results_need() {
    let request = Case {
        cross: false,
        output: false,
        ..Case::default()
    };
    let request = {
        let mut case = request;
        case.sizes.m = 11;
        case.sizes.keys = 11;
        case.sizes.d_out = 42;
        case
    }
    .request(CallOptions::default());
    let plan = |want| operations(&Plan::for_results(request.config(), &want));
    let weights = Outputs {
        weights: true,
        ..Outputs::NOTHING
    };
    use Operation::*;
    assert_eq!(
        plan(weights),
        [ProjectQueries, ProjectKeys, DotScores, Scale, Softmax]
    );
    assert_eq!(
        plan(Outputs {
            v: true,
            ..Outputs::NOTHING
        }),
        [ProjectValues]
    );
    assert_eq!(plan(Outputs::NOTHING), []);
    let output = Outputs {
        output: true,
        ..Outputs::NOTHING
    };
    assert_eq!(
        plan(output),
        [
            ProjectQueries,
            ProjectKeys,
            ProjectValues,
            DotScores,
            Scale,
            Softmax,
            WeightedSum,
            MergeHeads
        ]
    );
}

#[test]
fn additive_scores_are_not_scaled_and_linformer_shortens() {
    let additive = Case {
        scoring: Scoring::Additive,
        ..Case::default()
    }
    .request(CallOptions::default());
    let steps = operations(&Plan::full(additive.config()));
    assert!(steps.contains(&Operation::AdditiveScores) && !steps.contains(&Operation::Scale));
    let mut numbers = Numbers::new(2);
    let linformer = Some(Linformer {
        e: numbers.matrix(3, 13),
        f: numbers.matrix(3, 13),
    });
    let request = Case::default().request(CallOptions {
        linformer,
        ..CallOptions::default()
    });
    let steps = operations(&Plan::full(request.config()));
    assert!(steps.contains(&Operation::ShortenKeys) && steps.contains(&Operation::ShortenValues));
    assert!(!steps.contains(&Operation::AddPositions(Side::Both)));
}

#[test]
fn cost_equals_the_closed_formulas() {
    let case = Case::default();
    let request = case.request(CallOptions::default());
    let plan = Plan::full(request.config());
    let (n, m, d_model, heads, kv_heads, d_k, d_v, d_out) = (11, 13, 17, 6, 2, 5, 7, 19);
    let projections =
        n * d_model * heads * d_k + m * d_model * kv_heads * (d_k + d_v) + n * heads * d_v * d_out;
    let multiply_adds = projections + heads * n * m * (d_k + d_v);
    let count = total(&plan);
    assert_eq!(count.multiply_adds, multiply_adds);
    // Per score: one multiplication for the scale and five operations for the softmax.
    assert_eq!(count.flops, 2 * multiply_adds + heads * n * m * 6);
    assert_eq!(score_matrix_bytes(&plan), heads * n * m * 4);
}

#[test]
fn long_sequences_do_not_overflow_the_count() {
    let mut config = *Case::default().request(CallOptions::default()).config();
    (config.sizes.n, config.sizes.m, config.sizes.keys) = (1 << 20, 1 << 20, 1 << 20);
    assert_eq!(score_matrix_bytes(&Plan::full(&config)), 6 * (1 << 40) * 4);
}
