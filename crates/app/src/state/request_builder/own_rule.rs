//! The rule of the mask that a state has in words.

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

/// The mask of a rule in words for a map of so many rows and columns; everything where the text is empty.
///
/// # Errors
/// Why it is no mask.
pub fn own_rule(words: &str, (n, m): (usize, usize)) -> Result<Mask, RuleFault> {
    if words.trim().is_empty() {
        return Ok(Mask::Full);
    }
    let rule = parse(words).map_err(RuleFault::Text)?;
    if rule.names(Variable::Head) || rule.names(Variable::Batch) {
        return Err(RuleFault::Heads);
    }
    rule.mask(&Axes::of_map(n, m)).map_err(RuleFault::Map)
}
