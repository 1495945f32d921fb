//! Costs of plans equal the counts of an executor that performs every step literally.

mod executor;
mod number;

use crate::common::cases::{Case, Numbers};
use crate::common::masks::{MASKS, masks};
use attention::complexity::{Count, visible_cells, without_hidden};
use attention::plan::{Plan, Stage};
use attention::{
    CallOptions, HeadNorms, Linformer, Mask, Position, Refinements, Request, Scoring, Sizes,
    Slopes, Source, reference,
};
use executor::Executor;
use ndarray::Array1;
use std::sync::Arc;

const CONFIGURATIONS: u64 = 400;

/// Some mechanism with odd sizes, the same for the same seed.
fn any_case(seed: u64) -> (Case, CallOptions) {
    let mut numbers = Numbers::new(seed);
    let mut some = |most: usize| 1 + numbers.below(most);
    let (kv_heads, group, d_v, n) = (some(3), some(3), some(5), some(8));
    let cross = some(2) == 1;
    let m = if cross { some(9) } else { n };
    let (output, is_short) = (some(2) == 1, some(4) == 1);
    let keys = if is_short { some(6) } else { m };
    let positions = [
        Position::None,
        Position::Sinusoidal,
        Position::ROTARY,
        Position::Alibi {
            strength: 0.7,
            slopes: Slopes::Paper,
        },
    ];
    let position = positions[some(if is_short { 3 } else { 4 }) - 1];
    let sizes = Sizes {
        batch: some(3),
        heads: kv_heads * group,
        kv_heads,
        n,
        m,
        keys,
        d_model: Some(some(10)),
        d_k: some(9),
        d_v,
        d_out: if output {
            some(7)
        } else {
            kv_heads * group * d_v
        },
    };
    let scoring = if some(3) == 1 {
        Scoring::Additive
    } else {
        Scoring::Dot
    };
    let (hiding, temperature) = (some(3), [1.0, 0.5, 3.0][some(3) - 1]);
    let mask = match is_short {
        true => Mask::Full,
        false => masks(&sizes, seed).swap_remove(some(MASKS) - 1),
    };
    let linformer = is_short.then(|| Linformer {
        e: Numbers::new(seed + 4).matrix(keys, m),
        f: Numbers::new(seed + 5).matrix(keys, m),
    });
    let case = Case {
        sizes,
        cross,
        scoring,
        position,
        biases: seed.is_multiple_of(2),
        output,
        gain: 1.0,
        seed,
    };
    let call = CallOptions {
        mask,
        masked_score: (hiding == 1).then_some(-1e9),
        mask_after: hiding == 2,
        temperature,
        linformer,
        ..CallOptions::default()
    };
    (case, call)
}

/// The request of a case; in one of three, its layer has norms of queries and keys, and a cap where there are dot products.
fn request(case: &Case, call: CallOptions) -> Request {
    let plain = case.request(call);
    let Source::Layer {
        layer,
        queries,
        keys_values,
    } = plain.source()
    else {
        panic!("inputs that a layer projects")
    };
    if !case.seed.is_multiple_of(3) {
        return plain;
    }
    let d_k = case.sizes.d_k;
    let scale = |first: f32| Array1::from_shape_fn(d_k, |c| first + 0.1 * c as f32);
    let own = Refinements {
        norms: Some(HeadNorms {
            query: scale(0.7),
            key: scale(-0.3),
            epsilon: 1e-3,
        }),
        cap: (case.scoring == Scoring::Dot).then_some(1.5),
        ..Refinements::default()
    };
    let layer = layer.as_ref().clone().refined(own).expect("valid");
    let (queries, keys_values) = (queries.clone(), keys_values.clone());
    Request::new(Arc::new(layer), queries, keys_values, plain.call().clone()).expect("valid")
}

#[track_caller]
fn assert_alike(what: &str, found: &[f64], wanted: impl Iterator<Item = f64>) {
    let wanted: Vec<_> = wanted.collect();
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(
            (found - wanted).abs() < 1e-6,
            "{what}: {found} for {wanted}"
        );
    }
}

/// The executor does what the steps say, or its counts would mean nothing.
fn assert_computes(what: &str, executor: &Executor, request: &Request) {
    let exact = reference::compute(request);
    let weights = exact.weights.expect("kept");
    assert_alike(what, executor.result("A"), weights.into_iter());
    let output = if request.output().is_some() { "O" } else { "C" };
    let wanted = exact.output.expect("kept");
    assert_alike(what, executor.result(output), wanted.into_iter());
}

#[test]
fn costs_of_plans_are_what_is_counted() {
    for seed in 0..CONFIGURATIONS {
        let (case, call) = any_case(seed);
        let (request, weights) = (request(&case, call), case.weights());
        let mut executor = Executor::new(&request, &weights, false);
        let what = format!("seed {seed}, {:?}", request.config());
        for step in Plan::full(request.config()).steps() {
            let found = executor.step(step);
            assert_eq!(found, step.cost, "{:?} of {what}", step.operation);
        }
        assert_computes(&what, &executor, &request);
    }
}

/// A kernel that skips hidden cells does what is said of it, and finds the same weights.
#[test]
fn costs_without_hidden_cells_are_what_is_counted() {
    for seed in 0..CONFIGURATIONS {
        let (case, call) = any_case(seed);
        let (request, weights) = (request(&case, call), case.weights());
        let mut executor = Executor::new(&request, &weights, true);
        let what = format!("seed {seed}, {:?}", request.config());
        let plan = Plan::full(request.config());
        let visible = match request.call().masked_score {
            // What is overwritten takes part.
            Some(_) => visible_cells(&Mask::Full, request.sizes()),
            None => visible_cells(&request.call().mask, request.sizes()),
        };
        for step in plan.steps() {
            let found = Count::from_cost(&executor.step(step));
            let said = without_hidden(&plan, step, visible);
            assert_eq!(found, said, "{:?} of {what}", step.operation);
        }
        assert_computes(&what, &executor, &request);
    }
}

/// The configurations above hold every step, so that none is believed unseen.
#[test]
fn every_operation_is_counted() {
    let mut operations = std::collections::HashSet::new();
    for seed in 0..CONFIGURATIONS {
        let (case, call) = any_case(seed);
        let plan = Plan::full(request(&case, call).config());
        operations.extend(plan.steps().iter().map(|step| step.operation));
    }
    let of = |stage| {
        operations
            .iter()
            .filter(|operation| operation.stage() == stage)
            .count()
    };
    assert_eq!(
        [of(Stage::Prepare), of(Stage::Attend), of(Stage::Finish)],
        [12, 9, 2]
    );
}
