//! The other view of the map: one head as curves.

wasm_chunks::chunk!("more": Curves::show, Curves::listen);

use web_sys::Element;

use super::{arrows, plots};
use crate::browser::dom::{Attribute, MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::sender::Sender;
use crate::browser::view::View;
use app::i18n::Key;
use app::present::panel::PanelEvent;
use app::present::roving;
use app::state::MapView;
use app::views::curves;
use app::{ChunkState, Chunks as _, Message, WITH_PANELS};

/// The view.
pub(crate) struct Curves {
    element: Element,
    view: View,
    /// Which picture the button beside the heading saves.
    saved: Attribute,
    sender: Sender,
    /// Set when it is first shown: its code has come then.
    listeners: Vec<Listener>,
}

impl Curves {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let element: Element = root.find("#curves-view")?;
        Ok(Self {
            view: View::new(element.clone()),
            element,
            saved: Attribute::new(root.find::<Element>("#save")?, "data-picture"),
            sender: sender.clone(),
            listeners: Vec::new(),
        })
    }

    /// Shows the head, or what is pointed out in it.
    pub(crate) fn update(&mut self, context: &ViewContext<'_>) {
        let mut is_saved = false;
        if context.state.view == MapView::Curves {
            match context.chunks.state(WITH_PANELS) {
                ChunkState::Loaded => {
                    self.show(context);
                    is_saved = context.curves.is_drawn();
                }
                ChunkState::Missing => self.say(Key::PartMissing.text(context.language), context),
                ChunkState::Coming => self.say("", context),
            }
        }
        self.saved.set(if is_saved { "curves" } else { "map" });
    }

    fn say(&mut self, note: &str, context: &ViewContext<'_>) {
        self.view.update(curves::about(note, context.language));
    }

    #[inline(never)]
    fn show(&mut self, context: &ViewContext<'_>) {
        let curves = curves::curves(context.curves, context.language);
        self.view.update(curves);
        if self.listeners.is_empty() {
            self.listeners = self.listen();
        }
    }

    fn listen(&self) -> Vec<Listener> {
        let press = self
            .sender
            .on(|name| Message::Curves(PanelEvent::Press(name)));
        let hover = self
            .sender
            .on(|name| Message::Curves(PanelEvent::Hover(name)));
        let mut listeners = vec![self.view.on("click", "data-do", press)];
        listeners.extend(plots::hovers(&self.element, hover));
        let columns = self.view.all::<Element>("ul").into_iter();
        listeners.extend(columns.map(|column| arrows::listen(&column, roving::in_column)));
        listeners
    }
}
