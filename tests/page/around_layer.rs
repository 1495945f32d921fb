//! Residual stream beside a layer of a model, and the backward pass through the layer, which gives
//! the gradients of training. Each number is explained.

use crate::common::compare::{self, largest};
use app::present::steps::explain::{CellRef, Derivation, Name, explain};
use app::present::steps::{Numbers, matrix};
use app::state::StepOwner;
use app::state::learned::key;
use app::state::steps::{BACKWARD, for_state, shape, shown};
use app::state::{State, StepKind, request_builder, url};
use attention::{Outputs, Trace};
use engine::learned::{LearnedLayer, layer};
use engine::training_run::{Recipe, StackSizes, TrainingRun};
use engine::{self, BackendChoice};
use model::{Examples, Gradients, Model, Words};
use ndarray::{Array2, Array4, ArrayView2, s};
use std::sync::Arc;

const SIZES: StackSizes = StackSizes {
    layers: 2,
    d_model: 24,
    d_k: 5,
    heads: 4,
    kv_heads: 2,
};
const TRAINED: usize = 30;
const TEXT: &str = "The+fox+didn't+enter+the+tunnel+because+it+was+too+deep.";

fn state(more: &str) -> State {
    let StackSizes {
        layers,
        d_model,
        d_k,
        heads,
        kv_heads,
    } = SIZES;
    let link = format!(
        "weights=learned&layers={layers}&d_model={d_model}&d_k={d_k}&heads={heads}&kv_heads={kv_heads}&trained={TRAINED}{more}"
    );
    let (state, notes) = url::parse(&link);
    assert_eq!(notes, [], "{link}");
    state
}

/// Data that the page has about a layer.
struct Run {
    state: State,
    learned: Arc<LearnedLayer>,
    request: attention::Request,
    trace: Trace<f32>,
}

impl Run {
    fn new(more: &str) -> Self {
        let state = state(&format!("&text={TEXT}{more}"));
        let request = request_builder::request_for(&state, Outputs::ALL).expect("known words");
        let trace = engine::run(request.clone(), BackendChoice::Cpu)
            .expect("finite")
            .trace;
        let key = key(&state).expect("known words");
        Self {
            learned: layer(&key).expect("finite"),
            state,
            request,
            trace,
        }
    }

    fn with<T>(&self, head: usize, work: impl FnOnce(&Numbers<'_>) -> T) -> T {
        let kv_head = head * SIZES.kv_heads / SIZES.heads;
        let own = |tensor: &Option<Array4<f32>>, head| -> Vec<f32> {
            let tensor = tensor.as_ref().expect("wanted");
            tensor.slice(s![0, head, .., ..]).iter().copied().collect()
        };
        let all = |numbers: Option<&[f32]>| numbers.expect("wanted").to_vec();
        let trace = &self.trace;
        work(&Numbers {
            request: &self.request,
            head,
            q: &own(&trace.q, head),
            k: &own(&trace.k, kv_head),
            v: &own(&trace.v, kv_head),
            scores: &own(&trace.scores, head),
            weights: &own(&trace.weights, head),
            context: &all(trace.context.as_ref().and_then(|it| it.as_slice())),
            output: &all(trace.output.as_ref().and_then(|it| it.as_slice())),
            learned: Some(&self.learned),
        })
    }

    /// The numbers of a step for a head.
    fn numbers_of(&self, step: StepKind, head: usize) -> Array2<f64> {
        self.with(head, |numbers| {
            let found = matrix(step, numbers).expect("there is a gradient");
            let values = found.values.iter().map(|x| f64::from(*x)).collect();
            Array2::from_shape_vec((found.rows, found.columns), values).expect("its size")
        })
    }
}

/// The same model, and the gradient of the same loss with respect to all its numbers.
fn trained(run: &Run) -> (Model, Gradients) {
    let recipe = Recipe::of_task("pronoun").expect("a recipe");
    let mut training = TrainingRun::with_sizes(recipe, run.state.seed, SIZES).expect("sizes");
    (0..TRAINED).for_each(|_| training.step().expect("finite"));
    let model = training.model(TRAINED).expect("finite");
    let words = training.parse("the fox didn't enter the tunnel because it was too deep .");
    let words = words.expect("known words");
    let tunnel = training.parse("tunnel").expect("a known word")[0];
    let it = training.parse("it").expect("a known word")[0];
    let targets = words
        .iter()
        .map(|word| (*word == it).then_some(tunnel))
        .collect();
    let read = Words::new(model.config(), &[words]).expect("words");
    let examples = Examples::new(model.config(), read, &[targets]).expect("a target");
    let gradients = model.gradients(&examples).expect("finite");
    (model, gradients)
}

/// The gradient of a matrix of the model.
fn tensor<'a>(model: &Model, all: &'a Gradients, name: &str) -> ArrayView2<'a, f32> {
    let mut tensors = model.tensors().iter();
    let spec = tensors.find(|spec| spec.name == name).expect("a tensor");
    let numbers = &all.numbers[spec.range.clone()];
    ArrayView2::from_shape((spec.shape[0], spec.shape[1]), numbers).expect("its shape")
}

