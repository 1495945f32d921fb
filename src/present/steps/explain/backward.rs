//! Explains the backward pass.

use super::matrix_lookup::Book;
use super::{CellRef, Derivation, Explanation, Line, Name, Operand, StepKind, Term, What};

/// A number of one of the steps of [`BACKWARD`](crate::state::steps::BACKWARD).
pub(super) fn gradient(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let explanation = book.begin(place, Derivation::Backward)?;
    match place.step {
        StepKind::OutputGradient => Some(explanation),
        StepKind::ScoresGradient => through_softmax(book, explanation),
        _ => Some(explanation.sum_of(terms(book, place)?)),
    }
}

/// The products whose sum the number is.
fn terms(book: &Book<'_>, place: CellRef) -> Option<Vec<Term>> {
    let CellRef { step, row, column } = place;
    let scale = || Operand::bare(book.config().scale);
    Some(match step {
        StepKind::ContextGradient => {
            let linear = book.numbers.request.output()?;
            let own = book.numbers.head * book.config().sizes.d_v + column;
            let weights = linear.w.row(own);
            let pairs = book.open(StepKind::OutputGradient)?;
            let pairs = pairs.row(row).zip(weights).enumerate();
            pairs
                .map(|(at, (d, w))| Term::product(Name::Column(at), vec![d, Operand::bare(*w)]))
                .collect()
        }
        StepKind::WeightsGradient => {
            let (d_context, values) = (
                book.open(StepKind::ContextGradient)?,
                book.open(StepKind::Values)?,
            );
            let pairs = d_context.row(row).zip(values.row(column)).enumerate();
            pairs
                .map(|(at, (d, v))| Term::product(Name::Column(at), vec![d, v]))
                .collect()
        }
        StepKind::ValuesGradient => {
            let (weights, d_context) = (
                book.open(StepKind::Weights)?,
                book.open(StepKind::ContextGradient)?,
            );
            let pairs = weights
                .column(row)
                .zip(d_context.column(column))
                .enumerate();
            pairs
                .map(|(at, (a, d))| Term::product(Name::Query(at), vec![a, d]))
                .collect()
        }
        StepKind::QueriesGradient => {
            let (d_scores, keys) = (
                book.open(StepKind::ScoresGradient)?,
                book.open(StepKind::Keys)?,
            );
            let pairs = d_scores.row(row).zip(keys.column(column)).enumerate();
            pairs
                .map(|(at, (d, k))| Term::product(Name::Key(at), vec![d, k, scale()]))
                .collect()
        }
        _ => {
            let (d_scores, queries) = (
                book.open(StepKind::ScoresGradient)?,
                book.open(StepKind::Queries)?,
            );
            let pairs = d_scores.column(row).zip(queries.column(column)).enumerate();
            pairs
                .map(|(at, (d, q))| Term::product(Name::Query(at), vec![d, q, scale()]))
                .collect()
        }
    })
}

/// `a·(da − Σ_keys da·a)`: the terms are those of the sum.
fn through_softmax(book: &Book<'_>, explanation: Explanation) -> Option<Explanation> {
    let CellRef { row, column, .. } = explanation.place;
    let (d_weights, weights) = (
        book.open(StepKind::WeightsGradient)?,
        book.open(StepKind::Weights)?,
    );
    let pairs = d_weights.row(row).zip(weights.row(row)).enumerate();
    let terms = pairs.map(|(key, (d, a))| Term::product(Name::Key(key), vec![d, a]));
    let mut explanation = explanation.sum_of(terms.collect());
    let own = [
        weights.operand(row, column)?,
        d_weights.operand(row, column)?,
    ];
    explanation.value = Some(own[0].value * (own[1].value - explanation.sum()));
    let lines = [What::Weight, What::WeightGradient].into_iter().zip(own);
    explanation.after = lines
        .map(|(what, operand)| Line { what, operand })
        .collect();
    Some(explanation)
}
