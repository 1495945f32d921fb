//! The cosine of both outputs of each token, as a list in text order.

use super::numbers::token;
use super::{NONE, Pair};
use crate::i18n::text;
use crate::present::reading::fixed;
use attention::sort;

/// Most tokens in the list; of a longer text, those with the smallest cosines.
const MOST: usize = 64;

/// The list; empty where the outputs cannot be compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cosines {
    pub lines: Vec<Cosine>,
    /// How many tokens are left out, where some are.
    pub rest: String,
}

/// The line of a token.
#[derive(Clone, Debug, PartialEq)]
pub struct Cosine {
    pub token: String,
    pub value: String,
    /// How much of the line's bar is filled.
    pub share: f64,
}

impl Cosines {
    /// A line for each token; `None` is a token without a direction in one of both outputs.
    pub(super) fn new(pair: &Pair<'_>, cosines: &[Option<f64>]) -> Self {
        let shown = alike_least(cosines);
        let line = |at: &usize| Cosine {
            token: token(&pair.a.queries, *at).to_owned(),
            value: cosines[*at].map_or_else(|| NONE.to_owned(), fixed),
            share: cosines[*at].unwrap_or(0.0).max(0.0),
        };
        Self {
            lines: shown.iter().map(line).collect(),
            rest: match cosines.len() - shown.len() {
                0 => String::new(),
                left => text::versus_cosines_rest(pair.language, &left),
            },
        }
    }
}

/// The tokens that are listed, in the order of the text: all of a short one, else those whose outputs differ most.
fn alike_least(cosines: &[Option<f64>]) -> Vec<usize> {
    if cosines.len() <= MOST {
        return (0..cosines.len()).collect();
    }
    let cosine = |token: usize| cosines[token].unwrap_or(1.0);
    let mut tokens = sort::argsort(cosines.len(), &mut |one, other| {
        cosine(one).total_cmp(&cosine(other))
    });
    tokens.truncate(MOST);
    sort::sort(&mut tokens, Ord::cmp);
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_texts_the_tokens_that_differ_most_are_listed_in_text_order() {
        let mut cosines = vec![Some(0.9); 66];
        (cosines[3], cosines[60], cosines[65]) = (None, Some(0.1), Some(0.95));
        let shown = alike_least(&cosines);
        assert_eq!(shown.len(), MOST);
        assert!(shown.is_sorted() && !shown.contains(&3) && !shown.contains(&65));
    }
}
