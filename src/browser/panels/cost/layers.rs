//! The kinds of layers: which curves are shown, their values at the pointer, and their formulas.

use web_sys::Element;

use crate::browser::dom::{MissingPart, Root, Text};
use crate::browser::view::View;
use app::i18n::Language;
use app::present::cost::{CARDS, Choice, CostSetting};
use app::views::cost;
use attention::complexity::{Layer, Measure};

/// The table of layers, the setting of the page at its end.
pub(super) struct Layers {
    body: Root,
    table: View,
    /// The second column. It follows the pointer, so it is written by itself.
    values: Vec<Text>,
    shown: Option<(Measure, Language)>,
}

impl Layers {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        let body: Element = root.find("#cost-layers")?;
        Ok(Self {
            table: View::new(body.clone()),
            body: Root::new(body),
            values: Vec::new(),
            shown: None,
        })
    }

    /// Writes every layer's value at `n`.
    pub(super) fn update(
        &mut self,
        choice: &Choice,
        setting: &CostSetting,
        n: f64,
        language: Language,
    ) {
        let shown = Some((choice.measure, language));
        if self.shown != shown {
            self.shown = shown;
            self.table.update(cost::layers(choice, language));
        }
        if self.values.is_empty() {
            let cells = self.body.all::<Element>("td:nth-child(2)");
            self.values = cells.into_iter().map(Text::new).collect();
        }
        for (cell, value) in self.values.iter_mut().zip(choice.values(setting, n)) {
            cell.set_text(&value);
        }
    }
}

/// The layer whose toggle has this value.
pub(super) fn layer_of(value: &str) -> Option<Layer> {
    let card = CARDS.iter().find(|card| card.id == value);
    card.map(|card| card.layer)
}
