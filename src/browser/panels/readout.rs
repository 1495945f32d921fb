//! The line below the map: the cell under the pointer with its exact value.

use web_sys::HtmlElement;

use crate::browser::dom::{MissingPart, Root, Text};
use crate::browser::language;
use crate::browser::map::Pointed;
use crate::browser::view::View;
use app::i18n::{Key, Language};
use app::present::displayed_matrix::DisplayedMatrix;
use app::present::readout::Readout as Model;
use app::state::ColourScale;
use app::views::reading;

/// The line and its spoken twin.
pub(crate) struct Readout {
    cell: View,
    hint: HtmlElement,
    spoken: Text,
}

impl Readout {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            cell: View::find(root, "#cell")?,
            hint: root.find("#cell-hint")?,
            spoken: Text::find(root, "#map-cell")?,
        })
    }

    /// Shows a cell, a row, or how to point at one.
    pub(crate) fn update(
        &mut self,
        displayed: &DisplayedMatrix<'_>,
        pointed: Pointed,
        is_locked: bool,
        (scale, language): (ColourScale, Language),
    ) {
        let model = model(displayed, pointed, (scale, language));
        self.cell.update(reading::readout(&model));
        let hint = if is_locked {
            Key::MapLocked
        } else {
            Key::MapHint
        };
        language::bind(&self.hint, hint, language);
    }

    /// Announces a cell to screen readers.
    pub(crate) fn speak(
        &mut self,
        displayed: &DisplayedMatrix<'_>,
        pointed: Pointed,
        (scale, language): (ColourScale, Language),
    ) {
        let model = model(displayed, pointed, (scale, language));
        self.spoken.set_text(&model.spoken(language));
    }
}

fn model(displayed: &DisplayedMatrix<'_>, pointed: Pointed, how: (ColourScale, Language)) -> Model {
    Model::new(displayed, [pointed.query, pointed.key], how)
}
