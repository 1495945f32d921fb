use std::collections::HashSet;

use super::*;
use crate::i18n::Key;
use crate::present::painted_grid::{GridChange, GridEvent};
use crate::present::training::HeadLine;
use crate::scene::colour::Background;
use crate::state::request_builder::request;
use crate::state::{Action, State, reduce, url};
use engine::training_run::{OWN_TEXT, RECIPES, Recipe};
use engine::{BackendChoice, run};
use model::Examples;

fn lab(seed: u32) -> TrainingLab {
    TrainingLab::new(RECIPES[0], seed, None).expect("a task")
}

/// The bits of all maps of the step that is looked at.
fn maps(lab: &TrainingLab) -> Vec<u32> {
    let heads = 0..8;
    let weights = heads.flat_map(|head| lab.reading().weights(head));
    weights.map(|weight| weight.to_bits()).collect()
}

#[test]
fn a_step_looks_the_same_whenever_it_is_looked_at() {
    let mut lab = lab(3);
    let mut seen = vec![maps(&lab)];
    for _ in 0..4 {
        assert!(lab.learn().expect("finite"));
        lab.look_at_newest();
        seen.push(maps(&lab));
    }
    assert_eq!(seen[0].len(), 8 * 12 * 12);
    for (step, seen) in seen.iter().enumerate().rev() {
        lab.look_at(step);
        assert_eq!(&maps(&lab), seen, "step {step}");
    }
    lab.look_at(99);
    assert_eq!(lab.step(), 4);
    let mut again = self::lab(3);
    assert!(again.learn().is_ok());
    again.look_at_newest();
    assert_eq!(maps(&again), seen[1]);
    // Another seed is another model from the first step on.
    assert_ne!(maps(&self::lab(2)), seen[0]);
}

#[test]
fn a_text_with_unknown_words_leaves_what_was_read() {
    let mut lab = lab(1);
    let before = (lab.text(), lab.row);
    assert!(lab.read("the elephant slept").is_err());
    assert!(lab.read("").is_err());
    assert!(lab.read(&"the ".repeat(13)).is_err());
    assert_eq!((lab.text(), lab.row), before);
    assert!(lab.read("it was tired").is_ok());
    assert_eq!((lab.text().as_str(), lab.row), ("it was tired", 0));
    let example = lab.another();
    assert!(lab.read(&example).is_ok());
    assert_eq!(lab.text(), example);
}

#[test]
fn heads_are_switched_off_one_after_the_other() {
    let mut lab = lab(1);
    let mut count = 1;
    while lab.measure_next() {
        count += 1;
    }
    assert_eq!(count, 9);
    assert!(!lab.measure_next());
    let lut = Lut::mask(Background::Light);
    let measured = |lab: &TrainingLab| {
        let view = lab.view(&lut, 300.0, Language::En);
        let heads = view.heads();
        heads.iter().filter(|head| !head.without.is_empty()).count()
    };
    assert_eq!(measured(&lab), 8);
    // They hold for the step at which they were measured.
    assert!(lab.learn().is_ok());
    lab.look_at_newest();
    assert_eq!(measured(&lab), 0);
}

/// The names of the heads of both runs, as they are said.
fn names(lab: &TrainingLab) -> [Vec<String>; 2] {
    let lut = Lut::mask(Background::Light);
    let view = lab.view(&lut, 300.0, Language::En);
    let does = |heads: Vec<_>| heads.into_iter().map(|head: HeadLine| head.does).collect();
    [does(view.heads()), does(view.other_heads())]
}

