//! The steps on the page: which there are, and that their numbers are those of the 64-bit definition.

use app::present::steps::{MatrixKind, Numbers, formula, matrix, spoken};
use app::state::steps::{Axis, BACKWARD, config, shape, shown, stages, steps};
use app::state::{
    Action, Alignment, Cell, Field, Masks, PositionKind, SettingError, State, StepKind, Value,
    reduce, request_builder, url,
};
use app::views::math::{Hue, math};

use attention::{Biases, Config, Request, Source, Trace, kv_head_of, reference, sinusoid};
use ndarray::{Array2, Array3, Array4, s};

use StepKind::{
    Biased, Context, Input, Keys, Masked, Merged, Output, Positions, Queries, RotatedKeys,
    RotatedQueries, Scaled, Scores, ShortKeys, ShortValues, Softmax, Values, Weights,
};

/// A state from a link; everything in it must be possible.
fn state(link: &str) -> State {
    let (state, notes) = url::parse(&format!("v=1&{link}"));
    assert_eq!(notes, [], "{link}");
    state
}

/// Small and pairwise different sizes; `seed` and weights at random.
const SMALL: &str =
    "text=we+saw+it+there+again&weights=random&seed=5&d_model=6&d_k=3&heads=4&kv_heads=2&head=4";

/// Every mechanism that the page has, with the steps between the projections and the output.
fn mechanisms() -> Vec<(&'static str, Vec<StepKind>)> {
    vec![
        (
            "",
            vec![
                Input, Positions, Queries, Keys, Values, Scores, Scaled, Weights,
            ],
        ),
        (
            "positions=none&scaled=0",
            vec![Input, Queries, Keys, Values, Scores, Weights],
        ),
        (
            "positions=rotary&mask=causal",
            vec![
                Input,
                Queries,
                Keys,
                Values,
                RotatedQueries,
                RotatedKeys,
                Scores,
                Scaled,
                StepKind::Mask,
                Masked,
                Weights,
            ],
        ),
        (
            "source=b+c+d+e+f+g+h&positions=rotary_halves&align=last&mask=causal",
            vec![
                Input,
                StepKind::Source,
                Queries,
                Keys,
                Values,
                RotatedQueries,
                RotatedKeys,
                Scores,
                Scaled,
                StepKind::Mask,
                Masked,
                Weights,
            ],
        ),
        (
            "source=b+c+d&align=last",
            vec![
                Input,
                StepKind::Source,
                Positions,
                Queries,
                Keys,
                Values,
                Scores,
                Scaled,
                Weights,
            ],
        ),
        (
            "positions=alibi&mask=local&hiding=written",
            vec![
                Input,
                Queries,
                Keys,
                Values,
                Scores,
                Scaled,
                Biased,
                StepKind::Mask,
                Masked,
                Weights,
            ],
        ),
        (
            "positions=alibi&scaled=0&mask=strided&hiding=after&temperature=0.5",
            vec![
                Input,
                Queries,
                Keys,
                Values,
                Scores,
                Biased,
                Softmax,
                StepKind::Mask,
                Weights,
            ],
        ),
        (
            "positions=alibi&mask=causal&hiding=added",
            vec![
                Input,
                Queries,
                Keys,
                Values,
                Scores,
                Scaled,
                Biased,
                StepKind::Mask,
                Masked,
                Weights,
            ],
        ),
        (
            "positions=none&scaled=0&mask=local&window=0&hiding=added&temperature=2",
            vec![
                Input,
                Queries,
                Keys,
                Values,
                Scores,
                StepKind::Mask,
                Masked,
                Weights,
            ],
        ),
        (
            "positions=none&scoring=additive&mask=padding&valid=2&temperature=2",
            vec![
                Input,
                Queries,
                Keys,
                Values,
                Scores,
                StepKind::Mask,
                Masked,
                Weights,
            ],
        ),
        (
            "positions=rotary&linformer=1&projected=2&mask=causal&hiding=after",
            vec![
                Input,
                Queries,
                Keys,
                Values,
                RotatedQueries,
                RotatedKeys,
                ShortKeys,
                ShortValues,
                Scores,
                Scaled,
                Weights,
            ],
        ),
        (
            "source=two+cats+slept+where+no+dog+was&positions=sinusoidal",
            vec![
                Input,
                StepKind::Source,
                Positions,
                Queries,
                Keys,
                Values,
                Scores,
                Scaled,
                Weights,
            ],
        ),
    ]
}

