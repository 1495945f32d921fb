use super::*;
use crate::state::external_settings::{self, SettingInput};
use crate::state::request_builder::{self, request};
use crate::state::{Action, Field, Known, SettingError, Value, reduce, url};
use engine::learned::{CACHED, cached};
use engine::training_run::{Recipe, TrainingRun};
use engine::{BackendChoice, run};

const SENTENCE: &str = "weights=learned&d_model=32&d_k=8&text=The+fox+didn't+enter+the+tunnel+because+it+was+too+deep.";

fn state(link: &str) -> State {
    let (state, notes) = url::parse(link);
    assert_eq!(notes, [], "{link}");
    state
}

/// Weights of the layer of a state, as the page computes them.
fn computed(state: &State) -> Vec<f32> {
    let request = request(state).expect("a text that the model knows");
    let run = run(request, BackendChoice::Cpu).expect("finite");
    let weights = run.trace.weights.expect("wanted");
    weights.iter().copied().collect()
}

#[test]
fn the_page_computes_with_the_model_of_the_lab() {
    let recipe = Recipe::of_task("pronoun").expect("a recipe");
    let mut lab = TrainingRun::new(recipe, 7, None).expect("a task");
    for _ in 0..12 {
        lab.step().expect("finite");
    }
    let words = lab.parse("the fox didn't enter the tunnel because it was too deep .");
    let reading = lab
        .read(9, words.expect("words of the grammar"))
        .expect("finite");
    for layer in 1..=2 {
        let state = state(&format!("{SENTENCE}&seed=7&trained=9&layer={layer}"));
        let weights = computed(&state);
        let model: Vec<f32> = (4 * (layer - 1)..4 * layer)
            .flat_map(|head| reading.weights(head).to_vec())
            .collect();
        assert_eq!(weights.len(), model.len());
        let far = weights
            .iter()
            .zip(&model)
            .map(|(one, other)| (one - other).abs());
        assert!(far.fold(0.0, f32::max) < 1e-6, "layer {layer}");
        let kept = cached_for(&state).expect("made for the request");
        assert_eq!(kept.map(4), reading.weights(4));
        let rest = lab.read_without_heads(9, &reading.words).expect("finite");
        let without = kept.answer_without(5, 7).expect("a head and a row");
        assert_eq!(without.word, rest[5].prediction(7)[0].0);
        assert_ne!(rest[5].prediction(7)[0], reading.prediction(7)[0]);
        assert_eq!(
            (kept.answer_without(8, 0), kept.answer_without(0, 12)),
            (None, None)
        );
        let (word, share) = reading.prediction(7)[0];
        assert_eq!(kept.answers(7)[0].word, word);
        assert!((f64::from(kept.answers(7)[0].share) - share).abs() < 1e-6);
    }
}

#[test]
fn words_are_spelled_as_they_are_written() {
    let english = tokens("The  animal didn't CROSS the street.").expect("known words");
    assert_eq!(
        english.words,
        ["The", "animal", "didn't", "CROSS", "the", "street", "."]
    );
    let chinese = tokens("那只动物没有过马路，因为它太累了。").expect("known words");
    assert_eq!(
        chinese.words,
        [
            "那只", "动物", "没有", "过", "马路", "，", "因为", "它", "太", "累", "了", "。"
        ]
    );
    assert_eq!(tokens("the elephant"), None);
    let unread = state("weights=learned&text=the+big+elephant");
    assert_eq!(request_builder::tokens(&unread).queries.words.len(), 3);
}

#[test]
fn a_text_that_cannot_be_read_is_refused_by_its_word() {
    for (text, value) in [
        ("the+elephant", "elephant"),
        ("", ""),
        (&"it+".repeat(13), "13"),
    ] {
        let refused = request(&state(&format!("weights=learned&text={text}"))).expect_err(text);
        assert_eq!(refused.field, "text");
        assert!(refused.value.contains(value), "{refused:?}");
    }
}

