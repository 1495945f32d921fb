//! Explains scores: products, factor and bias.

use super::matrix_lookup::Book;
use super::{CellRef, Derivation, Explanation, Name, Operand, StepKind, Term};
use attention::alibi_slope;
use attention::plan::Side;
use attention::{Position, Scoring};

pub(super) fn raw(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let (queries, keys) = (book.open(book.queries())?, book.open(book.keys())?);
    let pairs = queries.row(place.row).zip(keys.row(place.column));
    match (book.config().scoring, book.numbers.request.additive()) {
        (Scoring::Additive, Some(w_a)) => {
            let terms = pairs.zip(w_a).enumerate();
            let terms = terms.map(|(at, ((q, k), w))| squashed(at, q, k, f64::from(*w)));
            Some(
                book.begin(place, Derivation::Additive)?
                    .sum_of(terms.collect()),
            )
        }
        _ => {
            let terms = pairs.enumerate();
            let terms = terms.map(|(at, (q, k))| Term::product(Name::Column(at), vec![q, k]));
            Some(book.begin(place, Derivation::Dot)?.sum_of(terms.collect()))
        }
    }
}

/// `w·tanh(q + k)`, with q, k, the tanh and w as operands.
fn squashed(at: usize, q: Operand, k: Operand, w: f64) -> Term {
    let tanh = libm::tanh(q.value + k.value);
    Term {
        name: Name::Column(at),
        operands: vec![q, k, Operand::bare(tanh), Operand::bare(w)],
        value: w * tanh,
    }
}

pub(super) fn scaled(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let score = book.operand(StepKind::Scores, place.row, place.column)?;
    let factor = Operand::bare(book.config().scale);
    let term = Term::product(Name::Plain, vec![score, factor]);
    Some(book.begin(place, Derivation::Scaled)?.in_order(vec![term]))
}

pub(super) fn biased(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let Position::Alibi { strength, .. } = book.config().position else {
        return None;
    };
    let score = book.operand(book.unbiased(), place.row, place.column)?;
    let query = book.position(Side::Queries, place.row);
    let distance = query.abs_diff(book.position(Side::KeysValues, place.column)) as f64;
    let slope = alibi_slope(book.numbers.head, book.config().sizes.heads);
    let terms = vec![
        Term::product(Name::Plain, vec![score]),
        Term::product(
            Name::Plain,
            [-f64::from(strength) * slope, distance]
                .map(Operand::bare)
                .into(),
        ),
    ];
    Some(book.begin(place, Derivation::Biased)?.in_order(terms))
}
