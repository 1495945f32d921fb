//! Every golden case, through the 64-bit reference and through the fast path.

mod common;

use attention_playground::analysis::HeadStats;
use attention_playground::attention::{Mask, reference, sinusoidal_encoding};
use attention_playground::engine::{BackendChoice, run};
use common::compare::{assert_close, largest};
use common::golden::{self, Golden};
use ndarray::{Array1, Array2};
use serde_json::Value;

/// Golden files are rounded to nine decimals.
const ROUNDING: f64 = 2e-9;

fn check(name: &str, golden: &Golden) {
    let exact = reference::compute(&golden.request);
    let fast = run(golden.request.clone(), BackendChoice::Cpu)
        .expect("a golden runs")
        .trace;
    let what = |part: &str| format!("{name}: {part}");
    // The files' own arithmetic is 32-bit, so the reference agrees to its rounding, not to 1e-9.
    assert_close(
        &what("reference weights"),
        &exact.weights.expect("kept"),
        &golden.weights,
        1e-6,
    );
    assert_close(
        &what("weights"),
        &fast.weights.expect("kept"),
        &golden.weights,
        1e-5,
    );
    if let Some(output) = &golden.output {
        let scale = largest(output);
        assert_close(
            &what("reference output"),
            &exact.output.expect("kept"),
            output,
            1e-5 * scale,
        );
        assert_close(
            &what("output"),
            &fast.output.expect("kept"),
            output,
            1e-4 * scale,
        );
    }
    if let Some(context) = &golden.context {
        let scale = largest(context);
        assert_close(
            &what("reference context"),
            &exact.context.expect("kept"),
            context,
            1e-5 * scale,
        );
        assert_close(
            &what("context"),
            &fast.context.expect("kept"),
            context,
            1e-4 * scale,
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
    let stride = common::cases::stride(3);
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
        let golden = golden::self_case(name);
        let stats = run(golden.request, BackendChoice::Cpu)
            .expect("runs")
            .stats
            .expect("wanted");
        for (batch, wanted) in golden.file["stats"]
            .as_array()
            .expect("one per batch entry")
            .iter()
            .enumerate()
        {
            check_measures(&format!("{name}[{batch}]"), &stats[batch][0], wanted);
        }
    }
    for name in golden::MULTI_HEAD_CASES {
        let golden = golden::multi_head_case(name);
        let stats = run(golden.request, BackendChoice::Cpu)
            .expect("runs")
            .stats
            .expect("wanted");
        for (batch, heads) in golden.file["stats"]
            .as_array()
            .expect("batch")
            .iter()
            .enumerate()
        {
            for (head, wanted) in heads.as_array().expect("heads").iter().enumerate() {
                check_measures(
                    &format!("{name}[{batch}][{head}]"),
                    &stats[batch][head],
                    wanted,
                );
            }
        }
    }
}

fn check_measures(name: &str, found: &HeadStats, wanted: &Value) {
    let list = |field: &str| -> Array1<f64> {
        wanted[field]
            .as_array()
            .expect(field)
            .iter()
            .map(|x| x.as_f64().expect("a number"))
            .collect()
    };
    let tolerance = 2e-5 + ROUNDING;
    let per_query = Array1::from(found.entropy_per_query.clone());
    assert_close(
        &format!("{name}: entropy"),
        &per_query,
        &list("entropy_per_query"),
        tolerance,
    );
    let mean = wanted["entropy_mean"].as_f64().expect("a number");
    assert!(
        (found.entropy_mean - mean).abs() < tolerance,
        "{name}: {} {mean}",
        found.entropy_mean
    );
    if wanted.get("diagonal_mean").is_none() {
        return; // Cross-attention: the files hold no measure that compares positions.
    }
    for (field, value) in [
        ("diagonal_mean", found.diagonal_mean),
        ("off_diagonal_mean", found.off_diagonal_mean),
    ] {
        let wanted = wanted[field].as_f64().expect("a number");
        assert!(
            (value - wanted).abs() < 1e-6,
            "{name}: {field} {value} {wanted}"
        );
    }
    assert_close(
        &format!("{name}: self"),
        &Array1::from(found.self_weight.clone()),
        &list("self_weight"),
        1e-5,
    );
    let (others, weights) = (
        list("most_attended_other"),
        list("most_attended_other_weight"),
    );
    for (query, other) in found.most_attended_other.iter().enumerate() {
        // The files give 0 with weight 0 where nothing else is visible.
        let (key, weight) = other.unwrap_or((0, 0.0));
        assert_eq!(key as f64, others[query], "{name}: query {query}");
        assert!(
            (f64::from(weight) - weights[query]).abs() < 1e-5,
            "{name}: query {query}"
        );
    }
}
