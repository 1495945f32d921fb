//! Recipes of the lab learn their tasks from any seed.

use std::time::Instant;

use app::i18n::{Key, Language};
use engine::training_run::{OWN_TEXT, RECIPES, Recipe, TrainingRun};
use engine::variant::Variant;
use model::TrainingStep;
use model::task::{Split, Task};

const SEEDS: u32 = 10;

/// Share right after all steps, of what training does not draw; of the next character that of the text which the lab begins with.
fn learned(recipe: Recipe, seed: u32) -> f64 {
    let text = Key::TrainingOwnDefault.text(Language::En);
    let mut run = if recipe == OWN_TEXT {
        TrainingRun::of_text(text, seed, None).expect("a text")
    } else {
        TrainingRun::new(recipe, seed, None).expect("a task")
    };
    while !run.is_done() {
        run.step().expect("finite");
    }
    let score = run.score(recipe.steps, None).expect("finite");
    score.accuracy
}

/// The lines of the table in docs/lab.md, measured anew.
#[test]
#[ignore = "takes four minutes; ./dev soak runs it"]
fn every_recipe_learns_its_task_from_ten_seeds() {
    for recipe in RECIPES.into_iter().chain([OWN_TEXT]) {
        let begun = Instant::now();
        let mut shares: Vec<f64> = (1..=SEEDS).map(|seed| learned(recipe, seed)).collect();
        let seconds = begun.elapsed().as_secs_f64() / f64::from(SEEDS);
        shares.sort_by(f64::total_cmp);
        let [least, median] = [shares[0], shares[5]].map(|share| 100.0 * share);
        println!(
            "| {} | {} | {} | {least:.1} % | {median:.1} % | {seconds:.2} s |",
            recipe.task, recipe.layers, recipe.steps
        );
        let level = if recipe == OWN_TEXT { 0.8 } else { 0.95 };
        assert!(shares[0] > level, "{}: {shares:?}", recipe.task);
    }
}

/// How a run of a recipe went: the share right at the end, the first step from which on nine of ten examples were right over five steps,
/// and the largest norm of the gradient.
struct Outcome {
    right: f64,
    learned_at: usize,
    largest_norm: f64,
}

fn outcome(task: &str, variant: Option<Variant>, seed: u32) -> Outcome {
    let recipe = RECIPES.into_iter().find(|recipe| recipe.task == task);
    let mut run = TrainingRun::new(recipe.expect("a recipe"), seed, variant).expect("a task");
    while !run.is_done() {
        run.step().expect("finite");
    }
    let steps = run.history();
    let mean = |steps: &[TrainingStep]| steps.iter().map(|step| step.score.accuracy).sum::<f64>();
    let learned_at = steps.windows(5).position(|steps| mean(steps) > 4.5);
    Outcome {
        right: run.score(steps.len(), None).expect("finite").accuracy,
        learned_at: learned_at.unwrap_or(usize::MAX),
        largest_norm: steps.iter().map(|step| step.norm).fold(0.0, f64::max),
    }
}

