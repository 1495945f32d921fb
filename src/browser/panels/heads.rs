//! All heads as thumbnails on the map's scale; choosing one enlarges it.

use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::map::{ColourStyle, Surface};
use crate::browser::view::View;
use crate::i18n::Language;
use crate::present::run::Run;
use crate::views::head_thumbnails::head_thumbnails;

/// Cells per side above which a thumbnail pools them.
const MOST: u32 = 96;

/// The row of thumbnails.
pub(crate) struct Heads {
    list: View,
    surfaces: Vec<Surface>,
    pixels: Vec<u8>,
    _listener: Listener,
}

impl Heads {
    /// `choose` is called with the head whose thumbnail is pressed.
    pub(crate) fn new(root: &Root, choose: impl Fn(usize) + 'static) -> Result<Self, MissingPart> {
        let list = View::find(root, "#all-heads")?;
        Ok(Self {
            _listener: list.on("click", "data-head", choose),
            list,
            surfaces: Vec::new(),
            pixels: Vec::new(),
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
        self.list.update(head_thumbnails(run, chosen, language));
        self.find_canvases();
        for (head, surface) in self.surfaces.iter_mut().enumerate() {
            if let Some(grid) = run.grid(head) {
                look.paint_small(&grid, MOST, surface, &mut self.pixels);
            }
        }
    }

    /// Canvases of heads that there were before are still the same.
    fn find_canvases(&mut self) {
        let canvases = self.list.all("canvas");
        self.surfaces.truncate(canvases.len());
        let new = canvases.into_iter().skip(self.surfaces.len());
        self.surfaces.extend(new.filter_map(Surface::new));
    }
}
