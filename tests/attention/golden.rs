//! Every golden case, through the 64-bit reference and wherever it can be computed.

use crate::common::check::output_alone;
use crate::common::compare::{assert_close, largest};
use crate::common::golden::{self, Golden};
use crate::common::place::Place;
use attention::analysis::HeadStats;
use attention::{Mask, Trace, reference, sinusoidal_encoding};
use ndarray::{Array1, Array2};
use serde_json::Value;

/// Golden files are rounded to nine decimals.
const ROUNDING: f64 = 2e-9;

fn check(name: &str, golden: &Golden) {
    check_reference(name, golden);
    for place in Place::all() {
        let found = place.compute(&golden.request).trace;
        let weights = found.weights.as_ref().expect("kept");
        let what = format!("{name} ({place:?})");
        assert_close(&what, weights, &golden.weights, place.weights());
        check_sums(&what, place, golden, found);
        let alone = place.compute(&output_alone(&golden.request)).trace;
        check_sums(&format!("{what}, output alone"), place, golden, alone);
    }
}

/// Context and output.
fn check_sums(what: &str, place: Place, golden: &Golden, found: Trace<f32>) {
    if let Some(output) = &golden.output {
        let (found, allowed) = (
            found.output.expect("kept"),
            place.output() * largest(output),
        );
        assert_close(&format!("{what}: output"), &found, output, allowed);
    }
    if let Some(context) = &golden.context {
        let (found, allowed) = (
            found.context.expect("kept"),
            place.output() * largest(context),
        );
        assert_close(&format!("{what}: context"), &found, context, allowed);
    }
}

/// The files' own arithmetic is 32-bit, so the reference agrees to its rounding, not to 1e-9.
fn check_reference(name: &str, golden: &Golden) {
    let exact = reference::compute(&golden.request);
    let what = |part: &str| format!("{name}: reference {part}");
    let weights = exact.weights.expect("kept");
    assert_close(&what("weights"), &weights, &golden.weights, 1e-6);
    if let Some(output) = &golden.output {
        let allowed = 1e-5 * largest(output);
        assert_close(
            &what("output"),
            &exact.output.expect("kept"),
            output,
            allowed,
        );
    }
    if let Some(context) = &golden.context {
        let allowed = 1e-5 * largest(context);
        assert_close(
            &what("context"),
            &exact.context.expect("kept"),
            context,
            allowed,
        );
    }
}

#[test]
fn self_attention() {
    golden::SELF_CASES
        .iter()
        .for_each(|name| check(name, &golden::self_case(name)));
}

#[test]
fn multi_head_attention() {
    golden::MULTI_HEAD_CASES
        .iter()
        .for_each(|name| check(name, &golden::multi_head_case(name)));
}

#[test]
fn given_heads() {
    golden::HEAD_CASES
        .iter()
        .for_each(|name| check(name, &golden::head_case(name, None)));
    check("linformer", &golden::head_case("linformer", None));
}

#[test]
fn structured_masks_equal_the_painted_ones_of_the_files() {
    check(
        "multi_query_causal",
        &golden::head_case("multi_query_causal", Some(Mask::Causal)),
    );
    let reach = |name: &str, far: &dyn Fn(usize, usize) -> bool| {
        let mask = golden::tensor(&golden::file(name)["mask"]);
        let cells = mask.into_dimensionality::<ndarray::Ix2>().expect("n, m");
        assert!(
            cells
                .indexed_iter()
                .all(|((i, j), seen)| (*seen == 1.0) == far(i, j)),
            "{name}"
        );
    };
    reach("local_window", &|i, j| i.abs_diff(j) <= 2);
    check(
        "local_window",
        &golden::head_case("local_window", Some(Mask::Local { window: 2 })),
    );
    reach("strided", &|i, j| i.abs_diff(j) % 3 == 0);
    let stride = crate::common::cases::stride(3);
    check(
        "strided",
        &golden::head_case("strided", Some(Mask::Strided { stride })),
    );
}

#[test]
fn sinusoidal_positions() {
    let file = golden::file("positional_encoding");
    let wanted = golden::tensor(&file["encoding"])
        .into_dimensionality::<ndarray::Ix2>()
        .expect("n, d_model");
    let found: Array2<f32> = sinusoidal_encoding(wanted.nrows(), wanted.ncols());
    // The file was computed with 32-bit angles.
    assert_close("encoding", &found, &wanted, 1e-6);
}

#[test]
fn measures() {
    for name in golden::SELF_CASES {
        // The files of a single head have no axis for it.
        let heads_of = |batch: &Value| vec![batch.clone()];
        check_all_measures(name, &golden::self_case(name), heads_of);
    }
    for name in golden::MULTI_HEAD_CASES {
        let heads_of = |batch: &Value| batch.as_array().expect("heads").clone();
        check_all_measures(name, &golden::multi_head_case(name), heads_of);
    }
}

fn check_all_measures(name: &str, golden: &Golden, heads_of: impl Fn(&Value) -> Vec<Value>) {
    let batches = golden.file["stats"]
        .as_array()
        .expect("one per batch entry");
    for place in Place::all() {
        let stats = place.compute(&golden.request).stats.expect("wanted");
        for (batch, wanted) in batches.iter().enumerate() {
            for (head, wanted) in heads_of(wanted).iter().enumerate() {
                let name = format!("{name}[{batch}][{head}] ({place:?})");
                check_measures(&name, place, &stats[batch][head], wanted);
            }
        }
    }
}

fn check_measures(name: &str, place: Place, found: &HeadStats, wanted: &Value) {
    let list = |field: &str| -> Array1<f64> {
        let numbers = wanted[field].as_array().expect(field).iter();
        numbers.map(|x| x.as_f64().expect("a number")).collect()
    };
    let number = |field: &str| wanted[field].as_f64().expect("a number");
    let entropy = 2.0 * place.weights() + ROUNDING;
    let per_query = Array1::from(found.entropy_per_query.clone());
    let what = |measure: &str| format!("{name}: {measure}");
    assert_close(
        &what("entropy"),
        &per_query,
        &list("entropy_per_query"),
        entropy,
    );
    let off = (found.entropy_mean - number("entropy_mean")).abs();
    assert!(off < entropy, "{name}: mean entropy differs by {off}");
    if wanted.get("diagonal_mean").is_none() {
        return; // Cross-attention: the files hold no measure that compares positions.
    }
    for (field, value) in [
        ("diagonal_mean", found.diagonal_mean),
        ("off_diagonal_mean", found.off_diagonal_mean),
    ] {
        let off = (value - number(field)).abs();
        assert!(
            off < place.alike(),
            "{name}: {field} {value} differs by {off}"
        );
    }
    let own = Array1::from(found.self_weight.clone());
    assert_close(&what("self"), &own, &list("self_weight"), place.weights());
    let (others, weights) = (
        list("most_attended_other"),
        list("most_attended_other_weight"),
    );
    for (query, other) in found.most_attended_other.iter().enumerate() {
        // The files give 0 with weight 0 where nothing else is visible.
        let (key, weight) = other.unwrap_or((0, 0.0));
        assert_eq!(key as f64, others[query], "{name}: query {query}");
        let off = (f64::from(weight) - weights[query]).abs();
        assert!(off < place.weights(), "{name}: query {query}");
    }
}
