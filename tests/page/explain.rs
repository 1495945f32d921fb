//! How a number came about ends in the number itself: in that of the run up to rounding, and in that of the reference.

use crate::common::cases::Case;
use app::present::steps::Numbers;
use app::present::steps::explain::{CellRef, Derivation, Explanation, Name, explain};
use app::state::steps;
use app::state::{State, StepKind, request_builder, url};
use attention::{CallOptions, Outputs, Request, Source, Trace, reference};
use engine::{self, BackendChoice};
use ndarray::{Array4, s};

/// Links that between them have every step and every way in them. Sizes are odd and pairwise different.
const LINKS: [&str; 20] = [
    "weights=random&d_model=17&d_k=5&heads=3&text=a b c d e f g&head=2",
    "weights=random&d_model=17&d_k=5&heads=4&kv_heads=2&text=a b c d e&source=r s t u v w x&head=3&mask=causal",
    "weights=random&d_model=12&d_k=3&heads=2&text=a b c&source=r s t u v w x&positions=none&scaled=0",
    "weights=random&d_model=13&d_k=7&heads=3&text=a b c d e f&positions=rotary&head=3&mask=local&window=1",
    "weights=random&d_model=13&d_k=7&heads=3&text=a b c d&source=r s t u v w&positions=rotary_halves&align=last&head=3&mask=causal",
    "weights=random&d_model=12&d_k=6&heads=2&text=a b c d e f&source=r s t u&positions=rotary_halves&align=last&mask=causal,local&window=1",
    "weights=random&d_model=13&d_k=5&heads=3&text=a b c&source=r s t u v w x&align=last&mask=strided&stride=3&head=2",
    "weights=random&d_model=13&d_k=5&heads=3&text=a b c d e f&source=r s t&align=last&mask=causal",
    "weights=random&d_model=13&d_k=5&heads=3&text=a b c d e f&source=r s t&align=last&positions=alibi",
    "weights=random&d_model=13&d_k=5&heads=3&text=a b c d e f&positions=alibi&head=2",
    "weights=random&d_model=13&d_k=5&heads=3&text=a b c d e f&positions=alibi&head=2&mask=causal&hiding=added",
    "weights=random&d_model=12&d_k=3&heads=2&text=a b c&source=r s t u v w x&scaled=0&mask=local&window=1&hiding=added&temperature=0.5",
    "weights=random&d_model=13&d_k=5&heads=3&text=a b c d e f&positions=alibi&scaled=0&mask=causal,padding&valid=4&pad_rows=1",
    "weights=random&d_model=11&d_k=4&heads=2&text=a b c d e f&scoring=additive&mask=strided,first&stride=3&first=2",
    "weights=random&d_model=13&d_k=5&heads=3&text=a b c d e f&positions=alibi&scoring=additive&mask=causal&head=2",
    "weights=random&d_model=11&d_k=4&heads=2&text=a b c d e f g h&linformer=1&projected=3",
    "weights=random&d_model=11&d_k=5&heads=2&text=a b c d e f g h&linformer=1&projected=3&positions=rotary",
    "weights=random&d_model=11&d_k=4&heads=2&text=a b c d e f&mask=causal&hiding=written&temperature=0.3",
    "weights=random&d_model=11&d_k=4&heads=2&text=a b c d e f&mask=causal&hiding=after&temperature=2.5",
    "",
];

struct Run {
    state: State,
    request: Request,
    trace: Trace<f32>,
    exact: Trace<f64>,
}

impl Run {
    fn of(link: &str) -> Self {
        let (state, notes) = url::parse(&link.replace(' ', "%20"));
        assert!(notes.is_empty(), "{link}: {notes:?}");
        let state = State {
            // What is wanted of a run depends on what is looked at.
            step: StepKind::Output,
            ..state
        };
        let request = request_builder::request(&state).expect("a state is valid");
        Self::new(state, request)
    }

    fn new(state: State, request: Request) -> Self {
        let exact = reference::compute(&request);
        let trace = everything(&request);
        Self {
            state,
            request,
            trace,
            exact,
        }
    }

