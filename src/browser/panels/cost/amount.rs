//! A count, rounded, with the exact value on request.

use web_sys::Element;

use crate::browser::dom::{Attribute, MissingPart, Root, Text};
use crate::i18n::number;

/// A number with a prefix; the exact one is its title.
pub(super) struct Amount {
    text: Text,
    exact: Attribute,
}

impl Amount {
    pub(super) fn new(element: Element) -> Self {
        Self {
            text: Text::new(element.clone()),
            exact: Attribute::new(element, "title"),
        }
    }

    pub(super) fn find(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        root.find(selector).map(Self::new)
    }

    pub(super) fn say(&mut self, amount: u64, unit: &str) {
        self.text
            .set_text(number::si(amount as f64, unit).trim_end());
        self.exact.set(&amount.to_string());
    }
}
