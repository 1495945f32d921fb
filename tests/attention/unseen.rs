//! Keys hidden from a query change no bit of its results, however large they are: whether a score
//! needs twice the precision depends on its own query and key alone.

use std::sync::Arc;

use crate::common::cases::{Case, Numbers, stride};
use crate::common::check::{check_trace, output_alone, wanting};
use crate::common::exact::Exact;
use crate::common::gpu::{drive, on_gpu};
use crate::common::place::Place;
use attention::{
    CallOptions, CellIndex, ExplicitMask, HeadInputs, LayerOptions, Mask, Outputs, Position,
    Request, Scoring, Sizes, Trace,
};
use ndarray::{Array4, s};

/// Rows of one case, and a token whose key is changed.
struct Change {
    sizes: Sizes,
    token: usize,
    /// Bytes of a tile on a device.
    tile: u64,
}

const HEADS: usize = 4;

impl Change {
    /// One tile, or several in every place.
    fn each() -> [Self; 2] {
        let sizes = |n, m| Sizes {
            batch: 1,
            heads: HEADS,
            kv_heads: 2,
            n,
            m,
            keys: m,
            ..Case::default().sizes
        };
        [
            Self {
                sizes: sizes(37, 37),
                token: 23,
                tile: 1 << 24,
            },
            Self {
                sizes: sizes(71, 71),
                token: 45,
                tile: 2 * 31 * 4 * 72,
            },
        ]
    }

    /// Masks under which some rows do not see the token.
    fn masks(&self) -> Vec<Mask> {
        let Sizes { heads, n, m, .. } = self.sizes;
        let mut numbers = Numbers::new(11);
        let painted = Array4::from_shape_simple_fn((1, heads, n, m), || numbers.next() > 0.0);
        let mut hidden = painted.clone();
        hidden.slice_mut(s![.., .., .., self.token]).fill(false);
        vec![
            Mask::Causal,
            Mask::Local { window: 4 },
            Mask::Padding { valid: self.token },
            Mask::Strided { stride: stride(3) },
            Mask::All(vec![Mask::Causal, Mask::Strided { stride: stride(2) }]),
            Mask::PaddedQueries { valid: self.token },
            Mask::Painted(ExplicitMask::new(painted)),
            Mask::Painted(ExplicitMask::new(hidden)),
        ]
    }

    fn hides_from_all(&self, mask: &Mask) -> bool {
        (0..self.sizes.n).all(|query| (0..HEADS).all(|head| !self.is_seen(mask, head, query)))
    }

    fn is_seen(&self, mask: &Mask, head: usize, query: usize) -> bool {
        let key = self.token;
        let batch = 0;
        mask.visible(CellIndex {
            batch,
            head,
            query,
            key,
        })
    }

    fn compute(&self, place: Place, request: &Request) -> Trace<f32> {
        let Place::Gpu(tier) = place else {
            return place.compute(request).trace;
        };
        let (tile, request) = (self.tile, Arc::new(request.clone()));
        let found = on_gpu(move |gpu| {
            let gpu = gpu.clone().with_tier(tier).with_tile_bytes(tile);
            drive(&gpu, request).map(|computed| computed.trace)
        });
        let found = found.expect("a place of the machine");
        found.unwrap_or_else(|fault| panic!("{place:?}: {fault}"))
    }

    /// Compares what rows get that do not see the token, bit for bit, and everything with the truth.
    fn check(&self, what: &str, requests: [&Request; 2]) {
        let mask = &requests[0].call().mask;
        let exact = Exact::of(requests[1]);
        for place in Place::all() {
            let what = format!("{what}, {place:?}");
            let [before, after] = requests.map(|request| self.compute(place, request));
            check_trace(&what, place, &after, &exact);
            self.check_rows(&what, mask, [&before, &after]);
            let want = Outputs {
                scores: false,
                ..Outputs::ALL
            };
            let without_scores = self.compute(place, &wanting(requests[1], want));
            assert_eq!(without_scores.weights, after.weights, "{what}");
            assert_eq!(without_scores.context, after.context, "{what}");
            let alone = requests.map(|request| self.compute(place, &output_alone(request)));
            self.check_rows(&what, mask, alone.each_ref());
        }
    }

    fn check_rows(&self, what: &str, mask: &Mask, traces: [&Trace<f32>; 2]) {
        let mut rows = 0;
        for (head, query) in ndarray::indices((HEADS, self.sizes.n)) {
            if self.is_seen(mask, head, query) {
                continue;
            }
            rows += 1;
            let what = format!("{what}: query {query} of head {head}");
            let tensors = [
                traces.map(|trace| &trace.weights),
                traces.map(|trace| &trace.context),
            ];
            for [before, after] in tensors {
                let row = |tensor: &Option<Array4<f32>>| {
                    let tensor = tensor.as_ref()?;
                    Some(tensor.slice(s![0, head, query, ..]).to_owned())
                };
                assert_eq!(row(after), row(before), "{what}");
            }
            let [before, after] = traces.map(|trace| trace.scores.as_ref());
            let (Some(before), Some(after)) = (before, after) else {
                continue;
            };
            for key in (0..self.sizes.keys).filter(|key| *key != self.token) {
                let at = [0, head, query, key];
                let cell = CellIndex {
                    batch: 0,
                    head,
                    query,
                    key,
                };
                if mask.visible(cell) {
                    assert_eq!(after[at], before[at], "{what}: score of key {key}");
                }
            }
        }
        assert!(rows > 0, "{what}: some rows do not see it");
    }
}

