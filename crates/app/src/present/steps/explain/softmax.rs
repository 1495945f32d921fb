//! Explains the softmax of a row of scores.

use super::matrix_lookup::Book;
use super::{CellRef, Derivation, Explanation, Line, Name, Operand, StepKind, Term, What};

/// A weight as it is used.
pub(super) fn weight(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let config = book.config();
    let is_visible = book.is_visible(place.row, place.column);
    if config.masked && config.mask_after {
        return hidden_after(book, place, is_visible);
    }
    let is_left_out = book.numbers.request.call().masked_score.is_none();
    if !is_visible && is_left_out {
        return book.begin(place, Derivation::Hidden);
    }
    shared(book, place, is_left_out)
}

/// A weight of the softmax over all keys, before the mask.
pub(super) fn before_hiding(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    shared(book, place, false)
}

fn hidden_after(book: &Book<'_>, place: CellRef, is_visible: bool) -> Option<Explanation> {
    let weight = book.operand(StepKind::Softmax, place.row, place.column)?;
    let factor = Operand::bare(f64::from(u8::from(is_visible)));
    let term = Term::product(Name::Plain, vec![weight, factor]);
    Some(
        book.begin(place, Derivation::HiddenAfter)?
            .in_order(vec![term]),
    )
}

/// `exp(s/T − max) / Σ exp(s/T − max)`, over the visible keys or over all.
fn shared(book: &Book<'_>, place: CellRef, is_left_out: bool) -> Option<Explanation> {
    let mut explanation = book.begin(place, Derivation::Softmax)?;
    let page = book.open(book.scores())?;
    let temperature = f64::from(book.config().temperature);
    let seen = |key: usize| !is_left_out || book.is_visible(place.row, key);
    let row = page
        .row(place.row)
        .enumerate()
        .filter(|(key, _)| seen(*key));
    let scores: Vec<(usize, Operand)> = row.collect();
    let largest = scores
        .iter()
        .map(|(_, score)| *score)
        .reduce(|most, next| if next.value > most.value { next } else { most })?;
    let terms = scores
        .iter()
        .map(|(key, score)| exponential(*key, *score, largest.value, temperature));
    explanation = explanation.sum_of(terms.collect());
    let own = explanation
        .terms
        .iter()
        .find(|term| term.name == Name::Key(place.column))?
        .value;
    let sum = explanation.sum();
    explanation.value = Some(own / sum);
    explanation.before = vec![Line {
        what: What::Largest,
        operand: largest,
    }];
    if temperature != 1.0 {
        let line = Line::new(What::Temperature, temperature);
        explanation.before.push(line);
    }
    explanation.after = vec![Line::new(What::Own, own), Line::new(What::Sum, sum)];
    Some(explanation)
}

/// `exp((s − largest)/T)`, with s and the exponent as operands.
fn exponential(key: usize, score: Operand, largest: f64, temperature: f64) -> Term {
    let exponent = (score.value - largest) / temperature;
    Term {
        name: Name::Key(key),
        operands: vec![score, Operand::bare(exponent)],
        value: libm::exp(exponent),
    }
}
