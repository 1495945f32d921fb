//! A layer: weights and the settings that belong to them, checked once and used for many inputs.

use ndarray::Array1;

use crate::cpu::{PackedWeights, Share};
use crate::error::check_finite;
use crate::{
    Biases, Code, Error, HeadSharing, Linear, Position, Refinements, Scoring, default_scale,
};

/// The weights of one attention layer. Head `g` owns columns `g·d_k … (g+1)·d_k`.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// `W_Q`, `[d_model, heads·d_k]`.
    pub query: Linear,
    /// `W_K`, `[d_model, kv_heads·d_k]`.
    pub key: Linear,
    /// `W_V`, `[d_model, kv_heads·d_v]`.
    pub value: Linear,
    /// `W_O`, `[heads·d_v, d_out]`; `None` leaves the heads side by side.
    pub output: Option<Linear>,
    /// `w_a`, `[d_k]`, for additive scores.
    pub additive: Option<Array1<f32>>,
}

impl Weights {
    /// Which projections add a bias.
    pub fn biases(&self) -> Biases {
        let has_bias = |linear: &Linear| linear.b.is_some();
        Biases {
            query: has_bias(&self.query),
            key: has_bias(&self.key),
            value: has_bias(&self.value),
            output: self.output.as_ref().is_some_and(has_bias),
        }
    }
}

/// The settings that stay with the weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerOptions {
    /// Query heads.
    pub heads: usize,
    /// Key/value heads; `None` gives every query head its own.
    pub kv_heads: Option<usize>,
    /// How query and key are compared.
    pub scoring: Scoring,
    /// The factor on dot scores; `None` is `1/√d_k`. Refused with additive scores.
    pub scale: Option<f32>,
    /// How the order of the rows enters.
    pub position: Position,
}

impl Default for LayerOptions {
    fn default() -> Self {
        Self {
            heads: 1,
            kv_heads: None,
            scoring: Scoring::Dot,
            scale: None,
            position: Position::None,
        }
    }
}

impl LayerOptions {
    /// The head counts, checked.
    pub(crate) fn sharing(&self) -> Result<HeadSharing, Error> {
        HeadSharing::new(self.heads, self.kv_heads.unwrap_or(self.heads))
    }

    /// The factor on dot scores, checked; 1 for additive scores.
    pub(crate) fn checked_scale(&self, d_k: usize) -> Result<f32, Error> {
        match (self.scoring, self.scale) {
            (Scoring::Additive, Some(scale)) => Err(Error::new(
                Code::NotApplicable,
                "scale",
                scale,
                "additive scores are never scaled; leave it out",
            )),
            (Scoring::Additive, None) => Ok(1.0),
            (Scoring::Dot, None) => Ok(default_scale(d_k)),
            (Scoring::Dot, Some(scale)) => check_finite("scale", [&scale]).map(|()| scale),
        }
    }
}

/// Refuses additive scoring without `w_a`, and a `w_a` that is not `[d_k]` or not finite.
pub(crate) fn check_additive(
    scoring: Scoring,
    w_a: Option<&Array1<f32>>,
    d_k: usize,
) -> Result<(), Error> {
    match (scoring, w_a) {
        (Scoring::Additive, None) => Err(Error::missing("w_a", "additive scores need it, [d_k]")),
        (_, Some(w_a)) if w_a.len() != d_k => Err(Error::shape("w_a", w_a.shape(), &[d_k], "d_k")),
        (_, Some(w_a)) => check_finite("w_a", w_a),
        (Scoring::Dot, None) => Ok(()),
    }
}

/// Refuses a W_O that does not take the heads side by side.
pub(crate) fn check_output(output: Option<&Linear>, heads: usize, d_v: usize) -> Result<(), Error> {
    let Some(output) = output else { return Ok(()) };
    if output.w.nrows() != heads * d_v {
        return Err(Error::shape(
            "w_o",
            output.w.shape(),
            &[heads * d_v, output.w.ncols()],
            "heads·d_v, d_out",
        ));
    }
    output.check("o")
}

