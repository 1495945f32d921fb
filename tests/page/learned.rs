//! The models that the examples of the page learn.

use attention::model::behaviour::Behaviour;
use attention_playground::engine::training_run::{Recipe, TrainingRun};
use attention_playground::state::learned::{LearnedKey, layer};
use attention_playground::state::request_builder::tokens;
use attention_playground::state::{State, presets, url};

/// The state of an example, with another word in the place of one.
fn state(id: &str, [word, other]: [&str; 2]) -> State {
    let preset = presets::by_id(id).expect("an example");
    let text = preset.text.replace(word, other).replace(' ', "+");
    let (state, notes) = url::parse(&format!("text={text}&{}", preset.settings));
    assert_eq!(notes, [], "{id}");
    state
}

/// The weight that the chosen row of the chosen head has on `noun`, and what the model answers there.
fn look(state: &State, noun: &str) -> (f32, usize) {
    let layer = layer(&LearnedKey::new(state).expect("known words")).expect("finite");
    let row = state.cell.expect("a row").query;
    let words = tokens(state).queries.words;
    let key = words
        .iter()
        .position(|word| word == noun)
        .expect("a word of the text");
    let head = (state.layer - 1) * state.heads + state.head;
    let weight = layer.map(head)[row * words.len() + key];
    (weight, layer.answers(row)[0].word)
}

#[test]
fn the_pronoun_turns_from_one_noun_to_the_other_with_the_adjective() {
    for (id, task, nouns, adjectives) in [
        (
            "learned",
            "pronoun",
            ["animal", "street"],
            ["tired", "wide"],
        ),
        ("learned-zh", "pronoun-zh", ["动物", "马路"], ["累", "宽"]),
    ] {
        let recipe = Recipe::of_task(task).expect("a recipe");
        let known = state(id, ["", ""]);
        let run = TrainingRun::new(recipe, known.seed, None).expect("a task");
        for (noun, adjective) in nouns.into_iter().zip(adjectives) {
            let (weight, answer) = look(&state(id, [adjectives[0], adjective]), noun);
            assert!(weight > 0.8, "{id}, {adjective}: {weight}");
            assert_eq!(run.words()[answer], noun, "{id}, {adjective}");
        }
    }
}

/// What a map seems to say has to be what the model needs.
#[test]
fn the_head_on_show_is_needed_and_does_what_its_name_says() {
    for (id, task) in [("learned", "pronoun"), ("learned-zh", "pronoun-zh")] {
        let state = state(id, ["", ""]);
        let recipe = Recipe::of_task(task).expect("a recipe");
        let mut run = TrainingRun::new(recipe, state.seed, None).expect("a task");
        while !run.is_done() {
            run.step().expect("finite");
        }
        let right = |without| run.score(recipe.steps, without).expect("finite").accuracy;
        let lost = right(None) - right(Some((state.layer - 1, state.head)));
        assert!(right(None) > 0.99 && lost > 0.01, "{id}: {lost}");
        let layer = layer(&LearnedKey::new(&state).expect("known words")).expect("finite");
        let head = (state.layer - 1) * state.heads + state.head;
        let (behaviour, share) = layer.behaviour(head).expect("a name");
        assert_eq!(behaviour, Behaviour::Answer, "{id}");
        assert!(share > 0.6, "{id}: {share}");
    }
}