/// Statement of the page about a variant, comparing the run without it and the run with it.
type Claim = (&'static str, Variant, fn(&Outcome, &Outcome) -> bool);

/// The sentences of `variant-see-…`, as numbers that hold for every seed.
const CLAIMS: [Claim; 19] = [
    ("pronoun", Variant::Unscaled, |own, other| {
        let most = 5 * own.learned_at / 3;
        (own.learned_at + 1..=most).contains(&other.learned_at)
            && (55..95).contains(&other.learned_at)
    }),
    ("pronoun", Variant::Large, |_, other| {
        other.right < 0.5 && other.largest_norm > 500.0
    }),
    ("pronoun", Variant::Zero, |_, other| {
        other.largest_norm == 0.0 && other.right < 0.2
    }),
    ("repeat", Variant::NoResidual, |own, other| {
        own.right > 0.9 && other.learned_at == usize::MAX
    }),
    ("reverse", Variant::NoResidual, |own, other| {
        own.right.min(other.right) > 0.98
    }),
    ("reverse", Variant::NoNorm, |own, other| {
        own.learned_at < 50 && (65..100).contains(&other.learned_at)
    }),
    ("reverse", Variant::NormAfter, |own, other| {
        own.learned_at < 50 && (70..125).contains(&other.learned_at)
    }),
    ("repeat", Variant::NormAfter, |own, other| {
        other.learned_at < own.learned_at
    }),
    ("reverse", Variant::NoPositions, |_, other| {
        other.right < 0.4
    }),
    ("pronoun", Variant::NoPositions, |_, other| {
        other.right > 0.98
    }),
    ("repeat", Variant::OtherDepth, |own, other| {
        own.right > 0.9 && other.right < 0.35
    }),
    ("reverse", Variant::OneHead, |own, other| {
        other.learned_at < own.learned_at
    }),
    ("reverse", Variant::Narrow, |_, other| {
        (0.4..0.65).contains(&other.right)
    }),
    ("repeat", Variant::Narrow, |_, other| other.right < 0.3),
    ("pronoun", Variant::WarmUp, |own, other| {
        other.learned_at > own.learned_at && other.right > 0.98
    }),
    ("reverse", Variant::WarmUp, |own, other| {
        other.learned_at > own.learned_at && other.right > 0.98
    }),
    ("pronoun", Variant::Clip, |own, other| {
        own.learned_at.abs_diff(other.learned_at) <= 6
    }),
    ("pronoun", Variant::FastRate, |own, other| {
        other.learned_at > own.learned_at && other.largest_norm > 50.0
    }),
    ("pronoun", Variant::Sgd, |_, other| other.right < 0.3),
];

#[test]
#[ignore = "takes some minutes; ./dev soak runs it"]
fn every_practice_does_what_the_page_says_of_it_from_ten_seeds() {
    let mut broken = Vec::new();
    let tasks = ["pronoun", "repeat", "reverse"];
    let all = tasks.map(|task| {
        (1..=SEEDS)
            .map(|seed| outcome(task, None, seed))
            .collect::<Vec<_>>()
    });
    for (task, variant, claim) in CLAIMS {
        let owns = tasks.iter().zip(&all).filter(|(known, _)| **known == task);
        for (own, seed) in owns.flat_map(|(_, own)| own).zip(1..) {
            let other = outcome(task, Some(variant), seed);
            if !claim(own, &other) {
                broken.push(format!(
                    "{task}, {variant:?}, seed {seed}: {:.2} after {}, and {:.2} after {} (norm {:.1})",
                    own.right, own.learned_at, other.right, other.learned_at, other.largest_norm
                ));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The norm of the first gradient.
fn first_norm(recipe: Recipe, seed: u32, variant: Option<Variant>) -> f64 {
    let text = Key::TrainingOwnDefault.text(Language::En);
    let run = if recipe == OWN_TEXT {
        TrainingRun::of_text(text, seed, variant)
    } else {
        TrainingRun::new(recipe, seed, variant)
    };
    let mut run = run.expect("a run");
    run.step().expect("finite");
    run.history()[0].norm
}

#[test]
fn gradients_of_far_too_large_numbers_begin_as_large_as_the_page_says() {
    for recipe in RECIPES.into_iter().chain([OWN_TEXT]) {
        for seed in 1..=SEEDS {
            let [own, other] =
                [None, Some(Variant::Large)].map(|other| first_norm(recipe, seed, other));
            let times = other / own;
            let is_said = (60.0..2000.0).contains(&times);
            assert!(is_said, "{}, seed {seed}: {times:.0}", recipe.task);
        }
    }
    for language in Language::ALL {
        let said = Key::VariantSeeLarge.text(language);
        assert!(said.contains("60") && said.contains("2000"), "{said}");
    }
}

/// Words and targets of some examples of a task.
fn examples(task: &str) -> Vec<(Vec<String>, Vec<Option<String>>)> {
    let recipe = RECIPES.into_iter().find(|recipe| recipe.task == task);
    let run = TrainingRun::new(recipe.expect("a recipe"), 1, None).expect("a task");
    let known = Task::named(task).expect("a task");
    let drawn = known
        .examples(run.config(), 64, 1, Split::HeldOut)
        .expect("examples");
    let word = |number: usize| known.words()[number].clone();
    let words = drawn.words().all().chunks(known.length());
    let targets = drawn.targets().chunks(known.length());
    let pairs = words.zip(targets).map(|(words, targets)| {
        let targets = targets.iter().map(|target| target.map(word)).collect();
        (words.iter().map(|number| word(*number)).collect(), targets)
    });
    pairs.collect()
}

#[test]
fn digits_are_copied_from_eight_cells_beside_the_diagonal() {
    for (words, targets) in examples("copy") {
        for (at, target) in targets.into_iter().enumerate() {
            let copied = at.checked_sub(8).map(|from| words[from].clone());
            assert_eq!(target, copied, "{words:?}");
        }
    }
    assert!(
        Key::TrainingSeeCopy
            .text(Language::En)
            .contains("eight cells")
    );
    assert!(Key::TrainingSeeCopy.text(Language::Zh).contains("八格"));
}

#[test]
fn adjectives_of_colour_and_shape_change_places_and_no_others() {
    let moving = ["red", "green", "black", "round"];
    let moved = ["rouge", "vert", "verte", "noir", "noire", "rond", "ronde"];
    let mut seen = [0; 2];
    for (words, targets) in examples("translation") {
        for from in [0, 4] {
            let moves = moving.contains(&words[from + 1].as_str());
            let last = targets[from + 2].as_deref().expect("a word");
            assert_eq!(moved.contains(&last), moves, "{words:?} {targets:?}");
            seen[usize::from(moves)] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}
