//! The panels below the map. A closed panel is never updated, so it costs nothing; the
//! [`PanelScheduler`](app::present::panel_scheduler::PanelScheduler) decides which open one is updated when.

wasm_chunks::chunk!("input": MissingNote, PanelPlace::say_missing, PanelRegistry::of_app);

use web_sys::{Element, HtmlElement};

use super::{AppPanel, Steps};
use crate::bindings::Client;
use crate::browser::chunk_loader::ChunkLoader;
use crate::browser::dom::{self, MissingPart, Root, not_inlined};
use crate::browser::sender::Sender;
use crate::browser::view::View;
use app::i18n::Language;
use app::state::Panel;
use app::views::missing;
use app::{ChunkState, Chunks as _, PANELS, WITH_PANELS};

/// The chunk with the code of models that learn.
const WITH_MODELS: &str = "models";

/// The chunk with programs and with masks as libraries write them.
const WITH_CODE: &str = "code";

/// The chunk with what is shown of an opened model.
const WITH_OPENED_MODEL: &str = "model";

/// Message that code could not be loaded.
struct MissingNote {
    element: HtmlElement,
    view: View,
}

/// The place of a panel, which waits for the chunk with its code.
struct PanelPlace {
    body: Element,
    /// `None` for the steps and the comparison, which are shown in other ways.
    view: Option<AppPanel>,
    /// Made where its code could not be loaded.
    note: Option<MissingNote>,
    chunk: Option<&'static str>,
    /// Its code has come.
    has_code: bool,
}

impl PanelPlace {
    fn new(
        root: &Root,
        panel: Panel,
        sender: &Sender,
        client: &Client,
    ) -> Result<Self, MissingPart> {
        let view = match panel {
            Panel::Steps | Panel::Compare => None,
            _ => Some(AppPanel::new(root, panel, sender, client)?),
        };
        Ok(Self {
            body: root.find(&format!("#{}-body", panel.name()))?,
            view,
            note: None,
            chunk: match panel {
                Panel::Steps => None,
                Panel::Training | Panel::Draw => Some(WITH_MODELS),
                Panel::Code => Some(WITH_CODE),
                Panel::Model => Some(WITH_OPENED_MODEL),
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

    /// The view, once its code has loaded.
    fn loaded(&mut self) -> Option<&mut AppPanel> {
        self.view.as_mut().filter(|_| self.has_code)
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

/// Every panel of the page. Whatever one was shown last stays on screen while it is closed and open again.
pub(crate) struct PanelRegistry {
    pub(crate) steps: Steps,
    /// As in `PANELS`.
    places: Vec<PanelPlace>,
}

impl PanelRegistry {
    /// Binds the bodies of all panels, which send what is done in them and what they point out on the map.
    pub(crate) fn new(root: &Root, sender: &Sender, client: &Client) -> Result<Self, MissingPart> {
        let places = PANELS.map(|panel| PanelPlace::new(root, panel, sender, client));
        Ok(Self {
            steps: not_inlined(|| Steps::new(root, sender))?,
            places: places.into_iter().collect::<Result<_, _>>()?,
        })
    }

    /// Whether the code of the panel at an index has loaded.
    pub(crate) fn is_ready(&mut self, at: usize, chunks: &ChunkLoader, language: Language) -> bool {
        let place = self.places.get_mut(at);
        place.is_some_and(|place| place.is_ready(chunks, language))
    }

    /// The view of a panel that is an [`AppPanel`], once its code has loaded.
    pub(crate) fn of_app(&mut self, panel: Panel) -> Option<&mut AppPanel> {
        let at = PANELS.iter().position(|own| *own == panel)?;
        self.places.get_mut(at)?.loaded()
    }

    /// Fonts and colours have changed, or canvases were emptied.
    pub(crate) fn restyle(&mut self) {
        self.steps.restyle();
        let views = self.places.iter_mut().filter_map(PanelPlace::loaded);
        views.for_each(AppPanel::restyle);
    }
}
