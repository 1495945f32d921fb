//! Small attentions that together contain every step and every kernel, at sizes that no tile divides.

use std::num::NonZeroUsize;
use std::sync::Arc;

use ndarray::{Array1, Array2, Array3, Array4};

use attention::{
    Bias, CallOptions, Error, ExplicitMask, HeadInputs, Layer, LayerOptions, Linear, Linformer,
    Mask, Outputs, Pairs, Position, Request, Rotation, Scoring, Weights,
};

/// Score that tutorials write over hidden cells.
const VERY_LOW: f32 = -1e9;

/// Everything that a probe looks at.
const WANT: Outputs = Outputs::ALL;

/// ALiBi as published.
const ALIBI: Position = Position::ALIBI;

/// All of them. They are the same on every machine.
///
/// # Errors
/// None: that would be a mistake in this file.
pub(super) fn requests() -> Result<Vec<Arc<Request>>, Error> {
    let all = [
        grouped_heads()?,
        additive_cross()?,
        linformer()?,
        overwritten()?,
        large_scores()?,
        at_the_end_of_the_range()?,
        close_at_a_height()?,
        beyond_a_tile()?,
        many_heads()?,
        output_alone()?,
        single()?,
        turned_to_a_tie(Rotation::PAPER, None)?,
        turned_in_halves()?,
        hidden_too_late()?,
    ];
    Ok(all.into_iter().map(Arc::new).collect())
}

/// Numbers between −1 and 1 without a pattern that a kernel could meet by chance.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> f32 {
        // A linear congruential step (Numerical Recipes); the low bits are dropped.
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    /// A whole number from `−bound` to `bound`.
    fn whole(&mut self, bound: f32) -> f32 {
        (self.next() * (bound + 0.5)).round().clamp(-bound, bound)
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Array2<f32> {
        Array2::from_shape_simple_fn((rows, columns), || self.next())
    }

    fn vector(&mut self, length: usize) -> Array1<f32> {
        Array1::from_shape_simple_fn(length, || self.next())
    }

    fn rows(&mut self, batch: usize, rows: usize, columns: usize) -> Array3<f32> {
        Array3::from_shape_simple_fn((batch, rows, columns), || self.next())
    }
}

/// The sizes of a layer.
struct Widths {
    d_model: usize,
    heads: usize,
    kv_heads: usize,
    d_k: usize,
    d_v: usize,
    d_out: Option<usize>,
    has_biases: bool,
}

const MIDDLING: Widths = Widths {
    d_model: 17,
    heads: 6,
    kv_heads: 2,
    d_k: 5,
    d_v: 7,
    d_out: Some(19),
    has_biases: true,
};

impl Widths {
    fn layer(
        &self,
        numbers: &mut Numbers,
        scoring: Scoring,
        position: Position,
    ) -> Result<Arc<Layer>, Error> {
        let mut linear = |rows, columns| Linear {
            w: numbers.matrix(rows, columns),
            b: self.has_biases.then(|| numbers.vector(columns)),
        };
        let weights = Weights {
            query: linear(self.d_model, self.heads * self.d_k),
            key: linear(self.d_model, self.kv_heads * self.d_k),
            value: linear(self.d_model, self.kv_heads * self.d_v),
            output: self.d_out.map(|d_out| linear(self.heads * self.d_v, d_out)),
            additive: (scoring == Scoring::Additive).then(|| numbers.vector(self.d_k)),
        };
        let options = LayerOptions {
            heads: self.heads,
            kv_heads: Some(self.kv_heads),
            scoring,
            scale: None,
            position,
        };
        Layer::new(weights, options).map(Arc::new)
    }
}

fn call(mask: Mask) -> CallOptions {
    CallOptions {
        mask,
        want: WANT,
        ..CallOptions::default()
    }
}

/// Self-attention of a batch, with positions, biases, shared heads, two structured masks at once and W_O.
fn grouped_heads() -> Result<Request, Error> {
    let mut numbers = Numbers(1);
    let layer = MIDDLING.layer(&mut numbers, Scoring::Dot, Position::Sinusoidal)?;
    let mask = Mask::All(vec![Mask::Causal, Mask::Local { window: 3 }]);
    Request::new(layer, numbers.rows(2, 11, 17), None, call(mask))
}