#[test]
fn heads_have_names_once_they_are_measured_at_a_step() {
    let recipe = Recipe::of_task("reverse").expect("a recipe");
    let mut lab = TrainingLab::new(recipe, 3, Some(Variant::OneHead)).expect("a task");
    for _ in 0..90 {
        assert!(lab.learn().is_ok());
    }
    lab.look_at_newest();
    let nothing = [vec![String::new(); 4], vec![String::new(); 1]];
    assert_eq!((lab.has_names(), names(&lab)), (false, nothing.clone()));
    // 256 examples in parts of 32, for both runs.
    let parts = (1..).take_while(|_| lab.measure_names()).count() + 1;
    assert_eq!((parts, lab.has_names()), (16, true));
    assert!(!lab.measure_names());
    let measured = names(&lab);
    let shares = lab.run().shares(90).expect("finite");
    for (head, does) in measured[0].iter().enumerate() {
        let wanted = model::behaviour::named(&shares[head]);
        let wanted = wanted.map(|(does, share)| {
            let name = crate::present::learned::named(does).text(Language::En);
            format!("{name} .{:.0}", 100.0 * share)
        });
        assert_eq!(*does, wanted.unwrap_or_default());
    }
    assert!(
        measured[1][0].starts_with("mirrored place ."),
        "{measured:?}"
    );

    // At another step they are measured anew, and so with cells hidden: the head that looks at the mirrored place sees it no more.
    lab.look_at(89);
    assert_eq!((lab.has_names(), names(&lab)), (false, nothing));
    lab.look_at(90);
    while lab.measure_names() {}
    assert_eq!(names(&lab), measured);
    let mirrored = measured[0]
        .iter()
        .position(|does| does.starts_with("mirrored"));
    lab.head = mirrored.expect("a head that has learned it");
    for row in 0..8 {
        lab.paint(GridEvent::Press(8 * row + 7 - row));
        lab.paint(GridEvent::Release);
    }
    assert!(!lab.has_names());
    while lab.measure_names() {}
    assert!(!names(&lab)[0][lab.head].starts_with("mirrored"));
    lab.show_all_cells();
    while lab.measure_names() {}
    assert_eq!(names(&lab), measured);
}

/// Weights of every head of the layer that is given to the map, as the page computes them there.
fn on_the_map(lab: &TrainingLab, before: &State) -> (State, Vec<f32>) {
    let layer = lab.layer().expect("numbers that the page takes");
    let (state, notices) = reduce(before.clone(), Action::Layer(Box::new(layer)));
    assert_eq!(notices, []);
    let request = request(&state).expect("a layer and its rows");
    let run = run(request, BackendChoice::Cpu).expect("finite");
    let weights = run.trace.weights.expect("wanted");
    (state, weights.iter().copied().collect())
}

#[test]
fn a_layer_on_the_map_has_the_weights_of_the_model() {
    let before = url::parse("text=a+b+c&mask=local&temperature=300&head=2").0;
    for name in ["pronoun", "repeat", "reverse"] {
        let recipe = RECIPES.iter().find(|recipe| recipe.task == name);
        let mut lab = TrainingLab::new(*recipe.expect("a recipe"), 5, None).expect("a task");
        for _ in 0..6 {
            assert!(lab.learn().is_ok());
        }
        lab.look_at_newest();
        for layer in 0..lab.run().config().layers {
            lab.head = 4 * layer + 3;
            let (state, weights) = on_the_map(&lab, &before);
            let model = (4 * layer..4 * layer + 4).flat_map(|head| lab.reading().weights(head));
            let model: Vec<f32> = model.copied().collect();
            assert_eq!(weights.len(), model.len());
            let far = weights
                .iter()
                .zip(&model)
                .map(|(one, other)| (one - other).abs());
            let far = far.fold(0.0, f32::max);
            assert!(far < 1e-6, "{name}, layer {layer}: {far}");
            assert_eq!(state.head, 3);
            assert_eq!(state.cell.map(|cell| cell.query), Some(lab.row));
        }
    }
}

#[test]
fn every_recipe_opens_on_a_sequence_of_its_task() {
    for recipe in RECIPES {
        let lab = TrainingLab::new(recipe, 1, None).expect("a task");
        assert_eq!(
            lab.reading().words.len(),
            lab.run().config().length,
            "{recipe:?}"
        );
        assert!(lab.row < lab.reading().words.len());
        assert!(lab.run().parse(&lab.text()).is_ok(), "{}", lab.text());
    }
}

/// Long enough that every character stands at every place that the model reads.
const TEXT: &str = "the cat sat on the mat, and the cat ate the rat. the cat sat on the mat, and the cat ate the rat. \
    the cat sat on the mat, and the cat ate the rat. the cat sat on the mat, and the cat ate the rat. ";

