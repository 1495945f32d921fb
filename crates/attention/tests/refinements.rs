//! What published models add to a layer: norms of queries and keys, rotation of some columns, divided angles, soft caps.

use std::sync::Arc;

use attention::cpu::Run;
use attention::plan::{Operation, Plan, RowSink, WeightRows};
use attention::{
    CallOptions, Code, HeadNorms, Layer, LayerOptions, Linear, Mask, Pairs, Position, Refinements,
    Request, Rotation, Scoring, Trace, Weights, reference,
};
use ndarray::{Array1, Array2, Array3, Array4, s};

const D_MODEL: usize = 7;
const HEADS: usize = 3;
const D_K: usize = 10;

struct Nowhere;

impl RowSink for Nowhere {
    fn take(&mut self, _: WeightRows) {}
}

/// Numbers between −`size` and `size`, the same for the same place.
fn number(place: usize, size: f32) -> f32 {
    ((place as f32 * 12.9898).sin() * 43_758.547).fract() * size
}

fn linear(rows: usize, columns: usize, first: usize, size: f32) -> Linear {
    let w = Array2::from_shape_fn((rows, columns), |(i, j)| {
        number(first + i * columns + j, size)
    });
    Linear::without_bias(w)
}

fn weights(size: f32) -> Weights {
    Weights {
        query: linear(D_MODEL, HEADS * D_K, 100, size),
        key: linear(D_MODEL, D_K, 900, size),
        value: linear(D_MODEL, D_K, 1700, 1.0),
        output: Some(linear(HEADS * D_K, D_MODEL, 2500, 1.0)),
        additive: None,
    }
}

fn plain(position: Position, size: f32) -> Layer {
    let options = LayerOptions {
        heads: HEADS,
        kv_heads: Some(1),
        position,
        ..LayerOptions::default()
    };
    Layer::new(weights(size), options).expect("a valid layer")
}

fn halves(columns: Option<usize>) -> Position {
    Position::Rotary(Rotation {
        pairs: Pairs::Halves,
        base: 100.0,
        columns,
    })
}

fn norms() -> HeadNorms {
    HeadNorms {
        query: Array1::from_shape_fn(D_K, |c| 1.0 + number(c + 31, 0.9)),
        key: Array1::from_shape_fn(D_K, |c| 0.5 + number(c + 77, 0.4)),
        epsilon: 1e-3,
    }
}

fn request(layer: Layer, n: usize, mask: Mask) -> Request {
    let x = Array3::from_shape_fn((2, n, D_MODEL), |(b, i, c)| {
        number(b * 5000 + i * D_MODEL + c, 1.5)
    });
    let call = CallOptions {
        mask,
        ..CallOptions::default()
    };
    Request::new(Arc::new(layer), x, None, call).expect("a valid request")
}

fn run(request: Request) -> Trace<f32> {
    let mut run = Run::new(request).expect("memory");
    while run.advance(&mut Nowhere) {}
    run.finish()
}

fn all() -> Refinements {
    Refinements {
        norms: Some(norms()),
        rotary_divisors: Some(Array1::from(vec![1.0, 2.5, 8.0])),
        cap: Some(1.5),
    }
}

fn largest_difference(found: &Array4<f32>, wanted: &Array4<f64>) -> f64 {
    assert_eq!(found.dim(), wanted.dim());
    let pairs = found.iter().zip(wanted);
    pairs.fold(0.0, |most, (a, b)| most.max((f64::from(*a) - b).abs()))
}

