//! Controls for a choice of one or several: radio buttons, checkboxes, selects.

use web_sys::{HtmlInputElement, HtmlSelectElement};

use super::Control;
use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::present::address_history::Change;
use app::state::{Action, Field, State, Value};

/// A group of radios, whose values are the names of the field's choices.
pub(super) struct RadioGroup {
    field: Field,
    radios: Vec<HtmlInputElement>,
    _listeners: Vec<Listener>,
}

impl RadioGroup {
    pub(super) fn new(root: &Root, name: &str, field: Field, sender: &Sender) -> Self {
        let radios: Vec<HtmlInputElement> = root.all(&format!("input[type=radio][name={name}]"));
        let listen = |radio: &HtmlInputElement| {
            let (own, sender) = (radio.clone(), sender.clone());
            Listener::new(radio, "change", move |_| {
                sender.act(Action::Enter(field, own.value()), Change::Commit)
            })
        };
        Self {
            field,
            _listeners: radios.iter().map(listen).collect(),
            radios,
        }
    }
}

impl Control for RadioGroup {
    fn update(&mut self, state: &State) {
        let chosen = state.get(self.field).to_param();
        for radio in &self.radios {
            let is_chosen = radio.value() == chosen;
            if radio.checked() != is_chosen {
                radio.set_checked(is_chosen);
            }
        }
    }
}

/// Checkboxes whose values are the names of the field's choices; the one that stands for none is
/// checked while no other is, and unchecks the others.
pub(crate) struct CheckboxGroup {
    field: Field,
    boxes: Vec<HtmlInputElement>,
    _listeners: Vec<Listener>,
}

impl CheckboxGroup {
    pub(crate) fn new(root: &Root, name: &str, field: Field, sender: &Sender) -> Self {
        let boxes: Vec<HtmlInputElement> = root.all(&format!("input[type=checkbox][name={name}]"));
        let listen = |input: &HtmlInputElement| {
            let (own, sender) = (input.clone(), sender.clone());
            Listener::new(input, "change", move |_| {
                let action = match field.name_of(&own.value()) {
                    Some(name) => Action::Include(field, name, own.checked()),
                    None => Action::Set(field, Value::Names(Vec::new())),
                };
                sender.act(action, Change::Commit);
            })
        };
        Self {
            field,
            _listeners: boxes.iter().map(listen).collect(),
            boxes,
        }
    }
}

impl Control for CheckboxGroup {
    fn update(&mut self, state: &State) {
        let Value::Names(names) = state.get(self.field) else {
            return;
        };
        for input in &self.boxes {
            let is_ticked = match self.field.name_of(&input.value()) {
                Some(name) => names.contains(&name),
                None => names.is_empty(),
            };
            if input.checked() != is_ticked {
                input.set_checked(is_ticked);
            }
        }
    }
}

/// A box that is ticked or not.
pub(crate) struct Checkbox {
    field: Field,
    input: HtmlInputElement,
    _listener: Listener,
}

impl Checkbox {
    pub(crate) fn new(
        root: &Root,
        selector: &str,
        field: Field,
        sender: &Sender,
    ) -> Result<Self, MissingPart> {
        let input: HtmlInputElement = root.find(selector)?;
        let (own, sender) = (input.clone(), sender.clone());
        let listener = Listener::new(&input, "change", move |_| {
            sender.act(
                Action::Set(field, Value::Switch(own.checked())),
                Change::Commit,
            );
        });
        Ok(Self {
            field,
            input,
            _listener: listener,
        })
    }
}

impl Control for Checkbox {
    fn update(&mut self, state: &State) {
        let is_ticked = state.get(self.field) == Value::Switch(true);
        if self.input.checked() != is_ticked {
            self.input.set_checked(is_ticked);
        }
    }
}

/// A menu, whose values are the names of the field's choices.
pub(crate) struct Select {
    field: Field,
    select: HtmlSelectElement,
    _listener: Listener,
}

impl Select {
    pub(crate) fn new(
        root: &Root,
        selector: &str,
        field: Field,
        sender: &Sender,
    ) -> Result<Self, MissingPart> {
        let select: HtmlSelectElement = root.find(selector)?;
        let (own, sender) = (select.clone(), sender.clone());
        let listener = Listener::new(&select, "change", move |_| {
            sender.act(Action::Enter(field, own.value()), Change::Commit)
        });
        Ok(Self {
            field,
            select,
            _listener: listener,
        })
    }
}

impl Control for Select {
    fn update(&mut self, state: &State) {
        let chosen = state.get(self.field).to_param();
        if self.select.value() != chosen {
            self.select.set_value(&chosen);
        }
    }
}
