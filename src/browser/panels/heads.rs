//! All heads as thumbnails on the map's scale; choosing one enlarges it.

use std::rc::Rc;

use web_sys::{Element, HtmlCanvasElement};

use super::keyed_list::{Row, Rows};
use crate::browser::dom::{self, Attribute, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::map::{ColourStyle, Surface};
use crate::i18n::Language;
use crate::present::names;
use crate::present::run::Run;

/// Cells per side above which a thumbnail pools them.
const MOST: u32 = 96;

/// The row of thumbnails.
pub(crate) struct Heads {
    rows: Rows<Thumbnail>,
    pixels: Vec<u8>,
    choose: Rc<dyn Fn(usize)>,
}

struct Thumbnail {
    item: Element,
    surface: Surface,
    button: Element,
    /// The head's number, what is read aloud between them, and its role on a line of its own.
    caption: [Text; 3],
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
        let part = |class| dom::append::<Element>(&caption, "span", class).map(Text::new);
        Some(Self {
            surface: Surface::new(canvas)?,
            caption: [part("which")?, part("unseen")?, part("role")?],
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
    pub(crate) fn new(root: &Root, choose: impl Fn(usize) + 'static) -> Result<Self, MissingPart> {
        Ok(Self {
            rows: Rows::new(root.find("#all-heads")?),
            pixels: Vec::new(),
            choose: Rc::new(choose),
        })
    }

    /// Shows every head of `run` with its number and role.
    pub(crate) fn update(
        &mut self,
        run: &Run,
        chosen: usize,
        look: &ColourStyle,
        language: Language,
    ) {
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
            thumbnail.name(run, head, language);
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
    fn name(&mut self, run: &Run, head: usize, language: Language) {
        let role = names::role(&run.state, head, language);
        let [number, between, own] = &mut self.caption;
        number.set_text(&names::number(head, language));
        between.set_text(role.map_or("", |_| " · "));
        own.set_text(&role.map_or_else(String::new, names::unparted));
    }

    fn listen(&mut self, head: usize, choose: &Rc<dyn Fn(usize)>) {
        if self.listener.is_none() {
            let choose = Rc::clone(choose);
            self.listener = Some(Listener::new(&self.button, "click", move |_| choose(head)));
        }
    }
}
