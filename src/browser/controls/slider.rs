//! A slider with a number field: the slider moves between stops, the number takes any allowed value.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{Element, HtmlInputElement};

use super::{Control, Number};
use crate::browser::dom::{Attribute, MissingPart, Property, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::present::address_history::Change;
use app::present::slider_place::SliderPlace;
use app::state::{Action, Field, State};

/// A slider, its number and the labels of its ends.
pub(super) struct Slider {
    field: Field,
    range: HtmlInputElement,
    number: Number,
    ends: [Text; 2],
    fill: Property,
    spoken: Attribute,
    place: Rc<RefCell<SliderPlace>>,
    _listeners: Vec<Listener>,
}

impl Slider {
    /// Binds the slider `id` and the number `id-number`.
    pub(super) fn new(
        root: &Root,
        id: &str,
        field: Field,
        sender: &Sender,
    ) -> Result<Self, MissingPart> {
        let range: HtmlInputElement = root.find(&format!("#{id}"))?;
        let label: Element = root.find(&format!("label[for={id}]"))?;
        let end = |name: &str| Text::find(root, &format!("[data-control={id}] [data-{name}]"));
        let place = Rc::default();
        let mut listeners = on_range(&range, field, &place, sender);
        listeners.extend([&label, range.as_ref()].map(|element: &Element| {
            let sender = sender.clone();
            Listener::new(element, "dblclick", move |_| {
                sender.act(Action::Reset(field), Change::Commit)
            })
        }));
        Ok(Self {
            field,
            number: Number::new(root, &format!("#{id}-number"), field, sender)?,
            ends: [end("min")?, end("max")?],
            fill: Property::new(range.clone(), "--fill"),
            spoken: Attribute::new(range.clone(), "aria-valuetext"),
            range,
            place,
            _listeners: listeners,
        })
    }

    fn set_ends(&mut self, place: &SliderPlace) {
        if self.place.borrow().has_stops_of(place) {
            return;
        }
        let [first, last] = place.ends();
        self.range.set_min(&first.to_string());
        self.range.set_max(&last.to_string());
        for (text, end) in self.ends.iter_mut().zip(place.end_stops()) {
            let written = end.map(|end| self.field.of_amount(end).to_param());
            text.set_text(&written.unwrap_or_default());
        }
    }
}

impl Control for Slider {
    fn update(&mut self, state: &State) {
        self.number.update(state);
        let Some(place) = SliderPlace::new(state, self.field) else {
            return;
        };
        self.set_ends(&place);
        let value = place.value().to_string();
        if self.range.value() != value {
            self.range.set_value(&value);
        }
        self.fill.set(&place.fill());
        self.spoken.set(&state.get(self.field).to_param());
        self.place.replace(place);
    }
}

fn on_range(
    range: &HtmlInputElement,
    field: Field,
    place: &Rc<RefCell<SliderPlace>>,
    sender: &Sender,
) -> Vec<Listener> {
    let events = [("input", Change::Input), ("change", Change::Commit)];
    let listener = |(event, change)| {
        let (own, place, sender) = (range.clone(), Rc::clone(place), sender.clone());
        Listener::new(range, event, move |_| {
            let at = own.value().parse().ok();
            let stop = at.and_then(|at| place.borrow().stop(at));
            if let Some(value) = stop {
                sender.act(Action::Set(field, field.of_amount(value)), change);
            }
        })
    };
    events.map(listener).into()
}
