//! One call: inputs, mask and requested outputs, checked against a layer.

use std::ops::RangeInclusive;
use std::sync::Arc;

use ndarray::{Array1, Array3};

use crate::error::{check_all_finite, check_finite};
use crate::layer::{check_additive, check_output};
use crate::{
    Bias, Biases, Code, Config, Error, HeadNorms, InputKind, Layer, LayerOptions, Linear,
    Linformer, Mask, Outputs, Places, Position, Refinements, Scoring, Sizes,
};

/// The temperatures that are taken. At the lowest, scores are a thousand times as large as they are; at the highest, nothing
/// is left of them.
pub const TEMPERATURES: RangeInclusive<f32> = 1e-3..=1e6;

/// The settings of one call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallOptions {
    /// Which cells are visible. Its rules count rows; [`Mask::from_place`] makes one that counts from where the first query stands.
    pub mask: Mask,
    /// Where queries and keys stand for what encodes positions.
    pub places: Places,
    /// Added to the scores; refused together with Linformer.
    pub bias: Option<Bias>,
    /// A finite number written over hidden scores before the softmax; `None` leaves hidden cells out.
    pub masked_score: Option<f32>,
    /// Deliberate mistake for teaching: takes the softmax over all keys and sets hidden weights to
    /// 0 afterwards, without renormalising, so that hidden keys still contribute to the
    /// denominator. Refused together with `masked_score`.
    pub mask_after: bool,
    /// Divides the scores, and `masked_score` with them, in the softmax: above 1 weights even out, below 1 the largest
    /// takes all. One of [`TEMPERATURES`].
    pub temperature: f32,
    /// Projection of keys and values along the sequence; refused together with a mask.
    pub linformer: Option<Linformer>,
    /// Which results to return.
    pub want: Outputs,
}

impl Default for CallOptions {
    fn default() -> Self {
        Self {
            mask: Mask::Full,
            places: Places::default(),
            bias: None,
            masked_score: None,
            mask_after: false,
            temperature: 1.0,
            linformer: None,
            want: Outputs::ALL,
        }
    }
}

/// q, k and v given by the caller, with what comes before and after them.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadInputs {
    /// `[heads, n, d_k]`.
    pub q: Array3<f32>,
    /// `[kv_heads, m, d_k]`.
    pub k: Array3<f32>,
    /// `[kv_heads, m, d_v]`.
    pub v: Array3<f32>,
    /// `w_a`, `[d_k]`, for additive scores.
    pub additive: Option<Array1<f32>>,
    /// `W_O`, `[heads·d_v, d_out]`.
    pub output: Option<Linear>,
}

/// Where the numbers of a request come from.
#[derive(Debug, Clone, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "one value per run, and both variants point to what is really large"
)]
pub enum Source {
    /// Inputs to be projected by a layer.
    Layer {
        /// The weights.
        layer: Arc<Layer>,
        /// `[batch, n, d_model]`.
        queries: Array3<f32>,
        /// `[batch, m, d_model]`; `None` is self-attention.
        keys_values: Option<Array3<f32>>,
    },
    /// q, k and v themselves.
    Heads(HeadInputs),
}

/// A checked request: shapes agree, numbers are finite, options do not contradict each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    source: Source,
    call: CallOptions,
    config: Config,
}

impl Request {
    /// Attention of a layer on inputs: `queries` `[batch, n, d_model]`, `keys_values` `[batch, m, d_model]` or `None`
    /// for self-attention. Lengths may be 0.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`], [`Code::NotFinite`], [`Code::NotApplicable`] for Linformer with a mask, a bias or ALiBi, for a
    /// `masked_score` with a mask after the softmax and for positions that do not reach every query, [`Code::UnknownOption`] for a
    /// temperature or start out of range.
    pub fn new(
        layer: Arc<Layer>,
        queries: Array3<f32>,
        keys_values: Option<Array3<f32>>,
        call: CallOptions,
    ) -> Result<Self, Error> {
        let keys_values = keys_values.or_else(|| own_keys_values(&layer, &queries, &call.places));
        let (batch, n, _) = queries.dim();
        let m = keys_values.as_ref().map_or(n, |rows| rows.dim().1);
        check_rows("queries", &queries, [batch, n, layer.d_model()])?;
        if let Some(rows) = &keys_values {
            check_rows("keys_values", rows, [batch, m, layer.d_model()])?;
        }
        let d_out = layer.weights.output.as_ref().map(|output| output.w.ncols());
        let sizes = Sizes {
            batch,
            heads: layer.sharing.heads,
            kv_heads: layer.sharing.kv_heads,
            n,
            m,
            keys: key_columns(&call, m)?,
            d_model: Some(layer.d_model()),
            d_k: layer.d_k,
            d_v: layer.d_v,
            d_out: d_out.unwrap_or(layer.sharing.heads * layer.d_v),
        };
        check_call(&call, &sizes, layer.position)?;
        let config = Config {
            sizes,
            input: if keys_values.is_some() {
                InputKind::CrossAttention
            } else {
                InputKind::SelfAttention
            },
            scoring: layer.scoring,
            scale: layer.scale,
            position: layer.position,
            norms: layer.refinements.norms.is_some(),
            cap: layer.refinements.cap,
            bias_matrices: call.bias.as_ref().map(Bias::matrices),
            masked: !call.mask.is_full(),
            mask_after: call.mask_after,
            temperature: call.temperature,
            linformer: call.linformer.is_some(),
            output: d_out.is_some(),
            biases: layer.weights.biases(),
        };
        Ok(Self {
            source: Source::Layer {
                layer,
                queries,
                keys_values,
            },
            call,
            config,
        })
    }

