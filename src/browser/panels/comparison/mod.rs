//! The comparison panel: two settings, their maps, and their difference.

mod cosines;
mod maps;
mod numbers;
mod plot;
mod settings;

use maps::Maps;
pub(crate) use maps::Which;
use numbers::Numbers;
pub(crate) use plot::PlotPosition;
use settings::Settings;

use web_sys::HtmlElement;

use crate::browser::controls::Act;
use crate::browser::dom::{MissingPart, Root};
use crate::browser::map::{ColourStyle, Pointed};
use crate::i18n::Language;
use crate::present::run::Run;
use crate::scene::hit::Target;
use crate::state::comparison::head_of;
use crate::state::{ColourRange, State};

/// The panel.
pub(crate) struct ComparisonPanel {
    maps: Maps,
    numbers: Numbers,
    settings: Settings,
}

/// Both runs, and how they are shown.
pub(crate) struct Pair<'a> {
    pub a: &'a Run,
    pub b: &'a Run,
    /// The chosen head of A.
    pub head: usize,
    /// Whose largest weight the colours reach up to.
    pub range: ColourRange,
    pub look: &'a ColourStyle,
    pub place: PlotPosition,
}

impl Pair<'_> {
    /// The head of B that stands beside A's.
    pub(crate) fn head_b(&self) -> usize {
        head_of(&self.b.state, self.head)
    }

    /// The weights of both heads.
    fn heads(&self) -> (&[f32], &[f32]) {
        (self.a.head(self.head), self.b.head(self.head_b()))
    }

    /// The weight that the colours of both maps reach up to.
    fn largest(&self) -> f32 {
        let a = self.a.largest(self.range, self.head);
        a.max(self.b.largest(self.range, self.head_b()))
    }

    /// Whether a column of A is the same column of B.
    pub(crate) fn is_alike(&self) -> bool {
        let columns = |run: &Run| (run.state.linformer, run.keys.len());
        columns(self.a) == columns(self.b)
    }
}

impl ComparisonPanel {
    /// `act` is called with everything that is done in the panel but pointing.
    pub(crate) fn new(root: &Root, act: &Act) -> Result<Self, MissingPart> {
        Ok(Self {
            maps: Maps::new(root)?,
            numbers: Numbers::new(root)?,
            settings: Settings::new(root, act)?,
        })
    }

    /// The elements of the maps, to be listened to.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (Which, HtmlElement)> {
        self.maps.elements()
    }

    /// Shows the settings of both; the rest comes when they are computed.
    pub(crate) fn set(&mut self, a: &State, b: &State, language: Language) {
        self.settings.update(a, b, language);
    }

    /// Shows maps and numbers of both.
    pub(crate) fn update(&mut self, pair: &Pair<'_>) {
        self.maps.paint(pair);
        self.numbers.update(pair);
    }

    /// Shows what is pointed out.
    pub(crate) fn point(&mut self, pair: &Pair<'_>, pointed: Pointed) {
        self.maps.point(pair, pointed);
    }

    /// Says a cell to those who listen instead of looking.
    pub(crate) fn speak(&mut self, pair: &Pair<'_>, pointed: Pointed) {
        self.maps.speak(pair, pointed);
    }

    /// Says why B could not be computed.
    pub(crate) fn refuse(&mut self, sentence: &str) {
        self.maps.refuse();
        self.numbers.refuse(sentence);
    }

    /// What lies at a place of one of the maps.
    pub(crate) fn target(&self, which: Which, x: f64, y: f64) -> Option<Target> {
        self.maps.target(which, x, y)
    }

    /// Fonts and colours have changed.
    pub(crate) fn restyle(&mut self) {
        self.maps.restyle();
    }
}
