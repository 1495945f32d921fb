//! Target attention: gradient descent finds the projections with which a sentence is attended to as
//! a target demands.
//!
//! | letter | shape | what |
//! |---|---|---|
//! | `X` | `[n, d_model]` | a random vector for each different word, and one for each place where positions are on |
//! | `W_Q[h]`, `W_K[h]` | `[d_model, d_k]` | what is found, for each head |
//! | `A` | `[n, n]` | the mean over the heads of `softmax(X·W_Q[h]·(X·W_K[h])ᵀ/√d_k)` (Vaswani et al. 2017, eq. 1) |
//! | `T` | `[n, n]` | the [`Target`]; a row of zeros takes no part |
//!
//! The distance is the mean over the `R` rows that take part of `KL(T_i‖A_i) = Σ_j T_ij·ln(T_ij/A_ij)`, in nats. With several heads it is the
//! *mean* of their weights that is compared. `gradient.rs` has the formulas; steps are Adam's. Rows are linearly independent
//! (`n ≤ d_model`), so that `Q` and `K` can be any matrices of `d_k` columns, and what remains is due to `d_k` alone (the low-rank bottleneck
//! of Bhojanapalli et al. 2020), or to words that are equal. Everything is the same on every machine, bit by bit.

mod gradient;
mod target;

use kernels::{Packed, multiply, multiply_scaled};

use crate::adam::Adam;
use crate::part::linear::transposed;
use attention::text::random::{StreamKind, Uniform};
use attention::{Code, Error, default_scale};
use gradient::Compared;
pub use target::{Target, least_on_a_line};

/// Width of the rows, and the most words: more of them would not be linearly independent.
pub const D_MODEL: usize = 64;
/// The most heads, and the largest `d_k`.
pub const MOST_HEADS: usize = 16;
/// The largest `d_k`.
pub const MOST_D_K: usize = 64;
/// The learning rate of Adam.
pub const RATE: f64 = 0.05;
/// Steps after which hardly anything changes.
pub const STEPS: usize = 1000;
/// Deviation of the first queries and keys.
const FIRST_DEVIATION: f32 = 0.5;

/// How a target is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FitOptions {
    /// Heads whose mean is compared, 1 to [`MOST_HEADS`].
    pub heads: usize,
    /// Columns of each head's queries and keys, 1 to [`MOST_D_K`].
    pub d_k: usize,
    /// Whether each place adds a random vector of its own to its word.
    pub has_positions: bool,
    /// Seed of the input rows and of the initial weights.
    pub seed: u32,
}

impl FitOptions {
    fn check(&self) -> Result<(), Error> {
        let limits = [
            ("heads", self.heads, MOST_HEADS),
            ("d_k", self.d_k, MOST_D_K),
        ];
        for (field, value, most) in limits {
            if !(1..=most).contains(&value) {
                let rule = format!("must be between 1 and {most}");
                return Err(Error::new(Code::ShapeMismatch, field, value, rule));
            }
        }
        Ok(())
    }
}

/// A descent towards a target.
#[derive(Debug, Clone)]
pub struct Fit {
    options: FitOptions,
    target: Target,
    /// `X`, and its transpose.
    rows: Vec<f32>,
    columns: Vec<f32>,
    /// `W_Q` of each head, then `W_K` of each.
    numbers: Vec<f32>,
    adam: Adam,
    reached: Reached,
}

/// Queries, keys and distance for some weights.
#[derive(Debug, Clone)]
struct Reached {
    /// `[n, d_k]` of each head.
    q: Vec<Vec<f32>>,
    k: Vec<Vec<f32>>,
    compared: Compared,
}

impl Fit {
    /// The first, random numbers for a sentence. `words` has a number for each word: equal words have equal numbers, and so equal vectors.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] for a target of another size than the words, and for heads or `d_k` beyond their limits; [`Code::TooLarge`]
    /// for more than [`D_MODEL`] words.
    pub fn new(words: &[usize], target: Target, options: FitOptions) -> Result<Self, Error> {
        options.check()?;
        let n = target.length();
        if words.len() != n {
            let shape = [words.len()];
            return Err(Error::shape("words", &shape, &[n], "rows of the target"));
        }
        if n > D_MODEL {
            let rule = format!("at most {D_MODEL} words");
            return Err(Error::new(Code::TooLarge, "words", n, rule));
        }
        let rows = rows(words, &options);
        let numbers = first_numbers(&options);
        let reached = Reached::new(&rows, &numbers, &target, &options);
        Ok(Self {
            adam: Adam::new(Adam::BETAS, Adam::EPSILON, numbers.len()),
            columns: transposed(&rows, D_MODEL),
            options,
            target,
            rows,
            numbers,
            reached,
        })
    }

