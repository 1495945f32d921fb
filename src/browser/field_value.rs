//! Values of fields in markup of views, which stand in an attribute: a value that was typed is no attribute.

wasm_chunks::chunk!("input");

use wasm_bindgen::JsCast as _;
use web_sys::{
    Element, HtmlDetailsElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement,
};

use app::state::undo::end_of_change;
use app::views::VALUE;

/// The value of a field; of a checkbox, and of details that are opened, `true` or `false`.
pub(super) fn read(field: &Element) -> Option<String> {
    if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
        return Some(match is_box(input) {
            true => input.checked().to_string(),
            false => input.value(),
        });
    }
    let details = field.dyn_ref::<HtmlDetailsElement>();
    let details = details.map(|details| details.open().to_string());
    let select = || field.dyn_ref().map(HtmlSelectElement::value);
    let area = || field.dyn_ref().map(HtmlTextAreaElement::value);
    details.or_else(select).or_else(area)
}

/// Whether a value is chosen rather than typed.
pub(super) fn is_choice(field: &Element) -> bool {
    let input = field.dyn_ref::<HtmlInputElement>();
    field.is_instance_of::<HtmlSelectElement>()
        || input.is_some_and(|input| is_box(input) || is_radio(input))
}

/// Writes the value of the markup into a field that has another one; of a radio it is that of the group.
pub(super) fn write(field: &Element) {
    let (Some(value), Some(before)) = (field.get_attribute(VALUE), read(field)) else {
        return;
    };
    if let Some(radio) = field
        .dyn_ref::<HtmlInputElement>()
        .filter(|it| is_radio(it))
    {
        return radio.set_checked(before == value);
    }
    // The same number in another spelling is let stand.
    let number = |text: &str| text.parse::<f64>().ok();
    let is_same = before == value || number(&before).is_some_and(|own| number(&value) == Some(own));
    if is_same {
        return;
    }
    if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
        match is_box(input) {
            true => input.set_checked(value == "true"),
            false => input.set_value(&value),
        }
    } else if let Some(select) = field.dyn_ref::<HtmlSelectElement>() {
        select.set_value(&value);
    } else if let Some(area) = field.dyn_ref::<HtmlTextAreaElement>() {
        area.set_value(&value);
        if area.matches(":focus").unwrap_or(false) {
            // Writing moves the caret: it is put behind the change. Refused only for fields without a text.
            let caret = end_of_change(&before, &value);
            let _ = area.set_selection_range(caret, caret);
        }
    }
}

fn is_radio(input: &HtmlInputElement) -> bool {
    input.type_() == "radio"
}

fn is_box(input: &HtmlInputElement) -> bool {
    input.type_() == "checkbox"
}
