//! Explains the gradients of what enters a layer: of the rows that its norm makes, and of the residual path before that.

use super::matrix_lookup::Book;
use super::{CellRef, Derivation, Explanation, Line, Name, Operand, StepKind, Term, What};
use crate::present::steps::backward::NormBackward;

/// The gradients that the chosen head sends back, and what made each of the rows that enter.
const SENT_BACK: [(StepKind, StepKind); 3] = [
    (StepKind::QueriesGradient, StepKind::Queries),
    (StepKind::KeysGradient, StepKind::Keys),
    (StepKind::ValuesGradient, StepKind::Values),
];

/// `Σ_heads dQ·W_Qᵀ + dK·W_Kᵀ + dV·W_Vᵀ`: a term for each product of the chosen head, and before them what the others add.
pub(super) fn normed(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let explanation = book.begin(place, Derivation::Backward)?;
    let all = f64::from(explanation.computed?);
    let mut terms = Vec::new();
    for (gradient, made) in SENT_BACK {
        for (at, sent) in book.open(gradient)?.row(place.row).enumerate() {
            let (linear, column) = book.projection(made, at)?;
            let weight = *linear.w.get((place.column, column))?;
            let operands = vec![sent, Operand::bare(weight)];
            terms.push(Term::product(Name::Component(gradient, at), operands));
        }
    }
    let mut explanation = explanation.sum_of(terms);
    if book.config().sizes.heads > 1 {
        let others = all - explanation.sum();
        explanation.terms.insert(0, other_heads(others));
        explanation.value = Some(explanation.sum());
    }
    Some(explanation)
}

fn other_heads(value: f64) -> Term {
    Term {
        name: Name::OtherHeads,
        operands: Vec::new(),
        value,
    }
}

/// `dO`, and what comes back through layer norm.
pub(super) fn residual(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let CellRef { row, column, .. } = place;
    let learned = book.numbers.learned?;
    let loss = learned.loss()?;
    let explanation = book.begin(place, Derivation::Backward)?;
    let norm = NormBackward::new(
        &learned.norm,
        learned.residual.row(row),
        loss.input.row(row),
    );
    let operand = |step| book.operand(step, row, column);
    let past = Term::product(Name::Past, vec![operand(StepKind::OutputGradient)?]);
    let through = Term {
        name: Name::Through,
        operands: vec![operand(StepKind::NormedGradient)?],
        value: norm.at(column),
    };
    let mut explanation = explanation.in_order(vec![past, through]);
    explanation.before = vec![
        Line::new(What::NormScale, f64::from(*learned.norm.scale.get(column)?)),
        Line::new(What::Deviation, norm.deviation),
        Line::new(What::Normalized, *norm.normalized.get(column)?),
        Line::new(What::MeanGradient, norm.mean),
        Line::new(What::MeanAlong, norm.along),
    ];
    Some(explanation)
}
