//! Inputs that the API accepts, in every form, and their meaning.

use app::js_tree::JsTree;
use attention::{CellIndex, Mask, Outputs, Position, Request, Slopes};
use attention_playground::api;
use engine::{self, BackendChoice};

use crate::api::trees::*;

fn taken(raw: JsTree) -> Request {
    api::compute(raw).expect("a good request").request
}

/// `1` for visible, a row per query.
fn picture(request: &Request, batch: usize, head: usize) -> Vec<String> {
    let sizes = request.sizes();
    let cell = |query, key| {
        if request.call().mask.visible(CellIndex {
            batch,
            head,
            query,
            key,
        }) {
            '1'
        } else {
            '.'
        }
    };
    (0..sizes.n)
        .map(|query| (0..sizes.keys).map(|key| cell(query, key)).collect())
        .collect()
}

fn masked(tree: &JsTree, mask: JsTree) -> Request {
    taken(with(tree, "mask", mask))
}

fn kind(name: &str, parameter: &str, value: f64) -> JsTree {
    record([("kind", text(name)), (parameter, JsTree::Number(value))])
}

/// A mask of which only the cell at `index` is hidden.
fn hidden_at(shape: &[usize], index: usize) -> JsTree {
    let mut data = vec![1.0; shape.iter().product()];
    data[index] = 0.0;
    record([("shape", axes(shape)), ("data", JsTree::Doubles(data))])
}