/// Alike to 32 bits of the largest number, which is not 0.
fn assert_equal_in_32_bits(what: &str, found: &Array2<f64>, wanted: ArrayView2<'_, f32>) {
    let size = largest(&wanted);
    assert!(size > 1e-6, "{what}: nothing to compare");
    compare::assert_close(what, found, &wanted, 1e-5 * size);
}

/// Weight matrices that heads share learn from all of them.
#[test]
fn the_steps_lead_to_the_gradients_that_training_takes() {
    for layer in [1, 2] {
        let run = Run::new(&format!("&layer={layer}"));
        let (model, gradients) = trained(&run);
        let loss = run.learned.loss().expect("a noun is asked for");
        assert!((f64::from(loss.nats) - gradients.score.loss).abs() < 1e-6);
        assert_eq!(loss.row, 7);
        let of = |name: &str| tensor(&model, &gradients, &format!("layers.{}.{name}", layer - 1));
        let (heads, group, width) = (SIZES.heads, SIZES.heads / SIZES.kv_heads, SIZES.d_k);
        for (name, step, shared) in [
            ("w_q", StepKind::QueryWeightsGradient, 1),
            ("w_k", StepKind::KeyWeightsGradient, group),
            ("w_v", StepKind::ValueWeightsGradient, group),
        ] {
            for first in (0..heads).step_by(shared) {
                let parts = (first..first + shared).map(|head| run.numbers_of(step, head));
                let sum = parts.reduce(|one, other| one + other).expect("a head");
                let column = first / shared * width;
                let wanted = of(name);
                let wanted = wanted.slice(s![.., column..column + width]);
                assert_equal_in_32_bits(&format!("layer {layer}, {name}, {first}"), &sum, wanted);
            }
        }
        for head in 0..heads {
            let found = run.numbers_of(StepKind::OutputWeightsGradient, head);
            let wanted = of("w_o");
            let wanted = wanted.slice(s![head * width..(head + 1) * width, ..]);
            assert_equal_in_32_bits(&format!("layer {layer}, w_o, {head}"), &found, wanted);
        }
    }
}

/// The heads together give what the model says of the rows that enter.
#[test]
fn what_the_heads_send_back_adds_up_to_the_gradient_of_what_enters() {
    for layer in [1, 2] {
        let run = Run::new(&format!("&layer={layer}"));
        let weights = &run.learned.weights;
        let group = SIZES.heads / SIZES.kv_heads;
        let mut sum = Array2::zeros(run.learned.rows.dim());
        for head in 0..SIZES.heads {
            for (step, linear, own) in [
                (StepKind::QueriesGradient, &weights.query, head),
                (StepKind::KeysGradient, &weights.key, head / group),
                (StepKind::ValuesGradient, &weights.value, head / group),
            ] {
                let columns = own * SIZES.d_k..(own + 1) * SIZES.d_k;
                let w = linear.w.slice(s![.., columns]).mapv(f64::from);
                sum += &run.numbers_of(step, head).dot(&w.t());
            }
        }
        let entered = &run.learned.loss().expect("a loss").input;
        assert_equal_in_32_bits(&format!("layer {layer}"), &sum, entered.view());
        let shown = run.numbers_of(StepKind::NormedGradient, 1);
        assert_equal_in_32_bits(&format!("layer {layer}"), &shown, entered.view());
    }
}

