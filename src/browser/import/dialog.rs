//! The dialog that shows tensors before they are used.

use web_sys::{HtmlDialogElement, HtmlElement};

use super::form::Form;
use crate::bindings::ReadTensors;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::language;
use crate::browser::view::View;
use app::i18n::{Key, Language, text};
use app::import::{self, FileSetting, ImportResult, TensorAssignment, lines, refusal, why};
use app::present::imported_text::kind;
use app::state::imported::{ImportedData, Refusal};
use app::views::{self, Markup, import_dialog, symbols};
use formats::Tensor;

/// The dialog.
pub(super) struct ContentsDialog {
    dialog: HtmlDialogElement,
    title: Text,
    why: Text,
    refusal: View,
    parts: View,
    remarks: View,
    take: HtmlElement,
    leave: HtmlElement,
    form: Form,
    open: Option<Open>,
}

/// The opened file.
struct Open {
    file: String,
    tensors: Vec<Tensor>,
    /// Detected format of the file, and its ignored parts.
    notes: Vec<String>,
    reading: TensorAssignment,
    result: Result<ImportResult, Refusal>,
}

impl Open {
    fn new(file: &str, read: ReadTensors, reading: TensorAssignment) -> Self {
        let ReadTensors { tensors, notes } = read;
        Self {
            notes,
            file: file.to_owned(),
            result: import::open(&tensors, &reading, file),
            tensors,
            reading,
        }
    }
}

impl ContentsDialog {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            dialog: root.find("#import-dialog")?,
            title: Text::find(root, "#import-dialog-title")?,
            why: Text::find(root, "#import-dialog-why")?,
            refusal: View::find(root, "#import-dialog-refusal")?,
            parts: View::find(root, "#import-dialog-parts")?,
            remarks: View::find(root, "#import-dialog-remarks")?,
            take: root.find("#import-dialog-take")?,
            leave: root.find("#import-dialog-leave")?,
            form: Form::new(root)?,
            open: None,
        })
    }

    /// Whether it can be seen.
    pub(super) fn is_open(&self) -> bool {
        self.dialog.open()
    }

    /// Shows that a file is being read.
    pub(super) fn wait(&mut self, file: &str, language: Language) {
        self.clear(file, language);
        self.show_message(Key::ImportReading.text(language));
    }

    /// Shows why nothing could be read.
    pub(super) fn refuse(&mut self, file: &str, sentence: &str, language: Language) {
        self.clear(file, language);
        self.show_message(sentence);
        let title = if file.is_empty() {
            Key::ImportPastedRefused.text(language).to_owned()
        } else {
            text::import_dialog_refused(language, &file)
        };
        self.title.set_text(&title);
        language::bind(&self.leave, Key::ShareClose, language);
    }

    /// Shows tensors as they are likeliest read.
    pub(super) fn open(&mut self, file: &str, read: ReadTensors, language: Language) {
        let reading = TensorAssignment::guess(&read.tensors);
        let open = Open::new(file, read, reading);
        self.clear(file, language);
        self.form.offer(&open.tensors, open.result.is_err());
        self.open = Some(open);
        self.update(language);
        // Fails only for an element that cannot be focused, as while it is hidden.
        let _ = self.take.focus();
    }

    /// Reads again with the assignment of the form.
    pub(super) fn read_form(&mut self, language: Language) {
        let Some(Open {
            file,
            tensors,
            notes,
            reading,
            ..
        }) = self.open.take()
        else {
            return;
        };
        let reading = self.form.read(&reading, &tensors);
        let read = ReadTensors { tensors, notes };
        self.open = Some(Open::new(&file, read, reading));
        self.update(language);
    }

    /// The numbers and the settings that come with them, if there are any; the dialog is then over.
    pub(super) fn take_data(&mut self) -> Option<(ImportedData, Vec<FileSetting>)> {
        let opened = self.open.take_if(|open| open.result.is_ok())?.result.ok()?;
        self.close();
        Some((opened.imported, opened.settings))
    }

    pub(super) fn close(&mut self) {
        self.open = None;
        self.dialog.close();
    }

    fn show_message(&mut self, sentence: &str) {
        self.refusal.update(views::sentence(sentence));
    }

    /// An open dialog with a title and nothing else.
    fn clear(&mut self, file: &str, language: Language) {
        self.open = None;
        self.title.set_text(&title(file, language));
        self.show_message("");
        self.why.set_text("");
        language::bind(&self.leave, Key::ImportDialogLeave, language);
        self.form.hide();
        self.parts.update(Markup::default());
        self.remarks.update(Markup::default());
        dom::set_flag(&self.take, "hidden", true);
        if !self.dialog.open() {
            // Refused only where it is open already, or in no document.
            let _ = self.dialog.show_modal();
        }
    }

    fn update(&mut self, language: Language) {
        let Some(open) = &self.open else { return };
        self.form.update(&open.reading, &open.tensors, language);
        dom::set_flag(&self.take, "hidden", open.result.is_err());
        let (title, kind) = (
            title(&open.file, language),
            kind(language, open.reading.kind),
        );
        self.title
            .set_text(&text::import_dialog_as(language, &title, &kind));
        let why = why(language, &open.reading, &open.tensors);
        self.why.set_text(&said(&open.notes, why, language));
        let (refused, remarks) = match &open.result {
            Err(cause) => (symbols(&refusal(language, cause)), Markup::default()),
            Ok(opened) => (
                Markup::default(),
                import_dialog::remarks(opened.imported.contents(), language),
            ),
        };
        let lines = lines(&open.tensors, &open.reading, &open.result);
        let parts = import_dialog::parts(&lines, &open.tensors, language);
        self.refusal.update(refused);
        self.parts.update(parts);
        self.remarks.update(remarks);
    }
}

/// Detected format of a file, and the reason for the assignment of its tensors, on one line.
fn said(notes: &[String], why: String, language: Language) -> String {
    let space = if language == Language::Zh { "" } else { " " };
    let mut said = notes.to_vec();
    said.push(why);
    said.join(space)
}

/// Title of the dialog.
fn title(file: &str, language: Language) -> String {
    if file.is_empty() {
        Key::ImportPastedTitle.text(language).to_owned()
    } else {
        text::import_dialog_title(language, &file)
    }
}
