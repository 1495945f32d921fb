//! How one number of a step was computed, with its operands.
//!
//! The operands are the 32-bit numbers of the run; the arithmetic is repeated here in 64 bits. The result equals the number of the run
//! up to rounding, and an [`Explanation`] holds both.

wasm_chunks::chunk!("more");

mod backward;
mod entering;
mod inputs;
mod kinds;
mod logits;
mod matrix_lookup;
mod outputs;
mod residual;
mod scores;
mod softmax;
mod visible;

use super::Numbers;
use crate::state::State;
use crate::state::StepKind;
use attention::sort;
pub use kinds::{Derivation, Name, What};
use matrix_lookup::Book;

/// A cell of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRef {
    /// The step.
    pub step: StepKind,
    /// The row of its matrix.
    pub row: usize,
    /// The column of its matrix.
    pub column: usize,
}

/// One number that went into another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operand {
    /// The number.
    pub value: f64,
    /// Where it can be seen; `None` for weight matrices and whatever else has no map.
    pub place: Option<CellRef>,
}

/// One of the numbers that are put together, and what it was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Name of the term.
    pub name: Name,
    /// Operands, one per column of the derivation.
    pub operands: Vec<Operand>,
    /// The term itself.
    pub value: f64,
}

/// A number with a meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Meaning of the number.
    pub what: What,
    /// The number, and where it can be seen.
    pub operand: Operand,
}

/// A rule that a cell has to pass to be visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Painted by hand, which decides alone.
    Painted,
    /// `j ≤ i`.
    Causal {
        /// Where the query stands among the keys.
        place: i64,
    },
    /// `j < valid`.
    Padding {
        /// How many keys are real.
        valid: usize,
    },
    /// `i < valid`.
    PaddedQueries {
        /// How many queries are real.
        valid: usize,
    },
    /// `|i − j| ≤ window`.
    Local {
        /// Reach to either side.
        window: usize,
        /// `|i − j|`.
        distance: usize,
    },
    /// `(i − j) mod stride = 0`.
    Strided {
        /// Distance of visible keys.
        stride: usize,
        /// `|i − j|`.
        distance: usize,
    },
    /// `j < first`: always visible beside a local or strided mask.
    First {
        /// How many.
        first: usize,
    },
    /// The rule in words.
    Words,
    /// No rule hides anything.
    Nothing,
}

/// A rule and what it says of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplainRule {
    /// The rule.
    pub reason: Reason,
    /// Whether the cell passes.
    pub passes: bool,
}

/// How a number came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Which number.
    pub place: CellRef,
    /// By which arithmetic.
    pub way: Derivation,
    /// Rules that decide whether the cell is visible; empty except for the mask.
    pub rules: Vec<ExplainRule>,
    /// Numbers that are needed first.
    pub before: Vec<Line>,
    /// All terms, the largest first.
    pub terms: Vec<Term>,
    /// Operations on the sum of the terms.
    pub after: Vec<Line>,
    /// Result in 64 bit; `None` where the cell holds no number.
    pub value: Option<f64>,
    /// The number of the run, in 32 bit; `None` where the cell holds no number.
    pub computed: Option<f32>,
}

/// Terms that are not shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// How many terms.
    pub count: usize,
    /// Their sum.
    pub sum: f64,
}

impl Explanation {
    /// The first `most` terms and no zeros among them, and the rest of them put together.
    pub fn shown(&self, most: usize) -> (&[Term], Option<Rest>) {
        let counting = self.terms.iter().filter(|term| term.value != 0.0).count();
        let most = most.min(counting.max(1));
        // A rest of one would take as much room as the term itself.
        if self.terms.len() <= most + 1 {
            return (&self.terms, None);
        }
        let (shown, rest) = self.terms.split_at(most);
        let (count, sum) = (rest.len(), total(rest));
        (shown, Some(Rest { count, sum }))
    }

    /// All terms as they follow each other in the vectors or the sentence; a bias comes last.
    pub fn in_sequence(&self) -> Vec<&Term> {
        let mut terms: Vec<&Term> = self.terms.iter().collect();
        sort::sort(&mut terms, |one, other| {
            one.name.sort_index().cmp(&other.name.sort_index())
        });
        terms
    }

