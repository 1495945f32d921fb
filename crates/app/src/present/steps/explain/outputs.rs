//! Explains context, merged heads and output.

use super::inputs::products;
use super::matrix_lookup::Book;
use super::{CellRef, Derivation, Explanation, Name, Operand, StepKind, Term};

pub(super) fn weighted(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let explanation = book.begin(place, Derivation::Weighted)?;
    let (weights, values) = (book.open(StepKind::Weights)?, book.open(book.values())?);
    let pairs = weights.row(place.row).zip(values.column(place.column));
    let terms = pairs
        .enumerate()
        .map(|(key, (a, v))| Term::product(Name::Key(key), vec![a, v]));
    Some(explanation.sum_of(terms.collect()))
}

pub(super) fn beside(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let explanation = book.begin(place, Derivation::Beside)?;
    let d_v = book.config().sizes.d_v;
    let (head, column) = (place.column / d_v, place.column % d_v);
    // The context of the other heads is on no map.
    let own = (head == book.numbers.head)
        .then(|| book.open(StepKind::Context)?.operand(place.row, column))
        .flatten();
    let operand = own.or(explanation.value.map(Operand::bare))?;
    let term = Term::product(Name::Plain, vec![operand]);
    Some(explanation.in_order(vec![term]))
}

pub(super) fn output(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let explanation = book.begin(place, Derivation::Output)?;
    let merged = book.open(StepKind::Merged)?;
    let terms = match book.numbers.request.output() {
        Some(linear) => products(merged.row(place.row), linear, place.column),
        None => {
            let only = merged.operand(place.row, place.column)?;
            vec![Term::product(Name::Column(place.column), vec![only])]
        }
    };
    Some(explanation.sum_of(terms))
}