    fn head(&self) -> usize {
        self.state.head
    }

    fn kv_head(&self) -> usize {
        self.head() * self.state.kv_heads / self.state.heads
    }
}

/// A run that returns everything, whatever the request wants.
fn everything(request: &Request) -> Trace<f32> {
    let Source::Layer {
        layer,
        queries,
        keys_values,
    } = request.source()
    else {
        panic!("a state has a layer");
    };
    let call = CallOptions {
        want: Outputs::ALL,
        ..request.call().clone()
    };
    let all = Request::new(layer.clone(), queries.clone(), keys_values.clone(), call);
    engine::run(all.expect("it was valid"), BackendChoice::Cpu)
        .expect("it fits")
        .trace
}

fn of_head(tensor: &Option<Array4<f32>>, head: usize) -> Vec<f32> {
    let tensor = tensor.as_ref().expect("everything was wanted");
    tensor.slice(s![0, head, .., ..]).iter().copied().collect()
}

/// Calls `check` with every cell of every step.
fn every_cell(run: &Run, mut check: impl FnMut(&Numbers<'_>, CellRef, f32)) {
    let (head, kv_head) = (run.head(), run.kv_head());
    let [q, scores, weights] =
        [&run.trace.q, &run.trace.scores, &run.trace.weights].map(|it| of_head(it, head));
    let [k, v] = [&run.trace.k, &run.trace.v].map(|it| of_head(it, kv_head));
    let numbers = Numbers {
        request: &run.request,
        head,
        q: &q,
        k: &k,
        v: &v,
        scores: &scores,
        weights: &weights,
        context: run
            .trace
            .context
            .as_ref()
            .and_then(|it| it.as_slice())
            .expect("wanted"),
        output: run
            .trace
            .output
            .as_ref()
            .and_then(|it| it.as_slice())
            .expect("wanted"),
        learned: None,
    };
    for step in steps::steps(run.request.config()) {
        let matrix = app::present::steps::matrix(step, &numbers).expect("the plan has it");
        for row in 0..matrix.rows {
            for column in 0..matrix.columns {
                let value = matrix.at(row, column).expect("inside");
                check(&numbers, CellRef { step, row, column }, value);
            }
        }
    }
}

/// Reference value of a cell; `None` for steps that the reference does not keep.
fn in_reference(run: &Run, place: CellRef) -> Option<f64> {
    let CellRef { step, row, column } = place;
    let (head, kv_head) = (run.head(), run.kv_head());
    let is_rotary = steps::steps(run.request.config()).contains(&StepKind::RotatedQueries);
    let exact = &run.exact;
    let (tensor, head) = match step {
        StepKind::Queries if !is_rotary => (&exact.q, head),
        StepKind::RotatedQueries => (&exact.q, head),
        StepKind::Keys if !is_rotary => (&exact.k, kv_head),
        StepKind::RotatedKeys => (&exact.k, kv_head),
        StepKind::Values => (&exact.v, kv_head),
        StepKind::Masked if run.request.call().bias.is_some() => (&exact.scores, head),
        StepKind::Biased if ends_in(run, StepKind::Biased) => (&exact.scores, head),
        // Nothing is done to them before the softmax.
        StepKind::Scores if ends_in(run, StepKind::Scores) => (&exact.scores, head),
        StepKind::Scaled if ends_in(run, StepKind::Scaled) => (&exact.scores, head),
        StepKind::Weights => (&exact.weights, head),
        StepKind::Context => (&exact.context, head),
        StepKind::Output => return Some(exact.output.as_ref()?[[0, row, column]]),
        _ => return None,
    };
    Some(tensor.as_ref()?[[0, head, row, column]])
}

/// Whether the scores of a run are those of `step`.
fn ends_in(run: &Run, step: StepKind) -> bool {
    use StepKind::{Biased, Scaled, Scores};
    if run.request.call().bias.is_some() {
        return false;
    }
    let list = steps::steps(run.request.config());
    let mut last = [Biased, Scaled, Scores].into_iter();
    last.find(|own| list.contains(own)) == Some(step)
}

#[test]
fn every_number_of_every_step_is_explained_and_comes_out_again() {
    let mut ways = Vec::new();
    for link in LINKS {
        let run = Run::of(link);
        every_cell(&run, |numbers, place, value| {
            let found = explain(numbers, &run.state, place).expect("there is such a cell");
            ways.push(found.way);
            let what = format!("{link}: {place:?}: {found:?}");
            if found.way == Derivation::LeftOut {
                assert_eq!((found.value, found.computed), (None, None), "{what}");
                return;
            }
            assert_eq!(found.computed, Some(value), "{what}");
            let again = found.value.expect("a number");
            let size = f64::from(value).abs().max(largest_operand(&found));
            let off = (again - f64::from(value)).abs();
            assert!(off <= 2e-6 * size.max(1.0), "off by {off}: {what}");
            if let Some(exact) = in_reference(&run, place) {
                assert!(
                    (again - exact).abs() <= 1e-5 * size.max(1.0),
                    "{exact}: {what}"
                );
            }
        });
    }
    for way in [
        Derivation::Embedded,
        Derivation::Sine,
        Derivation::Cosine,
        Derivation::Projected,
        Derivation::ProjectedPositions,
        Derivation::TurnedFirst,
        Derivation::TurnedSecond,
        Derivation::Unturned,
        Derivation::Shortened,
        Derivation::Dot,
        Derivation::Additive,
        Derivation::Scaled,
        Derivation::Biased,
        Derivation::Ruled,
        Derivation::Kept,
        Derivation::LeftOut,
        Derivation::Written,
        Derivation::Added,
        Derivation::Softmax,
        Derivation::Hidden,
        Derivation::HiddenAfter,
        Derivation::Weighted,
        Derivation::Beside,
        Derivation::Output,
    ] {
        assert!(ways.contains(&way), "{way:?} is tried nowhere");
    }
}

fn largest_operand(explanation: &Explanation) -> f64 {
    let terms = explanation.terms.iter();
    let values = terms.flat_map(|term| {
        let operands = term.operands.iter().map(|operand| operand.value.abs());
        operands.chain([term.value.abs()])
    });
    values.fold(0.0, f64::max)
}

/// Of the page's own layers only hand-built heads have a bias, and only that of the queries.
#[test]
fn biases_are_terms_of_their_own() {
    let state = State {
        heads: 6,
        kv_heads: 2,
        head: 5,
        ..State::default()
    };
    let run = Run::new(state, Case::default().request(CallOptions::default()));
    let mut biased = 0;
    every_cell(&run, |numbers, place, value| {
        let found = explain(numbers, &run.state, place).expect("there is such a cell");
        biased += found
            .terms
            .iter()
            .filter(|term| term.name == Name::Bias)
            .count();
        let off = (found.value.expect("a number") - f64::from(value)).abs();
        assert!(off < 1e-5, "{place:?} is off by {off}");
    });
    let sizes = run.request.sizes();
    let projected = sizes.n * sizes.d_k + sizes.m * (sizes.d_k + sizes.d_v);
    assert_eq!(biased, projected + sizes.n * sizes.d_out);
}

/// The formula of a cell has the bias that is among its terms, and no other.
#[test]
fn a_bias_among_the_terms_is_in_the_formula() {
    use app::views::inspector::formula;
    let run = Run::of("text=a b c&heads=4&head=4");
    let mut seen = [false; 2];
    every_cell(&run, |numbers, place, _| {
        let found = explain(numbers, &run.state, place).expect("a cell");
        let math = formula(&found, run.request.config()).0;
        let has_bias = found.terms.iter().any(|term| term.name == Name::Bias);
        assert_eq!(math.contains("<mi>b</mi>"), has_bias, "{place:?}: {math}");
        assert_eq!(has_bias, place.step == StepKind::Queries);
        seen[usize::from(has_bias)] = true;
    });
    assert_eq!(seen, [true; 2]);
}

#[test]
fn what_an_operand_says_stands_where_it_points() {
    for link in LINKS {
        let run = Run::of(link);
        every_cell(&run, |numbers, place, _| {
            let found = explain(numbers, &run.state, place).expect("there is such a cell");
            let operands = found.terms.iter().flat_map(|term| &term.operands);
            let lines = found.before.iter().chain(&found.after);
            for operand in operands.chain(lines.map(|line| &line.operand)) {
                let Some(source) = operand.place else {
                    continue;
                };
                assert_ne!(source, place, "{link}: {found:?}");
                let there = app::present::steps::matrix(source.step, numbers)
                    .and_then(|matrix| matrix.at(source.row, source.column));
                let there = there.map(f64::from);
                assert_eq!(
                    there,
                    Some(operand.value),
                    "{link}: {place:?} from {source:?}"
                );
            }
        });
    }
}

#[test]
fn every_position_that_is_added_has_its_place_for_the_longer_text_too() {
    let run = Run::of(LINKS[1]);
    let mut last = 0;
    every_cell(&run, |numbers, place, _| {
        let found = explain(numbers, &run.state, place).expect("there is such a cell");
        if found.way != Derivation::ProjectedPositions {
            return;
        }
        for (column, term) in found.in_sequence().iter().enumerate() {
            let row = place.row;
            let step = StepKind::Positions;
            let wanted = CellRef { step, row, column };
            assert_eq!(term.operands[1].place, Some(wanted), "{place:?}");
            last = last.max(row);
        }
    });
    assert_eq!(last, run.request.sizes().m - 1);
}

#[test]
fn terms_are_complete_and_the_largest_come_first() {
    let run = Run::of(LINKS[0]);
    let mut long = 0;
    every_cell(&run, |numbers, place, _| {
        let found = explain(numbers, &run.state, place).expect("there is such a cell");
        let (shown, rest) = found.shown(4);
        let shown_sum: f64 = shown.iter().map(|term| term.value).sum();
        let sum = shown_sum + rest.map_or(0.0, |rest| rest.sum);
        assert!((sum - found.sum()).abs() < 1e-12, "{found:?}");
        let count = shown.len() + rest.map_or(0, |rest| rest.count);
        assert_eq!(count, found.terms.len());
        assert_ne!(rest.map(|rest| rest.count), Some(1));
        if let Some(rest) = rest {
            long += 1;
            let last = shown.last().expect("four are shown").value.abs();
            let left = &found.terms[found.terms.len() - rest.count..];
            assert!(
                left.iter().all(|term| term.value.abs() <= last),
                "{found:?}"
            );
        }
    });
    assert!(long > 100);
}

#[test]
fn in_sequence_terms_are_the_same_and_stand_as_in_their_vectors() {
    let run = Run::of(LINKS[0]);
    every_cell(&run, |numbers, place, _| {
        let found = explain(numbers, &run.state, place).expect("there is such a cell");
        let names: Vec<Name> = found.in_sequence().iter().map(|term| term.name).collect();
        let wanted = (0..found.terms.len()).map(|at| match found.way {
            Derivation::Softmax | Derivation::Weighted => Name::Key(at),
            Derivation::Beside | Derivation::Scaled => Name::Plain,
            _ => Name::Column(at),
        });
        assert_eq!(names, wanted.collect::<Vec<_>>(), "{place:?}");
    });
}

#[test]
fn cells_that_are_not_there_are_not_explained() {
    let run = Run::of(LINKS[0]);
    let mut checked = false;
    every_cell(&run, |numbers, place, _| {
        if std::mem::replace(&mut checked, true) {
            return;
        }
        for (step, row, column) in [
            (place.step, 99, 0),
            (place.step, 0, 99),
            (StepKind::Weights, 0, usize::MAX),
            (StepKind::Biased, 0, 0),
            (StepKind::ShortKeys, 0, 0),
        ] {
            let place = CellRef { step, row, column };
            assert_eq!(explain(numbers, &run.state, place), None, "{place:?}");
        }
    });
}