#[test]
fn the_steps_are_those_of_the_mechanism_and_no_others() {
    for (link, wanted) in mechanisms() {
        let state = state(&format!("{SMALL}&{link}"));
        let last = [Context, Merged, Output];
        let wanted: Vec<StepKind> = wanted.into_iter().chain(last).collect();
        let request = request_builder::request(&state).expect("a possible state");
        assert_eq!(steps(request.config()), wanted, "{link}");
        assert_eq!(&config(&state), request.config(), "{link}");
    }
}

#[test]
fn formulas_have_the_biases_that_are_added() {
    let hand_built = state("text=we+saw+it&heads=8");
    let request = request_builder::request(&hand_built).expect("a possible state");
    let found = config(&hand_built);
    assert_eq!(&found, request.config());
    let said = |config: &Config, step| spoken(&formula(step, config, false));
    let seen = |config: &Config, step| math(&formula(step, config, false), Hue::Shown).0;
    assert_eq!(said(&found, Queries), "Q = (X + PE) W_Q + b_Q");
    assert_eq!(said(&found, Keys), "K = (X + PE) W_K");
    let random = config(&state("text=we+saw+it&weights=random"));
    assert_eq!(said(&random, Queries), "Q = (X + PE) W_Q");
    let every = Config {
        biases: Biases {
            query: true,
            key: true,
            value: true,
            output: true,
        },
        ..random
    };
    for (step, letter) in [(Queries, "Q"), (Keys, "K"), (Values, "V"), (Output, "O")] {
        let bias = format!("W_{letter} + b_{letter}");
        assert!(
            said(&every, step).ends_with(&bias),
            "{}",
            said(&every, step)
        );
        let markup = seen(&every, step);
        assert_eq!(markup.matches("<mi>b</mi>").count(), 1, "{markup}");
    }
}

/// Reference results of a state, and the parts of the chosen head as a run would return them,
/// rounded once.
struct Ran {
    state: State,
    request: Request,
    trace: Trace<f64>,
    parts: [Vec<f32>; 7],
}

impl Ran {
    fn of(state: &State) -> Self {
        let request = request_builder::request(state).expect("a possible state");
        let trace = reference::compute(&request);
        let mut ran = Self {
            state: state.clone(),
            request,
            trace,
            parts: Default::default(),
        };
        let rounded = |rows: Array2<f64>| rows.iter().map(|value| *value as f32).collect();
        let output = ran.trace.output.as_ref().expect("everything is there");
        let output = output.iter().map(|value| *value as f32).collect();
        let context = ran.trace.context.as_ref().expect("everything is there");
        let context = context.iter().map(|value| *value as f32).collect();
        let [q, k, v] = [ran.q(), ran.k(), ran.v()].map(rounded);
        ran.parts = [
            q,
            k,
            v,
            rounded(ran.scores()),
            rounded(ran.weights()),
            context,
            output,
        ];
        ran
    }

