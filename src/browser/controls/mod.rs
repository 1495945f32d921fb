//! Controls. A control sends an [`Action`] and shows a [`State`]; it makes no decisions.

mod buttons;
mod conditional;
mod number;
mod panels;
mod parts;
mod radio_and_select;
mod sharing;
mod slider;
mod text_field;

use std::rc::Rc;

pub use buttons::Examples;
use buttons::{Kind, MaskMap, More, NewSeed};
pub use conditional::When;
pub use number::Number;
use panels::Headers;
use parts::Parts;
use radio_and_select::RadioGroup;
pub use radio_and_select::{Checkbox, CheckboxGroup, Select};
use sharing::Sharing;
use slider::Slider;
use text_field::TextField;

use super::dom::{MissingPart, Root};
use crate::present::address_history::Change;
use crate::state::{Action, Field, State};

/// Where controls send what was done with them.
pub type Act = Rc<dyn Fn(Action, Change)>;

/// A bound control.
pub trait Control {
    /// Shows the state in the control.
    fn update(&mut self, state: &State);
}

/// Sliders of the page with the fields that they set.
const SLIDERS: [(&str, Field); 10] = [
    ("heads", Field::Heads),
    ("kv-heads", Field::KvHeads),
    ("d-k", Field::DK),
    ("d-model", Field::DModel),
    ("valid", Field::Valid),
    ("window", Field::Window),
    ("stride", Field::Stride),
    ("first", Field::First),
    ("temperature", Field::Temperature),
    ("projected", Field::Projected),
];

/// Groups of radios with the fields that they set.
const CHOICES: [(&str, Field); 8] = [
    ("origin", Field::Origin),
    ("hiding", Field::Hiding),
    ("scoring", Field::Scoring),
    ("scale", Field::Scale),
    ("theme", Field::Theme),
    ("language", Field::Language),
    ("backend", Field::Backend),
    ("library", Field::Library),
];

/// Binds every control of the page that sets a single field.
pub fn bind(root: &Root, act: &Act) -> Result<Vec<Box<dyn Control>>, MissingPart> {
    let mut controls: Vec<Box<dyn Control>> = Vec::new();
    for (id, field) in SLIDERS {
        controls.push(Box::new(Slider::new(root, id, field, act)?));
    }
    for (name, field) in CHOICES {
        controls.push(Box::new(RadioGroup::new(root, name, field, act)));
    }
    controls.push(Box::new(Kind::new(root, act)?));
    controls.push(Box::new(NewSeed::new(root, act)?));
    controls.push(Box::new(When::new(root, "data-when")));
    controls.push(Box::new(When::off(root, "data-off-when")));
    // After what switches controls off by itself, which it lets stand.
    controls.push(Box::new(Parts::new(root)));
    controls.push(Box::new(Headers::new(root, act)?));
    controls.push(Box::new(CheckboxGroup::new(
        root,
        "mask",
        Field::Masks,
        act,
    )));
    for (selector, field) in [("#scaled", Field::Scaled), ("#linformer", Field::Linformer)] {
        controls.push(Box::new(Checkbox::new(root, selector, field, act)?));
    }
    controls.push(Box::new(Sharing::new(root)?));
    controls.push(Box::new(MaskMap::new(root, act)?));
    controls.push(Box::new(More::new(root)?));
    for (selector, field) in [("#text", Field::Text), ("#second", Field::Second)] {
        controls.push(Box::new(TextField::new(root, selector, field, act)?));
    }
    controls.push(Box::new(Number::new(root, "#seed", Field::Seed, act)?));
    for (selector, field) in [
        ("#colours", Field::Colours),
        ("#positions", Field::Positions),
    ] {
        controls.push(Box::new(Select::new(root, selector, field, act)?));
    }
    Ok(controls)
}
