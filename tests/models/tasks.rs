//! Tasks, and whether models learn them.

use std::collections::HashSet;

use attention::text::vocabulary::read;
use model::behaviour::{Behaviour, Shares, Tally};
use model::task::{Split, TASKS, Task};
use model::{Init, Model, ModelConfig, Norm, Optimizer, OptimizerOptions, Training};

fn task(name: &str) -> Task {
    Task::named(name).unwrap_or_else(|error| panic!("{error}"))
}

fn config(task: &Task, layers: usize) -> ModelConfig {
    ModelConfig {
        norm: Norm::Layer,
        causal: matches!(task.name(), "repeat" | "text"),
        ..ModelConfig::new(task.words().len(), task.length(), 32, layers, 4)
    }
}

/// Accuracy on examples that training has not drawn.
fn trained(task: Task, layers: usize, steps: usize, seed: u32) -> f64 {
    let config = config(&task, layers);
    let mut model = Model::random(config, Init::Xavier, seed).expect("valid");
    let options = OptimizerOptions {
        rate: 3e-3,
        ..OptimizerOptions::default()
    };
    let mut optimizer = Optimizer::new(options, &model).expect("valid");
    let mut training = Training::new(task, 32, seed, &model).expect("valid");
    for _ in 0..steps {
        training.step(&mut model, &mut optimizer).expect("finite");
    }
    training.score(&model).expect("finite").accuracy
}

#[test]
fn training_draws_nothing_that_is_held_out() {
    for name in TASKS {
        let task = task(name);
        let config = config(&task, 1);
        let rows = |part| -> Vec<Vec<usize>> {
            let examples = task.examples(&config, 256, 1, part).expect("examples");
            examples
                .words()
                .all()
                .chunks(task.length())
                .map(<[usize]>::to_vec)
                .collect()
        };
        let held_out: HashSet<_> = rows(Split::HeldOut).into_iter().collect();
        assert!(held_out.len() > 200, "{name}: {} examples", held_out.len());
        let drawn = (0..20).flat_map(|step| rows(Split::Training(step)));
        assert_eq!(
            drawn.filter(|row| held_out.contains(row)).count(),
            0,
            "{name}"
        );
    }
}

#[test]
fn seeds_and_steps_draw_other_examples_and_the_same_ones_again() {
    let task = task("reverse");
    let config = config(&task, 1);
    let draw = |seed, step| {
        task.examples(&config, 4, seed, Split::Training(step))
            .expect("examples")
    };
    assert_eq!(draw(1, 2), draw(1, 2));
    assert_ne!(draw(1, 2), draw(2, 2));
    assert_ne!(draw(1, 2), draw(1, 3));
}

/// Behaviours of an untrained model's heads over 256 examples.
fn measured(name: &str, seed: u32) -> Vec<Shares> {
    let task = task(name);
    let config = config(&task, 2);
    let model = Model::random(config, Init::Xavier, seed).expect("valid");
    let examples = task.examples(&config, 256, seed, Split::HeldOut);
    let mut tally = Tally::default();
    tally
        .add(&model, &examples.expect("examples"))
        .expect("finite");
    tally.shares()
}

/// Of the words to answer in French one alone is English too, so that hardly a row has it among its keys; and in the sentences with *it* one
/// word of twelve has stood before.
#[test]
fn what_hardly_a_row_asks_for_names_no_head() {
    let share = |name, behaviour| {
        let heads = (1..=3).flat_map(|seed| measured(name, seed));
        heads
            .map(|shares| shares[behaviour as usize])
            .fold(0.0, f64::max)
    };
    assert_eq!(share("translation", Behaviour::Answer), 0.0);
    assert_eq!(share("pronoun", Behaviour::Induction), 0.0);
    assert_eq!(share("pronoun", Behaviour::SameWord), 0.0);
    for (name, behaviour) in [
        ("pronoun", Behaviour::Answer),
        ("brackets", Behaviour::Answer),
        ("sort", Behaviour::Answer),
        ("repeat", Behaviour::Induction),
        ("copy", Behaviour::SameWord),
        ("translation", Behaviour::Previous),
    ] {
        assert!(share(name, behaviour) > 0.0, "{name}, {behaviour:?}");
    }
}

