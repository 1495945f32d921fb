//! The model of the step that is looked at, as a file and as programs.

use super::Inner;
use crate::browser::dom::{MissingPart, Root, Text};
use crate::browser::download::Download;
use crate::export::codegen::model::{opening, training};
use crate::i18n::{Key, text};
use crate::present::model_export::ExportedRun;

/// What of a model.
#[derive(Clone, Copy)]
pub(super) enum Taken {
    /// Its numbers.
    File,
    /// The program that opens them.
    Opening,
    /// The program that trains it.
    Training,
}

/// Where files are given, and where it is said that they are.
pub(super) struct TakeView {
    download: Download,
    said: Text,
}

impl TakeView {
    pub(super) fn find(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            download: Download::new(&root.find("#training-taken")?),
            said: Text::find(root, "#training-taken")?,
        })
    }

    pub(super) fn forget(&mut self) {
        self.said.set_text("");
    }
}

impl Inner {
    /// Gives a file of the model.
    pub(super) fn take(&mut self, which: ExportedRun, what: Taken) {
        let export = self.lab.as_ref().and_then(|lab| lab.export(which).ok());
        let Some(export) = export.flatten() else {
            return;
        };
        let language = self.language;
        let (name, kind, bytes) = match what {
            Taken::File => (
                format!("{}.safetensors", export.name()),
                "application/octet-stream",
                export.file(),
            ),
            Taken::Opening => (
                format!("{}.py", export.name()),
                "text/x-python",
                opening(&export, language).text().into_bytes(),
            ),
            Taken::Training => (
                format!("{}.py", export.training_name()),
                "text/x-python",
                training(&export, language).text().into_bytes(),
            ),
        };
        let said = if self.take.download.save_file(&name, kind, &bytes) {
            text::code_saved(language, &name)
        } else {
            Key::CodeNotSaved.text(language).to_owned()
        };
        self.take.said.set_text(&said);
    }
}