    /// Places of all numbers that went in and can be seen.
    pub fn places(&self) -> Vec<CellRef> {
        let lines = self.before.iter().chain(&self.after);
        let terms = self.terms.iter().flat_map(|term| &term.operands);
        let operands = terms.chain(lines.map(|line| &line.operand));
        operands.filter_map(|operand| operand.place).collect()
    }

    /// Steps of these places, each once.
    pub fn sources(&self) -> Vec<StepKind> {
        let mut steps = Vec::new();
        for CellRef { step, .. } in self.places() {
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        steps
    }

    /// Whether one of the terms is a bias.
    pub fn has_bias(&self) -> bool {
        self.terms.iter().any(|term| term.name == Name::Bias)
    }

    /// The sum of all terms.
    pub fn sum(&self) -> f64 {
        total(&self.terms)
    }

    fn new(place: CellRef, way: Derivation, computed: f32) -> Self {
        Self {
            place,
            way,
            rules: Vec::new(),
            before: Vec::new(),
            terms: Vec::new(),
            after: Vec::new(),
            value: Some(f64::from(computed)),
            computed: Some(computed),
        }
    }

    /// Takes the terms, the largest first, and their sum as what comes out.
    fn sum_of(mut self, terms: Vec<Term>) -> Self {
        self.value = Some(total(&terms));
        self.terms = terms;
        let size = |term: &Term| term.value.abs();
        sort::sort(&mut self.terms, |one, other| {
            size(other).total_cmp(&size(one))
        });
        self
    }

    /// Takes the terms in the order in which they stand in a formula.
    fn in_order(mut self, terms: Vec<Term>) -> Self {
        self.value = Some(total(&terms));
        self.terms = terms;
        self
    }
}

fn total(terms: &[Term]) -> f64 {
    terms.iter().map(|term| term.value).sum()
}

impl Operand {
    fn bare(value: impl Into<f64>) -> Self {
        Self {
            value: value.into(),
            place: None,
        }
    }
}

impl Term {
    /// The product of its operands.
    fn product(name: Name, operands: Vec<Operand>) -> Self {
        let value = operands.iter().map(|operand| operand.value).product();
        Self {
            name,
            operands,
            value,
        }
    }
}

impl Line {
    fn new(what: What, value: f64) -> Self {
        Self {
            what,
            operand: Operand::bare(value),
        }
    }
}

/// How the number at `place` came about; `None` where there is no such cell.
pub fn explain(numbers: &Numbers<'_>, state: &State, place: CellRef) -> Option<Explanation> {
    let book = Book::new(numbers);
    match place.step {
        StepKind::Input | StepKind::Source => inputs::embedded(&book, place),
        StepKind::Positions => inputs::encoding(&book, place),
        StepKind::Queries | StepKind::Keys | StepKind::Values => inputs::projected(&book, place),
        StepKind::RotatedQueries | StepKind::RotatedKeys => inputs::rotated(&book, place),
        StepKind::ShortKeys | StepKind::ShortValues => inputs::shortened(&book, place),
        StepKind::Scores => scores::raw(&book, place),
        StepKind::Scaled => scores::scaled(&book, place),
        StepKind::Biased => scores::biased(&book, place),
        StepKind::Mask => visible::ruled(&book, state, place),
        StepKind::Masked => visible::masked(&book, place),
        StepKind::Softmax => softmax::before_hiding(&book, place),
        StepKind::Weights => softmax::weight(&book, place),
        StepKind::Context => outputs::weighted(&book, place),
        StepKind::Merged => outputs::beside(&book, place),
        StepKind::Output => outputs::output(&book, place),
        StepKind::Residual => book.begin(place, Derivation::Residual),
        StepKind::Normed => residual::normed(&book, place),
        StepKind::Sum => residual::summed(&book, place),
        StepKind::Logits => logits::unembedded(&book, place),
        StepKind::LogitsGradient => logits::gradient(&book, place),
        StepKind::OutputGradient
        | StepKind::ContextGradient
        | StepKind::OutputWeightsGradient
        | StepKind::WeightsGradient
        | StepKind::ValuesGradient
        | StepKind::ScoresGradient
        | StepKind::QueriesGradient
        | StepKind::KeysGradient
        | StepKind::QueryWeightsGradient
        | StepKind::KeyWeightsGradient
        | StepKind::ValueWeightsGradient => backward::gradient(&book, place),
        StepKind::NormedGradient => entering::normed(&book, place),
        StepKind::ResidualGradient => entering::residual(&book, place),
    }
}
