//! The record of everything on screen.

use super::{MaskKind, Origin, Theme};
use crate::engine::BackendChoice;
use crate::text::presets;
use crate::view::colour::ColourMap;
use crate::view::scale::ColourScale;
use crate::words::Language;

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
    /// The query side, and the key side too where `second` is `None`. At most [`super::field::LONGEST_TEXT`] characters.
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
    /// Which mask is on; its parameter is one of the next three, which are kept while another is on.
    pub mask: MaskKind,
    /// Keys that are not padding, 0…1024; more than there are hides none.
    pub valid: usize,
    /// Reach of the local window, 0…64.
    pub window: usize,
    /// Distance of visible keys, 1…64.
    pub stride: usize,
    /// Whether scores are divided by `√d_k`.
    pub scaled: bool,
    /// Whether the sinusoidal encoding is added.
    pub positions: bool,
    /// The chosen head, counted from 0.
    pub head: usize,
    /// The chosen cell.
    pub cell: Option<Cell>,
    /// Colours of the map.
    pub colours: ColourMap,
    /// How weights are spread over the colours.
    pub scale: ColourScale,
    /// The page's language; `None` follows the browser.
    pub language: Option<Language>,
    /// The page's theme; `None` follows the system.
    pub theme: Option<Theme>,
    /// Where to compute. A backend that is not there is replaced, and the page says so.
    pub backend: BackendChoice,
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
            mask: MaskKind::None,
            valid: 8,
            window: 1,
            stride: 2,
            scaled: true,
            positions: true,
            head: 0,
            cell: Some(Cell {
                query: 7,
                key: None,
            }),
            colours: ColourMap::default(),
            scale: ColourScale::default(),
            language: None,
            theme: None,
            backend: BackendChoice::default(),
        }
    }
}
