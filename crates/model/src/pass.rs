//! The steps of a model, followed downwards and upwards.

use ndarray::Array4;

use super::infer::{Inference, WantedLogits};
use super::part::{attention, cross_entropy};
use super::plan::{ModelStep, steps};
use super::step::{Paths, Saved, check_range, enter};
use super::{Examples, Model, Score, Words};
use ::attention::{Code, Error};

/// Result of a forward pass.
pub struct Forward {
    logits: Vec<f32>,
    /// Only where there are no logits; otherwise the step that makes them has saved it.
    hidden: Vec<f32>,
    steps: Vec<ModelStep>,
    saved: Vec<Saved>,
    residual: Vec<Vec<f32>>,
}

impl Forward {
    /// `[batch·n, vocabulary]`; empty where the model ends without.
    pub fn logits(&self) -> &[f32] {
        &self.logits
    }

    /// The rows after the last layer and the final norm, which logits are made of: `[batch·n, d_model]`.
    pub fn hidden(&self) -> &[f32] {
        let mut places = self.steps.iter().zip(&self.saved);
        let before_logits = places.find_map(|(step, saved)| match (step, saved) {
            (ModelStep::HeadMap(_), Saved::Mapped(rows, _)) => Some(rows),
            (ModelStep::Unembed, Saved::Rows(rows)) => Some(rows),
            _ => None,
        });
        before_logits.unwrap_or(&self.hidden)
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

impl Model {
    /// Logits, with the results of all steps.
    ///
    /// # Errors
    /// [`Code::NotFinite`] where numbers leave the range of 32 bits; [`Code::NotApplicable`] for a model whose numbers are
    /// [stored](Self::stored).
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
        let (field, [logits, hidden]) = match self.config.logits {
            true => ("logits", [paths.x, Vec::new()]),
            false => ("hidden", [Vec::new(), paths.x]),
        };
        check_range(field, &logits)?;
        check_range(field, &hidden)?;
        Ok(Forward {
            logits,
            hidden,
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
    /// [`Code::NotApplicable`] for a model without logits; as [`forward`](Self::forward), and as [`infer`](Self::infer) for numbers that
    /// stay as files store them.
    pub fn score(&self, examples: &Examples) -> Result<Score, Error> {
        self.check_logits()?;
        let logits = if self.is_stored() {
            let wanted = Inference {
                logits: WantedLogits::All,
                ..Inference::default()
            };
            self.infer(examples.words(), &wanted)?.logits
        } else {
            self.forward(examples.words())?.logits
        };
        Ok(cross_entropy::score(&logits, self.config.vocabulary, examples.targets()).0)
    }

    /// The gradient of the loss with respect to every number.
    ///
    /// # Errors
    /// [`Code::NotApplicable`] for a model without logits, or one whose rotary angles are divided; as
    /// [`forward`](Self::forward).
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
    /// [`Code::ShapeMismatch`] where the model has no such layer; as [`gradients`](Self::gradients).
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
        self.check_logits()?;
        self.check_learns()?;
        let Forward {
            logits,
            steps,
            saved,
            ..
        } = self.forward(examples.words())?;
        let (score, dlogits) =
            cross_entropy::score(&logits, self.config.vocabulary, examples.targets());
        see(Passed::Logits, &dlogits);
        let mut paths = Paths::entering(dlogits);
        let mut numbers = vec![0.0; self.numbers().len()];
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

    pub(super) fn check_logits(&self) -> Result<(), Error> {
        let rule = "a model that ends without logits has no loss";
        refuse(!self.config.logits, "logits", "false", rule)
    }

    pub(super) fn check_learns(&self) -> Result<(), Error> {
        let rule = "divided angles have no gradients: open such a model, train one without";
        refuse(self.config.rotary_divisors, "rotary_divisors", "true", rule)
    }
}

fn refuse(is_refused: bool, field: &str, value: &str, rule: &str) -> Result<(), Error> {
    match is_refused {
        true => Err(Error::new(Code::NotApplicable, field, value, rule)),
        false => Ok(()),
    }
}