fn own_text() -> TrainingLab {
    TrainingLab::of_text(TEXT, 2, None).expect("a long text")
}

/// Text that the current step's model generates.
fn continuation(lab: &TrainingLab) -> String {
    let drawn = lab.continuation(40).expect("it goes on");
    drawn.into_iter().map(|character| character.text).collect()
}

#[test]
fn a_text_of_ones_own_is_learned_and_gone_on_with() {
    let mut lab = own_text();
    assert_eq!((lab.run().recipe(), lab.row), (&OWN_TEXT, 31));
    let noise = continuation(&lab);
    for _ in 0..200 {
        assert!(lab.learn().is_ok());
    }
    lab.look_at_newest();
    lab.temperature = 0.1;
    assert!(lab.read("and the cat").is_ok());
    assert_eq!(lab.row, 10);
    let learned = continuation(&lab);
    assert!(learned.starts_with(" ate the"), "{learned}");
    assert_ne!(noise, learned);
    // The same again, from another lab of the same text and seed.
    assert_eq!(noise, continuation(&own_text()));
    let mut hot = own_text();
    hot.temperature = 2.0;
    assert_ne!(noise, continuation(&hot));
}

#[test]
fn what_a_text_does_not_have_is_refused() {
    let mut lab = own_text();
    assert!(lab.read("a dog!").is_err());
    assert!(lab.read("the\ncat").is_err());
    assert!(lab.read(&"c".repeat(33)).is_err());
    let said = lab.known_words(Language::En);
    assert!(said.contains("␣ , .") && said.contains("32"), "{said}");
    assert!(TrainingLab::of_text(&TEXT[..32], 2, None).is_err());
    assert!(TrainingLab::of_text(&TEXT[..33], 2, None).is_ok());
    assert!(self::lab(1).continuation(3).is_none());
}

/// The words of each of some examples.
fn rows(examples: &Examples) -> Vec<&[usize]> {
    let words = examples.words();
    words.all().chunks(words.length()).collect()
}

/// In how many of the examples that are held out training draws what they are, of how many that differ.
fn drawn_and_different(run: &TrainingRun) -> (usize, usize) {
    let model = run.model(0).expect("finite");
    let steps = 0..run.recipe().steps as u32;
    let drawn = steps.map(|step| run.training().examples(&model, step).expect("examples"));
    let drawn: Vec<Examples> = drawn.collect();
    let drawn: HashSet<&[usize]> = drawn.iter().flat_map(rows).collect();
    let held_out = run.training().held_out(&model).expect("examples");
    let held_out = rows(&held_out);
    let seen = held_out.iter().filter(|row| drawn.contains(*row)).count();
    (seen, held_out.into_iter().collect::<HashSet<_>>().len())
}

/// Whatever task has a grammar keeps its examples from training; a text cannot, and says what it has: pieces of it, some of them different.
#[test]
fn what_is_measured_on_is_said_as_it_is() {
    for recipe in RECIPES {
        let run = TrainingRun::new(recipe, 1, None).expect("a task");
        let (drawn, different) = drawn_and_different(&run);
        assert!(drawn == 0 && different > 200, "{recipe:?}: {different}");
        assert_eq!(run.different_examples(), Ok(different));
        let said = scored(&run, Language::En);
        assert_eq!(said, "256 examples that training does not draw");
    }
    for (language, wanted) in [(Language::En, (2, 18)), (Language::Zh, (0, 15))] {
        let own = Key::TrainingOwnDefault.text(language);
        for (text, (drawn, different)) in [(own, wanted), (&TEXT[..33], (256, 1))] {
            let run = TrainingRun::of_text(text, 1, None).expect("a long text");
            assert_eq!(drawn_and_different(&run), (drawn, different), "{text}");
            assert_eq!(run.different_examples(), Ok(different));
            let said = scored(&run, language);
            assert!(said.contains(&different.to_string()), "{said}");
        }
    }
}

/// As docs/lab.md says of the text that the lab begins with.
#[test]
fn pieces_of_the_first_text_are_17_to_21_different_ones() {
    let text = Key::TrainingOwnDefault.text(Language::En);
    for seed in 1..=10 {
        let run = TrainingRun::of_text(text, seed, None).expect("a long text");
        let different = run.different_examples().expect("examples");
        assert!((17..=21).contains(&different), "seed {seed}: {different}");
    }
}