#[test]
fn texts_are_read_as_words_and_unknown_ones_refused_by_name() {
    let words = |name: &str, text: &str| {
        let task = task(name);
        task.read(text).map(|numbers| {
            let words: Vec<_> = numbers
                .iter()
                .map(|number| task.words()[*number].clone())
                .collect();
            words.join("|")
        })
    };
    let found = words(
        "pronoun",
        "The animal didn't cross the street because it was too tired.",
    );
    let wanted = "the|animal|didn't|cross|the|street|because|it|was|too|tired|.";
    assert_eq!(found.expect("known"), wanted);
    let found = words("pronoun-zh", "那只动物没有过马路，因为它太累了。");
    assert_eq!(
        found.expect("known"),
        "那只|动物|没有|过|马路|，|因为|它|太|累|了|。"
    );
    let error = words("pronoun", "the elephant didn't").expect_err("unknown");
    assert_eq!(
        (error.field.as_str(), error.value.as_str()),
        ("text", "elephant")
    );
    let error = words("pronoun", "the animals").expect_err("unknown");
    assert_eq!(error.value, "animals");
    let letters: Vec<String> = ["a", "b", " "].map(String::from).into();
    assert_eq!(read(&letters, "ab a").expect("known"), [0, 1, 2, 0]);
}

#[test]
fn a_short_text_is_refused_and_a_long_one_learned() {
    assert_eq!(
        Task::next_character("too short")
            .err()
            .map(|error| error.field),
        Some("task.text".to_owned())
    );
    let task = Task::next_character(&"pack my box with five dozen liquor jugs. ".repeat(3))
        .expect("long enough");
    assert!(task.words().contains(&" ".to_owned()));
    // Only the first letters of a window can be wrong.
    let accuracy = trained(task, 1, 300, 1);
    assert!(accuracy > 0.9, "{accuracy}");
}

/// Each is a word of the model, and a run keeps the model of every step.
#[test]
fn a_text_has_at_most_1500_different_characters() {
    let text = |count: u32| -> String {
        let characters = (0..count).filter_map(|at| char::from_u32(0x4e00 + at));
        characters.collect()
    };
    let task = Task::next_character(&text(1500)).expect("as many as there may be");
    assert_eq!(task.words().len(), 1500);
    // Upper and lower case are one character.
    let alike = Task::next_character(&(text(1499) + "aA")).expect("1500");
    assert_eq!(alike.words().len(), 1500);
    let error = Task::next_character(&text(1501))
        .err()
        .expect("one too many");
    assert_eq!(
        (error.code, error.field.as_str(), error.value.as_str()),
        (attention::Code::TooLarge, "task.text", "1501")
    );
    assert!(error.to_string().contains("at most 1500"), "{error}");
}

#[test]
fn the_noun_that_it_means_is_learned_in_both_languages() {
    for name in ["pronoun", "pronoun-zh"] {
        let accuracy = trained(task(name), 2, 150, 2);
        assert!(accuracy > 0.99, "{name}: {accuracy}");
    }
}

#[test]
fn what_repeats_takes_two_layers() {
    let [one, two] = [1, 2].map(|layers| trained(task("repeat"), layers, 400, 1));
    assert!(
        one < 0.35 && two > 0.95,
        "{one} with one layer, {two} with two"
    );
}

#[test]
fn the_other_tasks_are_learned() {
    for (name, layers, steps) in [
        ("reverse", 1, 150),
        ("copy", 1, 300),
        ("sort", 1, 500),
        ("brackets", 2, 500),
        ("translation", 2, 200),
    ] {
        let accuracy = trained(task(name), layers, steps, 3);
        assert!(accuracy > 0.95, "{name}: {accuracy}");
    }
}
