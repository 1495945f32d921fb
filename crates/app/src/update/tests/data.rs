//! The data panel: what it lists, and the files that it makes.

use super::panels::Open;
use super::*;
use crate::Refusal;
use crate::present::panel::{Job, Outcome, PanelEvent};
use crate::state::Panel;
use crate::views::tests::between;
use formats::{Kind, Tensor};

const MANY: &str =
    "&weights=random&text=the+cat+saw+the+dog&heads=4&kv_heads=2&d_k=3&d_model=10&mask=causal";

fn data(settings: &str) -> Open {
    Open::new(Panel::Data, &format!("v=1&open=data{settings}"))
}

/// The last job, with its number.
fn started(page: &Open) -> (u32, Job) {
    let job = page.effects.iter().rev().find_map(|effect| match effect {
        Effect::Start(Panel::Data, number, job) => Some((*number, job.clone())),
        _ => None,
    });
    job.expect("a job")
}

/// The results that are asked for.
fn results(page: &Open) -> Vec<&'static str> {
    match started(page).1 {
        Job::Results { names, .. } => names,
        job => panic!("{job:?}"),
    }
}

fn ended(page: &mut Open, outcome: Result<Outcome, Refusal>) {
    let (number, _) = started(page);
    page.event(PanelEvent::Ended(number, outcome));
}

/// Answers with as many numbers as each result has.
fn compute(page: &mut Open, lengths: &[usize]) {
    let numbers = lengths.iter().map(|length| vec![0.5; *length]).collect();
    ended(page, Ok(Outcome::Results(numbers)));
}

/// The file that is written: its name, its format and its tensors.
fn written(page: &Open) -> (String, Kind, Vec<Tensor>) {
    match started(page).1 {
        Job::File {
            name,
            kind,
            tensors,
        } => (name, kind, tensors),
        job => panic!("{job:?}"),
    }
}

fn press(page: &mut Open, tensor: &str) {
    let view = page.view();
    let does = format!("tensor {tensor}");
    assert!(view.contains(&format!("data-do=\"{does}\"")));
    page.event(PanelEvent::Press(does));
}

#[test]
fn one_archive_holds_inputs_and_results() {
    let mut page = data(MANY);
    let view = page.view();
    let listed = between(&view, "<code translate=\"no\">", "<");
    page.press("data-all");
    assert!(
        page.text("data-said")
            .contains("Computing for attention.npz")
    );
    assert!(!page.has("data-stop", "hidden"));
    assert_eq!(
        results(&page),
        ["q", "k", "v", "scores", "weights", "context", "output"]
    );
    compute(&mut page, &[60, 30, 30, 100, 100, 60, 50]);
    let (name, kind, tensors) = written(&page);
    assert_eq!((&*name, kind), ("attention.npz", Kind::Npz));
    let names: Vec<_> = tensors.iter().map(|tensor| &*tensor.name).collect();
    assert_eq!(names, listed);
    let k = tensors.iter().find(|tensor| tensor.name == "k");
    assert_eq!(k.map(|k| &k.shape[..]), Some(&[2, 5, 3][..]));
    ended(&mut page, Ok(Outcome::File(Some(5_000))));
    assert!(page.text("data-said").contains("Saved attention.npz"));
    assert!(page.has("data-stop", "hidden"));
}

#[test]
fn one_tensor_is_saved_in_the_format_that_is_chosen() {
    let mut page = data(MANY);
    page.enter("data-one-kind", "json");
    assert!(page.view().contains("aria-label=\"Save w_o as JSON\""));
    press(&mut page, "w_o");
    // What the window has is not computed again.
    let (name, kind, tensors) = written(&page);
    assert_eq!(
        (&*name, kind, tensors.len()),
        ("attention-w_o.json", Kind::Json, 1)
    );
    page.enter("data-all-kind", "safetensors");
    assert!(page.text("data-all-size").contains("safetensors"));
    page.press("data-all");
    compute(&mut page, &[60, 30, 30, 100, 100, 60, 50]);
    assert_eq!(written(&page).0, "attention.safetensors");
    ended(&mut page, Ok(Outcome::File(None)));
    assert!(page.text("data-said").contains("attention.safetensors"));
    // A line that the newest picture no longer has.
    page.effects.clear();
    page.event(PanelEvent::Press("tensor nothing".to_owned()));
    assert!(
        !page
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Start(..)))
    );
}

#[test]
fn a_file_is_stopped_and_what_comes_too_late_is_not_saved() {
    let mut page = data(MANY);
    page.press("data-all");
    let (late, _) = started(&page);
    page.press("data-stop");
    assert!(page.effects.contains(&Effect::Stop(Panel::Data)));
    assert_eq!(page.text("data-said"), "Stopped. No file was made.");
    assert!(page.has("data-stop", "hidden"));
    page.effects.clear();
    let numbers = || Ok(Outcome::Results(vec![vec![0.0; 100]]));
    page.event(PanelEvent::Ended(late, numbers()));
    assert!(
        !page
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Start(..)))
    );
    // Another file takes the place of the one that is made.
    press(&mut page, "weights");
    press(&mut page, "scores");
    assert!(page.effects.contains(&Effect::Stop(Panel::Data)));
    let (newest, _) = started(&page);
    page.event(PanelEvent::Ended(newest - 1, numbers()));
    assert_eq!(results(&page), ["scores"]);
    // The list follows the page; the file is of the setting of before.
    page.set(Field::DK, Value::Number(7));
    page.compute_all();
    page.turn();
    let Job::Results { state, .. } = started(&page).1 else {
        panic!("no results");
    };
    assert_eq!((state.d_k, page.app.state.d_k), (3, 7));
    compute(&mut page, &[100]);
    assert_eq!(written(&page).0, "attention-scores.csv");
}

#[test]
fn what_is_refused_is_said_with_its_reason() {
    let mut page = data(MANY);
    let refusal = |code: &str| Refusal {
        code: code.to_owned(),
        message: "the worker has stopped.".to_owned(),
        ..Refusal::default()
    };
    page.press("data-all");
    ended(&mut page, Err(refusal("backend_unavailable")));
    let said = page.text("data-said");
    assert!(
        said.contains("attention.npz") && said.contains("the worker has stopped."),
        "{said}"
    );
    page.press("data-all");
    ended(&mut page, Err(refusal("too_large")));
    assert!(!page.text("data-said").contains("the worker has stopped."));
    page.set(Field::Language, Value::Choice("zh"));
    page.rest();
    assert_ne!(page.text("data-said"), said);
}
