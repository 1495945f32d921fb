//! Handles actions of the Share dialog.

use super::Page;
use crate::browser::share::{ShareAction, Subject};

impl Page {
    /// Does what was done there.
    pub(crate) fn share(&mut self, action: ShareAction) {
        let subject = Subject {
            state: &self.state,
            address: &self.address.of_page(),
            language: self.language,
        };
        self.share.act(action, subject);
    }
}
