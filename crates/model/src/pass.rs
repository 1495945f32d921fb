//! The steps of a model, followed downwards and upwards.

use ndarray::Array4;

use super::part::{attention, cross_entropy, embedding, linear, mlp, norm};
use super::plan::{ModelStep, steps};
use super::{Examples, Model, Score, Words};
use ::attention::Error;

/// Result of a forward pass.
pub struct Forward {
    logits: Vec<f32>,
    steps: Vec<ModelStep>,
    saved: Vec<Saved>,
    residual: Vec<Vec<f32>>,
}

impl Forward {
    /// `[batch·n, vocabulary]`.
    pub fn logits(&self) -> &[f32] {
        &self.logits
    }

    /// Attention weights of each layer, `[batch, heads, n, n]`.
    pub fn weights(&self) -> impl Iterator<Item = &Array4<f32>> {
        self.saved.iter().filter_map(|saved| match saved {
            Saved::Attention(saved) => saved.weights(),
            _ => None,
        })
    }

    /// The residual path beside each layer's attention, `[batch·n, d_model]`.
    pub fn residual(&self) -> impl Iterator<Item = &[f32]> {
        self.residual.iter().map(Vec::as_slice)
    }

    /// The rows that enter each layer's attention, `[batch·n, d_model]`.
    pub fn inputs(&self) -> impl Iterator<Item = &[f32]> {
        self.saved.iter().filter_map(|saved| match saved {
            Saved::Attention(saved) => Some(saved.input()),
            _ => None,
        })
    }
}

/// Gradients of the loss.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradients {
    /// Loss and accuracy at these numbers.
    pub score: Score,
    /// The Euclidean norm of all gradients together.
    pub norm: f64,
    /// One for each number of the model, in their order.
    pub numbers: Vec<f32>,
}

/// Gradients of the loss around the attention of a layer, where the backward pass through that layer begins and ends.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerGradients {
    /// Loss and accuracy.
    pub score: Score,
    /// With respect to the logits, `[batch·n, vocabulary]`.
    pub logits: Vec<f32>,
    /// With respect to what the attention returns, `[batch·n, d_model]`.
    pub output: Vec<f32>,
    /// With respect to the rows that enter it, of all heads together, `[batch·n, d_model]`.
    pub input: Vec<f32>,
}

/// A tensor that the backward pass has the gradient of.
#[derive(Clone, Copy)]
enum Passed {
    Logits,
    Output(usize),
    Input(usize),
}

/// Values that a step saves for the backward pass.
enum Saved {
    Nothing,
    Norm(norm::Saved),
    Attention(Box<attention::Saved>),
    Mlp(mlp::Saved),
    Rows(Vec<f32>),
}

/// The residual path and the branch beside it, or their gradients.
#[derive(Default)]
struct Paths {
    x: Vec<f32>,
    branch: Vec<f32>,
}

impl Model {
    /// Logits, with the results of all steps.
    ///
    /// # Errors
    /// [`Code::NotFinite`](::attention::Code::NotFinite) where numbers leave the range of 32 bits.
    pub fn forward(&self, words: &Words) -> Result<Forward, Error> {
        let steps = steps(&self.config, &self.layout);
        let mut paths = Paths::default();
        let mut saved = Vec::with_capacity(steps.len());
        let mut residual = Vec::with_capacity(self.config.layers);
        for step in &steps {
            if let ModelStep::Attention(_) = step {
                residual.push(paths.x.clone());
            }
            saved.push(self.step_forward(*step, words, &mut paths)?);
        }
        check_range("logits", &paths.x)?;
        Ok(Forward {
            logits: paths.x,
            steps,
            saved,
            residual,
        })
    }

