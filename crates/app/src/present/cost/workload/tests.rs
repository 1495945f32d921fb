use super::*;
use crate::state::url;
use attention::complexity::score_matrix_bytes;
use attention::plan::{Operation, Stage};
use attention::{CellIndex, Config};

const LINKS: [&str; 12] = [
    "",
    "mask=causal",
    "mask=local,strided&window=3&hiding=after",
    "mask=padding&valid=3&hiding=written",
    "scoring=additive&positions=alibi&temperature=0.5",
    "positions=rotary&kv_heads=2&weights=random&d_k=7",
    "linformer=1&projected=5&mask=causal&positions=alibi",
    "source=two+cats&text=three+small+dogs&positions=none",
    "mask=causal&hiding=after&d_model=32",
    "mask=causal&hiding=added",
    "source=two+cats&text=three+small+dogs&mask=causal&align=last",
    "source=two+small+cats&text=dogs&positions=rotary_halves&align=last&mask=local&window=1&hiding=added",
];

fn each(act: impl Fn(&State, &CostSetting, &str)) {
    for link in LINKS {
        let (state, notes) = url::parse(&format!("v=1&{link}"));
        assert!(notes.is_empty(), "{link}: {notes:?}");
        let sides = request_builder::tokens(&state);
        let (n, m) = (sides.queries.words.len(), sides.keys().words.len());
        act(&state, &CostSetting::from_state(&state, n, m), link);
    }
}

#[test]
fn the_plan_is_that_of_the_request() {
    each(|state, setting, link| {
        let request = request_builder::request(state).expect("a state is valid");
        let wanted = Plan::full(request.config());
        assert_eq!(setting.plan().steps(), wanted.steps(), "{link}");
    });
}

#[test]
fn what_is_measured_is_the_plan_of_that_length() {
    each(|state, setting, link| {
        let request = measured(state, 70).expect("a state is valid");
        // Random weights have no biases.
        let wanted = Plan::full(&Config {
            biases: setting.config.biases,
            ..*request.config()
        });
        assert_eq!(setting.at(70).steps(), wanted.steps(), "{link}");
        assert_eq!(
            request.call().want,
            Outputs {
                output: true,
                ..Outputs::NOTHING
            }
        );
    });
}

#[test]
fn a_rule_that_is_worked_out_cell_by_cell_is_measured_at_that_length() {
    let (state, _) = url::parse("v=1&rule=q+%25+2+%3D%3D+0+or+causal");
    let request = measured(&state, 70).expect("a state is valid");
    assert!(request.config().masked);
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    let (state, _) = url::parse("v=1&seed=7");
    assert_eq!(measured(&state, 65), measured(&state, 65));
    let (other, _) = url::parse("v=1&seed=8");
    assert_ne!(measured(&state, 65), measured(&other, 65));
}

#[test]
fn visible_cells_are_counted_with_what_is_painted() {
    let (mut state, _) = url::parse("v=1&mask=causal&text=a+b+c+d");
    state.paint.set(0, 3, Some(true));
    let setting = CostSetting::from_state(&state, 4, 4);
    let mask = request_builder::mask(&state, 4);
    let cells = (0..16).filter(|cell| {
        let (batch, head) = (0, 0);
        mask.visible(CellIndex {
            batch,
            head,
            query: cell / 4,
            key: cell % 4,
        })
    });
    assert_eq!(setting.visible, 4 * cells.count() as u64);
    assert_eq!(setting.visible, 4 * 11);
}

#[test]
fn a_sparse_kernel_saves_nothing_where_hidden_cells_take_part() {
    let sparse = |link: &str| -> (u64, u64) {
        let (state, _) = url::parse(link);
        let setting = CostSetting::from_state(&state, 11, 11);
        let sparse = setting.items().iter().map(|item| item.sparse.flops).sum();
        (sparse, total(&setting.plan()).flops)
    };
    let (written, dense) = sparse("v=1&mask=causal&hiding=written");
    assert_eq!(written, dense);
    let (out, dense) = sparse("v=1&mask=causal");
    assert!(out < dense);
    let (after, dense) = sparse("v=1&mask=causal&hiding=after");
    assert!(out < after && after < dense);
}

#[test]
fn curves_of_the_setting_are_what_its_plans_say() {
    each(|_, setting, link| {
        for n in [3, 64, 100, 777, 1024, 4096, 16_384] {
            let (plan, at) = (setting.at(n), n as f64);
            let [flops, bytes] =
                [Measure::Flops, Measure::Memory].map(|measure| setting.amount(measure, at));
            assert_eq!(flops, total(&plan).flops as f64, "{link} n = {n}");
            assert_eq!(
                bytes,
                Memory::from_plan(&plan).peak() as f64,
                "{link} n = {n}"
            );
        }
    });
}

#[test]
fn what_scores_and_weights_make_is_the_whole_score_matrix() {
    each(|_, setting, link| {
        for item in setting.items() {
            if item.step.operation.stage() == Stage::Attend
                && item.step.operation != Operation::WeightedSum
            {
                let matrix = score_matrix_bytes(&setting.plan());
                assert_eq!(item.made, matrix, "{link}: {}", item.step);
            }
        }
    });
}

#[test]
fn a_card_leaves_later_keys_out_only_where_they_are_left_out_of_the_softmax() {
    let leaves = |link: &str| CostSetting::from_state(&url::parse(link).0, 11, 11).leaves_out_later;
    assert!(leaves("v=1&mask=causal") && leaves("v=1&mask=causal,local&window=2"));
    for link in [
        "v=1",
        "v=1&mask=local&window=2",
        "v=1&mask=causal&hiding=written",
        "v=1&mask=causal&hiding=after",
        "v=1&mask=causal&linformer=1",
    ] {
        assert!(!leaves(link), "{link}");
    }
}

#[test]
fn the_share_of_all_steps_is_everything() {
    each(|_, setting, link| {
        let sum: f64 = setting.items().iter().map(|item| item.share).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{link}");
    });
}
