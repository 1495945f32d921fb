//! The hint beside the sentence.

use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use crate::browser::view::{View, nearest};
use app::message::CoachEvent;
use app::views::coach;
use app::{App, Message};

/// The line, and the buttons that use it.
pub(crate) struct CoachHint {
    line: View,
    _listener: Listener,
}

impl CoachHint {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let sender = sender.clone();
        Ok(Self {
            line: View::find(root, "#coach")?,
            _listener: Listener::new(root.element(), "click", move |event| {
                let name: Option<String> = nearest(&event, coach::COACH);
                if let Some(event) = name.and_then(|name| CoachEvent::named(&name)) {
                    sender.send(Message::Coach(event));
                }
            }),
        })
    }

    pub(crate) fn show(&mut self, app: &App) {
        let line = app.coach.line(&app.state, app.language);
        let markup = line.map(|line| coach::line(&line, app.language));
        self.line.update(markup.unwrap_or_default());
    }
}