#[test]
fn nested_lists_are_the_same_as_shape_and_data() {
    let rows = |n: usize| {
        (0..n).map(|row| {
            (0..8)
                .map(|c| ((row * 8 + c) * 7 + 3) % 11)
                .collect::<Vec<_>>()
        })
    };
    let of = |x: usize| x as f32 / 11.0 - 0.4;
    let doubles = rows(5)
        .map(|row| JsTree::Doubles(row.into_iter().map(|x| f64::from(of(x))).collect()))
        .collect();
    let singles = rows(5)
        .map(|row| JsTree::Singles(row.into_iter().map(of).collect()))
        .collect();
    let numbers = rows(5)
        .map(|row| {
            JsTree::List(
                row.into_iter()
                    .map(|x| JsTree::Number(f64::from(of(x))))
                    .collect(),
            )
        })
        .collect();
    let wanted = taken(inputs());
    for nested in [doubles, singles, numbers] {
        assert_eq!(
            taken(with(&inputs(), "queries", JsTree::List(nested))),
            wanted
        );
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    let request = taken(with(&inputs(), "masked_score", JsTree::Absent));
    assert_eq!(request.call().mask, Mask::Full);
    assert_eq!(request.call().want, Outputs::ALL);
    let sizes = request.sizes();
    assert_eq!(
        (
            sizes.batch,
            sizes.heads,
            sizes.kv_heads,
            sizes.d_k,
            sizes.d_v,
            sizes.d_out
        ),
        (1, 6, 2, 3, 2, 9)
    );
    let given = taken(heads());
    assert_eq!((given.sizes().heads, given.sizes().kv_heads), (4, 2));
    let one = record([
        ("queries", tensor(&[5, 8])),
        (
            "weights",
            with(
                &with(&weights(), "w_k", tensor(&[8, 18])),
                "w_o",
                tensor(&[4, 9]),
            ),
        ),
    ]);
    let one = taken(with(&one, "weights.w_a", JsTree::Absent));
    assert_eq!(
        (one.sizes().heads, one.sizes().kv_heads, one.sizes().m),
        (1, 1, 5)
    );
}

#[test]
fn an_empty_list_hides_nothing_also_among_other_masks() {
    let causal = || record([("kind", text("causal"))]);
    let nothing = || JsTree::Doubles(Vec::new());
    let cells = |mask: JsTree| picture(&masked(&inputs(), mask), 0, 0);
    let (none, one) = (cells(nothing()), cells(causal()));
    assert!(none.iter().all(|row| !row.contains('.')) && none != one);
    for mask in [
        list([causal(), nothing()]),
        list([nothing(), causal()]),
        list([nothing(), list([causal()])]),
        record([("any", list([list([causal(), nothing()])]))]),
    ] {
        assert_eq!(cells(mask.clone()), one, "{mask:?}");
    }
    let any = record([("any", list([list([causal()]), nothing()]))]);
    assert_eq!(cells(any), none);
    let nothing_at_all = record([("any", nothing())]);
    assert!(cells(nothing_at_all).iter().all(|row| !row.contains('1')));
}

#[test]
fn a_batch_axis_is_noticed() {
    let with_batch = api::compute(batched()).expect("good");
    assert!(with_batch.has_batch);
    assert_eq!(with_batch.request.sizes().batch, 3);
    assert!(!api::compute(inputs()).expect("good").has_batch);
    let one = api::compute(with(
        &with(&inputs(), "queries", tensor(&[1, 5, 8])),
        "keys_values",
        JsTree::Absent,
    ))
    .expect("good");
    assert!(one.has_batch);
}

#[test]
fn painted_masks_reach_the_cells_they_name() {
    let plain = masked(&inputs(), hidden_at(&[5, 7], 9));
    assert_eq!(picture(&plain, 0, 4)[1], "11.1111");
    let per_head = masked(&inputs(), hidden_at(&[6, 5, 7], 35 + 9));
    assert_eq!(
        (
            picture(&per_head, 0, 1)[1].as_str(),
            picture(&per_head, 0, 2)[1].as_str()
        ),
        ("11.1111", "1111111")
    );
    let per_batch = masked(&batched(), hidden_at(&[3, 5, 7], 35 + 9));
    assert_eq!(
        (
            picture(&per_batch, 1, 5)[1].as_str(),
            picture(&per_batch, 2, 1)[1].as_str()
        ),
        ("11.1111", "1111111")
    );
    let heads_in_batch = masked(&batched(), hidden_at(&[6, 5, 7], 35 + 9));
    assert_eq!(picture(&heads_in_batch, 2, 1)[1], "11.1111");
    let all = masked(&batched(), hidden_at(&[3, 6, 5, 7], (2 * 6 + 1) * 35 + 9));
    assert_eq!(
        (
            picture(&all, 2, 1)[1].as_str(),
            picture(&all, 1, 1)[1].as_str()
        ),
        ("11.1111", "1111111")
    );
}

#[test]
fn where_heads_and_batch_are_as_many_the_batch_is_meant() {
    let three_heads = with(
        &with(&batched(), "heads", JsTree::Number(3.0)),
        "kv_heads",
        JsTree::Number(3.0),
    );
    let weights = record([
        ("w_q", tensor(&[8, 18])),
        ("w_k", tensor(&[8, 18])),
        ("w_v", tensor(&[8, 6])),
    ]);
    let request = masked(
        &with(&three_heads, "weights", weights),
        hidden_at(&[3, 5, 7], 35 + 9),
    );
    assert_eq!(
        (
            picture(&request, 1, 0)[1].as_str(),
            picture(&request, 0, 1)[1].as_str()
        ),
        ("11.1111", "1111111")
    );
}

#[test]
fn booleans_paint_masks() {
    let row = |visible: [bool; 7]| JsTree::List(visible.map(JsTree::Flag).into());
    let rows = [
        row([true; 7]),
        row([true, false, true, true, true, true, true]),
        row([true; 7]),
        row([true; 7]),
        row([true; 7]),
    ];
    assert_eq!(picture(&masked(&inputs(), list(rows)), 0, 0)[1], "1.11111");
}

#[test]
fn kinds_combine() {
    let causal = || record([("kind", text("causal"))]);
    let all = masked(&inputs(), list([causal(), kind("local", "window", 1.0)]));
    assert_eq!(picture(&all, 0, 0)[3], "..11...");
    let any = masked(
        &inputs(),
        record([("any", list([causal(), kind("strided", "stride", 3.0)]))]),
    );
    assert_eq!(picture(&any, 0, 0)[1], "11..1..");
    let nested = list([
        record([("any", list([causal(), hidden_at(&[5, 7], 9)]))]),
        kind("padding", "valid", 4.0),
    ]);
    assert_eq!(picture(&masked(&inputs(), nested), 0, 0)[1], "11.1...");
    let listed = list([list([causal(), kind("padding", "valid", 2.0)])]);
    assert_eq!(picture(&masked(&inputs(), listed), 0, 0)[4], "11.....");
    let rows = masked(&inputs(), kind("padded_queries", "valid", 3.0));
    assert_eq!(picture(&rows, 0, 0)[2..4], ["1111111", "......."]);
    assert_eq!(
        masked(&inputs(), JsTree::Doubles(vec![])).call().mask,
        Mask::Full
    );
    assert_eq!(
        picture(
            &masked(&inputs(), record([("any", JsTree::Doubles(vec![]))])),
            0,
            0
        )[0],
        "......."
    );
}

#[test]
fn wanted_results_alone_come_back() {
    let request = taken(with(
        &inputs(),
        "want",
        list([text("weights"), text("empty_rows")]),
    ));
    let outcome = engine::run(request, BackendChoice::Auto).expect("runs");
    assert!(
        outcome.trace.weights.is_some()
            && outcome.trace.output.is_none()
            && outcome.stats.is_none()
    );
    assert_eq!(
        taken(with(&inputs(), "want", JsTree::Doubles(vec![])))
            .call()
            .want,
        Outputs::NOTHING
    );
}

#[test]
fn additive_scores_take_their_vector_in_both_shapes() {
    let column = with(&inputs(), "scoring", text("additive"));
    let flat = with(&column, "weights.w_a", tensor(&[3]));
    assert_eq!(taken(column), taken(flat));
    let beside = with(
        &with(&heads(), "scoring", text("additive")),
        "weights",
        record([("w_a", tensor(&[3])), ("w_o", tensor(&[8, 3]))]),
    );
    assert_eq!(taken(beside).sizes().d_out, 3);
}

#[test]
fn positions_have_names_and_alibi_a_strength() {
    let position = |tree: JsTree| taken(tree).config().position;
    for tree in [inputs(), heads()] {
        let named = |name| with(&tree, "position", text(name));
        assert_eq!(position(named("rotary")), Position::ROTARY);
        assert_eq!(position(named("alibi")), Position::ALIBI);
        let strong = with(&named("alibi"), "alibi_strength", JsTree::Number(0.5));
        assert_eq!(
            position(strong),
            Position::Alibi {
                strength: 0.5,
                slopes: Slopes::Paper
            }
        );
    }
}

#[test]
fn a_temperature_and_a_mask_after_the_softmax_reach_the_call() {
    let request = taken(with(
        &with(&inputs(), "temperature", JsTree::Number(0.25)),
        "mask_after_softmax",
        JsTree::Flag(true),
    ));
    let call = request.call();
    assert_eq!((call.temperature, call.mask_after), (0.25, true));
    let plain = taken(with(&inputs(), "mask_after_softmax", JsTree::Flag(false)));
    assert_eq!(plain, taken(inputs()));
}

#[test]
fn linformer_shortens_the_keys() {
    let request = taken(with(
        &heads(),
        "linformer",
        record([("e", tensor(&[3, 7])), ("f", tensor(&[3, 7]))]),
    ));
    assert_eq!((request.sizes().m, request.sizes().keys), (7, 3));
}
