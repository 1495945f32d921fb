//! Validates imported numbers: sizes, matching shapes, finite values.

wasm_chunks::chunk!("more");

use ndarray::Array2;

use super::{AxisLabels, ImportedTensors, Inputs};
use attention::text::MAX_TOKENS;
use attention::text::tokens::is_invisible;
use attention::{Linear, Weights};

/// The most numbers in all tensors together: 64 MiB.
pub const MOST_NUMBERS: usize = 16 << 20;

/// The most heads.
pub const MOST_HEADS: usize = 64;

/// The widest a row of any kind may be.
pub const WIDEST: usize = 16_384;

/// The most characters of a row's or a file's name that are kept.
pub(super) const LONGEST_NAME: usize = 60;

/// Why numbers are refused. The page shows it as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing is in a tensor.
    #[error("{tensor} is empty")]
    Empty {
        /// Which.
        tensor: String,
    },
    /// An axis is longer than the page can show.
    #[error("{tensor}: {length} along {axis}, and {most} is the most")]
    TooLong {
        /// Which tensor.
        tensor: String,
        /// The letter of the axis.
        axis: &'static str,
        /// How long it is.
        length: usize,
        /// How long it may be.
        most: usize,
    },
    /// All tensors together have too many numbers.
    #[error("{numbers} numbers, and {most} is the most")]
    TooMany {
        /// How many.
        numbers: usize,
        /// How many there may be.
        most: usize,
    },
    /// A number is infinite or not a number.
    #[error("{tensor}: not finite at {at:?}")]
    NotFinite {
        /// Which tensor.
        tensor: String,
        /// Where in it.
        at: Vec<usize>,
    },
    /// A shape does not fit the others.
    #[error("{tensor}: {found:?}, and {wanted:?} ({axes}) is wanted")]
    Shape {
        /// Which tensor.
        tensor: String,
        /// Its shape.
        found: Vec<usize>,
        /// The expected shape.
        wanted: Vec<usize>,
        /// Names of the expected axes.
        axes: &'static str,
    },
    /// More or fewer axes than any reading of it has.
    #[error("{tensor}: {found:?} has no reading as {axes}")]
    Axes {
        /// Which tensor.
        tensor: String,
        /// Its shape.
        found: Vec<usize>,
        /// Names of the expected axes.
        axes: &'static str,
    },
    /// A batch with several entries.
    #[error("{tensor}: {found:?} is a batch of {entries}")]
    Batch {
        /// Which tensor.
        tensor: String,
        /// Its shape.
        found: Vec<usize>,
        /// How many entries.
        entries: usize,
    },
    /// Numbers of heads that do not divide the shared dimension.
    #[error("{heads} heads do not divide {width} columns of {tensor}")]
    Heads {
        /// Which tensor.
        tensor: String,
        /// The heads.
        heads: usize,
        /// The width that they have to divide.
        width: usize,
    },
    /// Key/value heads that do not divide the heads.
    #[error("{kv_heads} key/value heads do not divide {heads} heads")]
    KvHeads {
        /// The heads.
        heads: usize,
        /// The key/value heads.
        kv_heads: usize,
    },
    /// Something that this kind of numbers needs is not there.
    #[error("{letter} is missing")]
    Missing {
        /// Its letter, e.g. `W_Q`.
        letter: &'static str,
    },
    /// Bytes that this page did not write.
    #[error("not packed by this page")]
    Packed,
}

impl Refusal {
    /// The refusal with the name that `name` gives to its tensor.
    #[must_use]
    pub(crate) fn named(mut self, name: impl FnOnce(&str) -> Option<String>) -> Self {
        if let Self::Empty { tensor }
        | Self::TooLong { tensor, .. }
        | Self::NotFinite { tensor, .. }
        | Self::Shape { tensor, .. }
        | Self::Axes { tensor, .. }
        | Self::Batch { tensor, .. }
        | Self::Heads { tensor, .. } = &mut self
            && let Some(name) = name(tensor)
        {
            *tensor = name;
        }
        self
    }
}