/// Cross-attention with additive scores, ALiBi, a temperature, one key/value head for all, no W_O, and a mask painted head
/// by head in which one row sees nothing.
fn additive_cross() -> Result<Request, Error> {
    let mut numbers = Numbers(2);
    let widths = Widths {
        heads: 3,
        kv_heads: 1,
        d_out: None,
        has_biases: false,
        ..MIDDLING
    };
    let layer = widths.layer(&mut numbers, Scoring::Additive, ALIBI)?;
    let cells = Array4::from_shape_fn((1, 3, 9, 13), |(_, head, query, key)| {
        query != 4 && (head + 3 * query + 5 * key) % 7 < 4
    });
    let call = CallOptions {
        temperature: 1.5,
        ..call(Mask::Painted(ExplicitMask::new(cells)))
    };
    Request::new(
        layer,
        numbers.rows(1, 9, 17),
        Some(numbers.rows(1, 13, 17)),
        call,
    )
}

/// Keys and values projected along the sequence, positions on both sides of a cross-attention.
fn linformer() -> Result<Request, Error> {
    let mut numbers = Numbers(3);
    let layer = MIDDLING.layer(&mut numbers, Scoring::Dot, Position::Sinusoidal)?;
    let linformer = Linformer {
        e: numbers.matrix(4, 13),
        f: numbers.matrix(4, 13),
    };
    let call = CallOptions {
        linformer: Some(linformer),
        ..call(Mask::Full)
    };
    Request::new(
        layer,
        numbers.rows(1, 6, 17),
        Some(numbers.rows(1, 13, 17)),
        call,
    )
}

/// Hidden scores overwritten by a number, among them whole rows.
fn overwritten() -> Result<Request, Error> {
    let mut numbers = Numbers(4);
    let layer = MIDDLING.layer(&mut numbers, Scoring::Dot, Position::None)?;
    let far = Mask::Strided {
        stride: NonZeroUsize::MIN.saturating_add(2),
    };
    let mask = Mask::All(vec![
        Mask::Padding { valid: 5 },
        Mask::PaddedQueries { valid: 11 },
        Mask::Any(vec![far, Mask::Local { window: 1 }]),
    ]);
    let call = CallOptions {
        masked_score: Some(VERY_LOW),
        ..call(mask)
    };
    Request::new(layer, numbers.rows(1, 12, 17), None, call)
}

/// q, k and v given, with scores up to ±10 000. They are whole numbers, so that their rounding in 32 bits plays no part
/// and only overflow and the order of operations can go wrong.
fn large_scores() -> Result<Request, Error> {
    let mut numbers = Numbers(5);
    let mut heads = |bound: f32, shape: (usize, usize, usize)| {
        Array3::from_shape_simple_fn(shape, || numbers.whole(bound))
    };
    let inputs = HeadInputs {
        q: heads(100.0, (2, 10, 3)),
        k: heads(33.0, (2, 21, 3)),
        v: heads(9.0, (2, 21, 5)),
        additive: None,
        output: None,
    };
    let options = LayerOptions {
        heads: 2,
        scale: Some(1.0),
        ..LayerOptions::default()
    };
    Request::from_heads(inputs, options, call(Mask::Causal))
}

/// Scores up to ±3·10³⁸, close to the largest number of 32 bits; most differences of two are beyond it.
fn at_the_end_of_the_range() -> Result<Request, Error> {
    let mut numbers = Numbers(12);
    let mut rows = |count, columns, largest| largest * numbers.rows(1, count, columns);
    let inputs = HeadInputs {
        q: rows(5, 1, 1.8e19),
        k: rows(7, 1, 1.8e19),
        v: rows(7, 3, 1.0),
        additive: None,
        output: None,
    };
    let options = LayerOptions {
        scale: Some(1.0),
        ..LayerOptions::default()
    };
    Request::from_heads(inputs, options, call(Mask::Full))
}

/// Scores of ±10 000 again, from inputs, whose two largest are close to each other in every row: rounded to 32 bits they
/// would move the weights. A compiler that takes liberties with twice the precision is found out here. ALiBi moves them a
/// little apart.
fn close_at_a_height() -> Result<Request, Error> {
    let mut numbers = Numbers(8);
    let layer = MIDDLING.layer(&mut numbers, Scoring::Dot, ALIBI)?;
    let mut keys = numbers.rows(1, 12, 17);
    for row in (0..12).step_by(2) {
        for column in 0..17 {
            keys[[0, row + 1, column]] = keys[[0, row, column]] + 1e-4 * numbers.next();
        }
    }
    let queries = 1_500.0 * numbers.rows(1, 9, 17);
    Request::new(layer, queries, Some(keys), call(Mask::Full))
}

/// More rows and columns than one workgroup's tile has, and a remainder.
fn beyond_a_tile() -> Result<Request, Error> {
    let mut numbers = Numbers(6);
    let widths = Widths {
        d_model: 35,
        heads: 2,
        kv_heads: 2,
        d_k: 33,
        d_v: 34,
        d_out: Some(37),
        has_biases: true,
    };
    let layer = widths.layer(&mut numbers, Scoring::Dot, Position::None)?;
    Request::new(layer, numbers.rows(1, 67, 35), None, call(Mask::Causal))
}

