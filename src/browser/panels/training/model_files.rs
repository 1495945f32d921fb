//! The model of the current step, as a file and as programs.

use super::Inner;
use crate::browser::dom::{MissingPart, Root, Text};
use crate::browser::download::Download;
use app::export::codegen::model::{opening, training};
use app::i18n::{Key, text};
use app::present::model_export::ExportedRun;

/// A file of a model.
#[derive(Clone, Copy)]
pub(super) enum ModelFile {
    /// Its numbers.
    File,
    /// The program that opens them.
    Opening,
    /// The program that trains it.
    Training,
}

/// Saves files, and shows their status.
pub(super) struct ModelFilesView {
    download: Download,
    said: Text,
}

impl ModelFilesView {
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
    /// Saves a file of the model.
    pub(super) fn save_model(&mut self, which: ExportedRun, what: ModelFile) {
        let export = self.lab.as_ref().and_then(|lab| lab.export(which).ok());
        let Some(export) = export.flatten() else {
            return;
        };
        let language = self.language;
        let (name, kind, bytes) = match what {
            ModelFile::File => (
                format!("{}.safetensors", export.name()),
                "application/octet-stream",
                export.file(),
            ),
            ModelFile::Opening => (
                format!("{}.py", export.name()),
                "text/x-python",
                opening(&export, language).text().into_bytes(),
            ),
            ModelFile::Training => (
                format!("{}.py", export.training_name()),
                "text/x-python",
                training(&export, language).text().into_bytes(),
            ),
        };
        let said = if self.model_files.download.save_file(&name, kind, &bytes) {
            text::code_saved(language, &name)
        } else {
            Key::CodeNotSaved.text(language).to_owned()
        };
        self.model_files.said.set_text(&said);
    }
}
