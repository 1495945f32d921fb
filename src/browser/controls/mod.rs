//! Controls. A control sends an [`Action`](app::state::Action) and shows a [`State`]; it makes no decisions.

mod buttons;
mod conditional;
mod exchange;
pub(super) mod help;
mod number;
mod panels;
mod parts;
mod radio_and_select;
mod sharing;
mod slider;
mod text_field;
mod toolbars;

pub(super) use buttons::Examples;
use buttons::{Learn, MaskMap, More, NewSeed, SelfOrCross};
use conditional::When;
use exchange::Exchange;
use number::Number;
use panels::Headers;
use parts::Parts;
use radio_and_select::{Checkbox, CheckboxGroup, RadioGroup, Select};
use sharing::Sharing;
use slider::Slider;
use text_field::TextField;
use toolbars::Toolbars;

use super::dom::{MissingPart, Root};
use super::import::ImportBanner;
use super::sender::Sender;
use app::state::setting::Control as ControlKind;
use app::state::{Field, State};

/// A bound control.
pub(super) trait Control {
    /// Shows the state in the control.
    fn update(&mut self, state: &State);
}

/// Binds every control of the page that sets a single field.
pub(super) fn bind(root: &Root, sender: &Sender) -> Result<Vec<Box<dyn Control>>, MissingPart> {
    let mut controls: Vec<Box<dyn Control>> = Vec::new();
    for field in Field::ALL {
        controls.extend(of_field(root, field, sender)?);
    }
    controls.push(Box::new(SelfOrCross::new(root, sender)?));
    controls.push(Box::new(NewSeed::new(root, sender)?));
    controls.push(Box::new(Learn::new(root, sender)?));
    controls.push(Box::new(When::new(root, "data-when")));
    controls.push(Box::new(When::off(root, "data-off-when")));
    // After what switches controls off by itself, which it lets stand.
    controls.push(Box::new(Parts::new(root)));
    controls.push(Box::new(Headers::new(root, sender)?));
    controls.push(Box::new(Sharing::new(root)?));
    controls.push(Box::new(Exchange::new(root, sender)?));
    controls.push(Box::new(MaskMap::new(root, sender)?));
    controls.push(Box::new(More::new(root)?));
    controls.push(Box::new(ImportBanner::new(root)?));
    // After what hides and locks.
    controls.push(Box::new(Toolbars::new(root)));
    Ok(controls)
}

/// Builds the control that the settings table names for `field`; `None` for fields with a control
/// of their own, or without one.
fn of_field(
    root: &Root,
    field: Field,
    sender: &Sender,
) -> Result<Option<Box<dyn Control>>, MissingPart> {
    let by_id = |id: &str| format!("#{id}");
    Ok(Some(match field.row().control {
        ControlKind::Own => return Ok(None),
        ControlKind::Slider(id) => Box::new(Slider::new(root, id, field, sender)?),
        ControlKind::Number(id) => Box::new(Number::new(root, &by_id(id), field, sender)?),
        ControlKind::Radios(name) => Box::new(RadioGroup::new(root, name, field, sender)),
        ControlKind::Boxes(name) => Box::new(CheckboxGroup::new(root, name, field, sender)),
        ControlKind::Box(id) => Box::new(Checkbox::new(root, &by_id(id), field, sender)?),
        ControlKind::Menu(id) => Box::new(Select::new(root, &by_id(id), field, sender)?),
        ControlKind::Text(id) => Box::new(TextField::new(root, &by_id(id), field, sender)?),
    }))
}
