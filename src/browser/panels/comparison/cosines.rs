//! The cosine of both outputs of each token, as a list in text order.

use web_sys::{Element, HtmlElement};

use super::Pair;
use super::numbers::{NONE, fixed};
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::panels::keyed_list::{Row, Rows};
use crate::i18n::text;
use attention::sort;

/// Tokens that there is room for; of longer texts those with the smallest cosines are worth a line.
const MOST: usize = 64;

/// The list.
pub(super) struct Cosines {
    rows: Rows<Line>,
    rest: Text,
    part: Element,
}

struct Line {
    element: Element,
    token: Text,
    bar: HtmlElement,
    value: Text,
}

impl Row for Line {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let element: Element = dom::append(parent, "li", "")?;
        let token: Element = dom::append(&element, "span", "is-query-text")?;
        dom::set(&token, "translate", "no");
        let bar: HtmlElement = dom::append(&element, "i", "")?;
        let value: Element = dom::append(&element, "span", "value")?;
        Some(Self {
            token: Text::new(token),
            value: Text::new(value),
            bar,
            element,
        })
    }

    fn element(&self) -> &Element {
        &self.element
    }
}

impl Cosines {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            rows: Rows::new(root.find("#versus-cosines")?),
            rest: Text::find(root, "#versus-cosines-rest")?,
            part: root.find("#versus-cosines-part")?,
        })
    }

    /// Shows nothing.
    pub(super) fn clear(&mut self) {
        dom::set_flag(&self.part, "hidden", true);
    }

    /// Shows a line for each token; `None` is a token without a direction in one of both outputs.
    pub(super) fn update(&mut self, pair: &Pair<'_>, cosines: &[Option<f64>]) {
        dom::set_flag(&self.part, "hidden", cosines.is_empty());
        let shown = alike_least(cosines);
        let lines = self.rows.take(shown.len());
        for (line, token) in lines.iter_mut().zip(&shown) {
            let cosine = cosines[*token];
            line.token
                .set_text(pair.a.queries.get(*token).map_or("", String::as_str));
            line.value
                .set_text(&cosine.map_or_else(|| NONE.to_owned(), fixed));
            // A property of our own, which no browser refuses.
            let share = format!("{:.3}", cosine.unwrap_or(0.0).max(0.0));
            let _ = line.bar.style().set_property("--share", &share);
        }
        let left = cosines.len() - shown.len();
        let rest = match left {
            0 => String::new(),
            _ => text::versus_cosines_rest(pair.place.language, &left),
        };
        self.rest.set_text(&rest);
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
