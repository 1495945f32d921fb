//! Links that show published cases: each opens without a warning, and what the page computes has the numbers of the case.

use crate::api::cases::assert_row;
use app::state::imported::{AxisLabels, ImportedData, ImportedTensors, Inputs};
use app::state::{Action, Field, State, Value, reduce, request_builder, url};
use attention::{Linear, Outputs, Trace, Weights};
use engine::{BackendChoice, run};
use ndarray::{Array2, Array3, ArrayView1, Axis, arr2, array, s};

/// Cases by their letter; where one has several readings, each has its own link. Equal words without positions have equal scores.
const LINKS: [(&str, &str); 34] = [
    (
        "D1 start, 2 of 5",
        "v=1&text=a+a&source=a+a+a+a+a&mask=causal&positions=none",
    ),
    (
        "D1 end, 2 of 5",
        "v=1&text=a+a&source=a+a+a+a+a&rule=causal+end&positions=none",
    ),
    (
        "D1 start, 5 of 2",
        "v=1&text=a+a+a+a+a&source=a+a&mask=causal&positions=none",
    ),
    (
        "D1 end, 5 of 2",
        "v=1&text=a+a+a+a+a&source=a+a&rule=causal+end&positions=none",
    ),
    (
        "D1 last keys, 5 of 2",
        "v=1&text=a+a+a+a+a&source=a+a&mask=causal&positions=none&align=last",
    ),
    (
        "D1 start, 1 of 8",
        "v=1&text=a&source=a+a+a+a+a+a+a+a&mask=causal&positions=none",
    ),
    (
        "D1 last keys, 1 of 8",
        "v=1&text=a&source=a+a+a+a+a+a+a+a&mask=causal&positions=none&align=last",
    ),
    (
        "D2 mask",
        "v=1&text=a+a+a+a+a+a+a+a&mask=causal&positions=none",
    ),
    (
        "D2 added",
        "v=1&text=a+a+a+a+a+a+a+a&mask=causal&hiding=added&positions=none",
    ),
    (
        "D4 left out",
        "v=1&text=a+a+a+a+a&mask=causal&rule=padding+left+3&positions=none",
    ),
    (
        "D4 written over",
        "v=1&text=a+a+a+a+a&mask=causal&rule=padding+left+3&hiding=written&positions=none",
    ),
    (
        "D4 added",
        "v=1&text=a+a+a+a+a&rule=causal+and+padding+left+3+or+q_idx+<+3+and+(causal+or+padding+left+3)&positions=none",
    ),
    (
        "D5",
        "v=1&text=a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a&rule=image+6×6+kernel+3&positions=none",
    ),
    (
        "D6",
        "v=1&text=a+a+a+a+a+a&rule=documents+4,+2+and+causal&positions=none",
    ),
    ("D6 leak", "v=1&text=a+a+a+a+a+a&mask=causal&positions=none"),
    (
        "D12",
        "v=1&text=a+a&weights=random&heads=12&positions=alibi",
    ),
    (
        "Longformer",
        "v=1&text=a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a&rule=window+3+or+global+0,+8&positions=none",
    ),
    (
        "Longformer, causal",
        "v=1&text=a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a&rule=causal+and+(window+3+or+global+0,+8)&positions=none",
    ),
    (
        "D7",
        "v=1&scaled=0&data=1iAQIBAQMCAwAAAAQAAAAAAIA_AAAAAAAAgD8AAAAAAAAAAAAAAEAAAAAAAAAAQAAAgD8AAIA_AACAPwAAgD8FAgQAAAADAAAAAACAPwAAAAAAAIA_AACAPwAAAAAAAAAAAAAAAAAAAAAAAIA_AAAAAAAAgD8AAIA_BgIEAAAAAwAAAAAAAAAAAAAAAACAPwAAgD8AAIA_AAAAAAAAAAAAAIA_AAAAAAAAgD8AAIA_AAAAAAcCBAAAAAMAAAAAAAAAAAAAQAAAAAAAAAAAAABAQAAAAAAAAIA_AAAAAAAAQEAAAIA_AACAPwAAAAD_AAAAAAAAAAA",
    ),
    (
        "D7 scaled",
        "v=1&data=1iAQIBAQMCAwAAAAQAAAAAAIA_AAAAAAAAgD8AAAAAAAAAAAAAAEAAAAAAAAAAQAAAgD8AAIA_AACAPwAAgD8FAgQAAAADAAAAAACAPwAAAAAAAIA_AACAPwAAAAAAAAAAAAAAAAAAAAAAAIA_AAAAAAAAgD8AAIA_BgIEAAAAAwAAAAAAAAAAAAAAAACAPwAAgD8AAIA_AAAAAAAAAAAAAIA_AAAAAAAAgD8AAIA_AAAAAAcCBAAAAAMAAAAAAAAAAAAAQAAAAAAAAAAAAABAQAAAAAAAAIA_AAAAAAAAQEAAAIA_AACAPwAAAAD_AAAAAAAAAAA",
    ),
    (
        "D8",
        "v=1&scaled=0&data=1iAQAAAAADAQAAAAYAAAADAAAA9ijcPpqZGT4K12M_zcwMP1K4Xj_D9Sg_hesRP5qZWT8K1yM_rkdhPuF6FD_D9ag-uB5FPwAAgD7NzMw9zcxMPc3MTD_NzAw_AQMBAAAABgAAAAMAAAD2KNw-mpkZPgrXYz_NzAw_UrheP8P1KD-F6xE_mplZPwrXIz-uR2E-4XoUP8P1qD64HkU_AACAPs3MzD3NzEw9zcxMP83MDD8CAwEAAAAGAAAAAwAAAPYo3D6amRk-CtdjP83MDD9SuF4_w_UoP4XrET-amVk_CtcjP65HYT7hehQ_w_WoPrgeRT8AAIA-zczMPc3MTD3NzEw_zcwMP_8AAAAAAAAAAA",
    ),
    (
        "D8 mask",
        "v=1&mask=causal&scaled=0&data=1iAQAAAAADAQAAAAYAAAADAAAA9ijcPpqZGT4K12M_zcwMP1K4Xj_D9Sg_hesRP5qZWT8K1yM_rkdhPuF6FD_D9ag-uB5FPwAAgD7NzMw9zcxMPc3MTD_NzAw_AQMBAAAABgAAAAMAAAD2KNw-mpkZPgrXYz_NzAw_UrheP8P1KD-F6xE_mplZPwrXIz-uR2E-4XoUP8P1qD64HkU_AACAPs3MzD3NzEw9zcxMP83MDD8CAwEAAAAGAAAAAwAAAPYo3D6amRk-CtdjP83MDD9SuF4_w_UoP4XrET-amVk_CtcjP65HYT7hehQ_w_WoPrgeRT8AAIA-zczMPc3MTD3NzEw_zcwMP_8AAAAAAAAAAA",
    ),
    (
        "D8 late mask",
        "v=1&mask=causal&hiding=after&scaled=0&data=1iAQAAAAADAQAAAAYAAAADAAAA9ijcPpqZGT4K12M_zcwMP1K4Xj_D9Sg_hesRP5qZWT8K1yM_rkdhPuF6FD_D9ag-uB5FPwAAgD7NzMw9zcxMPc3MTD_NzAw_AQMBAAAABgAAAAMAAAD2KNw-mpkZPgrXYz_NzAw_UrheP8P1KD-F6xE_mplZPwrXIz-uR2E-4XoUP8P1qD64HkU_AACAPs3MzD3NzEw9zcxMP83MDD8CAwEAAAAGAAAAAwAAAPYo3D6amRk-CtdjP83MDD9SuF4_w_UoP4XrET-amVk_CtcjP65HYT7hehQ_w_WoPrgeRT8AAIA-zczMPc3MTD3NzEw_zcwMP_8AAAAAAAAAAA",
    ),
    (
        "D9 target asks source",
        "v=1&data=1iAQIBAQMCAgAAAAMAAAAAAIA_AACAPwAAgD8AAIA_AACAPwAAgD8EAgIAAAADAAAAAAAAQAAAgD8AAIA_AACAPwAAgD8AAIA_BQIDAAAABAAAAAAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwYCAwAAAAQAAAAAAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8HAgMAAAAEAAAAAACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA__wAAAAAAAAAA",
    ),
    (
        "D9 source asks target",
        "v=1&data=1iAQIBAQMCAgAAAAMAAAAAAABAAACAPwAAgD8AAIA_AACAPwAAgD8EAgIAAAADAAAAAACAPwAAgD8AAIA_AACAPwAAgD8AAIA_BQIDAAAABAAAAAAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwYCAwAAAAQAAAAAAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8HAgMAAAAEAAAAAACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA__wAAAAAAAAAA",
    ),
    (
        "D9 source asks itself",
        "v=1&data=1iAQIBAQMCAgAAAAMAAAAAAABAAACAPwAAgD8AAIA_AACAPwAAgD8FAgMAAAAEAAAAAACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_BgIDAAAABAAAAAAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwcCAwAAAAQAAAAAAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD8AAIA_AACAPwAAgD__AAAAAAAAAAA",
    ),
    (
        "D10",
        "v=1&data=1iAQAAAAADBAAAAAEAAAACAAAAAACAPwAAAAAAAIA_AAAAAAAAgD8AAAAAAACAPwAAAAABAwIAAAACAAAAAgAAAAAAgD8AAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAAAgMCAAAAAgAAAAEAAAAAAIA_AAAAQAAAQEAAAIBA_wAAAAAAAAAA",
    ),
    (
        "D10 tiled",
        "v=1&data=1iAQAAAAADBAAAAAEAAAACAAAAAACAPwAAAAAAAIA_AAAAAAAAgD8AAAAAAACAPwAAAAABAwQAAAACAAAAAgAAAAAAgD8AAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAAAACAPwAAAAAAAAAAAACAPwAAAAAAAIA_AACAPwAAAAACAwQAAAACAAAAAQAAAAAAgD8AAABAAABAQAAAgEAAAIA_AAAAQAAAQEAAAIBA_wAAAAAAAAAA",
    ),
    (
        "D11",
        "v=1&scaled=0&data=1iAQAAAAADAQAAAAEAAAABAAAAAACAPwEDAQAAAAQAAAABAAAAAACAPwAAAEAAAEBAAAAAPwIDAQAAAAQAAAABAAAAAACAPwAAAEAAAEBAAAAAP_8AAAAAAAAAAA",
    ),
    (
        "D13 neighbours",
        "v=1&scaled=0&positions=rotary&data=1iAQAAAAADAQAAAAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAPwAAAEAAAEBAAACAQAEDAQAAAAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAgEAAAEBAAAAAQAAAgD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIDAQAAAAQAAAABAAAAAACAPwAAgD8AAIA_AACAP_8AAAAAAAAAAA",
    ),
    (
        "D13 halves",
        "v=1&scaled=0&positions=rotary_halves&data=1iAQAAAAADAQAAAAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAPwAAAEAAAEBAAACAQAEDAQAAAAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAgEAAAEBAAAAAQAAAgD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIDAQAAAAQAAAABAAAAAACAPwAAgD8AAIA_AACAP_8AAAAAAAAAAA",
    ),
    (
        "D14",
        "v=1&scaled=0&data=1iAQAAAAADAQAAAAEAAAABAAAAAACAPwEDAQAAAAQAAAABAAAAZmZmP83MTD2PwvU8CtejPAIDAQAAAAQAAAABAAAAZmZmP83MTD2PwvU8CtejPP8AAAAAAAAAAA",
    ),
    (
        "Logits",
        "v=1&scaled=0&data=1iAQAAAAADAQAAAAEAAAABAAAAAACAPwEDAQAAAAMAAAABAAAAAEAcRgA8HEYAQBzGAgMBAAAAAwAAAAEAAAAAQBxGADwcRgBAHMb_AAAAAAAAAAA",
    ),
    (
        "16 bits",
        "v=1&data=1iAQAAAAADAQAAAAIAAAAEAAAAAACWQwAAlkMAAJZDAACWQwAAlkMAAJZDAACWQwAAlkMBAwEAAAACAAAABAAAAAAAlkMAAJZDAACWQwAAlkMAAJZDAACWQwAAlkMAAJZDAgMBAAAAAgAAAAQAAAAAAJZDAACWQwAAlkMAAJZDAACWQwAAlkMAAJZDAACWQ_8AAAAAAAAAAA",
    ),
];

