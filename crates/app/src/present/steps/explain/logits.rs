//! Explains what a model makes of the rows that its last layer leaves, and where the backward pass begins.

use super::matrix_lookup::Book;
use super::{CellRef, Derivation, Explanation, Line, Name, Operand, StepKind, Term, What};

/// `Σ_c (h + o)·u`.
pub(super) fn unembedded(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let unembedding = book.numbers.learned?.unembedding.as_ref()?;
    let explanation = book.begin(place, Derivation::Unembedded)?;
    let word = unembedding.column(place.column);
    let sum = book.open(StepKind::Sum)?;
    let pairs = sum.row(place.row).zip(word);
    let terms: Vec<Term> = pairs
        .enumerate()
        .map(|(at, (sum, u))| Term::product(Name::Column(at), vec![sum, Operand::bare(*u)]))
        .collect();
    Some(explanation.sum_of(terms))
}

/// `softmax(z) − onehot`: the terms are those of the softmax's sum. Where nothing is asked there are none.
pub(super) fn gradient(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let explanation = book.begin(place, Derivation::Backward)?;
    let loss = book.numbers.learned?.loss()?;
    if loss.row != place.row {
        return Some(explanation);
    }
    let logits: Vec<Operand> = book.open(StepKind::Logits)?.row(place.row).collect();
    let values = logits.iter().map(|logit| logit.value);
    let largest = values.fold(f64::NEG_INFINITY, f64::max);
    let term = |(word, logit): (usize, &Operand)| {
        let rise = logit.value - largest;
        Term {
            name: Name::Word(word),
            operands: vec![*logit, Operand::bare(rise)],
            value: libm::exp(rise),
        }
    };
    let own = libm::exp(logits.get(place.column)?.value - largest);
    let mut explanation = explanation.sum_of(logits.iter().enumerate().map(term).collect());
    let probability = own / explanation.sum();
    let target = f64::from(u8::from(place.column == loss.word));
    explanation.value = Some(probability - target);
    explanation.before = vec![Line::new(What::LargestLogit, largest)];
    explanation.after = vec![
        Line::new(What::Own, own),
        Line::new(What::Sum, explanation.sum()),
        Line::new(What::Probability, probability),
        Line::new(What::Target, target),
    ];
    Some(explanation)
}
