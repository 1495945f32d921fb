//! Matrix products of cards, in blocks of either size: remainders, biases, shared heads and causal orders.

use std::sync::Arc;

use crate::common::cases::{Case, Numbers};
use crate::common::check::{check_rows, check_trace, wanting};
use crate::common::compare::assert_close;
use crate::common::exact::Exact;
use crate::common::gpu::{drive, on_gpu, on_own_gpu};
use crate::common::place::{Computed, Place};
use attention::{CallOptions, HeadInputs, LayerOptions, Mask, Outputs, Request, Sizes, reference};
use gpu::{Gpu, Kernel, Tier};
use ndarray::s;

const PLACE: Place = Place::Gpu(Tier::Hardware);

/// As many slices as large blocks need where each has one of them.
const MANY: Sizes = Sizes {
    batch: 16,
    heads: 4,
    kv_heads: 2,
    n: 67,
    m: 21,
    keys: 21,
    d_model: Some(19),
    d_k: 18,
    d_v: 17,
    d_out: 9,
};

/// Few, with more rows and columns than a block has.
const FEW: Sizes = Sizes {
    batch: 2,
    heads: 2,
    kv_heads: 1,
    n: 35,
    ..MANY
};

fn with_keys(sizes: Sizes, keys: usize) -> Sizes {
    Sizes {
        m: keys,
        keys,
        ..sizes
    }
}

fn request(sizes: Sizes, mask: Mask, want: Outputs) -> Request {
    let case = Case {
        sizes,
        ..Case::default()
    };
    case.request(CallOptions {
        mask,
        want,
        ..CallOptions::default()
    })
}

fn computed(gpu: &Gpu, request: Arc<Request>) -> Computed {
    let gpu = gpu.clone().with_tier(Tier::Hardware);
    drive(&gpu, request).expect("fits")
}

fn check(sizes: Sizes, mask: Mask) {
    let request = Arc::new(request(sizes, mask, Outputs::ALL));
    let given = request.clone();
    let Some(found) = on_gpu(move |gpu| computed(gpu, given)) else {
        return;
    };
    let what = format!("{sizes:?}, {:?}", request.call().mask);
    let exact = Exact::of(&request);
    check_trace(&what, PLACE, &found.trace, &exact);
    check_rows(
        &what,
        &request,
        found.trace.weights.as_ref().expect("wanted"),
    );
    check_what_is_not_skipped(&what, &request, &exact);
}

/// Where nobody looks at scores, those beyond the diagonal are not made.
fn check_what_is_not_skipped(what: &str, request: &Request, exact: &Exact) {
    let want = Outputs {
        weights: true,
        ..Outputs::NOTHING
    };
    let given = Arc::new(wanting(request, want));
    let found = on_gpu(move |gpu| computed(gpu, given)).expect("there is a GPU");
    let wanted = exact.trace.weights.as_ref().expect("the reference has all");
    let weights = found.trace.weights.expect("wanted");
    assert_close(what, &weights, wanted, PLACE.regression().weights);
}

#[test]
fn every_remainder_of_large_blocks() {
    let masks = [Mask::Causal, Mask::Full].into_iter().cycle();
    let rows = [65, 127, 128].map(|n| Sizes { n, ..MANY });
    let keys = [1, 15, 16, 17, 63, 64].map(|keys| with_keys(MANY, keys));
    let widths = [1, 4, 16, 33].map(|width| Sizes {
        d_k: width,
        d_v: 65 - width,
        d_model: Some(width + 1),
        ..MANY
    });
    let both = with_keys(
        Sizes {
            batch: 4,
            n: 129,
            d_k: 65,
            d_v: 66,
            ..MANY
        },
        65,
    );
    let all = rows.into_iter().chain(keys).chain(widths).chain([both]);
    for (mask, sizes) in masks.zip(all) {
        check(sizes, mask);
    }
}

