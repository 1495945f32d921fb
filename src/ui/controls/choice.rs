//! One of several: radios, a tick, a menu.

use std::rc::Rc;

use web_sys::{HtmlInputElement, HtmlSelectElement};

use super::{Act, Control};
use crate::app::{Action, Field, State, Value};
use crate::ui::address::Change;
use crate::ui::dom::{MissingPart, Root};
use crate::ui::listen::Listener;

/// A group of radios, whose values are the names of the field's choices.
pub struct Choice {
    field: Field,
    radios: Vec<HtmlInputElement>,
    _listeners: Vec<Listener>,
}

impl Choice {
    pub fn new(root: &Root, name: &str, field: Field, act: &Act) -> Self {
        let radios: Vec<HtmlInputElement> = root.all(&format!("input[type=radio][name={name}]"));
        let listen = |radio: &HtmlInputElement| {
            let (own, act) = (radio.clone(), Rc::clone(act));
            Listener::new(radio, "change", move |_| {
                act(Action::Enter(field, own.value()), Change::Done)
            })
        };
        Self {
            field,
            _listeners: radios.iter().map(listen).collect(),
            radios,
        }
    }
}

impl Control for Choice {
    fn show(&mut self, state: &State) {
        let chosen = state.get(self.field).written();
        for radio in &self.radios {
            let is_chosen = radio.value() == chosen;
            if radio.checked() != is_chosen {
                radio.set_checked(is_chosen);
            }
        }
    }
}

/// A box that is ticked or not.
pub struct Tick {
    field: Field,
    input: HtmlInputElement,
    _listener: Listener,
}

impl Tick {
    pub fn new(root: &Root, selector: &str, field: Field, act: &Act) -> Result<Self, MissingPart> {
        let input: HtmlInputElement = root.find(selector)?;
        let (own, act) = (input.clone(), Rc::clone(act));
        let listener = Listener::new(&input, "change", move |_| {
            act(
                Action::Set(field, Value::Switch(own.checked())),
                Change::Done,
            );
        });
        Ok(Self {
            field,
            input,
            _listener: listener,
        })
    }
}

impl Control for Tick {
    fn show(&mut self, state: &State) {
        let is_ticked = state.get(self.field) == Value::Switch(true);
        if self.input.checked() != is_ticked {
            self.input.set_checked(is_ticked);
        }
    }
}

/// A menu, whose values are the names of the field's choices.
pub struct Menu {
    field: Field,
    select: HtmlSelectElement,
    _listener: Listener,
}

impl Menu {
    pub fn new(root: &Root, selector: &str, field: Field, act: &Act) -> Result<Self, MissingPart> {
        let select: HtmlSelectElement = root.find(selector)?;
        let (own, act) = (select.clone(), Rc::clone(act));
        let listener = Listener::new(&select, "change", move |_| {
            act(Action::Enter(field, own.value()), Change::Done)
        });
        Ok(Self {
            field,
            select,
            _listener: listener,
        })
    }
}

impl Control for Menu {
    fn show(&mut self, state: &State) {
        let chosen = state.get(self.field).written();
        if self.select.value() != chosen {
            self.select.set_value(&chosen);
        }
    }
}
