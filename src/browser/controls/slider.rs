//! A slider with a number field: the slider moves between stops, the number takes any allowed value.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{Element, HtmlInputElement};

use super::{Act, Control, Number};
use crate::browser::dom::{Attribute, MissingPart, Property, Root, Text};
use crate::browser::event_listener::Listener;
use crate::present::address_history::Change;
use crate::state::{Action, Field, State, request_builder};

/// A slider, its number and the labels of its ends.
pub(super) struct Slider {
    field: Field,
    range: HtmlInputElement,
    number: Number,
    ends: [Text; 2],
    fill: Property,
    spoken: Attribute,
    stops: Rc<RefCell<Vec<u32>>>,
    _listeners: Vec<Listener>,
}

impl Slider {
    /// Binds the slider `id` and the number `id-number`.
    pub(super) fn new(root: &Root, id: &str, field: Field, act: &Act) -> Result<Self, MissingPart> {
        let range: HtmlInputElement = root.find(&format!("#{id}"))?;
        let label: Element = root.find(&format!("label[for={id}]"))?;
        let end = |name: &str| Text::find(root, &format!("[data-control={id}] [data-{name}]"));
        let stops = Rc::default();
        let mut listeners = on_range(&range, field, &stops, act);
        listeners.extend([&label, range.as_ref()].map(|element: &Element| {
            let act = Rc::clone(act);
            Listener::new(element, "dblclick", move |_| {
                act(Action::Reset(field), Change::Commit)
            })
        }));
        Ok(Self {
            field,
            number: Number::new(root, &format!("#{id}-number"), field, act)?,
            ends: [end("min")?, end("max")?],
            fill: Property::new(range.clone(), "--fill"),
            spoken: Attribute::new(range.clone(), "aria-valuetext"),
            range,
            stops,
            _listeners: listeners,
        })
    }

    fn set_stops(&mut self, stops: Vec<u32>) {
        if *self.stops.borrow() == stops {
            return;
        }
        let last = stops.len().saturating_sub(1);
        self.range.set_min(&track_value(&stops, 0).to_string());
        self.range.set_max(&track_value(&stops, last).to_string());
        for (text, end) in self.ends.iter_mut().zip([stops.first(), stops.last()]) {
            let written = end.map(|end| self.field.of_amount(*end).to_param());
            text.set_text(&written.unwrap_or_default());
        }
        self.stops.replace(stops);
    }
}

impl Control for Slider {
    fn update(&mut self, state: &State) {
        self.set_stops(useful_stops(state, self.field));
        self.number.update(state);
        let own = state.get(self.field);
        let Some(value) = own.amount() else {
            return;
        };
        let stops = self.stops.borrow();
        let nearest = (0..stops.len())
            .min_by_key(|&at| stops[at].abs_diff(value))
            .unwrap_or(0);
        let place = track_value(&stops, nearest).to_string();
        if self.range.value() != place {
            self.range.set_value(&place);
        }
        let share = 100.0 * nearest as f64 / stops.len().saturating_sub(1).max(1) as f64;
        self.fill.set(&format!("{share:.4}%"));
        self.spoken.set(&own.to_param());
    }
}

/// The stops of a field, without those that change nothing on a map as large as this one.
fn useful_stops(state: &State, field: Field) -> Vec<u32> {
    let mut stops = state.stops(field);
    let most = match field {
        Field::Valid | Field::First | Field::Projected => request_builder::lengths(state).1,
        Field::Window | Field::Stride => {
            let (queries, keys) = request_builder::lengths(state);
            queries.max(keys)
        }
        _ => return stops,
    };
    stops.retain(|&stop| stop <= 1 || stop as usize <= most);
    stops
}

/// Where the track says that stop `at` lies: the stop itself where stops follow one another, so that the slider means
/// what it says; its number where they are powers of two.
fn track_value(stops: &[u32], at: usize) -> u32 {
    if is_even(stops) { stops[at] } else { at as u32 }
}

/// The stop at a place of the track.
fn stop(stops: &[u32], place: u32) -> Option<u32> {
    if is_even(stops) {
        stops.contains(&place).then_some(place)
    } else {
        stops.get(place as usize).copied()
    }
}

fn is_even(stops: &[u32]) -> bool {
    !stops.is_empty() && stops.windows(2).all(|pair| pair[1] - pair[0] == 1)
}

fn on_range(
    range: &HtmlInputElement,
    field: Field,
    stops: &Rc<RefCell<Vec<u32>>>,
    act: &Act,
) -> Vec<Listener> {
    let events = [("input", Change::Input), ("change", Change::Commit)];
    let listener = |(event, change)| {
        let (own, stops, act) = (range.clone(), Rc::clone(stops), Rc::clone(act));
        Listener::new(range, event, move |_| {
            let stop = own
                .value()
                .parse()
                .ok()
                .and_then(|at| stop(&stops.borrow(), at));
            if let Some(value) = stop {
                act(Action::Set(field, field.of_amount(value)), change);
            }
        })
    };
    events.map(listener).into()
}
