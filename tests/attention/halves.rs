//! Two halves of the heads, computed apart, are the whole run bit by bit.

use std::cell::RefCell;
use std::rc::Rc;

use crate::common::cases::{Case, Numbers};
use attention::cpu::Share;
use attention::plan::{RowSink, WeightRows};
use attention::{
    CallOptions, HeadInputs, LayerOptions, Linear, Linformer, Mask, Outputs, Position, Request,
    Sizes, Slopes,
};
use engine::{BackendChoice, Job, RunResult, run};
use ndarray::{Array4, s};

/// Weights of all heads, whichever run they come from.
#[derive(Clone)]
struct Weights(Rc<RefCell<Array4<f32>>>);

impl RowSink for Weights {
    fn take(&mut self, rows: WeightRows) {
        let mut all = self.0.borrow_mut();
        for row in rows.iter() {
            let to = s![row.batch, row.head, row.query, ..];
            for (to, weight) in all.slice_mut(to).iter_mut().zip(row.weights) {
                *to = *weight;
            }
        }
    }
}

fn half(request: &Request, share: Share, weights: Option<Box<dyn RowSink>>) -> RunResult {
    let job = Job::for_sink(request.clone(), share, weights);
    let mut job = job.expect("it fits into memory");
    while job.advance() {}
    job.finish().expect("finite")
}

/// Computes `request` whole and in halves.
pub(crate) fn check(request: &Request) {
    let sizes = *request.sizes();
    assert!(Share::has_halves(&sizes), "{sizes:?}");
    let whole = run(request.clone(), BackendChoice::Cpu).expect("finite");
    let shape = (sizes.batch, sizes.heads, sizes.n, sizes.keys);
    let weights = Weights(Rc::new(RefCell::new(Array4::zeros(shape))));
    let [one, two] = [Share::FirstHalf, Share::SecondHalf]
        .map(|share| half(request, share, Some(Box::new(weights.clone()))));
    let mut joined = one.joined(two, request).expect("they fit");
    joined.trace.weights = Some(weights.0.take());
    assert_eq!(joined, whole, "{:?} {:?}", request.config(), request.call());
}

fn even() -> Case {
    Case {
        sizes: Sizes {
            heads: 12,
            kv_heads: 4,
            batch: 2,
            ..Case::default().sizes
        },
        ..Case::default()
    }
}

/// `W_O` takes several stretches of products for each half, which end within a head.
#[test]
fn a_long_product_with_w_o() {
    let case = Case {
        sizes: Sizes {
            d_v: 101,
            ..even().sizes
        },
        ..even()
    };
    check(&case.request(CallOptions {
        mask: Mask::Causal,
        ..CallOptions::default()
    }));
}

#[test]
fn large_scores_and_linformer() {
    let case = Case {
        gain: 300.0,
        ..even()
    };
    check(&case.request(CallOptions::default()));
    let mut numbers = Numbers::new(5);
    let mut matrix = || numbers.matrix(7, case.sizes.m);
    let linformer = Linformer {
        e: matrix(),
        f: matrix(),
    };
    check(&even().request(CallOptions {
        linformer: Some(linformer),
        ..CallOptions::default()
    }));
}

#[test]
fn given_heads_with_and_without_w_o() {
    let mut numbers = Numbers::new(3);
    for output in [false, true] {
        let inputs = HeadInputs {
            q: numbers.rows(6, 11, 5),
            k: numbers.rows(2, 13, 5),
            v: numbers.rows(2, 13, 7),
            additive: None,
            output: output.then(|| Linear {
                w: numbers.matrix(42, 3),
                b: Some(numbers.vector(3)),
            }),
        };
        let options = LayerOptions {
            heads: 6,
            kv_heads: Some(2),
            position: Position::Alibi {
                strength: 1.5,
                slopes: Slopes::Paper,
            },
            ..LayerOptions::default()
        };
        let request = Request::from_heads(inputs, options, CallOptions::default());
        check(&request.expect("valid"));
    }
}

#[test]
fn what_is_not_wanted_is_in_neither() {
    let want = Outputs {
        output: true,
        ..Outputs::NOTHING
    };
    let request = even().request(CallOptions {
        want,
        ..CallOptions::default()
    });
    let [one, two] = [Share::FirstHalf, Share::SecondHalf].map(|share| half(&request, share, None));
    let joined = one.clone().joined(two.clone(), &request).expect("they fit");
    assert_eq!(
        joined,
        run(request.clone(), BackendChoice::Cpu).expect("finite")
    );
    let mut short = two;
    short.trace.output = None;
    assert!(one.joined(short, &request).is_err());
}

#[test]
fn the_sizes_of_a_half_are_those_of_its_tensors() {
    let without_w_o = {
        let mut numbers = Numbers::new(7);
        let inputs = HeadInputs {
            q: numbers.rows(4, 5, 3),
            k: numbers.rows(2, 9, 3),
            v: numbers.rows(2, 9, 7),
            additive: None,
            output: None,
        };
        let options = LayerOptions {
            heads: 4,
            kv_heads: Some(2),
            ..LayerOptions::default()
        };
        Request::from_heads(inputs, options, CallOptions::default()).expect("valid")
    };
    for request in [even().request(CallOptions::default()), without_w_o] {
        for share in [Share::All, Share::FirstHalf, Share::SecondHalf] {
            let trace = half(&request, share, None).trace;
            let sizes = share.sizes(&request);
            let Sizes { batch, n, m, .. } = sizes;
            let [k, v] = [trace.k, trace.v].map(|rows| rows.map(|rows| rows.dim()));
            assert_eq!(k, Some((batch, sizes.kv_heads, m, sizes.d_k)), "{share:?}");
            assert_eq!(v, Some((batch, sizes.kv_heads, m, sizes.d_v)), "{share:?}");
            let context = trace.context.map(|context| context.dim());
            assert_eq!(
                context,
                Some((batch, sizes.heads, n, sizes.d_v)),
                "{share:?}"
            );
            let output = trace.output.map(|output| output.dim());
            assert_eq!(output, Some((batch, n, sizes.d_out)), "{share:?}");
        }
    }
}

#[test]
fn heads_that_share_keys_across_the_middle_have_no_halves() {
    let sizes = |heads, kv_heads| Sizes {
        heads,
        kv_heads,
        ..Case::default().sizes
    };
    let has_halves = [(1, 1), (2, 1), (6, 3), (6, 2), (4, 4)];
    let has_halves = has_halves.map(|(heads, kv_heads)| Share::has_halves(&sizes(heads, kv_heads)));
    assert_eq!(has_halves, [false, false, false, true, true]);
}