    /// Takes a step; none where no row takes part.
    ///
    /// # Errors
    /// [`Code::NotFinite`] where numbers leave the range of 32 bits; everything is then as before.
    pub fn step(&mut self) -> Result<(), Error> {
        if self.target.painted() == 0 {
            return Ok(());
        }
        let (mut adam, mut numbers) = (self.adam.clone(), self.numbers.clone());
        adam.step(&mut numbers, &self.gradients(), RATE, 1.0);
        let reached = Reached::new(&self.rows, &numbers, &self.target, &self.options);
        if !reached.compared.distance.is_finite() {
            return Err(Error::beyond_range("w_q, w_k", f32::INFINITY));
        }
        (self.adam, self.numbers, self.reached) = (adam, numbers, reached);
        Ok(())
    }

    /// How far the weights are from the target, in nats; 0 where no row takes part.
    pub fn distance(&self) -> f64 {
        self.reached.compared.distance
    }

    /// The mean weights of all heads, `[n, n]`.
    pub fn weights(&self) -> &[f32] {
        &self.reached.compared.weights
    }

    /// Returns the target.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// How it is aimed at.
    pub fn options(&self) -> &FitOptions {
        &self.options
    }

    /// `X`, `[n, d_model]`.
    pub fn rows(&self) -> &[f32] {
        &self.rows
    }

    /// `W_Q` of each head, then `W_K` of each, all `[d_model, d_k]`.
    pub fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// The gradient of the distance, in the order of [`numbers`](Self::numbers): `dW_Q = Xᵀ·dQ` and `dW_K = Xᵀ·dK` with `dQ = dS·K/√d_k` and
    /// `dK = dSᵀ·Q/√d_k`.
    pub fn gradients(&self) -> Vec<f32> {
        let n = self.target.length();
        let Reached { q, k, compared } = &self.reached;
        let heads = || compared.score_gradients.iter().zip(q.iter().zip(k));
        let dq = heads().map(|(ds, (_, k))| self.pull(ds, k));
        let dk = heads().map(|(ds, (q, _))| self.pull(&transposed(ds, n), q));
        dq.chain(dk).flatten().collect()
    }

    /// `Xᵀ·(dS·other/√d_k)`, `[d_model, d_k]`.
    fn pull(&self, ds: &[f32], other: &[f32]) -> Vec<f32> {
        let (n, d_k) = (self.target.length(), self.options.d_k);
        let mut change = vec![0.0; n * d_k];
        let packed = Packed::from_rows(other, d_k, 0, d_k);
        multiply_scaled(ds, &packed, default_scale(d_k), None, &mut change);
        let mut gradient = vec![0.0; D_MODEL * d_k];
        let packed = Packed::from_rows(&change, d_k, 0, d_k);
        multiply(&self.columns, &packed, &mut gradient);
        gradient
    }
}

impl Reached {
    fn new(rows: &[f32], numbers: &[f32], target: &Target, options: &FitOptions) -> Self {
        let (n, d_k) = (target.length(), options.d_k);
        let mut projected = numbers.chunks_exact(D_MODEL * d_k).map(|w| {
            let mut y = vec![0.0; n * d_k];
            multiply(rows, &Packed::from_rows(w, d_k, 0, d_k), &mut y);
            y
        });
        let q: Vec<_> = projected.by_ref().take(options.heads).collect();
        let k: Vec<_> = projected.collect();
        let scores = q.iter().zip(&k).map(|(q, k)| {
            let mut scores = vec![0.0; n * n];
            let keys = Packed::from_transposed(k, n, d_k);
            multiply_scaled(q, &keys, default_scale(d_k), None, &mut scores);
            scores
        });
        let compared = Compared::new(&scores.collect::<Vec<_>>(), target);
        Self { q, k, compared }
    }
}

/// Rows of length 1 on average, uniform; where positions are on, with another one of their place added.
fn rows(words: &[usize], options: &FitOptions) -> Vec<f32> {
    let limit = (3.0 / D_MODEL as f32).sqrt();
    let vector = |kind, at: usize| {
        let numbers = Uniform::new(options.seed, kind, at as u64);
        numbers.take(D_MODEL).map(move |x| x * limit)
    };
    let mut rows = Vec::with_capacity(words.len() * D_MODEL);
    for (place, word) in words.iter().enumerate() {
        let word = vector(StreamKind::FitWord, *word);
        if options.has_positions {
            let place = vector(StreamKind::FitPosition, place);
            rows.extend(word.zip(place).map(|(word, place)| word + place));
        } else {
            rows.extend(word);
        }
    }
    rows
}

/// Uniform projections, each with a stream of its own.
fn first_numbers(options: &FitOptions) -> Vec<f32> {
    let limit = 3.0_f32.sqrt() * FIRST_DEVIATION;
    let projections = 0..2 * options.heads as u64;
    let numbers = projections.flat_map(|stream| {
        let numbers = Uniform::new(options.seed, StreamKind::FitProjection, stream);
        numbers.take(D_MODEL * options.d_k)
    });
    numbers.map(|x| x * limit).collect()
}
