//! A number field.

use web_sys::HtmlInputElement;

use super::Control;
use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::present::address_history::Change;
use app::state::{Action, Field, State, Value};

/// A field for a number.
pub(crate) struct Number {
    field: Field,
    input: HtmlInputElement,
    _listeners: [Listener; 2],
}

impl Number {
    /// While a number is being typed it is applied only if it is within its bounds, as the first
    /// digit of a larger number often is not; once committed it is applied as it is, so that an
    /// error can be explained.
    pub(crate) fn new(
        root: &Root,
        selector: &str,
        field: Field,
        sender: &Sender,
    ) -> Result<Self, MissingPart> {
        let input: HtmlInputElement = root.find(selector)?;
        let (own, live) = (input.clone(), sender.clone());
        let typed = Listener::new(&input, "input", move |_| {
            if let Some(value) = read(&own, field).filter(|_| is_inside(&own)) {
                live.act(Action::Set(field, value), Change::Input);
            }
        });
        let (own, done) = (input.clone(), sender.clone());
        let finished = Listener::new(&input, "change", move |_| {
            done.act(Action::Enter(field, own.value()), Change::Commit);
            // "07" was let stand while it was typed.
            if let Some(value) = read(&own, field) {
                own.set_value(&value.to_param());
            }
        });
        Ok(Self {
            field,
            input,
            _listeners: [typed, finished],
        })
    }
}

impl Control for Number {
    /// Writes the number unless the field already has the same value in another spelling.
    fn update(&mut self, state: &State) {
        if let Some((min, max)) = state.limits(self.field) {
            set_end(&self.input, "min", &self.field.of_amount(min));
            set_end(&self.input, "max", &self.field.of_amount(max));
        }
        let value = state.get(self.field);
        if read(&self.input, self.field).as_ref() != Some(&value) {
            self.input.set_value(&value.to_param());
        }
    }
}

fn set_end(input: &HtmlInputElement, name: &str, end: &Value) {
    let text = end.to_param();
    if input.get_attribute(name).as_deref() != Some(&text) {
        crate::browser::dom::set(input, name, &text);
    }
}

fn read(input: &HtmlInputElement, field: Field) -> Option<Value> {
    field.parse(input.value().trim()).ok()
}

fn is_inside(input: &HtmlInputElement) -> bool {
    let number = |text: String| text.parse::<f64>().ok();
    let Some(value) = number(input.value()) else {
        return false;
    };
    number(input.min()).is_none_or(|least| least <= value)
        && number(input.max()).is_none_or(|most| value <= most)
}
