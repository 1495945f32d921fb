//! The rule of the mask that a state has in words.

use crate::state::State;
use attention::Mask;
use masks::Axes;
use masks::rule::{MaskError, RuleError, Variable, parse};

/// Why a rule in words hides nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleFault {
    /// It is no rule.
    Text(RuleError),
    /// It does not fit the map.
    Map(MaskError),
    /// It tells heads or batch entries apart; the page has one mask for all.
    Heads,
}

/// The mask of the state's rule for a map of so many rows and columns; everything where there is none.
///
/// # Errors
/// Why it is no mask.
pub fn own_rule(state: &State, (n, m): (usize, usize)) -> Result<Mask, RuleFault> {
    if state.rule.trim().is_empty() {
        return Ok(Mask::Full);
    }
    let rule = parse(&state.rule).map_err(RuleFault::Text)?;
    if rule.names(Variable::Head) || rule.names(Variable::Batch) {
        return Err(RuleFault::Heads);
    }
    rule.mask(&Axes::of_map(n, m)).map_err(RuleFault::Map)
}
