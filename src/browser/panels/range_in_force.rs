//! Marks the range that "auto" stands for in its control.

use crate::browser::dom::{Attribute, MissingPart, Root, Text};
use crate::browser::main_view::ViewContext;
use app::present::names;

/// The control of the range.
pub(crate) struct RangeInForce {
    control: Attribute,
    spoken: Text,
}

impl RangeInForce {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        let control: web_sys::Element = root.find("#range")?;
        Ok(Self {
            control: Attribute::new(control, "data-in-force"),
            spoken: Text::find(root, "#range-in-force")?,
        })
    }

    /// Marks the colour range in effect while "auto" is chosen.
    pub(crate) fn update(&mut self, context: &ViewContext<'_>) {
        let (mark, said) =
            names::range_in_force(context.run, context.state.range, context.language);
        self.control.set(mark);
        self.spoken.set_text(&said);
    }
}
