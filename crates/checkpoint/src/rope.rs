//! Rotary positions in the settings of Hugging Face's files: base, share of the columns, and how angles are divided.
//!
//! transformers 5 writes all of them into `rope_parameters`; before, the base stood at the top level and the rest in `rope_scaling`. Read as
//! transformers 5.24 does: a `rope_scaling` that holds anything takes the place of `rope_parameters`, and what these leave out comes from the
//! top level.

use attention::{Code, Error};

use crate::divisors::Divisors;
use crate::settings::Settings;
use crate::{Lookup, Value};

/// How queries and keys are rotated.
pub(crate) struct Rope {
    pub(crate) base: f64,
    /// Share of a head's columns.
    pub(crate) partial: f64,
    pub(crate) divisors: Option<Divisors>,
}

/// What a family has where its settings say nothing.
#[derive(Clone, Copy)]
pub(crate) struct RopeDefaults {
    /// Name of the base at the top level.
    pub(crate) base_name: &'static str,
    pub(crate) base: f64,
    /// Name at the top level and value of the share; without, all columns are rotated whatever the settings say.
    pub(crate) partial: Option<(&'static str, f64)>,
}

impl RopeDefaults {
    pub(crate) const USUAL: Self = Self {
        base_name: "rope_theta",
        base: 10_000.0,
        partial: None,
    };
}

/// The table that holds them; empty where the file has none.
pub(crate) fn table(top: &Settings) -> Result<Value, Error> {
    let scaling = top.table("rope_scaling")?;
    let is_full = |value: &Value| matches!(value, Value::Table(entries) if !entries.is_empty());
    let table = match scaling.filter(is_full) {
        Some(scaling) => Some(scaling),
        None => top.table("rope_parameters")?,
    };
    Ok(table.unwrap_or_else(|| Value::Table(Vec::new())))
}

impl Rope {
    /// Reads a table and, for what it leaves out, the top level.
    pub(crate) fn read(
        own: &dyn Lookup,
        top: &Settings,
        defaults: RopeDefaults,
    ) -> Result<Self, Error> {
        let own = Settings::new(own, "");
        let pick = |name: &str, top_name: &str, otherwise| {
            let value = own.positive(name)?.or(top.positive(top_name)?);
            Ok::<_, Error>(value.unwrap_or(otherwise))
        };
        let base = pick("rope_theta", defaults.base_name, defaults.base)?;
        Ok(Self {
            base,
            partial: match defaults.partial {
                Some((name, share)) => pick("partial_rotary_factor", name, share)?,
                None => 1.0,
            },
            divisors: divisors(&own, top, base)?,
        })
    }

    /// Rotated columns of a head of `d_k`.
    pub(crate) fn columns(&self, d_k: usize) -> usize {
        (d_k as f64 * self.partial) as usize
    }
}

/// What the angles are divided by, if by anything.
fn divisors(own: &Settings, top: &Settings, base: f64) -> Result<Option<Divisors>, Error> {
    let (key, kind) = match own.text("rope_type")? {
        Some(kind) => ("rope_type", Some(kind)),
        None => ("type", own.text("type")?),
    };
    let needed = |name: &str| own.positive(name)?.ok_or_else(|| own.missing(name));
    match kind.as_deref() {
        None | Some("default") => Ok(None),
        Some("linear") => Ok(Some(Divisors::Linear(needed("factor")?))),
        Some("llama3") => {
            let name = "original_max_position_embeddings";
            let length = match own.positive(name)? {
                Some(length) => Some(length),
                None => top.positive("max_position_embeddings")?,
            };
            Ok(Some(Divisors::Llama3 {
                base,
                factor: needed("factor")?,
                low: needed("low_freq_factor")?,
                high: needed("high_freq_factor")?,
                length: length.ok_or_else(|| own.missing(name))?,
            }))
        }
        Some(other) => {
            let rule = "must be one of default, linear, llama3";
            Err(Error::new(Code::UnknownOption, own.name(key), other, rule))
        }
    }
}