/// Checks everything; the names come back as they are kept.
pub(super) fn checked(
    contents: &ImportedTensors,
    names: AxisLabels,
) -> Result<AxisLabels, Refusal> {
    match contents {
        ImportedTensors::Heads { q, k, v } => {
            check_tensor("q", q.shape(), &["h", "n", "d_k"])?;
            check_tensor("k", k.shape(), &["h", "m", "d_k"])?;
            check_tensor("v", v.shape(), &["h", "m", "d_v"])?;
            check_heads("q", q.dim().0, k.dim().0)?;
            let (kv_heads, m, d_k) = (k.dim().0, k.dim().1, q.dim().2);
            expect("k", k.shape(), &[kv_heads, m, d_k], "kv_heads, m, d_k")?;
            expect(
                "v",
                v.shape(),
                &[kv_heads, m, v.dim().2],
                "kv_heads, m, d_v",
            )?;
        }
        ImportedTensors::Embeddings(inputs) => check_inputs(inputs, None)?,
        ImportedTensors::Layer {
            weights,
            heads,
            kv_heads,
            inputs,
        } => {
            check_layer(weights, *heads, *kv_heads)?;
            let width = weights.query.w.nrows();
            inputs
                .as_ref()
                .map_or(Ok(()), |inputs| check_inputs(inputs, Some(width)))?;
        }
        ImportedTensors::Matrix(weights) => {
            check_tensor("weights", weights.shape(), &["h", "n", "m"])?
        }
    }
    check_amount(contents)?;
    check_finite(contents)?;
    Ok(kept(contents, names))
}

fn check_layer(weights: &Weights, heads: usize, kv_heads: usize) -> Result<(), Refusal> {
    let (q, k, v) = (&weights.query.w, &weights.key.w, &weights.value.w);
    for (name, w) in [("w_q", q), ("w_k", k), ("w_v", v)] {
        check_tensor(name, w.shape(), &["d_model", "h·d_k"])?;
    }
    check_heads("w_q", heads, kv_heads)?;
    let (d_model, d_k) = (q.nrows(), divided("w_q", q.ncols(), heads)?);
    let d_v = divided("w_v", v.ncols(), kv_heads)?;
    expect(
        "w_k",
        k.shape(),
        &[d_model, kv_heads * d_k],
        "d_model, kv_heads·d_k",
    )?;
    expect(
        "w_v",
        v.shape(),
        &[d_model, kv_heads * d_v],
        "d_model, kv_heads·d_v",
    )?;
    let linears = [
        ("b_q", Some(&weights.query)),
        ("b_k", Some(&weights.key)),
        ("b_v", Some(&weights.value)),
        ("b_o", weights.output.as_ref()),
    ];
    for (name, linear) in linears {
        let bias = linear.and_then(|linear| Some((linear.b.as_ref()?, linear.w.ncols())));
        bias.map_or(Ok(()), |(b, width)| {
            expect(name, b.shape(), &[width], "columns")
        })?;
    }
    if let Some(Linear { w, .. }) = &weights.output {
        check_tensor("w_o", w.shape(), &["h·d_v", "d_out"])?;
        expect(
            "w_o",
            w.shape(),
            &[heads * d_v, w.ncols()],
            "heads·d_v, d_out",
        )?;
    }
    let additive = weights.additive.as_ref();
    additive.map_or(Ok(()), |w_a| expect("w_a", w_a.shape(), &[d_k], "d_k"))
}

fn check_inputs(inputs: &Inputs, width: Option<usize>) -> Result<(), Refusal> {
    let width = width.unwrap_or(inputs.queries.ncols());
    let check = |name, rows: &Array2<f32>, axes: &[&'static str], letters| {
        check_tensor(name, rows.shape(), axes)?;
        expect(name, rows.shape(), &[rows.nrows(), width], letters)
    };
    check("queries", &inputs.queries, &["n", "d_model"], "n, d_model")?;
    inputs.keys_values.as_ref().map_or(Ok(()), |rows| {
        check("keys_values", rows, &["m", "d_model"], "m, d_model")
    })
}