/// Weights whose shapes agree and whose numbers are finite, with their settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    pub(crate) weights: Weights,
    pub(crate) sharing: HeadSharing,
    pub(crate) scoring: Scoring,
    pub(crate) scale: f32,
    pub(crate) position: Position,
    pub(crate) d_k: usize,
    pub(crate) d_v: usize,
    pub(crate) refinements: Refinements,
    pub(crate) packed: PackedWeights,
}

impl Layer {
    /// The weights, as they were checked.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// How positions enter.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Checks weights against the options and against each other.
    ///
    /// # Errors
    /// [`Code::HeadsDoNotDivide`] where `heads` does not divide `w_q`'s columns, [`Code::KvHeadsDoNotDivide`] where
    /// `kv_heads` does not divide `heads`, [`Code::ShapeMismatch`], [`Code::NotFinite`], [`Code::MissingField`] for
    /// additive scoring without `w_a`, [`Code::NotApplicable`] for a scale with additive scoring,
    /// [`Code::UnknownOption`] for a strength of ALiBi or a base of rotary positions out of range.
    pub fn new(weights: Weights, options: LayerOptions) -> Result<Self, Error> {
        let sharing = options.sharing()?;
        let d_k = query_width(&weights.query, sharing.heads)?;
        let d_v = check_keys_and_values(&weights, sharing.kv_heads, d_k)?;
        weights.query.check("q")?;
        weights.key.check("k")?;
        weights.value.check("v")?;
        check_additive(options.scoring, weights.additive.as_ref(), d_k)?;
        check_output(weights.output.as_ref(), sharing.heads, d_v)?;
        options.position.check(d_k)?;
        let scale = options.checked_scale(d_k)?;
        Ok(Self {
            weights,
            sharing,
            scoring: options.scoring,
            scale,
            position: options.position,
            d_k,
            d_v,
            refinements: Refinements::default(),
            packed: PackedWeights::default(),
        })
    }

    /// Width of the inputs that this layer takes.
    pub fn d_model(&self) -> usize {
        self.weights.query.w.nrows()
    }

    /// Query heads.
    pub fn heads(&self) -> usize {
        self.sharing.heads
    }

    /// Whether its heads have [halves](crate::cpu::Share) that share no keys and values.
    pub fn has_halves(&self) -> bool {
        Share::divides(self.sharing.heads, self.sharing.kv_heads)
    }
}

fn query_width(query: &Linear, heads: usize) -> Result<usize, Error> {
    let columns = query.w.ncols();
    if columns == 0 {
        return Err(Error::shape(
            "w_q",
            query.w.shape(),
            &[query.w.nrows(), heads],
            "d_model, heads·d_k with d_k ≥ 1",
        ));
    }
    if !columns.is_multiple_of(heads) {
        let rule = format!("must divide the {columns} columns of w_q (heads·d_k)");
        return Err(Error::new(Code::HeadsDoNotDivide, "heads", heads, rule));
    }
    Ok(columns / heads)
}

/// Checks `w_k` and `w_v` and returns `d_v`.
fn check_keys_and_values(weights: &Weights, kv_heads: usize, d_k: usize) -> Result<usize, Error> {
    let d_model = weights.query.w.nrows();
    let keys = &weights.key.w;
    if keys.dim() != (d_model, kv_heads * d_k) {
        return Err(Error::shape(
            "w_k",
            keys.shape(),
            &[d_model, kv_heads * d_k],
            "d_model, kv_heads·d_k",
        ));
    }
    let values = &weights.value.w;
    let columns = values.ncols();
    if values.nrows() != d_model || columns == 0 || !columns.is_multiple_of(kv_heads) {
        let d_v = (columns / kv_heads).max(1);
        return Err(Error::shape(
            "w_v",
            values.shape(),
            &[d_model, kv_heads * d_v],
            "d_model, kv_heads·d_v",
        ));
    }
    Ok(columns / kv_heads)
}
