//! A number that can be typed.

use std::rc::Rc;

use web_sys::HtmlInputElement;

use super::{Act, Control};
use crate::app::{Action, Field, State, Value};
use crate::ui::address::Change;
use crate::ui::dom::{MissingPart, Root};
use crate::ui::listen::Listener;

/// A field for a number.
pub struct Number {
    field: Field,
    input: HtmlInputElement,
    _listeners: [Listener; 2],
}

impl Number {
    /// While a number is being typed it is tried only where it lies between the ends, as the first figure of a larger
    /// number often does not; when it is finished, it is handed on as it is, so that a refusal can be explained.
    pub fn new(root: &Root, selector: &str, field: Field, act: &Act) -> Result<Self, MissingPart> {
        let input: HtmlInputElement = root.find(selector)?;
        let (own, live) = (input.clone(), Rc::clone(act));
        let typed = Listener::new(&input, "input", move |_| {
            if let Some(value) = read(&own).filter(|value| is_inside(&own, *value)) {
                live(Action::Set(field, Value::Number(value)), Change::Live);
            }
        });
        let (own, done) = (input.clone(), Rc::clone(act));
        let finished = Listener::new(&input, "change", move |_| {
            done(Action::Enter(field, own.value()), Change::Done);
        });
        Ok(Self {
            field,
            input,
            _listeners: [typed, finished],
        })
    }
}

impl Control for Number {
    /// Writes the number, unless it stands there already, if with other figures.
    fn show(&mut self, state: &State) {
        if let Some((min, max)) = state.limits(self.field) {
            set_end(&self.input, "min", min);
            set_end(&self.input, "max", max);
        }
        let Value::Number(value) = state.get(self.field) else {
            return;
        };
        if read(&self.input) != Some(value) {
            self.input.set_value(&value.to_string());
        }
    }
}

fn set_end(input: &HtmlInputElement, name: &str, end: u32) {
    let text = end.to_string();
    if input.get_attribute(name).as_deref() != Some(&text) {
        crate::ui::dom::set(input, name, &text);
    }
}

fn read(input: &HtmlInputElement) -> Option<u32> {
    input.value().trim().parse().ok()
}

fn is_inside(input: &HtmlInputElement, value: u32) -> bool {
    let end = |text: String| text.parse().ok();
    end(input.min()).is_none_or(|least: u32| least <= value)
        && end(input.max()).is_none_or(|most: u32| value <= most)
}
