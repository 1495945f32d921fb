//! All heads as thumbnails on the map's own scale; choosing one enlarges it.

use std::rc::Rc;

use web_sys::{Element, HtmlCanvasElement};

use super::rows::{Row, Rows};
use crate::ui::dom::{self, Attribute, MissingPart, Root, Text};
use crate::ui::listen::Listener;
use crate::ui::map::{Look, Surface};
use crate::ui::run::Run;

/// Cells per side above which a thumbnail pools them.
const MOST: u32 = 96;

/// The row of thumbnails.
pub struct Heads {
    rows: Rows<Thumbnail>,
    pixels: Vec<u8>,
    choose: Rc<dyn Fn(usize)>,
}

struct Thumbnail {
    item: Element,
    surface: Surface,
    button: Element,
    caption: Text,
    pressed: Attribute,
    listener: Option<Listener>,
}

impl Row for Thumbnail {
    fn make(parent: &Element, at: usize) -> Option<Self> {
        let item: Element = dom::append(parent, "li", "")?;
        let button: Element = dom::append(&item, "button", "")?;
        dom::set(&button, "type", "button");
        dom::set(&button, "data-head", &at.to_string());
        let canvas: HtmlCanvasElement = dom::append(&button, "canvas", "")?;
        dom::set(&canvas, "aria-hidden", "true");
        let caption: Element = dom::append(&button, "span", "")?;
        Some(Self {
            surface: Surface::new(canvas)?,
            caption: Text::new(caption),
            pressed: Attribute::new(button.clone(), "aria-pressed"),
            listener: None,
            item,
            button,
        })
    }

    fn element(&self) -> &Element {
        &self.item
    }
}

impl Heads {
    /// `choose` is called with the head whose thumbnail is pressed.
    pub fn new(root: &Root, choose: impl Fn(usize) + 'static) -> Result<Self, MissingPart> {
        Ok(Self {
            rows: Rows::new(root.find("#all-heads")?),
            pixels: Vec::new(),
            choose: Rc::new(choose),
        })
    }

    /// Shows every head of `run` with its name.
    pub fn show(&mut self, run: &Run, chosen: usize, look: &Look, name: impl Fn(usize) -> String) {
        for (head, thumbnail) in self
            .rows
            .take(if run.head(0).is_empty() {
                0
            } else {
                run.heads()
            })
            .iter_mut()
            .enumerate()
        {
            thumbnail.caption.say(&name(head));
            thumbnail
                .pressed
                .set(if head == chosen { "true" } else { "false" });
            thumbnail.listen(head, &self.choose);
            if let Some(grid) = run.grid(head) {
                look.paint_small(&grid, MOST, &mut thumbnail.surface, &mut self.pixels);
            }
        }
    }
}

impl Thumbnail {
    fn listen(&mut self, head: usize, choose: &Rc<dyn Fn(usize)>) {
        if self.listener.is_none() {
            let choose = Rc::clone(choose);
            self.listener = Some(Listener::new(&self.button, "click", move |_| choose(head)));
        }
    }
}
