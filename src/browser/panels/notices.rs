//! The notices on the page.

use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::view::View;
use app::i18n::Language;
use app::message::UndoAction;
use app::present::notices::Notices as Model;
use app::views::notices::{DISMISS, EXAMPLE, UNDO, notices};

/// The list of notices, with its buttons.
pub(crate) struct Notices {
    view: View,
    _listeners: [Listener; 3],
}

impl Notices {
    /// `dismiss` is called with the number of the notice whose button was pressed, `undo` when the
    /// button that undoes its change was, `example` with the id of the one that is to be shown.
    pub(crate) fn new(
        root: &Root,
        dismiss: impl Fn(u32) + 'static,
        undo: impl Fn(UndoAction) + 'static,
        example: impl Fn(String) + 'static,
    ) -> Result<Self, MissingPart> {
        let view = View::find(root, "#notices")?;
        let listeners = [
            view.on("click", DISMISS, dismiss),
            view.on("click", UNDO, move |_: String| undo(UndoAction::Undo)),
            view.on("click", EXAMPLE, example),
        ];
        Ok(Self {
            view,
            _listeners: listeners,
        })
    }

    /// Updates the list of notices.
    pub(crate) fn update(&mut self, told: &Model, language: Language) {
        self.view.update(notices(told.shown(), language));
    }
}
