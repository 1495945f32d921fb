//! Explains which rule hides a cell, and what happens to its score.

use super::matrix_lookup::Book;
use super::{CellRef, Derivation, ExplainRule, Explanation, Name, Operand, Reason, StepKind, Term};
use crate::state::request_builder::{is_visible, lengths, own_rule, pads_rows, query_start};
use crate::state::steps::adds_mask;
use crate::state::{MaskPart, State};

pub(super) fn ruled(book: &Book<'_>, state: &State, place: CellRef) -> Option<Explanation> {
    let mut explanation = book.begin(place, Derivation::Ruled)?;
    explanation.rules = rules(state, place.row, place.column);
    let is_visible = decides(&explanation.rules);
    explanation.value = Some(f64::from(u8::from(is_visible)));
    Some(explanation)
}

pub(super) fn masked(book: &Book<'_>, place: CellRef) -> Option<Explanation> {
    let CellRef { row, column, .. } = place;
    let score = book.operand(book.unmasked(), row, column)?;
    if adds_mask(book.config()) {
        let added = book.operand(StepKind::Mask, row, column)?;
        let terms = [score, added].map(|operand| Term::product(Name::Plain, vec![operand]));
        return Some(book.begin(place, Derivation::Added)?.in_order(terms.into()));
    }
    let fill = book.numbers.request.call().masked_score;
    let (way, operand) = match (book.is_visible(row, column), fill) {
        (true, _) => (Derivation::Kept, score),
        (false, Some(fill)) => (Derivation::Written, Operand::bare(fill)),
        (false, None) => (Derivation::LeftOut, score),
    };
    let term = Term::product(Name::Plain, vec![operand]);
    let mut explanation = book.begin(place, way)?.in_order(vec![term]);
    if way == Derivation::LeftOut {
        (explanation.value, explanation.computed) = (None, None);
    }
    Some(explanation)
}

/// The rules that are asked about the cell of `query` and `key`, in order.
fn rules(state: &State, query: usize, key: usize) -> Vec<ExplainRule> {
    if let Some(passes) = state.paint.at(query, key) {
        let reason = Reason::Painted;
        return vec![ExplainRule { reason, passes }];
    }
    let shape = lengths(state);
    let place = query_start(state, shape) + query as i64;
    let parts = state.masks.iter();
    let mut rules: Vec<ExplainRule> = parts
        .filter_map(|part| rule(state, part, place, key))
        .collect();
    if pads_rows(state) {
        rules.push(ExplainRule {
            reason: Reason::PaddedQueries { valid: state.valid },
            passes: query < state.valid,
        });
    }
    let own = own_rule(&state.rule, shape).unwrap_or_default();
    if !own.is_full() {
        rules.push(ExplainRule {
            reason: Reason::Words,
            passes: is_visible(&own, query, key),
        });
    }
    if rules.is_empty() {
        rules.push(ExplainRule {
            reason: Reason::Nothing,
            passes: true,
        });
    }
    rules
}

/// What a part of the mask says of a key and a query at `place`; `None` for the first tokens alone, which hide nothing.
fn rule(state: &State, part: MaskPart, place: i64, key: usize) -> Option<ExplainRule> {
    let distance = place.abs_diff(key as i64) as usize;
    let (window, stride) = (state.window, state.stride);
    let is_sparse =
        state.masks.contains(MaskPart::Local) || state.masks.contains(MaskPart::Strided);
    let (reason, passes) = match part {
        MaskPart::Causal => (Reason::Causal { place }, key as i64 <= place),
        MaskPart::Padding => (Reason::Padding { valid: state.valid }, key < state.valid),
        MaskPart::Local => (Reason::Local { window, distance }, distance <= window),
        MaskPart::Strided => (
            Reason::Strided { stride, distance },
            distance.is_multiple_of(stride),
        ),
        MaskPart::First if !is_sparse => return None,
        MaskPart::First => (Reason::First { first: state.first }, key < state.first),
    };
    Some(ExplainRule { reason, passes })
}

impl Reason {
    /// Whether one of these is enough: together they are the keys that a query reaches.
    pub const fn is_reach(self) -> bool {
        matches!(
            self,
            Self::Local { .. } | Self::Strided { .. } | Self::First { .. }
        )
    }
}

/// Whether a cell is visible: every rule of its own, and at least one of those that reach.
fn decides(rules: &[ExplainRule]) -> bool {
    let reach = || rules.iter().filter(|rule| rule.reason.is_reach());
    let mut own = rules.iter().filter(|rule| !rule.reason.is_reach());
    own.all(|rule| rule.passes) && (reach().next().is_none() || reach().any(|rule| rule.passes))
}
