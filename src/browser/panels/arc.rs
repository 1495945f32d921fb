//! The arc below the sentence, from the chosen word to what it looks at most.

use web_sys::Element;

use super::TokenTint;
use crate::browser::dom::{self, Attribute, MissingPart, Property, Root};
use app::scene::arc::thickness;

/// The arc.
pub(crate) struct SentenceArc {
    paths: [Attribute; 3],
    width: Property,
    is_hidden: Attribute,
    element: Element,
    is_still: bool,
}

impl SentenceArc {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        let element: Element = root.find("#arc")?;
        let path = |name| {
            let found: Element = root.find(&format!("#arc .{name}"))?;
            Ok(Attribute::new(found, "d"))
        };
        Ok(Self {
            paths: [path("line")?, path("tip")?, path("foot")?],
            width: Property::new(element.clone(), "--width"),
            is_hidden: Attribute::new(element.clone(), "data-none"),
            element,
            is_still: false,
        })
    }

    /// Draws the arc of `row`, or none. While a model is watched learning it is where the numbers of the moment have it, without a swing.
    pub(crate) fn show(
        &mut self,
        words: &mut TokenTint,
        row: usize,
        link: Option<(usize, f32)>,
        is_watched: bool,
    ) {
        if std::mem::replace(&mut self.is_still, is_watched) != is_watched {
            dom::set_flag(&self.element, "data-still", is_watched);
        }
        let arc = link.and_then(|(key, weight)| Some((words.arc(row, key)?, weight)));
        self.is_hidden.set(if arc.is_some() { "0" } else { "1" });
        if let Some((arc, weight)) = arc {
            for (path, d) in self.paths.iter_mut().zip([arc.line, arc.tip, arc.foot]) {
                path.set(&d);
            }
            self.width.set(&thickness(weight));
        }
    }
}