/// So many rows and heads that a card takes its largest blocks, for products of either kind, and one row and one column more
/// than a block has.
fn many_heads() -> Result<Request, Error> {
    let mut numbers = Numbers(13);
    let widths = Widths {
        heads: 4,
        d_k: 18,
        d_v: 65,
        ..MIDDLING
    };
    let layer = widths.layer(&mut numbers, Scoring::Dot, Position::None)?;
    let call = CallOptions {
        want: Outputs {
            weights: true,
            context: true,
            ..Outputs::NOTHING
        },
        ..call(Mask::Causal)
    };
    let (queries, keys) = (numbers.rows(4, 129, 17), numbers.rows(4, 65, 17));
    Request::new(layer, queries, Some(keys), call)
}

/// Context and output alone, for which a card makes scores, weights and sums in one kernel: heads that share keys, more
/// rows, keys and columns than it takes at a time, and a row that sees nothing.
fn output_alone() -> Result<Request, Error> {
    let mut numbers = Numbers(11);
    let widths = Widths {
        d_k: 38,
        d_v: 38,
        ..MIDDLING
    };
    let layer = widths.layer(&mut numbers, Scoring::Dot, Position::None)?;
    let hidden = Mask::All(vec![
        Mask::Causal,
        Mask::Local { window: 40 },
        Mask::PaddedQueries { valid: 66 },
    ]);
    let call = CallOptions {
        want: Outputs {
            context: true,
            output: true,
            ..Outputs::NOTHING
        },
        ..call(hidden)
    };
    Request::new(layer, numbers.rows(1, 67, 17), None, call)
}

/// One token.
fn single() -> Result<Request, Error> {
    let mut numbers = Numbers(7);
    let layer = MIDDLING.layer(&mut numbers, Scoring::Dot, Position::Sinusoidal)?;
    Request::new(layer, numbers.rows(1, 1, 17), None, call(Mask::Full))
}

/// q, k and v given for rotary positions, with scores around ±300 at half the temperature: every other key is the one before
/// it, turned back by the step between them, so that both come to lie in the same place. A bias is added to them.
fn turned_to_a_tie(rotation: Rotation, bias: Option<Bias>) -> Result<Request, Error> {
    let mut numbers = Numbers(9);
    let mut k = 30.0 * numbers.rows(1, 12, 5);
    for row in (0..12).step_by(2) {
        k[[0, row + 1, 4]] = k[[0, row, 4]];
        for pair in 0..2 {
            let (sin, cos) = libm::sincos(rotation.angle(1, pair, 5));
            let [first, second] = rotation.columns_of(pair, 5);
            let [x, y] = [first, second].map(|column| f64::from(k[[0, row, column]]));
            k[[0, row + 1, first]] = (x * cos + y * sin) as f32;
            k[[0, row + 1, second]] = (y * cos - x * sin) as f32;
        }
    }
    let inputs = HeadInputs {
        q: 30.0 * numbers.rows(2, 9, 5),
        k,
        v: numbers.rows(1, 12, 3),
        additive: None,
        output: None,
    };
    let options = LayerOptions {
        heads: 2,
        kv_heads: Some(1),
        position: Position::Rotary(rotation),
        ..LayerOptions::default()
    };
    let call = CallOptions {
        temperature: 0.5,
        bias,
        ..call(Mask::Full)
    };
    Request::from_heads(inputs, options, call)
}

/// The same with pairs in halves and a bias for each head, which is equal for the keys of a tie.
fn turned_in_halves() -> Result<Request, Error> {
    let halves = Rotation {
        pairs: Pairs::Halves,
        ..Rotation::PAPER
    };
    let number = |(_, head, query, key): (usize, usize, usize, usize)| {
        (head * 7 + query * 3 + key / 2 * 5) as f32 % 11.0 - 4.0
    };
    let bias = Bias::new(Array4::from_shape_fn((1, 2, 9, 12), number));
    turned_to_a_tie(halves, Some(bias))
}

/// A mask that comes after the softmax, rotary positions, and additive scores at a temperature that asks for twice the
/// precision.
fn hidden_too_late() -> Result<Request, Error> {
    let mut numbers = Numbers(10);
    let layer = MIDDLING.layer(&mut numbers, Scoring::Additive, Position::ROTARY)?;
    let call = CallOptions {
        mask_after: true,
        temperature: 0.01,
        ..call(Mask::Causal)
    };
    Request::new(layer, numbers.rows(2, 7, 17), None, call)
}