#[test]
fn every_remainder_of_small_blocks() {
    let masks = [Mask::Causal, Mask::Full].into_iter().cycle();
    let rows = [1, 31, 32, 33, 63, 64, 65].map(|n| Sizes { n, ..FEW });
    let keys = [1, 15, 16, 17, 63, 64, 65, 129].map(|keys| with_keys(FEW, keys));
    let widths = [1, 4, 16, 33, 65].map(|width| Sizes {
        d_k: width,
        d_v: 66 - width,
        d_model: Some(width + 1),
        d_out: 2 * width,
        ..FEW
    });
    let all = rows.into_iter().chain(keys).chain(widths);
    for (mask, sizes) in masks.zip(all) {
        check(sizes, mask);
    }
}

/// Scores of one head, or columns of its values, that make large blocks of a tile of 129 rows. The second tile begins at row
/// 129, whose block ends with row 256: that row sees the first key of a block of columns, and no more of it.
#[test]
fn a_causal_order_is_kept_in_large_blocks_of_a_later_tile() {
    for (keys, d_v) in [(2001, 3), (261, 2001)] {
        let mut numbers = Numbers::new(7);
        let inputs = HeadInputs {
            q: numbers.rows(1, 258, 5),
            k: numbers.rows(1, keys, 5),
            v: numbers.rows(1, keys, d_v),
            additive: None,
            output: None,
        };
        let call = CallOptions {
            mask: Mask::Causal,
            want: Outputs {
                weights: true,
                context: true,
                ..Outputs::NOTHING
            },
            ..CallOptions::default()
        };
        let request = Request::from_heads(inputs, LayerOptions::default(), call).expect("valid");
        let exact = reference::compute(&request);
        let row_bytes = 4 * keys.next_multiple_of(4) as u64;
        let found = on_gpu(move |gpu| {
            // Of the tiles on their way each has half.
            let gpu = gpu.clone().with_tile_bytes(2 * 129 * row_bytes);
            computed(&gpu, Arc::new(request)).trace
        });
        let Some(found) = found else { return };
        let (weights, context) = (found.weights.expect("wanted"), found.context);
        let what = format!("{keys} keys, {d_v} columns of values");
        let bounds = PLACE.regression();
        assert_close(
            &what,
            &weights,
            &exact.weights.expect("kept"),
            bounds.weights,
        );
        assert_close(
            &what,
            &context.expect("wanted"),
            &exact.context.expect("kept"),
            bounds.output,
        );
    }
}

/// The tests above mean what they say.
#[test]
fn the_size_of_blocks_follows_from_the_product() {
    let large = [Kernel::Product, Kernel::ProductTransposed];
    let small = [Kernel::SmallProduct, Kernel::SmallProductTransposed];
    for (sizes, kernels, others) in [(MANY, large, small), (FEW, small, large)] {
        let used = on_own_gpu(move |gpu| {
            let gpu = gpu.with_tier(Tier::Hardware);
            let want = Outputs {
                weights: true,
                context: true,
                ..Outputs::NOTHING
            };
            drive(&gpu, Arc::new(request(sizes, Mask::Full, want))).expect("fits");
            let uses = |kernel| gpu.has_used(kernel);
            (kernels.map(uses), others.map(uses))
        });
        if let Some((used, others)) = used {
            assert_eq!(used, [true; 2], "{sizes:?}");
            // Keys and values of this size are projected in small blocks.
            assert_eq!(others, [kernels == large, false], "{sizes:?}");
        }
    }
}

/// Blocks of either size add up in the same order, so how many entries are computed together changes no bit.
#[test]
fn a_row_is_the_same_in_a_block_of_either_size() {
    let together = request(MANY, Mask::Causal, Outputs::ALL);
    let alone = {
        let call = together.call().clone();
        let case = Case {
            sizes: MANY,
            ..Case::default()
        };
        let first = |rows: ndarray::Array3<f32>| rows.slice(s![..1, .., ..]).to_owned();
        let (queries, keys) = (first(case.queries()), first(case.keys_values()));
        Request::new(case.layer(), queries, Some(keys), call).expect("valid")
    };
    let found = on_gpu(|gpu| {
        [together, alone].map(|request| computed(gpu, Arc::new(request)).trace.output)
    });
    let Some([Some(together), Some(alone)]) = found else {
        return;
    };
    assert_eq!(together.slice(s![..1, .., ..]), alone);
}
