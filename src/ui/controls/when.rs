//! Parts of the page that stand there only while a setting has a value, such as a mask's own slider.

use web_sys::Element;

use super::Control;
use crate::app::{Field, State, Value};
use crate::ui::dom::{self, Root};

/// Every element with an attribute such as `data-when="field=value"`, names as in links. Where a field has several names, one is enough.
pub struct When {
    parts: Vec<(Field, String, Element)>,
}

impl When {
    pub fn new(root: &Root, attribute: &str) -> Self {
        let part = |element: Element| {
            let when = element.get_attribute(attribute)?;
            let (field, value) = when.split_once('=')?;
            Some((Field::from_key(field)?, value.to_owned(), element))
        };
        Self {
            parts: root
                .all(&format!("[{attribute}]"))
                .into_iter()
                .filter_map(part)
                .collect(),
        }
    }
}

impl Control for When {
    fn show(&mut self, state: &State) {
        for (field, value, element) in &self.parts {
            let own = state.get(*field);
            let has = match &own {
                Value::Names(names) if names.contains(&value.as_str()) => true,
                own => own.written() == *value,
            };
            dom::set_flag(element, "hidden", !has);
        }
    }
}