    fn numbers(&self) -> Numbers<'_> {
        let [q, k, v, scores, weights, context, output] = &self.parts;
        Numbers {
            request: &self.request,
            head: self.state.head,
            q,
            k,
            v,
            scores,
            weights,
            context,
            output,
            learned: None,
        }
    }

    fn own(all: &Option<Array4<f64>>, head: usize) -> Array2<f64> {
        let all = all.as_ref().expect("the reference gives everything");
        all.slice(s![0, head, .., ..]).to_owned()
    }

    fn kv_head(&self) -> usize {
        kv_head_of(self.state.head, self.state.heads, self.state.kv_heads)
    }

    fn q(&self) -> Array2<f64> {
        Self::own(&self.trace.q, self.state.head)
    }

    fn k(&self) -> Array2<f64> {
        Self::own(&self.trace.k, self.kv_head())
    }

    fn v(&self) -> Array2<f64> {
        Self::own(&self.trace.v, self.kv_head())
    }

    fn scores(&self) -> Array2<f64> {
        Self::own(&self.trace.scores, self.state.head)
    }

    fn weights(&self) -> Array2<f64> {
        Self::own(&self.trace.weights, self.state.head)
    }

    fn is_visible(&self, (query, key): (usize, usize)) -> bool {
        request_builder::is_visible(&self.request.call().mask, query, key)
    }

    /// The reference on the same state but for `change`.
    fn but(&self, change: impl Fn(&mut State)) -> Self {
        let mut state = self.state.clone();
        change(&mut state);
        Self::of(&state)
    }

    /// The matrix of a step by its definition.
    fn wanted(&self, step: StepKind) -> Array2<f64> {
        let sizes = *self.request.sizes();
        let Source::Layer {
            queries,
            keys_values,
            ..
        } = self.request.source()
        else {
            panic!("the page computes from sentences")
        };
        let rows = |rows: &Array3<f32>| rows.slice(s![0, .., ..]).mapv(f64::from);
        let linformer = || self.request.call().linformer.as_ref().expect("a Linformer");
        let plain = |state: &mut State| {
            if state.positions != PositionKind::Sinusoidal {
                state.positions = PositionKind::None;
            }
        };
        let unbiased = |state: &mut State| {
            if state.positions == PositionKind::Alibi {
                state.positions = PositionKind::None;
            }
        };
        match step {
            Input => rows(queries),
            StepKind::Source => rows(keys_values.as_ref().expect("a second sentence")),
            Positions => {
                let first = match self.state.alignment {
                    Alignment::First => 0,
                    Alignment::Last => (sizes.m as i64 - sizes.n as i64).min(0),
                };
                Array2::from_shape_fn((sizes.n.max(sizes.m), self.state.d_model), |(i, c)| {
                    sinusoid(first + i as i64, c, self.state.d_model)
                })
            }
            Queries => self.but(plain).q(),
            Keys => self.but(plain).k(),
            Values => self.v(),
            RotatedQueries => self.q(),
            RotatedKeys => self.k(),
            ShortKeys => linformer().e.mapv(f64::from).dot(&self.k()),
            ShortValues => linformer().f.mapv(f64::from).dot(&self.v()),
            Scores => self
                .but(|state| {
                    state.masks = Masks::EMPTY;
                    unbiased(state);
                    state.scaled = false;
                })
                .scores(),
            Scaled => self
                .but(|state| {
                    state.masks = Masks::EMPTY;
                    unbiased(state);
                })
                .scores(),
            Biased => self.but(|state| state.masks = Masks::EMPTY).scores(),
            StepKind::Mask => Array2::from_shape_fn((sizes.n, sizes.keys), |at| {
                let mask = request_builder::mask(&self.state, sizes.keys);
                f64::from(u8::from(request_builder::is_visible(&mask, at.0, at.1)))
            }),
            Masked => {
                let written = self.request.call().masked_score.map(f64::from);
                let mut scores = self.scores();
                for (at, score) in scores.indexed_iter_mut() {
                    *score = written.filter(|_| !self.is_visible(at)).unwrap_or(*score);
                }
                scores
            }
            Softmax => self.but(|state| state.masks = Masks::EMPTY).weights(),
            Weights => self.weights(),
            Context => Self::own(&self.trace.context, self.state.head),
            Merged => {
                let heads: Vec<_> = (0..sizes.heads)
                    .map(|head| Self::own(&self.trace.context, head))
                    .collect();
                let views: Vec<_> = heads.iter().map(|head| head.view()).collect();
                ndarray::concatenate(ndarray::Axis(1), &views).expect("as many rows")
            }
            Output => {
                let output = self.trace.output.as_ref().expect("everything is there");
                output.slice(s![0, .., ..]).to_owned()
            }
            of_model => panic!("{of_model:?} is none of a layer's own (around_layer.rs)"),
        }
    }
}

#[test]
fn every_matrix_is_that_of_its_definition() {
    for (link, _) in mechanisms() {
        let ran = Ran::of(&state(&format!("{SMALL}&{link}")));
        for step in steps(ran.request.config()) {
            let found = matrix(step, &ran.numbers()).expect("a step of the mechanism");
            let wanted = ran.wanted(step);
            assert_eq!(
                (found.rows, found.columns),
                wanted.dim(),
                "{link}: {step:?}"
            );
            assert_eq!(
                (found.rows, found.columns),
                shape(&ran.state, step),
                "{link}: {step:?}"
            );
            for (at, wanted) in wanted.indexed_iter() {
                let value = f64::from(found.at(at.0, at.1).expect("inside"));
                assert!(
                    (value - wanted).abs() <= 1e-6 * (1.0 + wanted.abs()),
                    "{link}: {step:?} at {at:?} is {value}, not {wanted}"
                );
            }
            assert_eq!(found.at(found.rows, 0), None);
            assert_eq!(found.at(0, found.columns), None);
        }
    }
}

#[test]
fn what_a_mechanism_has_not_has_no_matrix() {
    for (link, _) in mechanisms() {
        let ran = Ran::of(&state(&format!("{SMALL}&{link}")));
        let there = steps(ran.request.config());
        for step in StepKind::ALL {
            let found = matrix(step, &ran.numbers());
            assert_eq!(found.is_some(), there.contains(&step), "{link}: {step:?}");
        }
        let mut short = ran.numbers();
        short.v = &short.v[1..];
        assert_eq!(matrix(Weights, &short), None, "a part is too short");
    }
}

