//! The other run: its variant, its progress, and its heads.

use web_sys::Element;

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::map::Surface;
use crate::browser::view::View;
use app::present::training::{TrainingView, about_practice, colour_index};
use app::views::training as views;
use engine::training_run::Reading;

/// Where the other run is shown.
pub(super) struct OtherRunView {
    body: Element,
    see: Text,
    name: Text,
    progress: Text,
    wall: View,
    surfaces: Vec<Surface>,
}

impl OtherRunView {
    pub(super) fn find(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            body: root.find("#training-other")?,
            see: Text::find(root, "#training-variant-see")?,
            name: Text::find(root, "#training-other-name")?,
            progress: Text::find(root, "#training-other-progress")?,
            wall: View::find(root, "#training-other-wall")?,
            surfaces: Vec::new(),
        })
    }

    /// Shows the other run, where there is one.
    pub(super) fn draw(&mut self, view: &TrainingView<'_>) {
        let said = view.other_progress();
        dom::set_flag(&self.body, "hidden", said.is_none());
        let [name, progress] = said.unwrap_or_default();
        self.name.set_text(&name);
        self.progress.set_text(&progress);
        self.wall.update(views::other_wall(view));
        let see = view.other.map(|other| about_practice(other.variant));
        self.see
            .set_text(see.map_or("", |see| see.text(view.language)));
        if let Some(other) = view.other {
            paint(&mut self.surfaces, &self.wall, view, &other.reading);
        }
    }
}

/// Paints the maps of a wall, a pixel for each cell.
pub(super) fn paint(
    surfaces: &mut Vec<Surface>,
    wall: &View,
    view: &TrainingView<'_>,
    reading: &Reading,
) {
    let canvases = wall.all("canvas");
    surfaces.truncate(canvases.len());
    surfaces.extend(
        canvases
            .into_iter()
            .skip(surfaces.len())
            .filter_map(Surface::new),
    );
    let side = reading.words.len() as u32;
    for (head, surface) in surfaces.iter_mut().enumerate() {
        let weights = reading.weights(head).iter();
        let pixels: Vec<u8> = weights
            .flat_map(|weight| view.lut.colour(colour_index(*weight)))
            .collect();
        surface.clear((side, side), 1.0);
        surface.put(&pixels, side, (0, 0));
    }
}