    /// Attention on given q, k and v. `options.heads` and `options.kv_heads` must be those of `q` and `k`.
    ///
    /// # Errors
    /// As [`Request::new`] and [`Layer::new`]; [`Code::NotApplicable`] for sinusoidal positions, which belong to inputs.
    pub fn from_heads(
        inputs: HeadInputs,
        options: LayerOptions,
        call: CallOptions,
    ) -> Result<Self, Error> {
        let sizes = head_sizes(&inputs, &options, &call)?;
        options.position.check(sizes.d_k)?;
        if options.position == Position::Sinusoidal {
            let rule = "sinusoidal positions are added to queries and keys_values, and q, k and v come after that";
            return Err(Error::new(
                Code::NotApplicable,
                "position",
                "sinusoidal",
                rule,
            ));
        }
        for (field, rows) in [("q", &inputs.q), ("k", &inputs.k), ("v", &inputs.v)] {
            check_all_finite(field, rows)?;
        }
        check_additive(options.scoring, inputs.additive.as_ref(), sizes.d_k)?;
        check_output(inputs.output.as_ref(), sizes.heads, sizes.d_v)?;
        check_call(&call, &sizes, options.position)?;
        let config = Config {
            sizes,
            input: InputKind::Given,
            scoring: options.scoring,
            scale: options.checked_scale(sizes.d_k)?,
            position: options.position,
            norms: false,
            cap: None,
            bias_matrices: call.bias.as_ref().map(Bias::matrices),
            masked: !call.mask.is_full(),
            mask_after: call.mask_after,
            temperature: call.temperature,
            linformer: call.linformer.is_some(),
            output: inputs.output.is_some(),
            biases: Biases {
                output: inputs
                    .output
                    .as_ref()
                    .is_some_and(|linear| linear.b.is_some()),
                ..Biases::default()
            },
        };
        Ok(Self {
            source: Source::Heads(inputs),
            call,
            config,
        })
    }

    /// The numbers going in.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Mask, Linformer and requested outputs.
    pub fn call(&self) -> &CallOptions {
        &self.call
    }

    /// Sizes and switches, which a plan is made from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Axis lengths.
    pub fn sizes(&self) -> &Sizes {
        &self.config.sizes
    }

    /// `w_a`, present with additive scoring.
    pub fn additive(&self) -> Option<&Array1<f32>> {
        match (&self.source, self.config.scoring) {
            (_, Scoring::Dot) => None,
            (Source::Layer { layer, .. }, _) => layer.weights.additive.as_ref(),
            (Source::Heads(inputs), _) => inputs.additive.as_ref(),
        }
    }

    /// What the layer does besides; nothing where q, k and v were given.
    fn refinements(&self) -> Option<&Refinements> {
        match &self.source {
            Source::Layer { layer, .. } => Some(&layer.refinements),
            Source::Heads(_) => None,
        }
    }

    /// Norms of the heads' queries and keys, if any.
    pub(crate) fn norms(&self) -> Option<&HeadNorms> {
        self.refinements()?.norms.as_ref()
    }

    /// Numbers that the angles of rotated pairs are divided by, if any.
    pub(crate) fn rotary_divisors(&self) -> Option<&[f32]> {
        self.refinements()?.rotary_divisors.as_ref()?.as_slice()
    }

    /// W_O, where there is one.
    pub fn output(&self) -> Option<&Linear> {
        match &self.source {
            Source::Layer { layer, .. } => layer.weights.output.as_ref(),
            Source::Heads(inputs) => inputs.output.as_ref(),
        }
    }

