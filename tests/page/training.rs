//! What the recipes of the lab learn, from any seed.

use std::time::Instant;

use attention_playground::engine::training_run::{RECIPES, Recipe, TrainingRun};

const SEEDS: u32 = 10;

/// Share right after all steps, of what training does not draw.
fn learned(recipe: Recipe, seed: u32) -> f64 {
    let mut run = TrainingRun::new(recipe, seed).expect("a task");
    while !run.is_done() {
        run.step().expect("finite");
    }
    let score = run.score(recipe.steps, None).expect("finite");
    score.accuracy
}

/// The lines of the README's table, measured anew.
#[test]
#[ignore = "takes two minutes; ./dev soak runs it"]
fn every_recipe_learns_its_task_from_ten_seeds() {
    for recipe in RECIPES {
        let begun = Instant::now();
        let mut shares: Vec<f64> = (1..=SEEDS).map(|seed| learned(recipe, seed)).collect();
        let seconds = begun.elapsed().as_secs_f64() / f64::from(SEEDS);
        shares.sort_by(f64::total_cmp);
        let [least, median] = [shares[0], shares[5]].map(|share| 100.0 * share);
        println!(
            "| {} | {} | {} | {least:.1} % | {median:.1} % | {seconds:.2} s |",
            recipe.task, recipe.layers, recipe.steps
        );
        assert!(shares[0] > 0.95, "{}: {shares:?}", recipe.task);
    }
}
