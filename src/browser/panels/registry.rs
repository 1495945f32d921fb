//! The panels below the map. A closed panel is never updated, so it costs nothing; the
//! [`PanelScheduler`](app::present::panel_scheduler::PanelScheduler) decides which open one is updated when.

wasm_chunks::chunk!("input": MissingNote, PanelPlace::say_missing);

use web_sys::{Element, HtmlElement};

use super::{AppPanel, Steps};
use crate::bindings::Client;
use crate::browser::chunk_loader::ChunkLoader;
use crate::browser::dom::{self, MissingPart, Root, not_inlined};
use crate::browser::main_view::ViewContext;
use crate::browser::sender::Sender;
use crate::browser::view::View;
use app::i18n::Language;
use app::present::panel_scheduler::Dirty;
use app::state::{Panel, Panels};
use app::views::missing;
use app::{ChunkState, Chunks as _, PANELS, WITH_PANELS};

/// The chunk with the code of models.
const WITH_MODELS: &str = "models";

/// The body of a panel. Whatever it was shown last stays on screen while it is closed and open again.
pub(crate) trait PanelView {
    /// Shows another picture: other numbers, settings, colours or words.
    fn update(&mut self, context: &ViewContext<'_>);

    /// Updates the highlight; called after [`update`](Self::update) as well.
    fn point(&mut self, _sight: &ViewContext<'_>) {}

    /// Fonts and colours have changed, or a canvas was emptied by the browser.
    fn restyle(&mut self) {}

    /// It has just been closed: whatever it still does ends.
    fn close(&mut self) {}
}

/// Message that code could not be loaded.
struct MissingNote {
    element: HtmlElement,
    view: View,
}

/// The place of a panel, which waits for the chunk with its code.
struct PanelPlace {
    body: Element,
    /// Made where its code could not be loaded.
    note: Option<MissingNote>,
    chunk: Option<&'static str>,
    /// Its code has come.
    has_code: bool,
}

impl PanelPlace {
    fn new(root: &Root, panel: Panel) -> Result<Self, MissingPart> {
        Ok(Self {
            body: root.find(&format!("#{}-body", panel.name()))?,
            note: None,
            chunk: match panel {
                Panel::Steps => None,
                Panel::Training | Panel::Draw => Some(WITH_MODELS),
                _ => Some(WITH_PANELS),
            },
            has_code: false,
        })
    }

    /// Whether the code has loaded; shows a message in its place if it failed.
    fn is_ready(&mut self, chunks: &ChunkLoader, language: Language) -> bool {
        let state = self
            .chunk
            .map_or(ChunkState::Loaded, |chunk| chunks.state(chunk));
        self.has_code |= state == ChunkState::Loaded;
        match state {
            ChunkState::Missing => self.say_missing(language),
            ChunkState::Loaded => {
                if let Some(note) = self.note.take() {
                    note.element.remove();
                    dom::set_flag(&self.body, "data-uncoded", false);
                }
            }
            ChunkState::Coming => {}
        }
        self.has_code
    }

    fn say_missing(&mut self, language: Language) {
        if self.note.is_none()
            && let Some(element) = dom::append::<HtmlElement>(&self.body, "div", "missing")
        {
            dom::set_flag(&self.body, "data-uncoded", true);
            let view = View::new(element.clone().into());
            self.note = Some(MissingNote { element, view });
        }
        if let Some(note) = &mut self.note {
            note.view.update(missing(language));
        }
    }
}

/// Whose the state of a panel is.
enum Body {
    /// Its own.
    Own(Box<dyn PanelView>),
    App(Box<AppPanel>),
}

/// Every panel of the page that shows something.
pub(crate) struct PanelRegistry {
    panels: Vec<(Panel, Body)>,
    /// By the place among the panels; last that of the comparison, which the page shows itself.
    places: Vec<PanelPlace>,
    open: Panels,
}

impl PanelRegistry {
    /// Binds the bodies of all panels, which send what is done in them and what they point out on the map.
    pub(crate) fn new(root: &Root, sender: &Sender, client: &Client) -> Result<Self, MissingPart> {
        // As in `PANELS`; the comparison, which comes last, is shown by the page.
        let app = |panel| {
            let body = AppPanel::new(root, panel, sender, client)?;
            Ok(Body::App(Box::new(body)))
        };
        let panels = [
            Body::Own(Box::new(not_inlined(|| Steps::new(root, sender))?)),
            app(Panel::Streaming)?,
            app(Panel::Training)?,
            app(Panel::Draw)?,
            app(Panel::Analysis)?,
            app(Panel::Cost)?,
            app(Panel::Code)?,
            app(Panel::Data)?,
        ];
        let panels = PANELS.into_iter().zip(panels).collect();
        let places = PANELS.map(|kind| PanelPlace::new(root, kind)).into_iter();
        Ok(Self {
            places: places.collect::<Result<_, _>>()?,
            open: Panels::EMPTY,
            panels,
        })
    }

    /// Sets which panels are open, and stops the work of closed ones.
    pub(crate) fn open(&mut self, open: Panels) {
        let before = std::mem::replace(&mut self.open, open);
        for ((kind, panel), place) in self.panels.iter_mut().zip(&self.places) {
            let is_closed = before.contains(*kind) && !open.contains(*kind);
            if let Body::Own(panel) = panel
                && place.has_code
                && is_closed
            {
                panel.close();
            }
        }
    }

    /// Whether the code of the panel at an index has loaded.
    pub(crate) fn is_ready(&mut self, at: usize, context: &ViewContext<'_>) -> bool {
        let place = self.places.get_mut(at);
        place.is_some_and(|place| place.is_ready(context.chunks, context.language))
    }

    /// The body of a panel whose state is the app's, once its code has loaded.
    pub(crate) fn of_app(&mut self, panel: Panel) -> Option<&mut AppPanel> {
        let mut bodies = self.panels.iter_mut().zip(&self.places);
        bodies.find_map(|((own, body), place)| match body {
            Body::App(body) if *own == panel && place.has_code => Some(&mut **body),
            _ => None,
        })
    }

    /// Updates the panel at an index; `false` if its state is not its own.
    pub(crate) fn update(&mut self, at: usize, missed: Dirty, context: &ViewContext<'_>) -> bool {
        let Some((_, Body::Own(panel))) = self.panels.get_mut(at) else {
            return false;
        };
        if missed.picture {
            panel.update(context);
        }
        panel.point(context);
        true
    }

    /// Fonts and colours have changed, or canvases were emptied.
    pub(crate) fn restyle(&mut self) {
        let panels = self.panels.iter_mut().zip(&self.places);
        for ((_, body), _) in panels.filter(|(_, place)| place.has_code) {
            match body {
                Body::Own(body) => body.restyle(),
                Body::App(body) => body.restyle(),
            }
        }
    }
}