fn check_heads(tensor: &str, heads: usize, kv_heads: usize) -> Result<(), Refusal> {
    if heads > MOST_HEADS {
        return Err(too_long(tensor, "h", heads, MOST_HEADS));
    }
    if kv_heads > 0 && heads.is_multiple_of(kv_heads) {
        Ok(())
    } else {
        Err(Refusal::KvHeads { heads, kv_heads })
    }
}

fn divided(tensor: &str, width: usize, heads: usize) -> Result<usize, Refusal> {
    if heads > 0 && width.is_multiple_of(heads) {
        Ok(width / heads)
    } else {
        Err(Refusal::Heads {
            tensor: tensor.to_owned(),
            heads,
            width,
        })
    }
}

/// Every axis by its letter.
fn check_tensor(tensor: &str, shape: &[usize], axes: &[&'static str]) -> Result<(), Refusal> {
    for (length, axis) in shape.iter().zip(axes) {
        let most = match *axis {
            "h" => MOST_HEADS,
            "n" | "m" => MAX_TOKENS,
            _ => WIDEST,
        };
        match *length {
            0 => {
                let tensor = tensor.to_owned();
                return Err(Refusal::Empty { tensor });
            }
            length if length > most => return Err(too_long(tensor, axis, length, most)),
            _ => {}
        }
    }
    Ok(())
}

fn too_long(tensor: &str, axis: &'static str, length: usize, most: usize) -> Refusal {
    Refusal::TooLong {
        tensor: tensor.to_owned(),
        axis,
        length,
        most,
    }
}

fn expect(
    tensor: &str,
    found: &[usize],
    wanted: &[usize],
    axes: &'static str,
) -> Result<(), Refusal> {
    if found == wanted {
        return Ok(());
    }
    Err(Refusal::Shape {
        tensor: tensor.to_owned(),
        found: found.to_vec(),
        wanted: wanted.to_vec(),
        axes,
    })
}

fn check_amount(contents: &ImportedTensors) -> Result<(), Refusal> {
    let numbers = super::serialize::tensors(contents)
        .iter()
        .map(|tensor| tensor.data.len())
        .sum();
    if numbers > MOST_NUMBERS {
        Err(Refusal::TooMany {
            numbers,
            most: MOST_NUMBERS,
        })
    } else {
        Ok(())
    }
}

fn check_finite(contents: &ImportedTensors) -> Result<(), Refusal> {
    for tensor in super::serialize::tensors(contents) {
        if let Some(mut at) = tensor.data.iter().position(|number| !number.is_finite()) {
            let mut place = vec![0; tensor.shape.len()];
            for (along, length) in place.iter_mut().zip(&tensor.shape).rev() {
                (*along, at) = (at % length + 1, at / length);
            }
            return Err(Refusal::NotFinite {
                tensor: tensor.name.to_owned(),
                at: place,
            });
        }
    }
    Ok(())
}

/// Names for as many rows and columns as there are; others are passed over.
fn kept(contents: &ImportedTensors, names: AxisLabels) -> AxisLabels {
    let Some((n, m)) = contents.lengths() else {
        return AxisLabels::default();
    };
    let fit = |names: Vec<String>, length| {
        if names.len() == length {
            names.iter().map(|name| shown(name)).collect()
        } else {
            Vec::new()
        }
    };
    let names = AxisLabels {
        rows: fit(names.rows, n),
        columns: fit(names.columns, m),
    };
    if contents.is_cross() == Some(false) && names.columns == names.rows {
        AxisLabels {
            columns: Vec::new(),
            ..names
        }
    } else {
        names
    }
}

/// The beginning of a name, without what would leave no mark or turn a line around.
pub(crate) fn shown(name: &str) -> String {
    let visible = name.chars().filter(|c| !is_invisible(*c));
    visible.take(LONGEST_NAME).collect()
}
