//! Elements that are shown or enabled only for certain settings.

use web_sys::Element;

use super::Control;
use crate::browser::dom::{self, Root};
use app::state::State;
use app::state::conditions::Conditions;

/// Elements with an attribute such as `data-when="field=value&field=value"`.
pub(crate) struct When {
    parts: Vec<ConditionalElement>,
    /// The attribute that is set, and whether it is where the conditions hold or where they do not.
    sets: (&'static str, bool),
}

struct ConditionalElement {
    conditions: Conditions,
    element: Element,
}

impl When {
    /// Elements that are shown only while all of their conditions hold.
    pub(crate) fn new(root: &Root, attribute: &str) -> Self {
        Self::with(root, attribute, ("hidden", false))
    }

    /// Elements that cannot be moved while all of their conditions hold.
    pub(crate) fn off(root: &Root, attribute: &str) -> Self {
        Self::with(root, attribute, ("disabled", true))
    }

    fn with(root: &Root, attribute: &str, sets: (&'static str, bool)) -> Self {
        let part = |element: Element| {
            let conditions = Conditions::parse(&element.get_attribute(attribute)?);
            Some(ConditionalElement {
                conditions,
                element,
            })
        };
        let elements = root.all(&format!("[{attribute}]"));
        Self {
            parts: elements.into_iter().filter_map(part).collect(),
            sets,
        }
    }
}

impl Control for When {
    fn update(&mut self, state: &State) {
        for part in &self.parts {
            let (name, where_true) = self.sets;
            let holds = part.conditions.hold(state);
            dom::set_flag(&part.element, name, holds == where_true);
        }
    }
}
