//! A text field for a sentence.

use web_sys::HtmlTextAreaElement;

use super::Control;
use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::present::address_history::Change;
use app::state::undo::end_of_change;
use app::state::{Action, Field, State, Value};

/// A text field. It grows with its text, a copy of which lies below it.
pub(super) struct TextField {
    field: Field,
    area: HtmlTextAreaElement,
    _listeners: [Listener; 2],
}

impl TextField {
    pub(super) fn new(
        root: &Root,
        selector: &str,
        field: Field,
        sender: &Sender,
    ) -> Result<Self, MissingPart> {
        let area: HtmlTextAreaElement = root.find(selector)?;
        let listeners =
            [("input", Change::Input), ("change", Change::Commit)].map(|(event, change)| {
                let (own, sender) = (area.clone(), sender.clone());
                Listener::new(&area, event, move |_| {
                    sender.act(Action::Set(field, Value::Text(own.value())), change)
                })
            });
        Ok(Self {
            field,
            area,
            _listeners: listeners,
        })
    }
}

impl Control for TextField {
    /// Writes the text if it differs, since writing moves the caret: it is put behind the change,
    /// as browsers do on undo.
    fn update(&mut self, state: &State) {
        let Value::Text(text) = state.get(self.field) else {
            return;
        };
        let before = self.area.value();
        if before == text {
            return;
        }
        self.area.set_value(&text);
        if self.area.matches(":focus").unwrap_or(false) {
            let caret = end_of_change(&before, &text);
            // Refused only for fields without a text.
            let _ = self.area.set_selection_range(caret, caret);
        }
    }
}