#[test]
fn hidden_cells_are_hatched_unless_a_number_is_written_over_them() {
    let is_masked = |link: &str, step| {
        let ran = Ran::of(&state(&format!("{SMALL}&{link}")));
        matrix(step, &ran.numbers()).map(|found| found.is_masked)
    };
    for step in [StepKind::Mask, Masked, Weights] {
        assert_eq!(is_masked("mask=causal", step), Some(true), "{step:?}");
    }
    assert_eq!(is_masked("mask=causal&hiding=written", Masked), Some(false));
    assert_eq!(
        is_masked("mask=causal&hiding=written", Weights),
        Some(false)
    );
    assert_eq!(is_masked("mask=causal&hiding=after", Softmax), Some(false));
    assert_eq!(is_masked("mask=causal&hiding=after", Weights), Some(true));
    assert_eq!(is_masked("mask=causal", Scaled), Some(false));
}

#[test]
fn kinds_and_axes_say_what_is_in_a_matrix() {
    let ran = Ran::of(&state(&format!("{SMALL}&source=two+cats&mask=causal")));
    let found = |step| matrix(step, &ran.numbers()).expect("there");
    assert_eq!(found(Weights).kind, MatrixKind::Weights);
    assert_eq!(found(StepKind::Mask).kind, MatrixKind::Mask);
    assert_eq!(found(Scaled).kind, MatrixKind::Signed);
    assert_eq!(Keys.axes(), [Axis::M, Axis::DK]);
    let keys = found(Keys);
    assert_eq!((keys.row_axis, keys.column_axis), (Axis::M, Axis::DK));
    assert_eq!((keys.rows, found(Queries).rows), (2, 5));
    assert_eq!(found(Positions).rows, 5, "the first text is the longer one");
}

#[test]
fn a_step_that_is_not_there_shows_the_weights() {
    assert_eq!(shown(&state(&format!("{SMALL}&step=q"))), Queries);
    assert_eq!(shown(&state(&format!("{SMALL}&step=q_rotated"))), Weights);
    assert_eq!(shown(&state(&format!("{SMALL}&step=mask"))), Weights);
    assert_eq!(
        shown(&state(&format!("{SMALL}&step=mask&mask=causal"))),
        StepKind::Mask
    );
    assert_eq!(shown(&state("text=&step=output")), Output);
}

#[test]
fn another_step_keeps_the_row_and_a_column_that_means_the_same() {
    let after = |actions: Vec<Action>| {
        let start = (State::default(), vec![]);
        actions
            .into_iter()
            .fold(start, |(state, mut notices), action| {
                let (state, new) = reduce(state, action);
                notices.extend(new);
                (state, notices)
            })
    };
    let to = |step| Action::Set(Field::Step, Value::Choice(step));
    let cell = |query, key| Cell { query, key };
    let set = |query, key| Action::Set(Field::Cell, Value::Cell(cell(query, key)));
    for (actions, wanted) in [
        (vec![set(7, Some(3)), to("scores")], Some(cell(7, Some(3)))),
        (vec![set(7, Some(3)), to("q")], Some(cell(7, None))),
        (vec![to("q"), set(7, Some(15))], Some(cell(7, Some(15)))),
        (
            vec![to("q"), set(7, Some(15)), to("k")],
            Some(cell(7, Some(15))),
        ),
        (
            vec![to("q"), set(7, Some(15)), to("output")],
            Some(cell(7, None)),
        ),
    ] {
        let (state, notices) = after(actions);
        assert_eq!((state.cell, notices), (wanted, vec![]));
    }
    let (_, notices) = after(vec![to("q"), set(7, Some(16))]);
    let outside = SettingError::Cell {
        rows: 11,
        columns: 16,
    };
    assert_eq!(notices[0].rule, outside);
    let short = Action::Set(Field::Second, Value::Text("two words".to_owned()));
    let (state, notices) = after(vec![short, set(7, Some(1)), to("k")]);
    assert_eq!(
        (state.cell, notices),
        (None, vec![]),
        "the key side has two rows"
    );
    let turned = Action::Set(Field::Positions, Value::Choice("rotary"));
    let (state, notices) = after(vec![to("positions"), set(7, Some(60)), turned]);
    assert_eq!(
        (state.cell, notices),
        (Some(cell(7, None)), vec![]),
        "no encoding to show"
    );
}

