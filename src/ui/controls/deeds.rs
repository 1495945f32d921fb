//! Controls that do more than set one field.

use std::rc::Rc;

use web_sys::{Element, HtmlInputElement, HtmlOptionElement, HtmlSelectElement};

use super::{Act, Control};
use crate::app::{Action, State};
use crate::text::presets::{self, Preset};
use crate::ui::address::Change;
use crate::ui::dom::{self, MissingPart, Root};
use crate::ui::listen::Listener;
use crate::words::Language;

/// Self-attention or cross-attention.
pub struct Kind {
    page: Element,
    radios: Vec<HtmlInputElement>,
    _listeners: Vec<Listener>,
}

impl Kind {
    pub fn new(root: &Root, act: &Act) -> Result<Self, MissingPart> {
        let radios: Vec<HtmlInputElement> = root.all("input[type=radio][name=kind]");
        let listen = |radio: &HtmlInputElement| {
            let (own, act) = (radio.clone(), Rc::clone(act));
            Listener::new(radio, "change", move |_| {
                act(Action::Cross(own.value() == "cross"), Change::Done)
            })
        };
        Ok(Self {
            page: root.find(".page")?,
            _listeners: radios.iter().map(listen).collect(),
            radios,
        })
    }
}

impl Control for Kind {
    fn show(&mut self, state: &State) {
        dom::set_flag(&self.page, "data-cross", state.second.is_some());
        let chosen = if state.second.is_some() {
            "cross"
        } else {
            "self"
        };
        for radio in &self.radios {
            radio.set_checked(radio.value() == chosen);
        }
    }
}

/// The menu of examples.
pub struct Examples {
    select: HtmlSelectElement,
    options: Vec<(&'static Preset, HtmlOptionElement)>,
    _listener: Listener,
}

impl Examples {
    pub fn new(root: &Root, act: &Act) -> Result<Self, MissingPart> {
        let select: HtmlSelectElement = root.find("#presets")?;
        let (own, act) = (select.clone(), Rc::clone(act));
        let listener = Listener::new(&select, "change", move |_| {
            if let Some(preset) = presets::by_id(&own.value()) {
                act(Action::Preset(preset.id), Change::Done);
            }
        });
        let option = |preset: &'static Preset| {
            let option: HtmlOptionElement = dom::append(&select, "option", "")?;
            option.set_value(preset.id);
            Some((preset, option))
        };
        Ok(Self {
            options: presets::all().iter().filter_map(option).collect(),
            select,
            _listener: listener,
        })
    }

    /// Names the examples in `language`.
    pub fn name(&self, language: Language) {
        for (preset, option) in &self.options {
            option.set_text(preset.name(language.code()));
        }
    }
}

impl Control for Examples {
    /// Chooses the example whose words stand in the fields, if there is one.
    fn show(&mut self, state: &State) {
        let is_shown =
            |preset: &Preset| preset.text == state.text && preset.source == state.second.as_deref();
        let id = presets::all()
            .iter()
            .find(|preset| is_shown(preset))
            .map_or("", |preset| preset.id);
        if self.select.value() != id {
            self.select.set_value(id);
        }
    }
}

/// The button for another seed.
pub struct NewSeed {
    _listener: Listener,
}

impl NewSeed {
    pub fn new(root: &Root, act: &Act) -> Result<Self, MissingPart> {
        let (button, act) = (root.find::<Element>("#new-seed")?, Rc::clone(act));
        Ok(Self {
            _listener: Listener::new(&button, "click", move |_| {
                act(Action::NewSeed, Change::Done)
            }),
        })
    }
}

impl Control for NewSeed {
    fn show(&mut self, _: &State) {}
}
