//! The [`State`] record: everything on screen.

use super::imported::SavedSettings;
use super::overrides::Overrides;
use super::painting::Painting;
use super::{
    Hiding, ImportedData, Library, Masks, Origin, Origins, Panel, Panels, Parts, PositionKind,
    ScoringKind, StepKind, Theme,
};
use crate::engine::BackendChoice;
use crate::i18n::Language;
use crate::state::ColourMap;
use crate::state::ColourScale;
use crate::state::presets;

/// A chosen row of the map, or one cell in it; both count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The row.
    pub query: usize,
    /// The column; `None` chooses the whole row.
    pub key: Option<usize>,
}

/// Everything on screen. Read it freely; change it with [`State::set`] or [`super::reduce()`], which keep it possible.
///
/// The default is what a first visit opens with: the first preset, teaching heads, the row of *it*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The query side, and the key side too where `second` is `None`. At most [`super::settings::LONGEST_TEXT`] characters.
    pub text: String,
    /// The key side of a cross-attention: `text` asks, `second` is asked.
    pub second: Option<String>,
    /// Where embeddings and weights come from.
    pub origin: Origin,
    /// What random numbers are drawn from.
    pub seed: u32,
    /// Width of the embeddings, 4…512.
    pub d_model: usize,
    /// Width of one head's queries and keys, 1…128.
    pub d_k: usize,
    /// Query heads, 1…16; at most 8 teaching heads.
    pub heads: usize,
    /// Key/value heads, a divisor of `heads`.
    pub kv_heads: usize,
    /// Which structured masks are on; their parameters are the next four, which are kept while a mask is off.
    pub masks: Masks,
    /// Keys that are not padding, 0…1024; more than there are hides none.
    pub valid: usize,
    /// Reach of the local window, 0…64.
    pub window: usize,
    /// Distance of visible keys, 1…64.
    pub stride: usize,
    /// First keys that stay visible beside local and strided, 1…64.
    pub first: usize,
    /// Cells painted by hand, over the structured masks.
    pub paint: Painting,
    /// What becomes of hidden cells.
    pub hiding: Hiding,
    /// How a query and a key are compared.
    pub scoring: ScoringKind,
    /// Whether dot scores are divided by `√d_k`; additive ones never are.
    pub scaled: bool,
    /// How the computation learns of positions.
    pub positions: PositionKind,
    /// Whether keys and values are shortened along the sequence; masks and ALiBi are then kept but do not apply.
    pub linformer: bool,
    /// The length that Linformer shortens to, 1…256.
    pub projected: usize,
    /// What scores are divided by before the softmax, in hundredths, 5…1000.
    pub temperature: u32,
    /// The chosen head, counted from 0.
    pub head: usize,
    /// The chosen cell.
    pub cell: Option<Cell>,
    /// Which matrix is the large map.
    pub step: StepKind,
    /// Which panels are open.
    pub panels: Panels,
    /// What the other setting of a comparison has otherwise.
    pub overrides: Overrides,
    /// The library that the setting is written for as a program.
    pub library: Library,
    /// Colours of the map.
    pub colours: ColourMap,
    /// How weights are spread over the colours.
    pub scale: ColourScale,
    /// The page's language; `None` follows the browser.
    pub language: Option<Language>,
    /// The page's theme; `None` follows the system.
    pub theme: Option<Theme>,
    /// Whether the theme is what the host of an embed says; `theme` is then `None`.
    pub host_theme: bool,
    /// Where to compute. A backend that is not there is replaced, and the page says so.
    pub backend: BackendChoice,
    /// Whether the page is compact, as inside another one.
    pub embed: bool,
    /// Which parts of the page are there; `None` for all of them, or on a compact page [`super::Part::COMPACT`].
    pub show: Option<Parts>,
    /// Controls that the user cannot change. Links and hosts can.
    pub lock: Parts,
    /// Which pages may set the state of an embedded one by message.
    pub origins: Origins,
    /// Numbers that a person brought, in place of those that are made of the sentence.
    pub imported: Option<ImportedData>,
    /// What they changed when they came.
    pub saved: SavedSettings,
}

impl State {
    /// The numbers of this state, looked at as in another: every field of which [`Field::is_shown_only`](super::Field::is_shown_only) says so is the
    /// other's.
    #[must_use]
    pub fn shown_as(&self, other: &Self) -> Self {
        let mut shown = self.clone();
        (shown.head, shown.cell, shown.step) = (other.head, other.cell, other.step);
        (shown.panels, shown.overrides) = (other.panels, other.overrides.clone());
        shown.library = other.library;
        (shown.colours, shown.scale) = (other.colours, other.scale);
        (shown.language, shown.theme) = (other.language, other.theme);
        (shown.host_theme, shown.embed) = (other.host_theme, other.embed);
        (shown.show, shown.lock) = (other.show, other.lock);
        (shown.origins, shown.saved) = (other.origins.clone(), other.saved.clone());
        shown
    }
}

impl Default for State {
    fn default() -> Self {
        let opening = &presets::all()[0];
        Self {
            text: opening.text.to_owned(),
            second: opening.source.map(str::to_owned),
            origin: Origin::Teaching,
            seed: 42,
            d_model: 64,
            d_k: 16,
            heads: 4,
            kv_heads: 4,
            masks: Masks::EMPTY,
            valid: 8,
            window: 1,
            stride: 2,
            first: 1,
            paint: Painting::default(),
            hiding: Hiding::default(),
            scoring: ScoringKind::default(),
            scaled: true,
            positions: PositionKind::default(),
            linformer: false,
            projected: 4,
            temperature: 100,
            head: 0,
            cell: Some(Cell {
                query: 7,
                key: None,
            }),
            step: StepKind::default(),
            panels: Panels::EMPTY.with(Panel::Steps, true),
            overrides: Overrides::default(),
            library: Library::default(),
            colours: ColourMap::default(),
            scale: ColourScale::default(),
            language: None,
            theme: None,
            host_theme: false,
            backend: BackendChoice::default(),
            embed: false,
            show: None,
            lock: Parts::EMPTY,
            origins: Origins::default(),
            imported: None,
            saved: SavedSettings::default(),
        }
    }
}
