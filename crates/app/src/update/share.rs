//! The Share dialog.

wasm_chunks::chunk!("more");

use super::App;
use crate::import::write_setting;
use crate::message::{LessonAction, ShareEvent};
use crate::present::panel::PanelEvent;
use crate::share::{ShareDialog, ShareRequest};
use crate::views::{self, Markup};
use crate::{Effect, View};

impl App {
    /// The Share dialog, once it was opened.
    pub fn share(&self) -> Option<&ShareDialog> {
        self.share.as_deref()
    }

    /// Both dialogs: that of the setting, and its large QR code.
    pub fn share_view(&self) -> Option<Markup> {
        Some(views::share::dialogs(
            self.share()?,
            &self.state,
            self.language,
        ))
    }

    /// Handles an event of the dialog.
    #[inline(never)]
    pub(super) fn use_share(&mut self, event: ShareEvent) {
        let state = &self.state;
        let dialog = self
            .share
            .get_or_insert_with(|| Box::new(ShareDialog::new(state)));
        let request = match event {
            ShareEvent::Open => {
                dialog.open(state);
                None
            }
            ShareEvent::Closed(is_large) => {
                dialog.close(is_large);
                None
            }
            ShareEvent::View(PanelEvent::Press(name)) => dialog.press(&name),
            ShareEvent::View(PanelEvent::Enter(field, value, _)) => {
                dialog.enter(&field, &value);
                None
            }
            ShareEvent::View(PanelEvent::Copied(is_copied)) => dialog.copied(is_copied),
            ShareEvent::View(_) => return,
            ShareEvent::Room(room) => {
                dialog.fit(room);
                None
            }
            ShareEvent::Height(height) => {
                dialog.measure(height);
                None
            }
            ShareEvent::Saved(is_saved) => {
                dialog.saved(is_saved);
                None
            }
        };
        self.follow_share();
        match request {
            Some(ShareRequest::Copy) => {
                let text = self
                    .share
                    .as_ref()
                    .map(|dialog| dialog.written.text.clone());
                self.effect(Effect::CopyShared(text.unwrap_or_default()));
            }
            Some(ShareRequest::Select) => self.effect(Effect::SelectShared),
            Some(ShareRequest::Save) => {
                let (state, address) = (&self.state, &self.address);
                let file = (self.share.as_ref())
                    .map(|dialog| dialog.one_file(state, address, self.language));
                if let Some(mut file) = file {
                    let named = state.imported.as_ref().filter(|own| !own.is_inline());
                    let setting = named.map(|own| write_setting(&file.link, own));
                    file.numbers = setting.and_then(|setting| String::from_utf8(setting).ok());
                    self.effect(Effect::SaveOneFile(file));
                }
            }
            // The dialog is closed by then, and has handed the focus back.
            Some(ShareRequest::Write) => self.use_lesson(LessonAction::Write),
            None => {}
        }
    }

    /// Shows the dialog as it is for the state and in the language of the page.
    #[inline(never)]
    pub(super) fn follow_share(&mut self) {
        if let Some(dialog) = &mut self.share {
            dialog.follow(&self.state, &self.address, self.language);
            self.show(View::Share);
        }
    }
}