/// Queries of which every third is as much longer as `gain` says: at 60 its scores are large whatever it sees.
fn inputs(change: &Change, gain: f32) -> HeadInputs {
    let Sizes {
        heads,
        kv_heads,
        n,
        m,
        d_k,
        d_v,
        ..
    } = change.sizes;
    let mut numbers = Numbers::new(7);
    let mut q = numbers.rows(heads, n, d_k);
    q.slice_mut(s![.., ..;3, ..]).mapv_inplace(|x| gain * x);
    HeadInputs {
        q,
        k: numbers.rows(kv_heads, m, d_k),
        v: numbers.rows(kv_heads, m, d_v),
        additive: Some(numbers.vector(d_k)),
        output: None,
    }
}

#[test]
fn a_long_key_changes_no_bit_of_rows_that_do_not_see_it() {
    let variants = [
        (Scoring::Dot, Position::None, None),
        (Scoring::Dot, Position::None, Some(-7.0)),
        (Scoring::Dot, Position::ALIBI, None),
        (Scoring::Dot, Position::ROTARY, None),
        (Scoring::Additive, Position::None, None),
    ];
    // Each variant with each mask once: in one tile or several, with queries of one length or two.
    for (several, change) in Change::each().into_iter().enumerate() {
        for (variant, (scoring, position, masked_score)) in variants.into_iter().enumerate() {
            let masks = change.masks().into_iter().enumerate();
            for (at, mask) in masks.skip((several + variant) % 2).step_by(2) {
                let gain = if at % 4 < 2 { 60.0 } else { 1.0 };
                let given = inputs(&change, gain);
                let mut longer = given.clone();
                let mut key = longer.k.slice_mut(s![.., change.token, ..]);
                key.mapv_inplace(|x| 1000.0 * x);
                let options = LayerOptions {
                    heads: HEADS,
                    kv_heads: Some(2),
                    scoring,
                    position,
                    ..LayerOptions::default()
                };
                let what = format!("{scoring:?} {position:?} {masked_score:?} {mask:.80?}");
                let requests = [given, longer].map(|inputs| {
                    let call = CallOptions {
                        mask: mask.clone(),
                        masked_score,
                        temperature: 0.8,
                        ..CallOptions::default()
                    };
                    Request::from_heads(inputs, options, call).expect("valid")
                });
                change.check(&what, requests.each_ref());
            }
        }
    }
}

/// A future token of a text, whose query and value are large as well.
#[test]
fn a_large_token_changes_no_bit_of_the_rows_before_it() {
    let positions = [
        Position::None,
        Position::Sinusoidal,
        Position::ROTARY,
        Position::ALIBI,
    ];
    for change in Change::each() {
        let change = Change {
            sizes: Sizes {
                d_out: 28,
                ..change.sizes
            },
            ..change
        };
        for (position, scoring) in positions.into_iter().flat_map(|position| {
            [Scoring::Dot, Scoring::Additive].map(|scoring| (position, scoring))
        }) {
            let case = Case {
                sizes: change.sizes,
                cross: false,
                output: false,
                scoring,
                position,
                ..Case::default()
            };
            let x = case.queries();
            let mut larger = x.clone();
            let mut token = larger.slice_mut(s![.., change.token, ..]);
            token.mapv_inplace(|x| 1000.0 * x);
            let requests = [x, larger].map(|x| {
                let call = CallOptions {
                    mask: Mask::Causal,
                    ..CallOptions::default()
                };
                Request::new(case.layer(), x, None, call).expect("valid")
            });
            change.check(&format!("{scoring:?} {position:?}"), requests.each_ref());
        }
    }
}

/// Its scores are no numbers in 32 bits, and nobody asks for them.
#[test]
fn a_key_at_the_end_of_the_range_that_nobody_sees_is_no_reason_to_refuse() {
    for change in Change::each() {
        for scoring in [Scoring::Dot, Scoring::Additive] {
            for mask in change.masks() {
                if !change.hides_from_all(&mask) {
                    continue;
                }
                let given = inputs(&change, 1.0);
                let mut largest = given.clone();
                let mut key = largest.k.slice_mut(s![.., change.token, ..]);
                key.mapv_inplace(|x| 3e38f32.copysign(x));
                let options = LayerOptions {
                    heads: HEADS,
                    kv_heads: Some(2),
                    scoring,
                    ..LayerOptions::default()
                };
                let want = Outputs {
                    scores: false,
                    q: false,
                    k: false,
                    ..Outputs::ALL
                };
                let requests = [given, largest].map(|inputs| {
                    let call = CallOptions {
                        mask: mask.clone(),
                        want,
                        ..CallOptions::default()
                    };
                    Request::from_heads(inputs, options, call).expect("finite")
                });
                for place in Place::all() {
                    let what = format!("{scoring:?} {mask:.80?} {place:?}");
                    for alone in [false, true] {
                        let [before, after] = requests.each_ref().map(|request| {
                            let request = match alone {
                                true => output_alone(request),
                                false => request.clone(),
                            };
                            change.compute(place, &request)
                        });
                        assert_eq!(after.weights, before.weights, "{what}");
                        assert_eq!(after.context, before.context, "{what}");
                        assert_eq!(after.output, before.output, "{what}");
                    }
                }
            }
        }
    }
}