#[test]
fn a_model_has_sizes_of_its_own_and_decides_the_positions() {
    let before = state("heads=7&d_model=256&d_k=2&source=a+b&positions=alibi&layer=1");
    let origin = |name| Action::Set(Field::Origin, Value::Choice(name));
    let (learned, notices) = reduce(before, origin("learned"));
    assert_eq!(notices, []);
    assert_eq!((learned.d_model, learned.d_k, learned.heads), (32, 8, 4));
    assert_eq!(
        (learned.layers, learned.layer, learned.trained),
        (2, 2, 150)
    );
    assert_eq!(
        (learned.second.as_deref(), learned.check_all()),
        (None, Ok(()))
    );
    for (field, value) in [
        (Field::Positions, Value::Choice("rotary")),
        (Field::Second, Value::Text("a".to_owned())),
    ] {
        assert_eq!(
            learned.clone().set(field, value),
            Err(SettingError::Learned)
        );
    }
    assert_eq!(
        url::parse(&url::to_fragment(&learned)),
        (learned.clone(), vec![])
    );
    let (fewer, _) = reduce(
        learned.clone(),
        Action::Set(Field::Layers, Value::Number(1)),
    );
    assert_eq!((fewer.layers, fewer.layer), (1, 1));
    let (wide, notices) = reduce(
        learned.clone(),
        Action::Set(Field::DModel, Value::Number(512)),
    );
    assert_eq!((wide.d_model, notices.len()), (64, 1));
    // However it is said: typed as by a menu, by a host, in a link.
    let wide = state("d_model=512&d_k=128&positions=rotary&heads=16&weights=random");
    let typed = reduce(
        wide.clone(),
        Action::Enter(Field::Origin, "learned".to_owned()),
    )
    .0;
    let input = SettingInput {
        key: "weights".to_owned(),
        value: Some("learned".to_owned()),
    };
    let (by_host, notes) = external_settings::apply(&wide, &[input]);
    assert_eq!((notes, typed.check_all()), (vec![], Ok(())));
    assert_eq!((by_host, typed.d_model), (typed, 32));
    let (back, _) = reduce(learned, origin("teaching"));
    assert_eq!((back.d_model, back.d_k), (64, 16));
    assert_eq!(back.positions, crate::state::PositionKind::Sinusoidal);
}

#[test]
fn a_model_is_trained_a_few_steps_at_a_time_for_what_comes_next() {
    let wanted = state(&format!("{SENTENCE}&seed=11&trained=25"));
    let left: Vec<_> = (0..4).map(|_| advance(&wanted).expect("finite")).collect();
    assert_eq!(left, [true, true, false, false]);
    assert_eq!(cached_for(&wanted), None, "nothing has asked for a layer");
    let alone = std::thread::spawn(move || computed(&wanted)).join();
    let wanted = state(&format!("{SENTENCE}&seed=11&trained=25"));
    assert_eq!(computed(&wanted), alone.expect("finite"));
    assert!(advance(&state("weights=learned&text=elephant")).is_err());
}

/// Two windows' uses of a worker's cache: what they take for known is there.
#[test]
fn what_is_known_to_be_cached_elsewhere_is_cached_there() {
    let states: Vec<State> = (0..CACHED + 2)
        .map(|step| state(&format!("{SENTENCE}&trained={step}")))
        .collect();
    let mut known = Known::<LearnedKey, CACHED>::default();
    let mut sent = 0;
    // Some are used again soon, some late, and all of them at last.
    let uses = (0..4)
        .chain([0, 2])
        .chain(4..8)
        .chain([2, 0, 1])
        .chain(0..8);
    for step in uses {
        let key = key_if_learned(&states[step]).expect("it is learned");
        let is_known = known.uses(key.clone());
        let is_there = cached(&key).is_some();
        assert!(is_there || !is_known, "step {step}");
        if !is_known {
            let made = move || learned::layer(&key).expect("finite").to_numbers();
            let numbers = std::thread::spawn(made).join().expect("finite");
            receive(&states[step], &numbers);
            sent += 1;
        }
    }
    assert_eq!(sent, 14, "each is sent again only after {CACHED} others");
}

#[test]
fn a_learned_run_is_too_short_for_two_workers() {
    let sizes = SENTENCE.replace("d_model=32&d_k=8", "d_model=64&d_k=32");
    let largest = format!("{sizes}&heads=8");
    let request = request(&state(&largest)).expect("sizes of the page");
    let flops = engine::Workload::from_request(&request).flops;
    assert!(
        !engine::WorkerChoice::is_long(flops),
        "{flops}: its layer would be trained in both"
    );
}