fn link(case: &str) -> &'static str {
    let found = LINKS.iter().find(|(own, _)| *own == case);
    found.unwrap_or_else(|| panic!("no link shows {case}")).1
}

fn state(case: &str) -> State {
    let (state, notes) = url::parse(link(case));
    assert_eq!(notes, [], "{case}");
    state
}

/// What the page computes for a case.
fn traced(case: &str) -> Trace<f32> {
    let request = request_builder::request_for(&state(case), Outputs::ALL);
    let request = request.unwrap_or_else(|error| panic!("{case}: {error}"));
    run(request, BackendChoice::Cpu).expect("computed").trace
}

/// Weights of the first head.
fn weights(case: &str) -> Array2<f32> {
    let weights = traced(case).weights.expect("wanted");
    weights.slice(s![0, 0, .., ..]).to_owned()
}

/// As many keys as each row sees.
fn counts(case: &str) -> Vec<usize> {
    let seen = |row: ArrayView1<f32>| row.iter().filter(|weight| **weight > 0.0).count();
    weights(case).outer_iter().map(seen).collect()
}

#[track_caller]
fn assert_rows(case: &str, wanted: &[&[f64]], empty: usize) {
    let trace = traced(case);
    let weights = trace.weights.expect("wanted");
    let weights = weights.slice(s![0, 0, .., ..]);
    assert_eq!((weights.nrows(), trace.empty_rows), (wanted.len(), empty));
    for (found, wanted) in weights.outer_iter().zip(wanted) {
        assert_row(found, wanted);
    }
}

