//! The notices on the page.

use std::rc::Rc;

use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::panels::UndoAction;
use crate::browser::view::View;
use crate::i18n::Language;
use crate::present::notices::Notices as Model;
use crate::views::notices::{DISMISS, UNDO, notices};

/// The list of notices, and what is done in it.
pub(crate) struct Notices {
    view: View,
    model: Model,
    _listeners: [Listener; 2],
}

impl Notices {
    /// `dismiss` is called with the number of the notice whose button was pressed, `undo` where one offers to undo what it tells of.
    pub(crate) fn new(
        root: &Root,
        dismiss: impl Fn(u32) + 'static,
        undo: Rc<dyn Fn(UndoAction)>,
    ) -> Result<Self, MissingPart> {
        let view = View::find(root, "#notices")?;
        let listeners = [
            view.on("click", DISMISS, dismiss),
            view.on("click", UNDO, move |_: String| undo(UndoAction::Undo)),
        ];
        Ok(Self {
            view,
            model: Model::default(),
            _listeners: listeners,
        })
    }

    /// Changes what is told, and shows it.
    pub(crate) fn change<T>(
        &mut self,
        language: Language,
        change: impl FnOnce(&mut Model) -> T,
    ) -> T {
        let result = change(&mut self.model);
        self.view.update(notices(self.model.shown(), language));
        result
    }
}