/// The gradient at the second layer's input equals that at the first one's output. The first
/// layer's input is the sum of words and positions, each of which occurs in one row.
#[test]
fn the_gradient_of_the_residual_path_is_that_of_what_came_before() {
    let [first, second] = ["&layer=1", "&layer=2"].map(Run::new);
    let left = &first.learned.loss().expect("a loss").gradient;
    let entered = second.numbers_of(StepKind::ResidualGradient, 0);
    assert_equal_in_32_bits("the second layer", &entered, left.view());
    let (model, gradients) = trained(&first);
    let positions = tensor(&model, &gradients, "positions");
    let entered = first.numbers_of(StepKind::ResidualGradient, 3);
    let wanted = positions.slice(s![..entered.nrows(), ..]);
    assert_equal_in_32_bits("the first layer", &entered, wanted);
}

/// `dW_U = (H + O)ᵀ·dZ`.
#[test]
fn logits_stand_behind_the_last_layer_alone_and_the_backward_pass_begins_with_theirs() {
    let run = Run::new("&layer=2");
    let (model, gradients) = trained(&run);
    let unembedding = run.learned.unembedding.as_ref().expect("the last layer");
    let sum = run.numbers_of(StepKind::Sum, 0);
    let logits = run.numbers_of(StepKind::Logits, 0);
    let exact = sum.dot(&unembedding.mapv(f64::from));
    assert_equal_in_32_bits("logits", &logits, exact.mapv(|x| x as f32).view());
    let d_logits = run.numbers_of(StepKind::LogitsGradient, 2);
    let wanted = tensor(&model, &gradients, "unembedding");
    assert_equal_in_32_bits("the unembedding", &sum.t().dot(&d_logits), wanted);
    let asked = run.learned.loss().expect("a loss").row;
    for (row, gradients) in d_logits.rows().into_iter().enumerate() {
        let size: f64 = gradients.iter().map(|x| x.abs()).sum();
        assert_eq!(size > 0.0, row == asked, "{row}");
    }
    let behind = |layer| for_state(&state(&format!("&text={TEXT}&layer={layer}")));
    assert!(behind(2).ends_with(&BACKWARD) && behind(1).ends_with(&BACKWARD));
    let made = [StepKind::Sum, StepKind::Logits, StepKind::LogitsGradient];
    let before = |layer| behind(layer)[..behind(layer).len() - BACKWARD.len()].to_vec();
    assert!(before(2).ends_with(&made), "{:?}", before(2));
    assert!(before(1).ends_with(&made[..1]), "{:?}", before(1));
    // Without a question there are logits and nothing to learn.
    let unasked = for_state(&state("&text=The+fox+was+too+deep.&layer=2"));
    assert_eq!(unasked.last(), Some(&StepKind::Logits));
    assert_eq!(
        shape(&run.state, StepKind::Logits),
        (12, unembedding.ncols())
    );
}

#[test]
fn every_number_of_the_backward_pass_is_explained_and_comes_out_again() {
    for (layer, head) in [(1, 2), (2, 3)] {
        let run = Run::new(&format!("&layer={layer}&head={}", head + 1));
        let backward = for_state(&run.state).into_iter().filter(|step| {
            BACKWARD.contains(step) || [StepKind::Logits, StepKind::LogitsGradient].contains(step)
        });
        for step in backward {
            assert_explained(&run, step, head);
        }
    }
}

fn assert_explained(run: &Run, step: StepKind, head: usize) {
    let all = run.numbers_of(step, head);
    let size = all.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let is_last = run.state.layer == run.state.layers;
    let asked = run.learned.loss().expect("a loss").row;
    for ((row, column), value) in all.indexed_iter() {
        let place = CellRef { step, row, column };
        let found = run.with(head, |numbers| explain(numbers, &run.state, place));
        let found = found.expect("there is such a cell");
        let is_read = match step {
            StepKind::OutputGradient => !is_last,
            StepKind::LogitsGradient => row != asked,
            _ => false,
        };
        assert_eq!(found.terms.is_empty(), is_read, "{place:?}");
        assert_eq!(found.computed.map(f64::from), Some(*value));
        let again = found.value.expect("a number");
        // Of a sure answer the model takes 1 in 32 bit.
        let allowed = if step == StepKind::LogitsGradient {
            1e-6
        } else {
            1e-6 * size
        };
        assert!(
            (again - value).abs() <= allowed,
            "{place:?}: {again} for {value}"
        );
        let is_of_sum = matches!(step, StepKind::ScoresGradient | StepKind::LogitsGradient);
        if !is_read && !is_of_sum {
            assert!((found.sum() - again).abs() <= 1e-12, "{place:?}");
        }
    }
}

