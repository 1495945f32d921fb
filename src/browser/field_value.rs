//! Values of fields in markup of views, which stand in an attribute: a value that was typed is no attribute.

wasm_chunks::chunk!("input");

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};

use app::state::undo::end_of_change;
use app::views::VALUE;

/// The value of a field; of a checkbox `true` or `false`.
pub(super) fn read(field: &Element) -> Option<String> {
    if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
        return Some(match is_box(input) {
            true => input.checked().to_string(),
            false => input.value(),
        });
    }
    let select = field.dyn_ref().map(HtmlSelectElement::value);
    select.or_else(|| field.dyn_ref().map(HtmlTextAreaElement::value))
}

/// Writes the value of the markup into a field that has another one; of a radio it is that of the group.
pub(super) fn write(field: &Element) {
    let (Some(value), Some(before)) = (field.get_attribute(VALUE), read(field)) else {
        return;
    };
    if let Some(radio) = field.dyn_ref::<HtmlInputElement>()
        && radio.type_() == "radio"
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

fn is_box(input: &HtmlInputElement) -> bool {
    input.type_() == "checkbox"
}