/// Each of them is a word of the model.
#[test]
fn the_text_of_a_first_visit_has_few_characters() {
    for language in Language::ALL {
        let text = Key::TrainingOwnDefault.text(language);
        let run = TrainingRun::of_text(text, 1, None).expect("a long text");
        assert!(run.words().len() < 64, "{}", run.words().len());
    }
}

#[test]
fn why_a_text_cannot_be_learned_from_is_a_sentence() {
    let said = |text: &str, language| {
        let refused = TrainingLab::of_text(text, 1, None).err();
        refused.map(|refused| TextProblem::new(&refused).sentence(text, language))
    };
    let of = |count: u32| (0..count).filter_map(|at| char::from_u32(0x4e00 + at));
    let [most, more] = [1500, 1501].map(|count| of(count).collect::<String>());
    assert_eq!(said(&most, Language::En), None);
    let many =
        "A text to learn from may have at most 1500 different characters; this one has 1501.";
    assert_eq!(said(&more, Language::En).as_deref(), Some(many));
    let many = "要学的文本最多只能有 1500 个不同的字符；现在有 1501 个。";
    assert_eq!(said(&more, Language::Zh).as_deref(), Some(many));
    let short = "A text to learn from must have more than 32 characters; this one has 3.";
    assert_eq!(said("abc", Language::En).as_deref(), Some(short));
}

#[test]
fn hidden_cells_change_what_is_read_and_are_measured() {
    let mut lab = lab(1);
    for _ in 0..40 {
        assert!(lab.learn().is_ok());
    }
    lab.look_at_newest();
    let lut = Lut::mask(Background::Light);
    let seen = |lab: &TrainingLab| {
        let view = lab.view(&lut, 300.0, Language::En);
        let hidden = view.cells().into_iter().filter(|cell| cell.is_painted);
        let hidden: Vec<String> = hidden.map(|cell| cell.name + &cell.map.value).collect();
        let marked: Vec<String> = view.heads().into_iter().map(|head| head.hidden).collect();
        (
            hidden,
            marked,
            view.open_answer(),
            view.masked(),
            view.answer(),
        )
    };
    let before = seen(&lab);
    assert!(before.0.is_empty() && before.2.is_empty() && before.3.is_empty());
    assert!(!lab.measure_masks(), "nothing is hidden");

    // From every row of the last layer's first head, all keys.
    let n = lab.reading().words.len();
    for row in 0..n {
        lab.paint(GridEvent::Press(row * n));
        lab.paint(GridEvent::Drag((row, n - 1)));
        assert_eq!(lab.paint(GridEvent::Release), GridChange::Released);
    }
    let without = lab
        .run()
        .read_without_heads(40, &lab.words)
        .expect("finite");
    let without = without[lab.head].prediction(lab.row);
    assert_eq!(lab.reading().prediction(lab.row)[0].0, without[0].0);
    assert!(
        lab.reading()
            .weights(lab.head)
            .iter()
            .all(|weight| *weight == 0.0)
    );
    while lab.measure_masks() {}
    let wanted = lab.run().score(40, Some((1, 0))).expect("finite").accuracy;
    let right = lab.masks().right().expect("measured");
    assert!((right - wanted).abs() < 1e-9, "{right}, {wanted}");
    let after = seen(&lab);
    assert_eq!(after.0.len(), n * n);
    assert!(after.0[1].ends_with(" hidden"), "{}", after.0[1]);
    assert_eq!(after.1[4..6], [format!("{} hidden", n * n), String::new()]);
    assert!(after.2.contains(&before.4[0]) && after.2.contains(&before.4[1]));
    assert!(after.3.contains("256 examples"), "{}", after.3);

    // What is hidden stays hidden at another step and in a shorter text, and is measured there anew.
    lab.look_at(3);
    assert_eq!(lab.masks().right(), None);
    assert!(lab.read("it was tired").is_ok());
    assert_eq!(lab.masks().count(4), 9);
    lab.show_all_cells();
    assert_eq!(lab.masks().total(), 0);
    assert!(seen(&lab).2.is_empty());
}
