//! Explains inputs, positions, projections, and everything before the scores.

use super::matrix_lookup::Book;
use super::{CellRef, Derivation, Explanation, Line, Name, Operand, StepKind, Term, What};
use attention::plan::Side;
use attention::{InputKind, Linear, Position, Rotation, sinusoid};

pub(super) fn embedded(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    book.begin(place, Derivation::Embedded)
}

pub(super) fn encoding(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let is_even = place.column.is_multiple_of(2);
    let way = if is_even {
        Derivation::Sine
    } else {
        Derivation::Cosine
    };
    let mut explanation = book.begin(place, way)?;
    let width = book.config().sizes.d_model?;
    let (pair, position) = (place.column / 2, book.first_place() + place.row as i64);
    explanation.before = angle(Rotation::PAPER, position, pair, width);
    let angle = Rotation::PAPER.angle(position, pair, width);
    explanation.value = Some(if is_even {
        libm::sin(angle)
    } else {
        libm::cos(angle)
    });
    Some(explanation)
}

/// Position, divisor and angle of a pair of columns.
fn angle(turn: Rotation, position: i64, pair: usize, width: usize) -> Vec<Line> {
    let angle = turn.angle(position, pair, width);
    let divisor = 1.0 / turn.angle(1, pair, width);
    vec![
        Line::new(What::Position, position as f64),
        Line::new(What::Divisor, divisor),
        Line::new(What::Angle, angle),
    ]
}

pub(super) fn projected(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    if book.config().input == InputKind::Given {
        return book.begin(place, Derivation::Imported);
    }
    let (linear, column) = book.projection(place.step, place.column)?;
    let is_keys = place.step != StepKind::Queries;
    let inputs = book.open(book.inputs(is_keys))?;
    let row = inputs.row(place.row);
    if book.config().position != Position::Sinusoidal {
        let terms = products(row, linear, column);
        return Some(book.begin(place, Derivation::Projected)?.sum_of(terms));
    }
    let side = if is_keys {
        Side::KeysValues
    } else {
        Side::Queries
    };
    let encoded = encoded(book, book.position(side, place.row))?;
    let sums = row.zip(encoded).zip(linear.w.column(column)).enumerate();
    let terms = sums.map(|(at, ((x, pe), w))| Term {
        name: Name::Column(at),
        operands: vec![x, pe, Operand::bare(*w)],
        value: (x.value + pe.value) * f64::from(*w),
    });
    let terms = terms.chain(bias(linear, column)).collect();
    Some(
        book.begin(place, Derivation::ProjectedPositions)?
            .sum_of(terms),
    )
}

/// The encoding of a position, without the others.
fn encoded(book: &Book<'_>, position: i64) -> Option<impl Iterator<Item = Operand>> {
    let width = book.config().sizes.d_model?;
    let row = usize::try_from(position - book.first_place()).ok()?;
    Some((0..width).map(move |column| Operand {
        value: f64::from(sinusoid(position, column, width) as f32),
        place: Some(CellRef {
            step: StepKind::Positions,
            row,
            column,
        }),
    }))
}

/// `x[r]·w[r, column]` for each `r`, and the bias.
pub(super) fn products(
    row: impl Iterator<Item = Operand>,
    linear: &Linear,
    column: usize,
) -> Vec<Term> {
    let pairs = row.zip(linear.w.column(column)).enumerate();
    let products =
        pairs.map(|(at, (x, w))| Term::product(Name::Column(at), vec![x, Operand::bare(*w)]));
    products.chain(bias(linear, column)).collect()
}

fn bias(linear: &Linear, column: usize) -> Option<Term> {
    linear.b.as_ref().map(|bias| Term {
        name: Name::Bias,
        operands: Vec::new(),
        value: f64::from(bias[column]),
    })
}

pub(super) fn rotated(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let CellRef { step, row, column } = place;
    let (straight, side) = match step {
        StepKind::RotatedQueries => (StepKind::Queries, Side::Queries),
        _ => (StepKind::Keys, Side::KeysValues),
    };
    let straight = book.open(straight)?;
    let (turn, width) = (book.config().position.rotation()?, book.config().sizes.d_k);
    let Some((pair, is_second)) = turn.pair_of(column, width) else {
        let only = Term::product(Name::Plain, vec![straight.operand(row, column)?]);
        return Some(
            book.begin(place, Derivation::Unturned)?
                .in_order(vec![only]),
        );
    };
    let position = book.position(side, row);
    let angle_of_pair = turn.angle(position, pair, width);
    let (sin, cos) = (libm::sin(angle_of_pair), libm::cos(angle_of_pair));
    let (way, factors) = if is_second {
        (Derivation::TurnedSecond, [sin, cos])
    } else {
        (Derivation::TurnedFirst, [cos, -sin])
    };
    let mut explanation = book.begin(place, way)?;
    explanation.before = angle(turn, position, pair, width);
    let columns = turn.columns_of(pair, width).into_iter().zip(factors);
    let terms = columns.map(|(column, factor)| {
        let operands = vec![straight.operand(row, column)?, Operand::bare(factor)];
        Some(Term::product(Name::Column(column), operands))
    });
    Some(explanation.in_order(terms.collect::<Option<_>>()?))
}

pub(super) fn shortened(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let linformer = book.numbers.request.call().linformer.as_ref()?;
    let (matrix, long) = match place.step {
        StepKind::ShortKeys => (&linformer.e, book.long_keys()),
        _ => (&linformer.f, StepKind::Values),
    };
    let explanation = book.begin(place, Derivation::Shortened)?;
    let long = book.open(long)?;
    let mixed = matrix.row(place.row);
    let terms = mixed.iter().zip(long.column(place.column)).enumerate();
    let terms = terms.map(|(at, (share, number))| {
        Term::product(Name::Row(at), vec![Operand::bare(*share), number])
    });
    Some(explanation.sum_of(terms.collect()))
}
