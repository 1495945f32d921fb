//! The cost panel: what it counts, where its curves are read, and what it measures.

use super::panels::Open;
use super::*;
use crate::Refusal;
use crate::present::cost::panel::CHART;
use crate::present::panel::{Job, Outcome, PanelEvent};
use crate::state::Panel;
use crate::views::tests::between;
use engine::{Backend, GpuState, Reason};

fn cost(settings: &str) -> Open {
    Open::new(Panel::Cost, &format!("v=1&open=cost{settings}"))
}

/// The exact number behind what stands there.
fn exact(page: &Open, id: &str) -> usize {
    page.attribute(id, "title").parse().expect("a number")
}

fn toggle(page: &mut Open, curve: &str, is_on: bool) {
    let is_on = is_on.to_string();
    page.event(PanelEvent::Enter(curve.to_owned(), is_on, Change::Commit));
}

/// Names at the ends of curves.
fn curves(page: &Open) -> Vec<String> {
    let view = page.view();
    let names = between(&view, "class=\"name\"", "</text>").into_iter();
    names
        .map(|name| name.rsplit('>').next().unwrap_or_default().to_owned())
        .collect()
}

fn key(page: &mut Open, key: &str) {
    page.event(PanelEvent::Key(CHART.to_owned(), key.to_owned()));
}

/// The last job, with its number.
fn asked(page: &Open) -> (u32, usize, Backend) {
    let job = page.effects.iter().rev().find_map(|effect| match effect {
        Effect::Start(Panel::Cost, number, Job::Time { n, backend, .. }) => {
            Some((*number, *n, *backend))
        }
        _ => None,
    });
    job.expect("a job")
}

fn answer(page: &mut Open, ms: f64) {
    let (number, ..) = asked(page);
    page.event(PanelEvent::Ended(number, Ok(Outcome::Time(ms))));
}

#[test]
fn multiply_adds_flops_and_bytes_are_those_of_the_formulas() {
    let page = cost("&positions=none");
    let [h, d, d_k, n] = [4, 64, 16, 11];
    let projections = n * d * d_k * 3 * h + n * h * d_k * d;
    let multiply_adds = projections + 2 * h * n * n * d_k;
    assert_eq!(exact(&page, "cost-all-multiply-adds"), multiply_adds);
    assert_eq!(
        exact(&page, "cost-all-flops"),
        2 * multiply_adds + 6 * h * n * n
    );
    assert_eq!(exact(&page, "cost-all-other"), 6 * h * n * n);
    assert_eq!(exact(&page, "cost-matrix"), 4 * h * n * n);
    // The queries of hand-built heads have a bias.
    assert_eq!(
        exact(&page, "cost-weights"),
        4 * (4 * d * h * d_k + h * d_k)
    );
    assert_eq!(exact(&page, "cost-cache"), 4 * n * 2 * h * d_k);
    let view = page.view();
    let steps = view.split("id=\"cost-steps\"").nth(1).expect("steps");
    let steps = steps.split("</tbody>").next().expect("an end");
    assert_eq!(
        between(steps, "<th scope=\"row\">", "<").join(", "),
        "queries Q, keys K, values V, scores S, scaling, softmax A, weighted sums C, heads concatenated, output"
    );
}

#[test]
fn curves_come_and_go_and_say_what_they_are_where_they_are_read() {
    let mut page = cost("");
    let all = curves(&page);
    assert!(all.contains(&"recurrent".to_owned()) && all.contains(&"this setting".to_owned()));
    toggle(&mut page, "recurrent", false);
    toggle(&mut page, "parts", false);
    let left = all.iter().filter(|name| !name.ends_with("of this setting"));
    let left: Vec<_> = left.filter(|name| *name != "recurrent").cloned().collect();
    assert_eq!(curves(&page), left);
    assert_eq!(page.text("cost-at"), "at n = 1024");
    key(&mut page, "ArrowRight");
    assert_eq!(page.text("cost-at"), "at n = 2048");
    key(&mut page, "Home");
    assert_eq!(page.attribute("cost-chart", "aria-valuenow"), "4");
    let said = page.attribute("cost-chart", "aria-valuetext");
    assert!(
        said.starts_with("at n = 4; this setting ") && said.contains("self-attention"),
        "{said}"
    );
    // Ten of the twelve doublings from 4 to 16384.
    page.event(PanelEvent::Point(CHART.to_owned(), (10.0 / 12.0, 0.5)));
    assert_eq!(page.attribute("cost-chart", "aria-valuenow"), "4096");
    page.event(PanelEvent::Point(CHART.to_owned(), (1.01, 0.5)));
    assert_eq!(page.attribute("cost-chart", "aria-valuenow"), "4096");
    let view = page.view();
    let reading = view.split("<g class=\"reading\">").nth(1).expect("marks");
    let reading = reading.split("</g>").next().expect("an end");
    assert_eq!(reading.matches("<circle").count(), left.len());
    // Where the plot begins and ends is where its axis does.
    let ends = page.attribute("cost-chart", "data-ends");
    let [left, right] = [0, 1].map(|at| {
        let end: f64 = ends
            .split(' ')
            .nth(at)
            .expect("an end")
            .parse()
            .expect("a number");
        end * 600.0
    });
    let texts = between(&view, "<text", "</text>");
    let place = |label: &str| -> f64 {
        let label = format!(" class=\"x\">{label}");
        let tick = texts.iter().find(|text| text.ends_with(&label));
        between(tick.expect("a tick"), " x=\"", "\"")[0]
            .parse()
            .expect("a place")
    };
    assert!((place("4") - left).abs() < 1.0 && (place("16384") - right).abs() < 1.0);
    assert!(!page.has("cost-whole", "hidden") && page.has("cost-held", "hidden"));
    page.event(PanelEvent::Enter(
        "count".to_owned(),
        "memory".to_owned(),
        Change::Commit,
    ));
    assert!(page.has("cost-whole", "hidden") && !page.has("cost-held", "hidden"));
    // The table is written only where it is looked at.
    let lengths = |page: &Open| page.text("cost-as-table").matches("16384").count();
    assert_eq!(lengths(&page), 0);
    toggle(&mut page, "table", true);
    assert_eq!(lengths(&page), 1);
}

