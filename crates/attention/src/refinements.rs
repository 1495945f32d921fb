//! What published models do to queries, keys and scores besides the attention of the papers.

use ndarray::Array1;

use crate::error::check_finite;
use crate::{Code, Error, Layer, Scoring};

/// Additions to a layer; without any it is the layer of the papers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Refinements {
    /// Norms of every head's queries and keys, before they are rotated.
    pub norms: Option<HeadNorms>,
    /// Numbers that the angles of the rotated pairs are divided by, `[pairs]`: as many as
    /// [`Rotation::pair_count`](crate::Rotation::pair_count) says, all above 0. They stretch the positions of a model to longer texts (Chen et al.
    /// 2023).
    pub rotary_divisors: Option<Array1<f32>>,
    /// Soft cap of the scores, above 0: a scaled score `s` becomes `cap·tanh(s/cap)` (Gemma Team 2024, §2).
    pub cap: Option<f32>,
}

/// `q ← scale ∘ q/√(mean square + ε)` for each row of each head, and the same for keys (Zhang and Sennrich 2019, eq. 4; on queries and
/// keys: Henry et al. 2020).
#[derive(Debug, Clone, PartialEq)]
pub struct HeadNorms {
    /// `[d_k]`, of the queries of all heads.
    pub query: Array1<f32>,
    /// `[d_k]`, of the keys of all heads.
    pub key: Array1<f32>,
    /// `ε`, at least 0.
    pub epsilon: f32,
}

impl Layer {
    /// The layer with additions to its queries, keys and scores.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] for norms that are not `[d_k]` and divisors that are not one for each rotated pair;
    /// [`Code::NotFinite`]; [`Code::UnknownOption`] for a divisor or a cap that is not above 0, or an `ε` below 0;
    /// [`Code::NotApplicable`] for divisors without rotary positions and for a cap of additive scores.
    pub fn refined(mut self, refinements: Refinements) -> Result<Self, Error> {
        if let Some(norms) = &refinements.norms {
            norms.check(self.d_k)?;
        }
        if let Some(divisors) = &refinements.rotary_divisors {
            self.check_divisors(divisors)?;
        }
        if let Some(cap) = refinements.cap {
            check_above_0("score_cap", cap)?;
            if self.scoring == Scoring::Additive {
                let rule = "additive scores have no cap; leave it out";
                return Err(Error::new(Code::NotApplicable, "score_cap", cap, rule));
            }
        }
        self.refinements = refinements;
        Ok(self)
    }

    /// What it does besides.
    pub fn refinements(&self) -> &Refinements {
        &self.refinements
    }

    fn check_divisors(&self, divisors: &Array1<f32>) -> Result<(), Error> {
        let field = "rotary_divisors";
        let Some(rotation) = self.position.rotation() else {
            let rule = "only rotary positions have angles to divide";
            let name = self.position.name();
            return Err(Error::new(Code::NotApplicable, field, name, rule));
        };
        let pairs = rotation.pair_count(self.d_k);
        if divisors.len() != pairs {
            return Err(Error::shape(
                field,
                divisors.shape(),
                &[pairs],
                "rotated pairs",
            ));
        }
        divisors.iter().try_for_each(|x| check_above_0(field, *x))
    }
}

impl HeadNorms {
    fn check(&self, d_k: usize) -> Result<(), Error> {
        for (field, scale) in [("q_norm", &self.query), ("k_norm", &self.key)] {
            if scale.len() != d_k {
                return Err(Error::shape(field, scale.shape(), &[d_k], "d_k"));
            }
            check_finite(field, scale)?;
        }
        check_finite("epsilon", [&self.epsilon])?;
        if self.epsilon >= 0.0 {
            return Ok(());
        }
        let rule = "must be at least 0";
        Err(Error::new(
            Code::UnknownOption,
            "epsilon",
            self.epsilon,
            rule,
        ))
    }
}

fn check_above_0(field: &str, value: f32) -> Result<(), Error> {
    check_finite(field, [&value])?;
    if value > 0.0 {
        return Ok(());
    }
    Err(Error::new(
        Code::UnknownOption,
        field,
        value,
        "must be above 0",
    ))
}