fn output(trace: &Trace<f32>) -> Array2<f32> {
    let output = trace.output.as_ref().expect("wanted");
    output.index_axis(Axis(0), 0).to_owned()
}

#[test]
fn causal_is_aligned_at_the_first_key_or_at_the_last() {
    let (one, both): (&[f64], &[f64]) = (&[1.0, 0.0], &[0.5, 0.5]);
    let none: &[f64] = &[0.0, 0.0];
    let first = [&[1.0, 0.0, 0.0, 0.0, 0.0][..], &[0.5, 0.5, 0.0, 0.0, 0.0]];
    assert_rows("D1 start, 2 of 5", &first, 0);
    let last = [&[0.25, 0.25, 0.25, 0.25, 0.0][..], &[0.2; 5]];
    assert_rows("D1 end, 2 of 5", &last, 0);
    assert_rows("D1 start, 5 of 2", &[one, both, both, both, both], 0);
    for case in ["D1 end, 5 of 2", "D1 last keys, 5 of 2"] {
        assert_rows(case, &[none, none, none, one, both], 3);
    }
    let alone = [&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0][..]];
    assert_rows("D1 start, 1 of 8", &alone, 0);
    assert_rows("D1 last keys, 1 of 8", &[&[0.125; 8]], 0);
}

#[test]
fn a_triangle_of_ones_is_a_mask_or_is_added() {
    let masked = weights("D2 mask");
    for (i, row) in masked.outer_iter().enumerate() {
        let mut wanted = [0.0; 8];
        wanted[..=i].fill(1.0 / (i + 1) as f64);
        assert_row(row, &wanted);
    }
    let added = weights("D2 added");
    let (mut first, mut second) = ([0.102_899; 8], [0.087_439; 8]);
    first[0] = 0.279_708;
    second[..2].fill(0.237_683);
    assert_row(added.row(0), &first);
    assert_row(added.row(1), &second);
    assert_row(added.row(7), &[0.125; 8]);
}

