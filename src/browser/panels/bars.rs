//! A bar per key for the selected query, sorted by weight.

use web_sys::Element;

use super::keyed_list::{Row, Rows};
use crate::browser::dom::{self, Attribute, MissingPart, Property, Root, Text};
use crate::i18n::number::CellStyle;
use crate::i18n::{Language, text};
use crate::present::run::Run;
use crate::scene::bars::{Bar, Order, bars};

/// Bars that there is room for; what is left over is summed up below them.
const MOST: usize = 14;
const STYLE: CellStyle = CellStyle {
    decimals: 3,
    leading_zero: true,
};

/// The list of bars.
pub(crate) struct Bars {
    rows: Rows<Item>,
    rest: Text,
}

struct Item {
    element: Element,
    token: Text,
    length: Property,
    value: Text,
    state: Attribute,
}

impl Row for Item {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let element: Element = dom::append(parent, "li", "")?;
        let token: Element = dom::append(&element, "span", "token")?;
        let bar: Element = dom::append(&element, "span", "bar")?;
        let value: Element = dom::append(&element, "span", "value")?;
        Some(Self {
            token: Text::new(token),
            length: Property::new(bar, "--weight"),
            value: Text::new(value),
            state: Attribute::new(element.clone(), "class"),
            element,
        })
    }

    fn element(&self) -> &Element {
        &self.element
    }
}

impl Bars {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            rows: Rows::new(root.find("#bars")?),
            rest: Text::find(root, "#bars-rest")?,
        })
    }

    /// Shows the weights of `query`, with `column` pointed out.
    pub(crate) fn update(
        &mut self,
        run: &Run,
        head: usize,
        query: usize,
        column: Option<usize>,
        language: Language,
    ) {
        let is_hidden = |key| run.hidden().is_hidden(query, key);
        let list = bars(run.row(head, query), is_hidden, Order::Weight, MOST);
        let items = self.rows.take(list.bars.len());
        for (item, bar) in items.iter_mut().zip(&list.bars) {
            item.update(
                bar,
                run.keys.get(bar.key).map_or("", String::as_str),
                column == Some(bar.key),
            );
        }
        self.rest
            .set_text(&list.rest.map_or_else(String::new, |rest| {
                text::bars_rest(language, &rest.keys, &STYLE.write(rest.weight))
            }));
    }
}

impl Item {
    fn update(&mut self, bar: &Bar, token: &str, is_column: bool) {
        self.token.set_text(token);
        self.length.set(&format!("{:.1}%", 100.0 * bar.length));
        self.value.set_text(&if bar.hidden {
            "–".to_owned()
        } else {
            STYLE.write(bar.weight)
        });
        self.state.set(match (bar.hidden, is_column) {
            (true, _) => "is-hidden",
            (false, true) => "is-column",
            (false, false) => "",
        });
    }
}
