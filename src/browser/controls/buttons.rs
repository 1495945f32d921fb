//! Controls that change more than one field.

use std::cell::Cell;
use std::rc::Rc;

use web_sys::{Element, HtmlInputElement, HtmlOptionElement, HtmlSelectElement};

use super::Control;
use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::i18n::{Key, Language};
use app::present::address_history::Change;
use app::state::presets::{self, Preset};
use app::state::{Action, Field, Part, Parts, State, StepKind, Value};

/// Self-attention or cross-attention.
pub(super) struct SelfOrCross {
    page: Element,
    radios: Vec<HtmlInputElement>,
    _listeners: Vec<Listener>,
}

impl SelfOrCross {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let radios: Vec<HtmlInputElement> = root.all("input[type=radio][name=kind]");
        let listen = |radio: &HtmlInputElement| {
            let (own, sender) = (radio.clone(), sender.clone());
            Listener::new(radio, "change", move |_| {
                sender.act(Action::Cross(own.value() == "cross"), Change::Commit)
            })
        };
        Ok(Self {
            page: root.find(".page")?,
            _listeners: radios.iter().map(listen).collect(),
            radios,
        })
    }
}

impl Control for SelfOrCross {
    fn update(&mut self, state: &State) {
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
pub(crate) struct Examples {
    select: HtmlSelectElement,
    options: Vec<(&'static Preset, HtmlOptionElement)>,
    /// Option that is selected while no example is shown.
    none: Option<HtmlOptionElement>,
    language: Language,
    _listener: Listener,
}

impl Examples {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let select: HtmlSelectElement = root.find("#presets")?;
        let (own, sender) = (select.clone(), sender.clone());
        let listener = Listener::new(&select, "change", move |_| {
            if let Some(preset) = presets::by_id(&own.value()) {
                sender.act(Action::Preset(preset.id), Change::Commit);
            }
        });
        let option = |preset: &'static Preset| {
            let option: HtmlOptionElement = dom::append(&select, "option", "")?;
            option.set_value(preset.id);
            Some((preset, option))
        };
        Ok(Self {
            none: root.find("#presets option").ok(),
            language: Language::En,
            options: presets::all().iter().filter_map(option).collect(),
            select,
            _listener: listener,
        })
    }

    /// Names the examples in `language`.
    pub(crate) fn name(&mut self, language: Language) {
        for (preset, option) in &self.options {
            option.set_text(preset.name(language.code()));
        }
        self.language = language;
    }
}

impl Control for Examples {
    /// Selects the example whose text is in the fields, if any.
    fn update(&mut self, state: &State) {
        let id = presets::shown(state).map_or("", |preset| preset.id);
        if self.select.value() != id {
            self.select.set_value(id);
        }
        if let Some(none) = &self.none {
            // The page opens with the name of its example in the place of this: nothing is listed twice.
            dom::set_flag(none, "hidden", !id.is_empty());
            if id.is_empty() {
                none.set_text(Key::Examples.text(self.language));
            }
        }
    }
}

/// The button for another seed.
pub(super) struct NewSeed {
    _listener: Listener,
}

impl NewSeed {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let (button, sender) = (root.find::<Element>("#new-seed")?, sender.clone());
        Ok(Self {
            _listener: Listener::new(&button, "click", move |_| {
                sender.act(Action::NewSeed, Change::Commit)
            }),
        })
    }
}

impl Control for NewSeed {
    fn update(&mut self, _: &State) {}
}

/// The button that lets a model learn what a pronoun means, in the language of the page or of the text.
pub(super) struct Learn {
    preset: Rc<Cell<&'static str>>,
    _listener: Listener,
}

impl Learn {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let (button, sender) = (root.find::<Element>("#learn")?, sender.clone());
        let preset = Rc::new(Cell::new(presets::learned(&State::default()).id));
        let own = Rc::clone(&preset);
        Ok(Self {
            preset,
            _listener: Listener::new(&button, "click", move |_| {
                sender.act(Action::Preset(own.get()), Change::Commit)
            }),
        })
    }
}

impl Control for Learn {
    fn update(&mut self, state: &State) {
        self.preset.set(presets::learned(state).id);
    }
}

/// The small mask, which becomes the large map and goes back again.
pub(super) struct MaskMap {
    _listener: Listener,
}

impl MaskMap {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let (button, sender) = (root.find::<Element>("#mask-map")?, sender.clone());
        let own = button.clone();
        Ok(Self {
            _listener: Listener::new(&button, "click", move |_| {
                let is_large = own.get_attribute("aria-pressed").as_deref() == Some("true");
                let step = if is_large {
                    StepKind::Weights
                } else {
                    StepKind::Mask
                };
                let action = Action::Set(Field::Step, Value::Choice(step.name()));
                sender.act(action, Change::Commit);
            }),
        })
    }
}

impl Control for MaskMap {
    fn update(&mut self, _: &State) {}
}

/// The mechanisms that are folded away: whatever is not at its default must be in sight when it comes with a link, and so
/// must what a link shows by name.
pub(super) struct More {
    details: Element,
    was_used: bool,
}

impl More {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            details: root.find("#more")?,
            was_used: false,
        })
    }
}

impl Control for More {
    fn update(&mut self, state: &State) {
        let folded = [Field::Scoring, Field::Temperature, Field::Linformer];
        let is_used = folded
            .iter()
            .any(|field| state.get(*field) != state.default_of(*field));
        let folded = [
            Part::Scoring,
            Part::Temperature,
            Part::Linformer,
            Part::Projected,
        ];
        let is_named = |shown: Parts| folded.iter().any(|part| shown.contains(*part));
        let is_used = is_used || state.show.is_some_and(is_named);
        if is_used && !std::mem::replace(&mut self.was_used, is_used) {
            dom::set_flag(&self.details, "open", true);
        }
        self.was_used = is_used;
    }
}
