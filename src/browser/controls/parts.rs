//! Hides and locks parts of the page as the state demands; no other module does.

use web_sys::Element;

use super::Control;
use crate::browser::dom::{self, Root};
use app::i18n::{Key, Language};
use app::state::{self, ImportedData, Part, State};

/// The controls that a user can change; what explains them can always be opened.
const MOVED: &str = "input, select, textarea, button:not(.help)";

/// Elements with `data-part`, shown while their part is; those with `data-parts`, shown while any
/// part inside is; and those with `data-lock`, disabled while the control that they name is locked.
/// A fieldset also disables elements added to it later.
pub(super) struct Parts {
    parts: Vec<(Part, Element)>,
    groups: Vec<(Vec<Part>, Element)>,
    locks: Vec<Lock>,
    coach: Option<Element>,
    shown: Option<Shown>,
}

type Shown = (
    bool,
    Option<state::Parts>,
    state::Parts,
    Option<Language>,
    Option<u64>,
);

struct Lock {
    part: Part,
    element: Element,
    moved: Vec<Element>,
    /// Elements that otherwise have a tooltip, with its key.
    titled: Vec<(Element, Key)>,
    is_locked: bool,
}

/// Names the key of an element's title.
const TITLE_KEY: &str = "data-t-title";

impl Parts {
    pub(super) fn new(root: &Root) -> Self {
        let parts = named(&root.all("[data-part]"), "data-part");
        let group = |element: Element| {
            let mut inside: Vec<Element> = Root::new(element.clone()).all("[data-part]");
            // What is part of a part is not there without it.
            inside.retain(|part| !is_inside_part(part));
            let inside = named(&inside, "data-part");
            (inside.into_iter().map(|(part, _)| part).collect(), element)
        };
        let locks = named(&root.all("[data-lock]"), "data-lock");
        Self {
            parts,
            groups: root.all("[data-parts]").into_iter().map(group).collect(),
            locks: locks.into_iter().map(Lock::new).collect(),
            coach: root.find("#coach").ok(),
            shown: None,
        }
    }
}

impl Control for Parts {
    fn update(&mut self, state: &State) {
        let given = state.imported.as_ref().map(ImportedData::hash);
        let now = (state.embed, state.show, state.lock, state.language, given);
        if self.shown.replace(now) == Some(now) {
            return;
        }
        for (part, element) in &self.parts {
            dom::set_flag(element, "data-absent", !state.is_shown(*part));
        }
        for (parts, element) in &self.groups {
            let is_empty = !parts.iter().any(|part| state.is_shown(*part));
            dom::set_flag(element, "data-absent", is_empty);
        }
        // It asks for what may be locked.
        if let Some(coach) = &self.coach {
            let is_free = state.is_shown(Part::Title) && state.lock.is_empty();
            dom::set_flag(coach, "data-absent", !is_free);
        }
        let language = state.language.unwrap_or_default();
        for lock in &mut self.locks {
            let why = if state.is_locked(lock.part) {
                Some(Key::RuleLocked)
            } else {
                state.is_given(lock.part).then_some(Key::RuleGiven)
            };
            lock.set(why, language);
        }
    }
}

impl Lock {
    fn new((part, element): (Part, Element)) -> Self {
        let is_own = element.matches("fieldset, input, select, textarea, button");
        let moved = if is_own.unwrap_or(false) {
            vec![element.clone()]
        } else {
            Root::new(element.clone()).all(MOVED)
        };
        let mut titled = Root::new(element.clone()).all(&format!("[{TITLE_KEY}]"));
        titled.push(element.clone());
        Self {
            part,
            moved,
            titled: titled.into_iter().filter_map(with_key).collect(),
            element,
            is_locked: false,
        }
    }

    fn set(&mut self, why: Option<Key>, language: Language) {
        let is_locked = why.is_some();
        let was_locked = std::mem::replace(&mut self.is_locked, is_locked);
        if !is_locked && !was_locked {
            return;
        }
        dom::set_flag(&self.element, "data-locked", is_locked);
        dom::set_or_remove(&self.element, "title", why.map(|why| why.text(language)));
        for (element, key) in &self.titled {
            let key = why.unwrap_or(*key);
            dom::set(element, TITLE_KEY, key.name());
            dom::set(element, "title", key.text(language));
        }
        // What scrolls and has nothing left inside that could be reached is reached itself.
        if let Ok(Some(strip)) = self.element.query_selector(":scope > .steps-strip") {
            dom::set_or_remove(&strip, "tabindex", is_locked.then_some("0"));
        }
        for moved in &self.moved {
            dom::set_or_remove(moved, "aria-description", why.map(|why| why.text(language)));
            // What other settings switch off has been set by them, just before.
            if is_locked || !moved.has_attribute("data-off-when") {
                dom::set_flag(moved, off(moved), is_locked);
            }
        }
    }
}

/// Whether `part` is inside another part, and hidden with it.
fn is_inside_part(part: &Element) -> bool {
    let around = part.parent_element();
    let around = around.and_then(|around| around.closest("[data-part]").ok());
    around.flatten().is_some()
}

fn with_key(element: Element) -> Option<(Element, Key)> {
    let key = Key::named(&element.get_attribute(TITLE_KEY)?)?;
    Some((element, key))
}

/// Attribute that disables an element. A disabled text could be neither read nor selected, so texts
/// become read-only.
fn off(element: &Element) -> &'static str {
    if element.tag_name() == "TEXTAREA" {
        "readonly"
    } else {
        "disabled"
    }
}

fn named(elements: &[Element], attribute: &str) -> Vec<(Part, Element)> {
    let part = |element: &Element| {
        let part = Part::from_name(&element.get_attribute(attribute)?)?;
        Some((part, element.clone()))
    };
    elements.iter().filter_map(part).collect()
}
