//! Which range "auto" stands for, marked in its control.

use crate::browser::dom::{Attribute, MissingPart, Root, Text};
use crate::browser::main_view::ViewContext;
use crate::i18n::Key;
use crate::state::ColourRange;

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

    /// Marks the range that the colours of the picture have where nobody has chosen one.
    pub(crate) fn update(&mut self, sight: &ViewContext<'_>) {
        let is_chosen = sight.state.range != ColourRange::Auto;
        let (mark, name) = match sight.run.range_in_force(sight.state.range) {
            _ if is_chosen => ("", None),
            ColourRange::Head => (ColourRange::Head.name(), Some(Key::RangeHead)),
            _ => (ColourRange::All.name(), Some(Key::RangeAll)),
        };
        self.control.set(mark);
        let name = name.map(|name| format!(" ({})", name.text(sight.language)));
        self.spoken.set_text(&name.unwrap_or_default());
    }
}
