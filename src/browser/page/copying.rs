//! Copies the map, a row or a cell.

wasm_chunks::chunk!("more");

use super::Page;
use crate::browser::clipboard;
use crate::browser::export::Copying;
use crate::browser::main_view::ViewContext;
use crate::browser::map::Pointed;
use app::export::matrix_text::{Extent, Form};
use app::i18n::{Key, text};
use app::present::displayed_matrix::DisplayedMatrix;

impl Page {
    /// Does what is done with the text in the panel.
    #[inline(never)]
    pub(super) fn copy_text(&mut self, action: Copying) {
        match action {
            Copying::Changed => self.show_text(),
            Copying::Copy => {
                self.with_context(self.app.selected(), |context| self.text.copy(context));
            }
        }
    }

    /// Shows in the open panel what can be copied now.
    pub(super) fn show_text(&self) {
        self.with_context(self.app.selected(), |context| self.text.update(context));
    }

    /// Copies the highlighted cell of the map, or otherwise its row, and reports that below the
    /// map.
    #[inline(never)]
    pub(super) fn copy_pointed(&mut self) {
        let copied = self.with_context(self.app.pointed(), |context| {
            let is_cell = context.pointed.key.is_some();
            let extent = if is_cell { Extent::Cell } else { Extent::Row };
            let text = context.matrix().written(extent, Form::Tabs).ok()?;
            let sentence = if is_cell {
                text::text_cell_copied(context.language, &text)
            } else {
                let row = context.pointed.query.unwrap_or(0);
                text::text_row_copied(
                    context.language,
                    &context.displayed.row_name(row, context.language),
                )
            };
            Some((text, sentence))
        });
        let Some((text, sentence)) = copied.flatten() else {
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

    /// Runs `act` with the view context, as if `pointed` were highlighted; does nothing before the
    /// first picture.
    pub(super) fn with_context<R>(
        &self,
        pointed: Pointed,
        act: impl FnOnce(&ViewContext<'_>) -> R,
    ) -> Option<R> {
        let run = self.app.main.run.as_ref()?;
        let (step, head) = (self.app.shown(), self.app.head());
        let displayed = DisplayedMatrix::new(run, step, head);
        Some(act(&ViewContext {
            state: &self.app.state,
            run,
            head,
            displayed: &displayed,
            colours: &self.colours,
            room: self.room,
            viewport: self.app.viewport(),
            frame: None,
            language: self.app.language,
            pointed,
            row: self.app.read,
            is_locked: self.app.locked_key().is_some(),
            lit: &self.app.lit,
            curves: &self.app.curves,
            is_playing: self.app.steps.is_playing,
            is_motion_reduced: self.app.environment.is_motion_reduced,
            stands_out: false,
            chunks: &self.chunks,
        }))
    }
}
