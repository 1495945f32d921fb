//! Copies a row or a cell of the map.

wasm_chunks::chunk!("more");

use super::Page;
use crate::browser::clipboard;
use app::i18n::Key;

impl Page {
    /// Copies the highlighted cell of the map, or otherwise its row, and reports that below the
    /// map.
    #[inline(never)]
    pub(super) fn copy_pointed(&mut self) {
        let Some((text, sentence)) = self.app.pointed_text() else {
            return;
        };
        self.has_copied = true;
        let (said, refused) = (
            self.map_said.clone(),
            Key::TextKeyNotCopied.text(self.app.language),
        );
        clipboard::copy(&self.root, &text, move |is_copied| {
            said.set_text_content(Some(if is_copied { &sentence } else { refused }));
        });
    }

    /// Clears the "copied" message.
    pub(super) fn forget_copy(&mut self) {
        if std::mem::take(&mut self.has_copied) {
            self.map_said.set_text_content(None);
        }
    }
}
