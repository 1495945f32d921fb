//! How each task is learned.

use crate::variant::Setup;
use model::task::Task;
use model::{Init, ModelConfig, Norm, OptimizerOptions};

/// Heads of each layer of each recipe.
pub const HEADS: usize = 4;
/// Width of the residual path of each recipe.
pub const D_MODEL: usize = 32;
/// The learning rate of Adam.
const RATE: f64 = 3e-3;

/// How a task is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Its name.
    pub task: &'static str,
    /// Layers that it takes.
    pub layers: usize,
    /// Steps after which it is learned.
    pub steps: usize,
    /// Text shown first; a random example if `None`.
    pub text: Option<&'static str>,
}

/// One for each task that needs nothing but its name.
pub const RECIPES: [Recipe; 8] = [
    recipe("pronoun", 2, 150)
        .with_text("the animal didn't cross the street because it was too tired ."),
    recipe("pronoun-zh", 2, 150).with_text("那只动物没有过马路，因为它太累了。"),
    recipe("repeat", 2, 400),
    recipe("reverse", 1, 150),
    recipe("copy", 1, 300),
    recipe("sort", 1, 500),
    recipe("brackets", 2, 500),
    recipe("translation", 1, 200),
];

/// Next-character prediction on the user's own text.
pub const OWN_TEXT: Recipe = recipe("text", 2, 300);

const fn recipe(task: &'static str, layers: usize, steps: usize) -> Recipe {
    Recipe {
        task,
        layers,
        steps,
        text: None,
    }
}

impl Recipe {
    /// That of a task; `None` for a name that no task has.
    pub fn of_task(name: &str) -> Option<Self> {
        RECIPES.into_iter().find(|recipe| recipe.task == name)
    }

    /// How the model is made and trained.
    pub(super) fn setup(&self, task: &Task) -> Setup {
        let [words, length] = [task.words().len(), task.length()];
        Setup {
            config: ModelConfig {
                norm: Norm::Layer,
                causal: matches!(self.task, "repeat" | "text"),
                ..ModelConfig::new(words, length, D_MODEL, self.layers, HEADS)
            },
            init: Init::Xavier,
            optimizer: OptimizerOptions {
                rate: RATE,
                ..OptimizerOptions::default()
            },
        }
    }

    const fn with_text(self, text: &'static str) -> Self {
        Self {
            text: Some(text),
            ..self
        }
    }
}