#[test]
fn both_backends_are_measured_one_run_after_the_other() {
    let mut page = cost("");
    page.enter("cost-most", "128");
    page.press("cost-run");
    assert!(page.has("cost-run", "hidden") && !page.has("cost-stop", "hidden"));
    let mut runs = Vec::new();
    while page.has("cost-run", "hidden") {
        let (_, n, backend) = asked(&page);
        runs.push((n, backend));
        answer(&mut page, 2.0);
    }
    // One to warm up, then five of each length.
    let wanted = [Backend::Cpu, Backend::WebGpu].map(|backend| {
        [(64, 6), (128, 5)]
            .map(|(n, times)| vec![(n, backend); times])
            .concat()
    });
    assert_eq!(runs, wanted.concat());
    let said = page.text("cost-said");
    assert_eq!(
        said,
        "processor: measured up to n = 128.graphics card: measured up to n = 128."
    );
    assert_eq!(page.text("cost-times").matches("2.0").count(), 4);
    let view = page.view();
    assert_eq!(
        view.matches("class=\"time\"").count(),
        2 + 4,
        "marks, and points"
    );
    // Times of another setting are kept and said to be old, and leave the chart.
    page.set(Field::DK, Value::Number(128));
    page.compute_all();
    page.turn();
    assert!(!page.text("cost-stale").is_empty());
    assert_eq!(page.view().matches("class=\"time\"").count(), 2);
}

#[test]
fn measuring_is_stopped_by_its_button_and_with_the_panel() {
    let mut page = cost("");
    page.press("cost-run");
    let late = asked(&page).0;
    answer(&mut page, 2.0);
    page.press("cost-stop");
    assert!(page.effects.contains(&Effect::Stop(Panel::Cost)));
    assert!(!page.has("cost-run", "hidden") && page.has("cost-stop", "hidden"));
    assert!(
        page.text("cost-said")
            .starts_with("processor: stopped before a length")
    );
    // What has come too late is not shown, and leads to no further run.
    let before = asked(&page);
    for number in [late, before.0] {
        page.event(PanelEvent::Ended(number, Ok(Outcome::Time(1.0))));
    }
    assert_eq!(asked(&page), before);
    assert!(!page.has("cost-run", "hidden"));
    page.press("cost-run");
    page.effects.clear();
    page.close();
    assert!(page.effects.contains(&Effect::Stop(Panel::Cost)));
    assert!(!page.has("cost-run", "hidden"));
}

#[test]
fn a_series_that_is_refused_says_why_and_the_other_goes_on() {
    let mut page = cost("");
    page.app.status.reason = Some(Reason::NoAdapter);
    page.enter("cost-most", "128");
    page.press("cost-run");
    let refusal = Refusal {
        code: "too_large".to_owned(),
        message: "n: too much.".to_owned(),
        ..Refusal::default()
    };
    let (number, ..) = asked(&page);
    page.event(PanelEvent::Ended(number, Err(refusal)));
    assert_ne!(page.app.status.state, GpuState::Ready);
    let said = page.text("cost-said");
    assert!(
        said.starts_with("processor: ended. n: too much.graphics card: ended. "),
        "{said}"
    );
    assert!(said.contains("no graphics card"), "{said}");
    assert!(!page.has("cost-run", "hidden"));
    page.set(Field::Language, Value::Choice("zh"));
    assert_ne!(page.text("cost-said"), said);
}