    /// Rows of the mask with nothing visible; 0 where hidden scores are overwritten by a number.
    pub fn empty_rows(&self) -> usize {
        match self.call.masked_score {
            Some(_) => 0,
            None => self.call.mask.empty_rows(self.sizes()),
        }
    }
}

fn check_rows(field: &str, rows: &Array3<f32>, wanted: [usize; 3]) -> Result<(), Error> {
    if rows.shape() != wanted {
        return Err(Error::shape(
            field,
            rows.shape(),
            &wanted,
            "batch, rows, d_model",
        ));
    }
    check_all_finite(field, rows)
}

fn key_columns(call: &CallOptions, m: usize) -> Result<usize, Error> {
    let Some(linformer) = &call.linformer else {
        return Ok(m);
    };
    linformer.check(m)?;
    Ok(linformer.length())
}

/// Keys and values of self-attention whose queries stand elsewhere than they do themselves: the same rows, with other codes.
fn own_keys_values(layer: &Layer, queries: &Array3<f32>, places: &Places) -> Option<Array3<f32>> {
    let are_apart = layer.position == Position::Sinusoidal && places.query_start != 0;
    are_apart.then(|| queries.clone())
}

fn check_call(call: &CallOptions, sizes: &Sizes, position: Position) -> Result<(), Error> {
    let beside =
        |field, value, rule: &str| Err(Error::new(Code::NotApplicable, field, value, rule));
    let is_short = call.linformer.is_some();
    if is_short && call.mask != Mask::Full {
        let rule = "Linformer's key columns are mixtures of positions, so a mask over positions does not apply";
        return beside("linformer", "a mask beside it", rule);
    }
    if is_short && position.has_penalty() {
        let rule = "Linformer's key columns are mixtures of positions, so they have no distance for ALiBi to count";
        return beside("linformer", "ALiBi beside it", rule);
    }
    if is_short && call.bias.is_some() {
        let rule = "Linformer's key columns are mixtures of positions, so a bias of positions does not apply";
        return beside("linformer", "a bias beside it", rule);
    }
    if let Some(score) = call.masked_score {
        check_finite("masked_score", [&score])?;
        if call.mask_after {
            let rule = "a masked_score is written before the softmax, so it cannot stand beside a mask after it";
            return beside("mask_after_softmax", "true", rule);
        }
    }
    check_temperature(call.temperature)?;
    call.places.check(sizes)?;
    call.bias
        .as_ref()
        .map_or(Ok(()), |bias| bias.check(sizes))?;
    call.mask.check(sizes)
}

fn check_temperature(temperature: f32) -> Result<(), Error> {
    check_finite("temperature", [&temperature])?;
    if TEMPERATURES.contains(&temperature) {
        return Ok(());
    }
    let rule = "must lie between 0.001 and 1000000";
    let code = Code::UnknownOption;
    Err(Error::new(code, "temperature", temperature, rule))
}

fn head_sizes(
    inputs: &HeadInputs,
    options: &LayerOptions,
    call: &CallOptions,
) -> Result<Sizes, Error> {
    let sharing = options.sharing()?;
    let (_, n, d_k) = inputs.q.dim();
    let (_, m, d_v) = inputs.v.dim();
    for (field, width, rows) in [("q", "d_k", &inputs.q), ("v", "d_v", &inputs.v)] {
        if rows.dim().2 == 0 {
            let rule = format!("the last axis, {width}, must have a length of at least 1");
            let shape = format!("{:?}", rows.shape());
            return Err(Error::new(Code::ShapeMismatch, field, shape, rule));
        }
    }
    let (heads, kv_heads) = (sharing.heads, sharing.kv_heads);
    let wanted = [
        ("q", &inputs.q, [heads, n, d_k], "heads, n, d_k"),
        ("k", &inputs.k, [kv_heads, m, d_k], "kv_heads, m, d_k"),
        ("v", &inputs.v, [kv_heads, m, d_v], "kv_heads, m, d_v"),
    ];
    for (field, rows, shape, axes) in wanted {
        if rows.shape() != shape {
            return Err(Error::shape(field, rows.shape(), &shape, axes));
        }
    }
    let d_out = inputs
        .output
        .as_ref()
        .map_or(sharing.heads * d_v, |output| output.w.ncols());
    let keys = key_columns(call, m)?;
    Ok(Sizes {
        batch: 1,
        heads: sharing.heads,
        kv_heads: sharing.kv_heads,
        n,
        m,
        keys,
        d_model: None,
        d_k,
        d_v,
        d_out,
    })
}
