//! Rotary positions in the settings of Hugging Face's files: base, share of the columns, and how angles are divided.
//!
//! transformers 5 writes all of them into `rope_parameters`; before, the base stood at the top level and the rest in `rope_scaling`. Read as
//! transformers 5.24 does: a `rope_scaling` that holds anything takes the place of `rope_parameters`, and what these leave out comes from the
//! top level.

use std::f64::consts::TAU;

use attention::{Code, Error};

use crate::settings::Settings;
use crate::{Lookup, Value};

/// How queries and keys are rotated.
pub(crate) struct Rope {
    pub(crate) base: f64,
    /// Share of a head's columns.
    pub(crate) partial: f64,
    kind: Kind,
}

enum Kind {
    Default,
    /// Positions are divided by a factor (Chen et al. 2023).
    Linear(f64),
    /// Long wavelengths are stretched, short ones kept (Llama 3.1).
    Llama3(Llama3),
}

struct Llama3 {
    factor: f64,
    low: f64,
    high: f64,
    length: f64,
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
        Ok(Self {
            base: pick("rope_theta", defaults.base_name, defaults.base)?,
            partial: match defaults.partial {
                Some((name, share)) => pick("partial_rotary_factor", name, share)?,
                None => 1.0,
            },
            kind: Kind::read(&own, top)?,
        })
    }

    /// Rotated columns of a head of `d_k`.
    pub(crate) fn columns(&self, d_k: usize) -> usize {
        (d_k as f64 * self.partial) as usize
    }

    /// What the angles of a head of `d_k` columns are divided by, if by anything but 1.
    pub(crate) fn divisors(&self, d_k: usize) -> Option<Vec<f32>> {
        let columns = self.columns(d_k).min(d_k);
        let pairs = 0..columns / 2;
        let divisors: Vec<f32> = match &self.kind {
            Kind::Default => return None,
            Kind::Linear(factor) => pairs.map(|_| *factor as f32).collect(),
            Kind::Llama3(own) => {
                let exponent = |pair| (2 * pair) as f64 / columns as f64;
                let wavelength = |pair| TAU * libm::pow(self.base, exponent(pair));
                pairs
                    .map(|pair| own.divisor(wavelength(pair)) as f32)
                    .collect()
            }
        };
        divisors.iter().any(|x| *x != 1.0).then_some(divisors)
    }
}

impl Kind {
    fn read(own: &Settings, top: &Settings) -> Result<Self, Error> {
        let (key, kind) = match own.text("rope_type")? {
            Some(kind) => ("rope_type", Some(kind)),
            None => ("type", own.text("type")?),
        };
        let needed = |name: &str| own.positive(name)?.ok_or_else(|| own.missing(name));
        match kind.as_deref() {
            None | Some("default") => Ok(Self::Default),
            Some("linear") => needed("factor").map(Self::Linear),
            Some("llama3") => {
                let name = "original_max_position_embeddings";
                let length = match own.positive(name)? {
                    Some(length) => Some(length),
                    None => top.positive("max_position_embeddings")?,
                };
                Ok(Self::Llama3(Llama3 {
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
}

impl Llama3 {
    /// By what the angle of a pair of this wavelength is divided: `factor` beyond `length/low`, 1 below `length/high`, and between them the
    /// frequency is mixed of both in proportion.
    fn divisor(&self, wavelength: f64) -> f64 {
        if wavelength > self.length / self.low {
            return self.factor;
        }
        if wavelength < self.length / self.high {
            return 1.0;
        }
        let share = (self.length / wavelength - self.low) / (self.high - self.low);
        1.0 / ((1.0 - share) / self.factor + share)
    }
}