#[test]
fn padding_in_front_is_left_out_written_over_or_added() {
    let (fourth, fifth): (&[f64], &[f64]) =
        (&[0.0, 0.0, 0.0, 1.0, 0.0], &[0.0, 0.0, 0.0, 0.5, 0.5]);
    let (none, all): (&[f64], &[f64]) = (&[0.0; 5], &[0.2; 5]);
    assert_rows("D4 left out", &[none, none, none, fourth, fifth], 3);
    assert_rows("D4 written over", &[all, all, all, fourth, fifth], 0);
    let (third, quarter) = (1.0 / 3.0, 0.25);
    let ahead: [&[f64]; 2] = [
        &[third, 0.0, 0.0, third, third],
        &[quarter, quarter, 0.0, quarter, quarter],
    ];
    assert_rows("D4 added", &[ahead[0], ahead[1], all, fourth, fifth], 0);
}

#[test]
fn neighbourhoods_packed_documents_and_global_words() {
    assert_eq!(counts("D5"), [9; 36]);
    let image = weights("D5");
    let seen = |query: usize| {
        (0..36)
            .filter(|key| image[[query, *key]] > 0.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(seen(0), [0, 1, 2, 6, 7, 8, 12, 13, 14]);
    assert_eq!(seen(14), [7, 8, 9, 13, 14, 15, 19, 20, 21]);
    assert_eq!(seen(35), [21, 22, 23, 27, 28, 29, 33, 34, 35]);
    let looked_at = |key: usize| {
        image
            .column(key)
            .iter()
            .filter(|weight| **weight > 0.0)
            .count()
    };
    let most: Vec<usize> = (0..36).filter(|key| looked_at(*key) == 16).collect();
    assert_eq!(most, [14, 15, 20, 21]);

    assert_eq!(counts("D6"), [1, 2, 3, 4, 1, 2]);
    let packed = weights("D6");
    assert_row(packed.row(4), &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_row(packed.row(5), &[0.0, 0.0, 0.0, 0.0, 0.5, 0.5]);
    let leak = weights("D6 leak");
    let of_others = [4, 5].map(|query| leak.slice(s![query, ..4]).sum());
    assert_row(ArrayView1::from(&of_others), &[0.8, 2.0 / 3.0]);

    let both = counts("Longformer");
    assert_eq!(both, [16, 6, 7, 8, 9, 8, 8, 8, 16, 8, 8, 8, 9, 8, 7, 6]);
    assert_eq!(both.iter().sum::<usize>(), 140);
    assert_eq!(counts("Longformer, causal").iter().sum::<usize>(), 78);
}

#[test]
fn layers_of_articles() {
    let trace = traced("D7");
    let scores = trace.scores.as_ref().expect("wanted");
    let whole = array![[2.0, 4.0, 4.0], [4.0, 16.0, 12.0], [4.0, 12.0, 10.0]];
    assert_eq!(scores.slice(s![0, 0, .., ..]), whole);
    let rows = output(&trace);
    assert_row(rows.row(0), &[1.936_621, 6.683_105, 1.595_068]);
    assert_row(rows.row(1), &[1.999_994, 7.963_992, 0.053_976]);
    assert_row(rows.row(2), &[1.999_705, 7.759_892, 0.358_389]);
    let scaled = output(&traced("D7 scaled"));
    assert_row(scaled.row(0), &[1.863_874, 6.319_371, 1.704_189]);

    let journey = traced("D8");
    let second = [
        0.138_548, 0.237_891, 0.233_274, 0.123_992, 0.108_182, 0.158_114,
    ];
    assert_row(weights("D8").row(1), &second);
    assert_row(output(&journey).row(1), &[0.441_866, 0.651_482, 0.568_309]);
    let sums = weights("D8 late mask").sum_axis(Axis(1));
    let wanted = [0.209_835, 0.376_439, 0.608_531, 0.701_666, 0.870_486, 1.0];
    assert_row(sums.view(), &wanted);
    let third = [0.228_431, 0.389_333, 0.382_235, 0.0, 0.0, 0.0];
    assert_row(weights("D8 mask").row(2), &third);

    for (case, rows) in [
        ("D9 target asks source", [3.997_527, 3.997_527]),
        ("D9 source asks target", [3.0, 3.0]),
        ("D9 source asks itself", [3.999_665, 3.997_527]),
    ] {
        for (found, wanted) in output(&traced(case)).outer_iter().zip(rows) {
            assert_row(found, &[wanted; 4]);
        }
    }
}

#[test]
fn heads_sinks_slopes_and_rotations() {
    let of_first: (&[f64], f64) = (&[0.669_762, 0.330_238], 1.330_238);
    let of_second: (&[f64], f64) = (&[0.330_238, 0.669_762], 3.669_762);
    for (case, order) in [
        ("D10", [of_first, of_first, of_second, of_second]),
        ("D10 tiled", [of_first, of_second, of_first, of_second]),
    ] {
        let trace = traced(case);
        let weights = trace.weights.expect("wanted");
        let context = trace.context.expect("wanted");
        for (head, (row, sum)) in order.into_iter().enumerate() {
            assert_row(weights.slice(s![0, head, 0, ..]), row);
            assert_row(context.slice(s![0, head, 0, ..]), &[sum]);
        }
    }

    let sink = weights("D11");
    assert_row(sink.slice(s![0, ..3]), &[0.085_369, 0.232_057, 0.630_796]);

    let scores = traced("D12").scores.expect("wanted");
    let slopes = ndarray::Array1::from_shape_fn(12, |head| {
        scores[[0, head, 0, 0]] - scores[[0, head, 0, 1]]
    });
    let root = std::f64::consts::FRAC_1_SQRT_2;
    let wanted: Vec<f64> = (1..=8)
        .map(|at| 0.5f64.powi(at))
        .chain([root, root / 2.0, root / 4.0, root / 8.0])
        .collect();
    assert_row(slopes.view(), &wanted);

    for (case, wanted) in [("D13 neighbours", 1.190_051), ("D13 halves", -3.456_429)] {
        let score = traced(case).scores.expect("wanted")[[0, 0, 3, 1]];
        assert!((f64::from(score) - wanted).abs() < 1e-5, "{case}: {score}");
    }
}

#[test]
fn softmax_again_and_large_scores() {
    let again = weights("D14");
    assert_row(again.row(0), &[0.442_253, 0.189_026, 0.185_283, 0.183_439]);
    assert_row(weights("Logits").row(0), &[0.731_059, 0.268_941, 0.0]);
    let scores = traced("16 bits").scores.expect("wanted");
    assert!(scores.iter().all(|score| *score == 180_000.0), "{scores}");
}

fn rows<const N: usize, const W: usize>(rows: [[f32; W]; N]) -> Array2<f32> {
    arr2(&rows)
}

fn layer(
    queries: Array2<f32>,
    keys_values: Option<Array2<f32>>,
    w: [Array2<f32>; 3],
) -> ImportedTensors {
    let linear = |w| Linear { w, b: None };
    let [query, key, value] = w.map(linear);
    ImportedTensors::Layer {
        weights: Weights {
            query,
            key,
            value,
            output: None,
            additive: None,
        },
        heads: 1,
        kv_heads: 1,
        inputs: Some(Inputs {
            queries,
            keys_values,
        }),
    }
}

fn heads(q: Array2<f32>, k: Array2<f32>, v: Array2<f32>) -> ImportedTensors {
    let [q, k, v] = [q, k, v].map(|rows| rows.insert_axis(Axis(0)));
    ImportedTensors::Heads { q, k, v }
}

fn shared(k: &[[[f32; 2]; 2]], v: &[[f32; 2]]) -> ImportedTensors {
    ImportedTensors::Heads {
        q: Array3::from_shape_fn((4, 1, 2), |(_, _, c)| if c == 0 { 1.0 } else { 0.0 }),
        k: Array3::from_shape_fn((k.len(), 2, 2), |(g, j, c)| k[g][j][c]),
        v: Array3::from_shape_fn((v.len(), 2, 1), |(g, j, _)| v[g][j]),
    }
}

/// The numbers of the cases that bring their own, and what is set beside them.
fn own_numbers() -> Vec<(&'static str, ImportedTensors, &'static str)> {
    let article = || {
        layer(
            rows([[1., 0., 1., 0.], [0., 2., 0., 2.], [1., 1., 1., 1.]]),
            None,
            [
                rows([[1., 0., 1.], [1., 0., 0.], [0., 0., 1.], [0., 1., 1.]]),
                rows([[0., 0., 1.], [1., 1., 0.], [0., 1., 0.], [1., 1., 0.]]),
                rows([[0., 2., 0.], [0., 3., 0.], [1., 0., 3.], [1., 1., 0.]]),
            ],
        )
    };
    let journey = || {
        let x = rows([
            [0.43, 0.15, 0.89],
            [0.55, 0.87, 0.66],
            [0.57, 0.85, 0.64],
            [0.22, 0.58, 0.33],
            [0.77, 0.25, 0.10],
            [0.05, 0.80, 0.55],
        ]);
        heads(x.clone(), x.clone(), x)
    };
    let (source, target) = (rows([[2., 1., 1.], [1., 1., 1.]]), rows([[1.; 3]; 2]));
    let ones = |queries: &Array2<f32>, keys: Option<&Array2<f32>>| {
        let w = Array2::ones((3, 4));
        layer(queries.clone(), keys.cloned(), [w.clone(), w.clone(), w])
    };
    let (k, v) = (
        [[[1., 0.], [0., 1.]], [[0., 1.], [1., 0.]]],
        [[1., 2.], [3., 4.]],
    );
    let turned = || {
        let row = |own, at: usize, numbers: [f32; 4]| {
            Array2::from_shape_fn((4, 4), |(i, c)| if i == at { numbers[c] } else { own })
        };
        let (q, k) = (row(0.0, 3, [1., 2., 3., 4.]), row(0.0, 1, [4., 3., 2., 1.]));
        heads(q, k, Array2::ones((4, 1)))
    };
    let one_query = |scores: &[f32]| {
        let k = Array2::from_shape_fn((scores.len(), 1), |(j, _)| scores[j]);
        heads(rows([[1.0]]), k.clone(), k)
    };
    let large = Array2::from_elem((2, 4), 300.0);
    vec![
        ("D7", article(), "scaled=0"),
        ("D7 scaled", article(), ""),
        ("D8", journey(), "scaled=0"),
        ("D8 mask", journey(), "mask=causal&scaled=0"),
        (
            "D8 late mask",
            journey(),
            "mask=causal&hiding=after&scaled=0",
        ),
        ("D9 target asks source", ones(&target, Some(&source)), ""),
        ("D9 source asks target", ones(&source, Some(&target)), ""),
        ("D9 source asks itself", ones(&source, None), ""),
        ("D10", shared(&k, &v), ""),
        (
            "D10 tiled",
            shared(&[k[0], k[1], k[0], k[1]], &[v[0], v[1], v[0], v[1]]),
            "",
        ),
        ("D11", one_query(&[1.0, 2.0, 3.0, 0.5]), "scaled=0"),
        ("D13 neighbours", turned(), "scaled=0&positions=rotary"),
        ("D13 halves", turned(), "scaled=0&positions=rotary_halves"),
        ("D14", one_query(&[0.9, 0.05, 0.03, 0.02]), "scaled=0"),
        ("Logits", one_query(&[1e4, 9999.0, -1e4]), "scaled=0"),
        ("16 bits", heads(large.clone(), large.clone(), large), ""),
    ]
}

/// The links that hold numbers are those that the page writes for them.
#[test]
fn links_with_numbers_are_written_by_the_page() {
    let mut off = String::new();
    for (case, contents, settings) in own_numbers() {
        let data = ImportedData::new(contents, AxisLabels::default(), "").expect("in order");
        let (plain, notices) = reduce(
            State::default(),
            Action::Set(Field::Data, Value::Data(data)),
        );
        assert_eq!(notices, [], "{case}");
        let (state, notes) = url::parse(&format!("{}&{settings}", url::to_fragment(&plain)));
        assert_eq!(notes, [], "{case}");
        let written = url::to_fragment(&state);
        if LINKS.iter().all(|own| *own != (case, &*written)) {
            off += &format!("    (\"{case}\", \"{written}\"),\n");
        }
    }
    assert!(off.is_empty(), "{off}");
}