#[test]
fn links_name_a_cell_of_the_step_that_they_show() {
    let (state, notes) = url::parse("v=1&cell=3,40&step=output");
    assert_eq!(
        (state.cell, notes),
        (
            Some(Cell {
                query: 2,
                key: Some(39)
            }),
            vec![]
        )
    );
    let (state, notes) = url::parse("v=1&cell=3,40");
    assert_eq!(
        (state.cell.map(|cell| cell.key), notes.len()),
        (Some(None), 1)
    );
}

#[test]
fn stages_hold_every_step_once_and_in_order_within_a_lane() {
    for (link, _) in mechanisms() {
        let all = steps(&config(&state(&format!("{SMALL}&{link}"))));
        let stages = stages(&all);
        let laid: Vec<StepKind> = stages.iter().flatten().flatten().copied().collect();
        assert_eq!(laid.len(), all.len(), "{link}");
        assert!(all.iter().all(|step| laid.contains(step)), "{link}");
        let place = |step: &StepKind| all.iter().position(|other| other == step);
        for lane in stages.iter().flatten() {
            assert!(lane.is_sorted_by_key(place), "{link}: {lane:?}");
        }
    }
    let turned = config(&state(&format!("{SMALL}&positions=rotary&mask=causal")));
    assert_eq!(
        stages(&steps(&turned))[1],
        [
            vec![Queries, RotatedQueries],
            vec![Keys, RotatedKeys],
            vec![Values]
        ]
    );
    let scores = &stages(&steps(&turned))[4];
    assert_eq!(*scores, [vec![StepKind::Mask], vec![Masked]]);
}

/// The steps of a model behind those of its last layer.
fn of_model() -> impl Iterator<Item = StepKind> {
    let logits = [StepKind::Logits, StepKind::LogitsGradient];
    logits.into_iter().chain(BACKWARD)
}

#[test]
fn formulas_are_well_formed_and_name_what_is_there() {
    for (link, _) in mechanisms() {
        let config = config(&state(&format!("{SMALL}&{link}")));
        for step in steps(&config).into_iter().chain(of_model()) {
            let math = math(&formula(step, &config, false), Hue::Shown).0;
            assert!(
                math.starts_with("<math>") && math.ends_with("</math>"),
                "{math}"
            );
            let mut open = vec![];
            for tag in math.split('<').skip(1) {
                let name: String = tag.chars().take_while(|c| !" >".contains(*c)).collect();
                if let Some(closed) = name.strip_prefix('/') {
                    assert_eq!(open.pop().as_deref(), Some(closed), "{math}");
                } else if !tag.contains("/>") {
                    open.push(name);
                }
            }
            assert!(open.is_empty(), "{math}");
        }
    }
    let written = |link: &str, step| {
        let config = config(&state(&format!("{SMALL}&{link}")));
        formula(step, &config, false)
    };
    let of = |link: &str, step| math(&written(link, step), Hue::Shown).0;
    assert!(of("", Queries).contains("PE") && !of("positions=none", Queries).contains("PE"));
    assert!(of("source=a+b", Keys).contains('Y') && !of("source=a+b", Queries).contains('Y'));
    assert!(
        of("temperature=2", Weights).contains("<mi>T</mi>")
            && !of("", Weights).contains("<mi>T</mi>")
    );
    assert!(of("scoring=additive", Scores).contains("tanh") && !of("", Scores).contains("tanh"));
    let said = |link: &str, step| spoken(&written(link, step));
    for (link, aloud) in [
        ("positions=none", "S = Q Kᵀ"),
        ("positions=rotary", "S = Q′ K′ᵀ"),
        ("positions=none&linformer=1", "S = Q K′ᵀ"),
    ] {
        assert_eq!(
            said(link, Scores),
            aloud,
            "what is read aloud is the formula that is seen"
        );
        let primes = of(link, Scores).matches('′').count();
        assert_eq!(primes, aloud.matches('′').count(), "{link}");
    }
    for (link, step) in [
        ("", Scaled),
        ("positions=alibi", Biased),
        ("mask=causal", Masked),
        ("mask=causal&hiding=after", Weights),
    ] {
        let (seen, aloud) = (of(link, step), said(link, step));
        let is_written_over = seen.contains("<mo>←</mo>") && aloud.contains(" ← ");
        assert!(
            is_written_over,
            "the letter is that of the step before: {aloud}"
        );
    }
    assert!(!of("", Weights).contains('←'));
    for (step, class) in [(Queries, "is-query-text"), (Keys, "is-key-text")] {
        assert!(
            of("", step).contains(class) && of("", Scores).contains(class),
            "{step:?}"
        );
    }
}
