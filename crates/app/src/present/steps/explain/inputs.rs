//! Explains inputs, positions, projections, and everything before the scores.

use super::matrix_lookup::Book;
use super::{CellRef, Derivation, Explanation, Line, Name, Operand, StepKind, Term, What};
use attention::{InputKind, Linear, Position, rotation, sinusoid};

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
    explanation.before = angle(place.row, place.column / 2, width);
    let angle = rotation(place.row as i64, place.column / 2, width);
    explanation.value = Some(if is_even {
        libm::sin(angle)
    } else {
        libm::cos(angle)
    });
    Some(explanation)
}

/// Position, divisor and angle of a pair of columns.
fn angle(position: usize, pair: usize, width: usize) -> Vec<Line> {
    let angle = rotation(position as i64, pair, width);
    let divisor = 1.0 / rotation(1, pair, width);
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
    let encoded = encoded(place.row, book.config().sizes.d_model?);
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

/// A row of the encoding, without the others.
fn encoded(row: usize, width: usize) -> impl Iterator<Item = Operand> {
    (0..width).map(move |column| Operand {
        value: f64::from(sinusoid(row as i64, column, width) as f32),
        place: Some(CellRef {
            step: StepKind::Positions,
            row,
            column,
        }),
    })
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
    let straight = match step {
        StepKind::RotatedQueries => StepKind::Queries,
        _ => StepKind::Keys,
    };
    let straight = book.open(straight)?;
    let (first, width) = (column / 2 * 2, book.config().sizes.d_k);
    let x = straight.operand(row, first)?;
    let Some(y) = straight.operand(row, first + 1) else {
        let only = Term::product(Name::Plain, vec![x]);
        return Some(
            book.begin(place, Derivation::Unturned)?
                .in_order(vec![only]),
        );
    };
    let angle_of_pair = rotation(row as i64, column / 2, width);
    let (sin, cos) = (libm::sin(angle_of_pair), libm::cos(angle_of_pair));
    let (way, factors) = if column == first {
        (Derivation::TurnedFirst, [cos, -sin])
    } else {
        (Derivation::TurnedSecond, [sin, cos])
    };
    let mut explanation = book.begin(place, way)?;
    explanation.before = angle(row, column / 2, width);
    let terms = [x, y].into_iter().zip(factors).enumerate();
    let terms = terms.map(|(at, (operand, factor))| {
        Term::product(
            Name::Column(first + at),
            vec![operand, Operand::bare(factor)],
        )
    });
    Some(explanation.in_order(terms.collect()))
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
