//! Seeded requests of odd, pairwise different sizes.

use std::num::NonZeroUsize;
use std::sync::Arc;

use attention::{
    CallOptions, Layer, LayerOptions, Linear, Position, Request, Scoring, Sizes, Weights,
};
use ndarray::{Array, Array1, Array2, Array3, Dimension, ShapeBuilder};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Numbers from a seed, uniform in −1 … 1.
pub(crate) struct Numbers(ChaCha8Rng);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(crate) fn next(&mut self) -> f32 {
        self.0.next_u32() as f32 / u32::MAX as f32 * 2.0 - 1.0
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound
    }

    pub(crate) fn matrix(&mut self, rows: usize, columns: usize) -> Array2<f32> {
        Array2::from_shape_simple_fn((rows, columns), || self.next())
    }

    pub(crate) fn rows(&mut self, batch: usize, rows: usize, columns: usize) -> Array3<f32> {
        Array3::from_shape_simple_fn((batch, rows, columns), || self.next())
    }

    pub(crate) fn vector(&mut self, length: usize) -> Array1<f32> {
        Array1::from_shape_simple_fn(length, || self.next())
    }
}

/// An array of any shape, each time the same for the same seed.
pub(crate) fn numbers<Sh, D>(shape: Sh, seed: u64) -> Array<f32, D>
where
    D: Dimension,
    Sh: ShapeBuilder<Dim = D>,
{
    let mut numbers = Numbers::new(seed);
    Array::from_shape_simple_fn(shape, || numbers.next())
}

/// Sizes, switches and seed of a case; every law builds its request from one.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub sizes: Sizes,
    pub cross: bool,
    pub scoring: Scoring,
    pub position: Position,
    pub biases: bool,
    pub output: bool,
    /// Multiplies the queries, to reach large scores.
    pub gain: f32,
    pub seed: u64,
}

impl Default for Case {
    fn default() -> Self {
        let sizes = Sizes {
            batch: 1,
            heads: 6,
            kv_heads: 2,
            n: 11,
            m: 13,
            keys: 13,
            d_model: Some(17),
            d_k: 5,
            d_v: 7,
            d_out: 19,
        };
        Self {
            sizes,
            cross: true,
            scoring: Scoring::Dot,
            position: Position::None,
            biases: true,
            output: true,
            gain: 1.0,
            seed: 1,
        }
    }
}

impl Case {
    pub(crate) fn weights(&self) -> Weights {
        let s = &self.sizes;
        let d_model = s.d_model.expect("a case has inputs");
        let mut numbers = Numbers::new(self.seed);
        let mut linear = |rows, columns| Linear {
            w: numbers.matrix(rows, columns),
            b: self.biases.then(|| numbers.vector(columns)),
        };
        Weights {
            query: linear(d_model, s.heads * s.d_k),
            key: linear(d_model, s.kv_heads * s.d_k),
            value: linear(d_model, s.kv_heads * s.d_v),
            output: self.output.then(|| linear(s.heads * s.d_v, s.d_out)),
            additive: Some(Numbers::new(self.seed + 1).vector(s.d_k)),
        }
    }

    pub(crate) fn layer(&self) -> Arc<Layer> {
        let s = &self.sizes;
        let options = LayerOptions {
            heads: s.heads,
            kv_heads: Some(s.kv_heads),
            scoring: self.scoring,
            scale: None,
            position: self.position,
        };
        Arc::new(Layer::new(self.weights(), options).expect("a case is valid"))
    }

    pub(crate) fn queries(&self) -> Array3<f32> {
        let s = &self.sizes;
        Numbers::new(self.seed + 2).rows(s.batch, s.n, s.d_model.expect("inputs")) * self.gain
    }

    pub(crate) fn keys_values(&self) -> Array3<f32> {
        let s = &self.sizes;
        Numbers::new(self.seed + 3).rows(s.batch, s.m, s.d_model.expect("inputs"))
    }

    pub(crate) fn request(&self, call: CallOptions) -> Request {
        let keys_values = self.cross.then(|| self.keys_values());
        Request::new(self.layer(), self.queries(), keys_values, call).expect("a case is valid")
    }
}

/// A stride that is not zero.
pub(crate) fn stride(length: usize) -> NonZeroUsize {
    NonZeroUsize::new(length).expect("a stride is not zero")
}
