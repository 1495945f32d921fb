//! The panels below the map. A closed panel is never updated, so it costs nothing; the
//! [`PanelScheduler`](app::present::panel_scheduler::PanelScheduler) decides which open one is updated when.

wasm_chunks::chunk!("input": MissingNote, PanelPlace::say_missing);

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

/// The chunk with the code of models.
const WITH_MODELS: &str = "models";

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

/// Every panel of the page that shows something, but the comparison, which the page shows itself. Whatever one was shown last stays on
/// screen while it is closed and open again.
pub(crate) struct PanelRegistry {
    pub(crate) steps: Steps,
    panels: Vec<(Panel, AppPanel)>,
    /// As in `PANELS`.
    places: Vec<PanelPlace>,
}

impl PanelRegistry {
    /// Binds the bodies of all panels, which send what is done in them and what they point out on the map.
    pub(crate) fn new(root: &Root, sender: &Sender, client: &Client) -> Result<Self, MissingPart> {
        let own = [Panel::Steps, Panel::Compare];
        let panels = PANELS.into_iter().filter(|panel| !own.contains(panel));
        let panels = panels.map(|panel| Ok((panel, AppPanel::new(root, panel, sender, client)?)));
        let places = PANELS.map(|panel| PanelPlace::new(root, panel)).into_iter();
        Ok(Self {
            steps: not_inlined(|| Steps::new(root, sender))?,
            panels: panels.collect::<Result<_, _>>()?,
            places: places.collect::<Result<_, _>>()?,
        })
    }

    /// Whether the code of the panel at an index has loaded.
    pub(crate) fn is_ready(&mut self, at: usize, chunks: &ChunkLoader, language: Language) -> bool {
        let place = self.places.get_mut(at);
        place.is_some_and(|place| place.is_ready(chunks, language))
    }

    /// The body of a panel that is one view, once its code has loaded.
    pub(crate) fn of_app(&mut self, panel: Panel) -> Option<&mut AppPanel> {
        self.bodies()
            .find_map(|(own, body)| (own == panel).then_some(body))
    }

    /// Fonts and colours have changed, or canvases were emptied.
    pub(crate) fn restyle(&mut self) {
        self.steps.restyle();
        self.bodies().for_each(|(_, body)| body.restyle());
    }

    fn bodies(&mut self) -> impl Iterator<Item = (Panel, &mut AppPanel)> {
        let places = PANELS.iter().zip(&self.places);
        let with_code = |(panel, place): (_, &PanelPlace)| place.has_code.then_some(panel);
        let has_code: Vec<_> = places.filter_map(|it| with_code(it).copied()).collect();
        let bodies = self.panels.iter_mut().map(|(panel, body)| (*panel, body));
        bodies.filter(move |(panel, _)| has_code.contains(panel))
    }
}