/// A product of each component of query, key and value, and what the other heads add, which is not left out among many.
#[test]
fn other_heads_stand_first_where_there_are_any() {
    let run = Run::new("&layer=1");
    let place = CellRef {
        step: StepKind::NormedGradient,
        row: 4,
        column: 11,
    };
    let found = run.with(1, |numbers| explain(numbers, &run.state, place));
    let found = found.expect("there is such a cell");
    assert_eq!(found.terms.len(), 3 * SIZES.d_k + 1);
    assert_eq!(found.terms[0].name, Name::OtherHeads);
    assert_eq!(
        found.in_sequence().last().map(|term| term.name),
        Some(Name::OtherHeads)
    );
    let places = found.terms.iter().flat_map(|term| &term.operands);
    let gradients = places
        .filter_map(|operand| operand.place)
        .map(|place| place.row);
    assert!(
        gradients.clone().count() == 3 * SIZES.d_k && gradients.into_iter().all(|row| row == 4)
    );
}

/// Without an MLP between them, what the first layer leaves is what the second finds.
#[test]
fn the_residual_path_goes_on_from_layer_to_layer_and_is_explained() {
    let [first, second] = ["&layer=1", "&layer=2"].map(Run::new);
    let left = first.numbers_of(StepKind::Sum, 0);
    assert_equal_in_32_bits("the path", &left, second.learned.residual.view());
    for (step, way, size) in [
        (StepKind::Residual, Derivation::Residual, 0.0),
        (StepKind::Normed, Derivation::Normed, 3e-6),
        (StepKind::Sum, Derivation::Summed, 1e-6),
    ] {
        for ((row, column), value) in second.numbers_of(step, 1).indexed_iter() {
            let place = CellRef { step, row, column };
            let found = second.with(1, |numbers| explain(numbers, &second.state, place));
            let found = found.expect("there is such a cell");
            let again = found.value.expect("a number");
            assert_eq!((found.way, found.computed), (way, Some(*value as f32)));
            assert!(
                (again - value).abs() <= size * value.abs().max(1.0),
                "{place:?}: {again} for {value}"
            );
        }
    }
    // What enters is said to come from there.
    let place = CellRef {
        step: StepKind::Queries,
        row: 0,
        column: 1,
    };
    let query = second.with(1, |numbers| explain(numbers, &second.state, place));
    let from = query.expect("a query").terms[0].operands[0].place;
    assert_eq!(from.map(|place| place.step), Some(StepKind::Normed));
}

#[test]
fn the_gradients_of_a_row_of_scores_cancel() {
    let scores = Run::new("&layer=1").numbers_of(StepKind::ScoresGradient, 1);
    for row in scores.rows() {
        let size: f64 = row.iter().map(|x| x.abs()).sum();
        assert!(size > 0.0 && row.sum().abs() <= 1e-6 * size, "{row}");
    }
}

/// With anything that the model did not learn with, its loss is no longer that of the numbers on show.
#[test]
fn there_is_a_backward_pass_where_the_page_computes_what_the_model_does() {
    let has = |more: &str| {
        let steps = for_state(&state(more));
        let found = BACKWARD.iter().filter(|step| steps.contains(step)).count();
        assert_eq!(steps[..2], [StepKind::Residual, StepKind::Normed]);
        assert!([0, BACKWARD.len()].contains(&found), "{more}: {found}");
        found > 0
    };
    let text = format!("&text={TEXT}");
    assert!(has(&text) && has(&format!("{text}&layer=1&head=2")));
    for more in ["&mask=causal", "&temperature=2", "&scaled=0"] {
        assert!(!has(&format!("{text}{more}")), "{more}");
    }
    for other in ["The+fox+was+too+deep.", "", "elephant"] {
        assert!(!has(&format!("&text={other}")), "{other}");
    }
    let (built, _) = url::parse(&format!("weights=teaching{text}"));
    assert!(
        for_state(&built)
            .iter()
            .all(|step| step.owner() == StepOwner::Layer)
    );
    // An older link asks for what enters by the name that it has without a model.
    assert_eq!(
        shown(&state(&format!("{text}&step=input"))),
        StepKind::Normed
    );
}
