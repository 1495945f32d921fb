//! Explains the residual path beside a layer of a model.

use super::matrix_lookup::Book;
use super::{CellRef, Derivation, Explanation, Line, Name, Operand, StepKind, Term, What};

/// `scale·(h − mean)/√(variance + ε) + shift`.
pub(super) fn normed(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let norm = &book.numbers.learned?.norm;
    let row: Vec<Operand> = book.open(StepKind::Residual)?.row(place.row).collect();
    let mean_of = |of: &dyn Fn(&Operand) -> f64| row.iter().map(of).sum::<f64>() / row.len() as f64;
    let mean = mean_of(&|own| own.value);
    let variance = mean_of(&|own| (own.value - mean) * (own.value - mean));
    let deviation = libm::sqrt(variance + f64::from(norm.epsilon));
    let taken = *row.get(place.column)?;
    let [scale, shift] = [&norm.scale, &norm.shift].map(|own| own.get(place.column).copied());
    let (scale, shift) = (f64::from(scale?), f64::from(shift?));
    let mut explanation = book.begin(place, Derivation::Normed)?;
    explanation.value = Some(scale * (taken.value - mean) / deviation + shift);
    explanation.before = vec![
        Line {
            what: What::Taken,
            operand: taken,
        },
        Line::new(What::Mean, mean),
        Line::new(What::Deviation, deviation),
        Line::new(What::NormScale, scale),
        Line::new(What::NormShift, shift),
    ];
    Some(explanation)
}

pub(super) fn summed(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let operand = |step| book.operand(step, place.row, place.column);
    let parts = [operand(StepKind::Residual)?, operand(StepKind::Output)?];
    let terms = parts.map(|part| Term::product(Name::Plain, vec![part]));
    Some(
        book.begin(place, Derivation::Summed)?
            .in_order(terms.into()),
    )
}
