//! Explains the backward pass.

use super::matrix_lookup::{Book, Page};
use super::{CellRef, Derivation, Explanation, Line, Name, Operand, StepKind, Term, What};
use crate::present::steps::backward::projected;

/// A number of a step from the gradient of the output to those of the weight matrices.
pub(super) fn gradient(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let explanation = book.begin(place, Derivation::Backward)?;
    match place.step {
        StepKind::OutputGradient => Some(match unembedded(book, place) {
            Some(terms) => explanation.sum_of(terms),
            None => explanation,
        }),
        StepKind::ScoresGradient => through_softmax(book, explanation),
        _ => Some(explanation.sum_of(terms(book, place)?)),
    }
}

/// The products whose sum the number is.
fn terms(book: &Book<'_>, place: CellRef) -> Option<Vec<Term>> {
    let CellRef { step, row, column } = place;
    let scale = f64::from(book.config().scale);
    Some(match step {
        StepKind::ContextGradient => {
            let d_output = book.open(StepKind::OutputGradient)?;
            let own = book.numbers.head * book.config().sizes.d_v + column;
            let w_o = book.numbers.request.output()?.w.row(own);
            let pairs = d_output
                .row(row)
                .zip(w_o.into_iter().copied().map(Operand::bare));
            products(pairs, Name::Column, 1.0)
        }
        StepKind::WeightsGradient => {
            let [d_context, values] = both(book, [StepKind::ContextGradient, StepKind::Values])?;
            products(
                d_context.row(row).zip(values.row(column)),
                Name::Column,
                1.0,
            )
        }
        StepKind::ValuesGradient => {
            let [weights, d_context] = both(book, [StepKind::Weights, StepKind::ContextGradient])?;
            products(
                weights.column(row).zip(d_context.column(column)),
                Name::Query,
                1.0,
            )
        }
        StepKind::QueriesGradient => {
            let [d_scores, keys] = both(book, [StepKind::ScoresGradient, StepKind::Keys])?;
            products(d_scores.row(row).zip(keys.column(column)), Name::Key, scale)
        }
        StepKind::KeysGradient => {
            let [d_scores, queries] = both(book, [StepKind::ScoresGradient, StepKind::Queries])?;
            products(
                d_scores.column(row).zip(queries.column(column)),
                Name::Query,
                scale,
            )
        }
        StepKind::OutputWeightsGradient => {
            let [context, d_output] = both(book, [StepKind::Context, StepKind::OutputGradient])?;
            let pairs = context.column(row).zip(d_output.column(column));
            products(pairs, Name::Query, 1.0)
        }
        _ => {
            let [x, d_rows] = both(book, [StepKind::Normed, projected(step)])?;
            let name = match step {
                StepKind::QueryWeightsGradient => Name::Query,
                _ => Name::Key,
            };
            products(x.column(row).zip(d_rows.column(column)), name, 1.0)
        }
    })
}

/// After the last layer, the products of the gradients of the logits with a row of W_U; `None` where the gradient comes from other layers.
fn unembedded(book: &Book<'_>, place: CellRef) -> Option<Vec<Term>> {
    let unembedding = book.numbers.learned?.unembedding.as_ref()?;
    let d_logits = book.open(StepKind::LogitsGradient)?;
    let own = unembedding.row(place.column);
    let words = own.into_iter().copied().map(Operand::bare);
    Some(products(
        d_logits.row(place.row).zip(words),
        Name::Word,
        1.0,
    ))
}

fn both<'a>(book: &Book<'a>, [one, other]: [StepKind; 2]) -> Option<[Page<'a>; 2]> {
    Some([book.open(one)?, book.open(other)?])
}

/// A term for each pair: its product times a factor.
fn products(
    pairs: impl Iterator<Item = (Operand, Operand)>,
    name: fn(usize) -> Name,
    factor: f64,
) -> Vec<Term> {
    let term = |(at, (one, other)): (usize, (Operand, Operand))| Term {
        name: name(at),
        operands: vec![one, other],
        value: factor * one.value * other.value,
    };
    pairs.enumerate().map(term).collect()
}

/// `a·(da − Σ_keys da·a)`: the terms are those of the sum.
fn through_softmax(book: &Book<'_>, explanation: Explanation) -> Option<Explanation> {
    let CellRef { row, column, .. } = explanation.place;
    let [d_weights, weights] = both(book, [StepKind::WeightsGradient, StepKind::Weights])?;
    let pairs = d_weights.row(row).zip(weights.row(row));
    let mut explanation = explanation.sum_of(products(pairs, Name::Key, 1.0));
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