/// At a size of 40 scores before the cap are in the thousands, and are computed in 64 bit.
#[test]
fn the_executor_follows_the_reference() {
    for size in [1.0, 40.0] {
        let norms = norms();
        // Normalized rows are short whatever the weights are: only large scales make large scores of them.
        let large = HeadNorms {
            query: &norms.query * 12.0,
            key: &norms.key * 12.0,
            ..norms.clone()
        };
        let cases = [
            Refinements {
                norms: Some(large),
                ..all()
            },
            Refinements {
                norms: Some(norms),
                ..Refinements::default()
            },
            Refinements {
                cap: Some(1.5),
                ..Refinements::default()
            },
            Refinements {
                rotary_divisors: all().rotary_divisors,
                ..Refinements::default()
            },
            all(),
        ];
        for own in cases {
            for (n, mask) in [
                (0, Mask::Full),
                (1, Mask::Full),
                (13, Mask::Causal),
                (9, Mask::Full),
            ] {
                let layer = plain(halves(Some(6)), size)
                    .refined(own.clone())
                    .expect("valid");
                let request = request(layer, n, mask);
                let exact = reference::compute(&request);
                let found = run(request);
                let difference = |found: &Option<Array4<f32>>, wanted: &Option<Array4<f64>>| {
                    let (found, wanted) = (found.as_ref(), wanted.as_ref());
                    largest_difference(found.expect("wanted"), wanted.expect("computed"))
                };
                let weights = difference(&found.weights, &exact.weights);
                assert!(weights < 1e-6, "{own:?}, n {n}, size {size}: {weights}");
                let q = difference(&found.q, &exact.q) / f64::from(size);
                assert!(q < 1e-5, "{own:?}, n {n}, size {size}: queries {q}");
                if own.cap.is_some() {
                    let scores = difference(&found.scores, &exact.scores);
                    assert!(
                        scores < 1e-5,
                        "{own:?}, n {n}, size {size}: scores {scores}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_norm_gives_every_row_of_a_head_the_mean_square_of_its_scale() {
    let even = HeadNorms {
        query: Array1::from_elem(D_K, 2.0),
        key: Array1::from_elem(D_K, 0.5),
        epsilon: 0.0,
    };
    let own = Refinements {
        norms: Some(even),
        ..Refinements::default()
    };
    let layer = plain(halves(None), 1.0).refined(own).expect("valid");
    let trace = run(request(layer, 5, Mask::Full));
    for (rows, wanted) in [(trace.q, 4.0), (trace.k, 0.25)] {
        for row in rows.expect("wanted").rows() {
            let square = row.iter().map(|x| x * x).sum::<f32>() / D_K as f32;
            assert!((square - wanted).abs() < 1e-5, "{square} for {wanted}");
        }
    }
}

#[test]
fn columns_that_are_not_rotated_stay_and_the_others_turn_as_in_a_head_of_their_own() {
    let bare = run(request(plain(Position::None, 1.0), 5, Mask::Full))
        .q
        .expect("wanted");
    let partly = run(request(plain(halves(Some(6)), 1.0), 5, Mask::Full))
        .q
        .expect("wanted");
    assert_eq!(
        partly.slice(s![.., .., .., 6..]),
        bare.slice(s![.., .., .., 6..])
    );
    for ((b, g, i), pair) in ndarray::indices((2, HEADS, 5))
        .into_iter()
        .zip([0, 1, 2].into_iter().cycle())
    {
        let angle = i as f64 / 100f64.powf(2.0 * pair as f64 / 6.0);
        let [x, y] = [pair, pair + 3].map(|c| f64::from(bare[[b, g, i, c]]));
        let turned = f64::from(partly[[b, g, i, pair]]);
        assert!((turned - (x * angle.cos() - y * angle.sin())).abs() < 1e-6);
    }
    let whole = run(request(plain(halves(Some(D_K)), 1.0), 5, Mask::Full)).q;
    assert_eq!(
        whole,
        run(request(plain(halves(None), 1.0), 5, Mask::Full)).q
    );
}

#[test]
fn divisors_slow_the_rotation_of_their_pair() {
    let halved = Refinements {
        rotary_divisors: Some(Array1::from_elem(D_K / 2, 2.0)),
        ..Refinements::default()
    };
    let layer = plain(halves(None), 1.0);
    let plain = run(request(layer.clone(), 7, Mask::Full))
        .k
        .expect("wanted");
    let slow = run(request(
        layer.refined(halved).expect("valid"),
        7,
        Mask::Full,
    ))
    .k
    .expect("wanted");
    // Rows differ, so that only the first, which is not turned, is the same in both.
    assert_eq!(
        plain.slice(s![.., .., 0, ..]),
        slow.slice(s![.., .., 0, ..])
    );
    let turn = |rows: &Array4<f32>, i: usize| {
        f64::from(rows[[0, 0, i, D_K / 2]]).atan2(f64::from(rows[[0, 0, i, 0]]))
    };
    let bare = run(request(self::plain(Position::None, 1.0), 7, Mask::Full))
        .k
        .expect("wanted");
    let full = turn(&plain, 1) - turn(&bare, 1);
    let half = turn(&slow, 1) - turn(&bare, 1);
    assert!(
        (full - 1.0).abs() < 1e-5 && (half - 0.5).abs() < 1e-5,
        "{full}, {half}"
    );
}

#[test]
fn capped_scores_stay_below_the_cap_and_small_ones_as_they_are() {
    let cap = |cap| Refinements {
        cap: Some(cap),
        ..Refinements::default()
    };
    let scores = |own| {
        let layer = plain(Position::None, 3.0).refined(own).expect("valid");
        run(request(layer, 6, Mask::Full)).scores.expect("wanted")
    };
    let open = scores(Refinements::default());
    let largest = open.fold(0f32, |most, score| most.max(score.abs()));
    assert!(largest > 30.0, "{largest}");
    for (capped, open) in scores(cap(2.0)).iter().zip(&open) {
        let wanted = 2.0 * (f64::from(*open) / 2.0).tanh();
        assert!(capped.abs() <= 2.0 && (f64::from(*capped) - wanted).abs() < 1e-5);
    }
    for (capped, open) in scores(cap(1e6)).iter().zip(&open) {
        assert!(
            (capped - open).abs() < 1e-5 * largest,
            "{capped} for {open}"
        );
    }
}

#[test]
fn the_plan_has_a_step_for_each() {
    let layer = plain(halves(Some(6)), 1.0);
    let steps = |layer: &Layer| -> Vec<Operation> {
        let request = request(layer.clone(), 3, Mask::Causal);
        let plan = Plan::full(request.config());
        plan.steps().iter().map(|step| step.operation).collect()
    };
    let before = steps(&layer);
    let after = steps(&layer.refined(all()).expect("valid"));
    use Operation::{Cap, NormKeys, NormQueries, ProjectKeys, RotateQueries, Scale};
    let added = [NormQueries, NormKeys, Cap];
    let others: Vec<_> = after
        .iter()
        .copied()
        .filter(|step| !added.contains(step))
        .collect();
    assert_eq!(others, before);
    let place = |step| {
        after
            .iter()
            .position(|own| *own == step)
            .expect("it is there")
    };
    assert!(place(ProjectKeys) < place(NormQueries) && place(NormKeys) < place(RotateQueries));
    assert_eq!(place(Cap), place(Scale) + 1);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let refused = |layer: Layer, own: Refinements, code, field| {
        let error = layer.refined(own).expect_err(field);
        assert_eq!((error.code, error.field.as_str()), (code, field));
    };
    let none = Refinements::default;
    let rotary = || plain(halves(Some(6)), 1.0);
    let long = HeadNorms {
        key: Array1::ones(D_K + 1),
        ..norms()
    };
    refused(
        rotary(),
        Refinements {
            norms: Some(long),
            ..none()
        },
        Code::ShapeMismatch,
        "k_norm",
    );
    let wild = HeadNorms {
        query: Array1::from_elem(D_K, f32::NAN),
        ..norms()
    };
    refused(
        rotary(),
        Refinements {
            norms: Some(wild),
            ..none()
        },
        Code::NotFinite,
        "q_norm",
    );
    let negative = HeadNorms {
        epsilon: -1e-6,
        ..norms()
    };
    refused(
        rotary(),
        Refinements {
            norms: Some(negative),
            ..none()
        },
        Code::UnknownOption,
        "epsilon",
    );
    for (divisors, code) in [
        (vec![1.0; 5], Code::ShapeMismatch),
        (vec![1.0, 0.0, 1.0], Code::UnknownOption),
        (vec![1.0, f32::INFINITY, 1.0], Code::NotFinite),
    ] {
        let own = Refinements {
            rotary_divisors: Some(divisors.into()),
            ..none()
        };
        refused(rotary(), own, code, "rotary_divisors");
    }
    let divided = Refinements {
        rotary_divisors: Some(vec![1.0; 3].into()),
        ..none()
    };
    refused(
        plain(Position::None, 1.0),
        divided,
        Code::NotApplicable,
        "rotary_divisors",
    );
    refused(
        rotary(),
        Refinements {
            cap: Some(0.0),
            ..none()
        },
        Code::UnknownOption,
        "score_cap",
    );
    refused(
        rotary(),
        Refinements {
            cap: Some(f32::NAN),
            ..none()
        },
        Code::NotFinite,
        "score_cap",
    );
    let additive = Weights {
        additive: Some(Array1::ones(D_K)),
        ..weights(1.0)
    };
    let options = LayerOptions {
        heads: HEADS,
        kv_heads: Some(1),
        scoring: Scoring::Additive,
        ..LayerOptions::default()
    };
    let additive = Layer::new(additive, options).expect("valid");
    refused(
        additive,
        Refinements {
            cap: Some(2.0),
            ..none()
        },
        Code::NotApplicable,
        "score_cap",
    );
}
