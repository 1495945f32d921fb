//! State of the import dialog: which files are read, what is in them, and how their tensors are assigned.

use super::{FileSetting, ImportResult, ReadTensors, Role, TensorAssignment, open};
use crate::state::imported::{ImportedData, ImportedKind, Refusal};
use formats::Tensor;

/// The dialog.
#[derive(Default)]
pub struct ImportDialog {
    /// Number of the newest read; others are not completed.
    read: u32,
    /// Files in it while it is open.
    pub opened: Option<OpenedFile>,
}

/// Files in the dialog.
pub struct OpenedFile {
    /// Their names; empty for a pasted text.
    pub name: String,
    pub stage: Stage,
}

/// How far files have come.
pub enum Stage {
    /// They are being read.
    Reading,
    /// They were rejected, for the reason of a sentence.
    Refused(String),
    /// They were read.
    Read(Box<AssignedFile>),
}

/// Tensors of files, and how they are assigned.
pub struct AssignedFile {
    pub tensors: Vec<Tensor>,
    /// Detected format, and ignored parts.
    pub notes: Vec<String>,
    pub assignment: TensorAssignment,
    pub result: Result<ImportResult, Refusal>,
    /// Whether the form is unfolded in which the user assigns them.
    pub is_form_open: bool,
}

impl ImportDialog {
    /// Opens for files that are read; returns the number of the read.
    pub fn begin(&mut self, name: String) -> u32 {
        self.read = self.read.wrapping_add(1);
        let stage = Stage::Reading;
        self.opened = Some(OpenedFile { name, stage });
        self.read
    }

    /// The files that the read of this number is for; `None` if the dialog was closed since, or others are read.
    pub fn awaits(&mut self, read: u32) -> Option<&mut OpenedFile> {
        let opened = self.opened.as_mut()?;
        let is_newest = read == self.read && matches!(opened.stage, Stage::Reading);
        is_newest.then_some(opened)
    }

    /// Sets a field of the form to what was entered.
    pub fn enter(&mut self, field: &str, value: &str) {
        if let Some(OpenedFile { name, stage }) = &mut self.opened
            && let Stage::Read(file) = stage
        {
            if field == "form" {
                file.is_form_open = value == "true";
            } else {
                file.enter(field, value);
                file.result = open(&file.tensors, &file.assignment, name);
            }
        }
    }

    /// The numbers and the settings that come with them, if there are any; the dialog is then over.
    pub fn take(&mut self) -> Option<(ImportedData, Vec<FileSetting>)> {
        let is_ready = |opened: &mut OpenedFile| matches!(&opened.stage, Stage::Read(file) if file.result.is_ok());
        let Stage::Read(file) = self.opened.take_if(is_ready)?.stage else {
            return None;
        };
        let result = file.result.ok()?;
        Some((result.imported, result.settings))
    }
}

impl OpenedFile {
    /// Shows tensors as they are likeliest assigned; with the form if the user has to decide something.
    pub fn assign(&mut self, ReadTensors { tensors, notes }: ReadTensors) {
        let assignment = TensorAssignment::guess(&tensors);
        let result = open(&tensors, &assignment, &self.name);
        self.stage = Stage::Read(Box::new(AssignedFile {
            is_form_open: result.is_err(),
            tensors,
            notes,
            assignment,
            result,
        }));
    }
}

impl AssignedFile {
    fn enter(&mut self, field: &str, value: &str) {
        let (tensors, assignment) = (&self.tensors, &mut self.assignment);
        match field {
            "kind" => {
                let mut kinds = ImportedKind::ALL.into_iter();
                if let Some(kind) = kinds.find(|kind| kind.name() == value) {
                    *assignment = assignment.turned_to(kind, tensors);
                }
            }
            "entry" => {
                if let Ok(entry) = value.parse::<usize>() {
                    assignment.entry = entry.clamp(1, assignment.entries(tensors).max(1)) - 1;
                }
            }
            "heads" => assignment.heads = value.parse().unwrap_or(assignment.heads),
            "rows-first" => assignment.is_rows_first = value == "true",
            "transposed" => assignment.is_transposed = value == "true",
            _ => {
                let mut roles = Role::for_kind(assignment.kind).iter();
                if let Some(role) = roles.find(|role| role.name() == field) {
                    let tensor = value.parse().ok();
                    assignment.assign(*role, tensor.filter(|at| *at < tensors.len()));
                }
            }
        }
    }
}
