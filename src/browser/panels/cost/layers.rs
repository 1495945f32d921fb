//! The kinds of layers: which curves are shown, their values at the pointer, and their formulas.

use web_sys::{Element, HtmlInputElement};

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::i18n::{Key, Language};
use crate::present::cost::{CARDS, Choice, CostSetting, Line, OWN, math, written};
use crate::scene::role::Role;
use crate::scene::shape::Shape;
use crate::scene::svg;
use attention::complexity::{Layer, Measure};

/// The table of layers, the setting of the page at its end.
pub(super) struct Layers {
    rows: Vec<LayerRow>,
    own: LayerRow,
    measure: Option<Measure>,
}

struct LayerRow {
    name: Text,
    value: Text,
    formula: Element,
}

impl Layers {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        let parent: Element = root.find("#cost-layers")?;
        let missing = || MissingPart::new("#cost-layers");
        let choice = Choice::default();
        let mut rows = Vec::new();
        for card in &CARDS {
            let (row, toggle) = LayerRow::make(&parent, card.id).ok_or_else(missing)?;
            let toggle = toggle.ok_or_else(missing)?;
            toggle.set_checked(choice.layers.contains(&card.layer));
            rows.push(row);
        }
        let (own, _) = LayerRow::make(&parent, "").ok_or_else(missing)?;
        Ok(Self {
            rows,
            own,
            measure: None,
        })
    }

    /// Says every layer's value at `n`.
    pub(super) fn update(
        &mut self,
        choice: &Choice,
        setting: &CostSetting,
        n: f64,
        language: Language,
    ) {
        let is_other = self.measure.replace(choice.measure) != Some(choice.measure);
        for (row, card) in self.rows.iter_mut().zip(&CARDS) {
            row.name.set_text(card.name.text(language));
            let value = choice.value(Line::Layer(card.layer), n, setting);
            row.value
                .set_text(&value.map_or_else(String::new, |value| written(choice.measure, value)));
            if is_other {
                row.formula
                    .set_inner_html(&math(card.formula(choice.measure)));
            }
        }
        self.own.name.set_text(Key::CostOwn.text(language));
        let is_drawn = choice.measure != Measure::Leading;
        let own = is_drawn.then(|| setting.amount(choice.measure, n));
        self.own
            .value
            .set_text(&own.map_or_else(|| "–".to_owned(), |value| written(choice.measure, value)));
    }
}

impl LayerRow {
    /// A row; the setting's own has no identifier, no toggle and nothing to say of it.
    fn make(parent: &Element, id: &str) -> Option<(Self, Option<HtmlInputElement>)> {
        let element: Element = dom::append(parent, "tr", "")?;
        let head: Element = dom::append(&element, "th", "")?;
        dom::set(&head, "scope", "row");
        let card = CARDS.iter().find(|card| card.id == id);
        let tag = if card.is_some() { "label" } else { "span" };
        let label: Element = dom::append(&head, tag, "tick")?;
        let toggle = match card {
            Some(_) => Some(dom::append::<HtmlInputElement>(&label, "input", "")?),
            None => None,
        };
        if let Some(toggle) = &toggle {
            toggle.set_type("checkbox");
            toggle.set_value(id);
            dom::set(toggle, "autocomplete", "off");
        }
        let name: Element = dom::append(&label, "span", "")?;
        let sample: Element = dom::append(&label, "span", "sample")?;
        let line = Shape::Path {
            path: "M0 4H40".to_owned(),
            role: Role::Curve(card.map_or(OWN, |card| card.curve)),
        };
        sample.set_inner_html(&svg::element((40.0, 8.0), &svg::on_page(&[line])));
        let cell = || dom::append::<Element>(&element, "td", "");
        let (value, formula) = (cell()?, cell()?);
        let [sequential, path, source] = [cell()?, cell()?, cell()?];
        if let Some(card) = card {
            sequential.set_inner_html(&math(card.sequential));
            path.set_inner_html(&math(card.path));
            source.set_text_content(Some(card.source));
        }
        let row = Self {
            name: Text::new(name),
            value: Text::new(value),
            formula,
        };
        Some((row, toggle))
    }
}

/// The layer whose toggle has this value.
pub(super) fn layer_of(value: &str) -> Option<Layer> {
    let card = CARDS.iter().find(|card| card.id == value);
    card.map(|card| card.layer)
}
