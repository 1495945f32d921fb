//! The diagram below the slider of key/value heads: which heads share keys and values.

use web_sys::Element;

use super::Control;
use crate::browser::dom::{Attribute, MissingPart, Root, Text};
use app::present::names;
use app::scene::head_sharing_diagram::sharing;
use app::state::State;

/// How much larger than its view box it is drawn where there is room.
const SCALE: f64 = 1.25;

/// The drawing and its sentence.
pub(super) struct Sharing {
    view: Attribute,
    width: Attribute,
    links: Attribute,
    kv_heads: Attribute,
    heads: Attribute,
    chosen: Attribute,
    sentence: Text,
}

impl Sharing {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        let path = |class: &str| {
            let path: Element = root.find(&format!("#sharing .{class}"))?;
            Ok(Attribute::new(path, "d"))
        };
        let drawing: Element = root.find("#sharing")?;
        Ok(Self {
            view: Attribute::new(drawing.clone(), "viewBox"),
            width: Attribute::new(drawing, "width"),
            links: path("links")?,
            kv_heads: path("is-key")?,
            heads: path("is-query")?,
            chosen: path("chosen")?,
            sentence: Text::find(root, "#sharing-sentence")?,
        })
    }
}

impl Control for Sharing {
    fn update(&mut self, state: &State) {
        let drawn = sharing(state.heads, state.kv_heads, state.head);
        self.view.set(&format!("0 0 {} 36", drawn.width));
        self.width.set(&(SCALE * drawn.width).to_string());
        self.links.set(&drawn.links);
        self.kv_heads.set(&drawn.kv_heads);
        self.heads.set(&drawn.heads);
        self.chosen.set(&drawn.chosen);
        let language = state.language.unwrap_or_default();
        self.sentence.set_text(&names::sharing(state, language));
    }
}
