//! The comparison panel: two settings, their maps, and their difference.

wasm_chunks::chunk!("more");

mod maps;
mod settings;

pub(crate) use maps::ComparedMap;
use maps::Maps;
use settings::Settings;

use web_sys::{Element, HtmlElement};

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::map::Pointed;
use crate::browser::sender::Sender;
use crate::browser::view::View;
use app::i18n::Language;
use app::present::colour_style::ColourStyle;
use app::present::comparison::{Numbers, Pair};
use app::scene::hit::Target;
use app::state::State;
use app::views::comparison as views;

/// The panel.
pub(crate) struct ComparisonPanel {
    maps: Maps,
    summary: Text,
    rows: View,
    cosines: View,
    cosines_part: Element,
    cosines_rest: Text,
    settings: Settings,
}

/// Both runs, and how they are drawn.
pub(crate) struct ComparedRuns<'a> {
    pub pair: Pair<'a>,
    pub colours: &'a ColourStyle,
    pub dpr: f64,
}

impl ComparisonPanel {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        Ok(Self {
            maps: Maps::new(root)?,
            summary: Text::find(root, "#versus-summary")?,
            rows: View::find(root, "#versus-numbers tbody")?,
            cosines: View::find(root, "#versus-cosines")?,
            cosines_part: root.find("#versus-cosines-part")?,
            cosines_rest: Text::find(root, "#versus-cosines-rest")?,
            settings: Settings::new(root, sender)?,
        })
    }

    /// The elements of the maps, to be listened to.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (ComparedMap, HtmlElement)> {
        self.maps.elements()
    }

    /// Shows the settings of both; the rest comes when they are computed.
    pub(crate) fn set(&mut self, a: &State, b: &State, language: Language) {
        self.settings.update(a, b, language);
    }

    /// Shows maps and numbers of both.
    pub(crate) fn update(&mut self, beside: &ComparedRuns<'_>) {
        self.maps.paint(beside);
        self.write(&Numbers::new(&beside.pair));
    }

    /// Shows what is pointed out.
    pub(crate) fn point(&mut self, beside: &ComparedRuns<'_>, pointed: Pointed) {
        self.maps.point(beside, pointed);
    }

    /// Announces a cell to screen readers.
    pub(crate) fn speak(&mut self, pair: &Pair<'_>, pointed: Pointed) {
        self.maps.speak(pair, pointed);
    }

    /// Shows why B could not be computed.
    pub(crate) fn refuse(&mut self, sentence: &str) {
        self.maps.refuse();
        self.write(&Numbers::refused(sentence));
    }

    fn write(&mut self, numbers: &Numbers) {
        let Numbers {
            rows,
            cosines,
            summary,
        } = numbers;
        self.summary.set_text(summary);
        self.rows.update(views::rows(rows));
        dom::set_flag(&self.cosines_part, "hidden", cosines.lines.is_empty());
        self.cosines.update(views::cosines(&cosines.lines));
        self.cosines_rest.set_text(&cosines.rest);
    }

    /// Hit test at a point of one of the maps.
    pub(crate) fn target(&self, which: ComparedMap, x: f64, y: f64) -> Option<Target> {
        self.maps.target(which, x, y)
    }

    /// Fonts and colours have changed.
    pub(crate) fn restyle(&mut self) {
        self.maps.restyle();
    }
}