    /// The attention weights of each layer, `[batch, heads, n, n]`; nothing is computed after those of the last.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn weights(&self, words: &Words) -> Result<Vec<Array4<f32>>, Error> {
        let mut paths = Paths::default();
        let mut all = Vec::with_capacity(self.config.layers);
        for step in steps(&self.config, &self.layout) {
            match step {
                ModelStep::Attention(layer) if layer + 1 == self.config.layers => {
                    let (x, shape) = (enter(layer, &mut paths)?, self.shape(words));
                    let mask = self.mask(layer, words.length());
                    all.push(attention::weights(x, shape, self.layer(layer)?, mask)?);
                    break;
                }
                _ => {
                    if let Saved::Attention(saved) = self.step_forward(step, words, &mut paths)? {
                        all.extend(saved.into_weights());
                    }
                }
            }
        }
        Ok(all)
    }

    /// Loss and accuracy.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn score(&self, examples: &Examples) -> Result<Score, Error> {
        let forward = self.forward(examples.words())?;
        let targets = examples.targets();
        Ok(cross_entropy::score(&forward.logits, self.config.vocabulary, targets).0)
    }

    /// The gradient of the loss with respect to every number.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn gradients(&self, examples: &Examples) -> Result<Gradients, Error> {
        let (score, numbers) = self.backward(examples, |_, _| ())?;
        check_range("gradients", &numbers)?;
        let square: f64 = numbers.iter().map(|g| f64::from(*g) * f64::from(*g)).sum();
        Ok(Gradients {
            score,
            norm: square.sqrt(),
            numbers,
        })
    }

    /// The gradients of the loss around the attention of a layer, and the loss.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`](::attention::Code::ShapeMismatch) where the model has no such layer; as [`forward`](Self::forward).
    pub fn layer_gradients(
        &self,
        examples: &Examples,
        layer: usize,
    ) -> Result<LayerGradients, Error> {
        if layer >= self.config.layers {
            return Err(self.no_layer(layer));
        }
        let [mut logits, mut output, mut input] = [(); 3].map(|()| Vec::new());
        let (score, _) = self.backward(examples, |passed, gradient| {
            let place = match passed {
                Passed::Logits => &mut logits,
                Passed::Output(own) if own == layer => &mut output,
                Passed::Input(own) if own == layer => &mut input,
                _ => return,
            };
            *place = gradient.to_vec();
        })?;
        check_range("gradients", &output)?;
        check_range("gradients", &input)?;
        Ok(LayerGradients {
            score,
            logits,
            output,
            input,
        })
    }

    /// The loss, and its gradient with respect to every number; `see` is shown what is passed on the way.
    fn backward(
        &self,
        examples: &Examples,
        mut see: impl FnMut(Passed, &[f32]),
    ) -> Result<(Score, Vec<f32>), Error> {
        let Forward {
            logits,
            steps,
            saved,
            ..
        } = self.forward(examples.words())?;
        let (score, dlogits) =
            cross_entropy::score(&logits, self.config.vocabulary, examples.targets());
        see(Passed::Logits, &dlogits);
        let mut paths = Paths {
            x: dlogits,
            branch: Vec::new(),
        };
        let mut numbers = vec![0.0; self.numbers.len()];
        for (step, saved) in steps.iter().zip(&saved).rev() {
            let layer = match step {
                ModelStep::Attention(layer) => Some(*layer),
                _ => None,
            };
            if let Some(layer) = layer {
                see(Passed::Output(layer), &paths.branch);
            }
            self.step_backward(*step, saved, examples.words(), &mut paths, &mut numbers);
            if let Some(layer) = layer {
                see(Passed::Input(layer), &paths.branch);
            }
        }
        Ok((score, numbers))
    }

    /// That of the rows of a layer.
    fn shape(&self, words: &Words) -> (usize, usize, usize) {
        (words.batch(), words.length(), self.config.d_model)
    }

    fn step_forward(
        &self,
        step: ModelStep,
        words: &Words,
        paths: &mut Paths,
    ) -> Result<Saved, Error> {
        let (config, numbers) = (&self.config, &self.numbers);
        Ok(match step {
            ModelStep::Embed => {
                paths.x = embedding::forward(words, config, &self.layout, numbers);
                Saved::Nothing
            }
            ModelStep::Branch => {
                paths.branch.clone_from(&paths.x);
                Saved::Nothing
            }
            ModelStep::BranchNorm(slots) => {
                let saved;
                (paths.branch, saved) = norm::forward(&paths.x, config.epsilon, slots, numbers);
                Saved::Norm(saved)
            }
            ModelStep::Attention(layer) => {
                let (x, shape) = (enter(layer, paths)?, self.shape(words));
                let mask = self.mask(layer, words.length());
                let saved;
                (paths.branch, saved) = attention::forward(x, shape, self.layer(layer)?, mask)?;
                Saved::Attention(Box::new(saved))
            }
            ModelStep::Mlp(_, slots) => {
                let x = std::mem::take(&mut paths.branch);
                let saved;
                (paths.branch, saved) = mlp::forward(x, config.activation, slots, numbers);
                Saved::Mlp(saved)
            }
            ModelStep::AddBranch => {
                linear::add(&mut paths.x, &paths.branch);
                Saved::Nothing
            }
            ModelStep::TakeBranch => {
                paths.x = std::mem::take(&mut paths.branch);
                Saved::Nothing
            }
            ModelStep::Norm(slots) => {
                let saved;
                (paths.x, saved) = norm::forward(&paths.x, config.epsilon, slots, numbers);
                Saved::Norm(saved)
            }
            ModelStep::Unembed => {
                let x = std::mem::take(&mut paths.x);
                paths.x = match self.layout.unembedding {
                    Some(slot) => linear::product(&x, slot, numbers),
                    None => linear::product_transposed(&x, self.layout.tokens, numbers),
                };
                Saved::Rows(x)
            }
        })
    }

    /// Computes the gradients of a step's inputs from those of its results.
    fn step_backward(
        &self,
        step: ModelStep,
        saved: &Saved,
        words: &Words,
        d: &mut Paths,
        gradients: &mut [f32],
    ) {
        let (config, numbers) = (&self.config, &self.numbers);
        match (step, saved) {
            (ModelStep::Embed, _) => embedding::backward(words, &d.x, &self.layout, gradients),
            (ModelStep::Branch, _) => d.take_branch(),
            (ModelStep::BranchNorm(slots), Saved::Norm(saved)) => {
                d.branch = norm::backward(saved, &d.branch, slots, numbers, gradients);
                d.take_branch();
            }
            (ModelStep::Attention(layer), Saved::Attention(saved)) => {
                let slots = self.layout.layers[layer].attention;
                d.branch = attention::backward(saved, &d.branch, config, slots, numbers, gradients);
            }
            (ModelStep::Mlp(_, slots), Saved::Mlp(saved)) => {
                let activation = config.activation;
                d.branch = mlp::backward(saved, &d.branch, activation, slots, numbers, gradients);
            }
            (ModelStep::AddBranch, _) => d.branch.clone_from(&d.x),
            (ModelStep::TakeBranch, _) => {
                d.branch = std::mem::take(&mut d.x);
                d.x = vec![0.0; d.branch.len()];
            }
            (ModelStep::Norm(slots), Saved::Norm(saved)) => {
                d.x = norm::backward(saved, &d.x, slots, numbers, gradients);
            }
            (ModelStep::Unembed, Saved::Rows(x)) => {
                d.x = self.unembed_backward(x, &d.x, gradients);
            }
            _ => unreachable!("a step finds what it saved itself"),
        }
    }

    /// `dX = dlogits·Uᵀ`, and `dU = Xᵀ·dlogits`, which goes to the embedding, transposed, where both are one.
    fn unembed_backward(&self, x: &[f32], dlogits: &[f32], gradients: &mut [f32]) -> Vec<f32> {
        match self.layout.unembedding {
            Some(slot) => {
                linear::add_weight_gradient(x, dlogits, slot, gradients);
                linear::product_transposed(dlogits, slot, &self.numbers)
            }
            None => {
                let tokens = self.layout.tokens;
                linear::add_weight_gradient(dlogits, x, tokens, gradients);
                linear::product(dlogits, tokens, &self.numbers)
            }
        }
    }
}

impl Paths {
    /// Adds the branch's gradient to that of the path which it left.
    fn take_branch(&mut self) {
        linear::add(&mut self.x, &self.branch);
    }
}

/// The rows that enter the attention of a layer.
fn enter(layer: usize, paths: &mut Paths) -> Result<Vec<f32>, Error> {
    let x = std::mem::take(&mut paths.branch);
    check_range(&format!("layers.{layer}"), &x)?;
    Ok(x)
}

fn check_range(field: &str, numbers: &[f32]) -> Result<(), Error> {
    match numbers.iter().find(|x| !x.is_finite()) {
        None => Ok(()),
        Some(x) => Err(Error::beyond_range(field, *x)),
    }
}
