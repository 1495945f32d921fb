//! Which of a config's additions fit together.

use attention::{Code, Error};

use super::config::positive;
use super::local::LocalLayers;
use super::{ModelConfig, ModelPositions, NormPlace};

/// Refuses additions that have nothing to be added to, and numbers that they cannot have.
pub(super) fn check(c: &ModelConfig) -> Result<(), Error> {
    let numbers = [
        ("score_scale", c.score_scale),
        ("score_cap", c.score_cap),
        ("logit_cap", c.logit_cap),
        ("embedding_scale", Some(c.embedding_scale)),
    ];
    for (field, number) in numbers {
        number.map_or(Ok(()), |number| positive(field, number))?;
    }
    check_rotary(c)?;
    check_local(c)?;
    let beside = |is_refused: bool, field, rule: &str| match is_refused {
        true => Err(Error::new(Code::NotApplicable, field, "true", rule)),
        false => Ok(()),
    };
    let is_plain = c.residual && c.norm_place == NormPlace::Before;
    let rule = "needs a residual path and norms before its parts";
    beside(c.parallel && !is_plain, "parallel", rule)?;
    if c.first_position > 0 && c.positions != ModelPositions::Learned {
        let rule = "only learned positions begin at another place";
        let (code, field) = (Code::NotApplicable, "first_position");
        return Err(Error::new(code, field, c.first_position, rule));
    }
    let rule = "a model without logits has no head for them";
    beside(c.masked_head && !c.logits, "masked_head", rule)?;
    match (c.logits, c.logit_cap) {
        (false, Some(cap)) => {
            let rule = "a model without logits has none to cap";
            Err(Error::new(Code::NotApplicable, "logit_cap", cap, rule))
        }
        _ => Ok(()),
    }
}

fn check_rotary(c: &ModelConfig) -> Result<(), Error> {
    let is_rotary = matches!(c.positions, ModelPositions::Rotary { .. });
    let rule = "only rotary positions rotate";
    if c.rotary_divisors && !is_rotary {
        let (code, field) = (Code::NotApplicable, "rotary_divisors");
        return Err(Error::new(code, field, "true", rule));
    }
    let Some(columns) = c.rotary_columns else {
        return Ok(());
    };
    if !is_rotary {
        let (code, field) = (Code::NotApplicable, "rotary_columns");
        return Err(Error::new(code, field, columns, rule));
    }
    if columns.is_multiple_of(2) && (2..=c.d_k).contains(&columns) {
        return Ok(());
    }
    let rule = format!("must be an even number from 2 to {} (d_k)", c.d_k);
    Err(Error::new(
        Code::ShapeMismatch,
        "rotary_columns",
        columns,
        rule,
    ))
}

fn check_local(c: &ModelConfig) -> Result<(), Error> {
    let Some(local) = c.local else { return Ok(()) };
    if local.layers == LocalLayers::AllButEvery(0) {
        let rule = "must be a whole number of at least 1";
        return Err(Error::new(Code::ShapeMismatch, "local.layers", 0, rule));
    }
    let Some(base) = local.rotary_base else {
        return Ok(());
    };
    positive("local.rotary_base", base)?;
    if matches!(c.positions, ModelPositions::Rotary { .. }) {
        return Ok(());
    }
    let (code, rule) = (Code::NotApplicable, "only rotary positions have a base");
    Err(Error::new(code, "local.rotary_base", base, rule))
}
