//! State of the import dialog: which files are read, what is in them, and how their tensors are assigned.

use super::{FileSetting, ImportResult, ReadTensors, Role, TensorAssignment, open};
use crate::state::imported::validate::shown;
use crate::state::imported::{ImportedData, ImportedKind, Refusal};
use formats::Tensor;

/// The dialog.
#[derive(Default)]
pub struct ImportDialog {
    /// Number of the newest read; others are not completed.
    read: u32,
    /// Files in it while it is open.
    pub opened: Option<OpenedFile>,
    /// Files of several layers whose numbers were taken.
    taken: Option<(String, Box<AssignedFile>)>,
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

    /// Takes tensors in that a host has read, as if the dialog had shown them.
    pub fn hand_over(&mut self, name: String, tensors: ReadTensors) {
        self.begin(name);
        if let Some(opened) = &mut self.opened {
            opened.assign(tensors);
        }
    }

    /// Why the tensors in the dialog cannot be shown; it is then over.
    pub fn take_refusal(&mut self) -> Option<Refusal> {
        match self.opened.take()?.stage {
            Stage::Read(file) => file.result.err(),
            Stage::Reading | Stage::Refused(_) => None,
        }
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

    /// Whether a field that is still being typed in can be followed: the number of a layer that there is.
    pub fn follows(&self, field: &str, typed: &str) -> bool {
        let stage = self.opened.as_ref().map(|opened| &opened.stage);
        let is_one = |stage: &Stage| matches!(stage, Stage::Read(file) if file.has_entry(typed));
        field == "entry" && stage.is_some_and(is_one)
    }

    /// The numbers and the settings that come with them, if there are any; the dialog is then over.
    pub fn take(&mut self) -> Option<(ImportedData, Vec<FileSetting>)> {
        let is_ready = |opened: &mut OpenedFile| matches!(&opened.stage, Stage::Read(file) if file.result.is_ok());
        let OpenedFile { name, stage } = self.opened.take_if(is_ready)?;
        let Stage::Read(file) = stage else {
            return None;
        };
        let result = file.result.clone().ok()?;
        self.taken = (file.entries() > 1).then_some((name, file));
        Some((result.imported, result.settings))
    }

    /// Whether other layers of the file that numbers are from can be shown.
    pub fn can_turn(&self, imported: &ImportedData) -> bool {
        let of = |file: &AssignedFile| {
            imported
                .source()
                .1
                .is_some_and(|(_, of)| of == file.entries())
        };
        let taken = self.taken.as_ref();
        taken.is_some_and(|(name, file)| shown(name).starts_with(imported.source().0) && of(file))
    }

    /// The numbers of another layer of the file that was taken, from 1; the nearest one there is.
    ///
    /// # Errors
    /// Why that layer cannot be shown.
    pub fn turn(&mut self, entry: usize) -> Option<Result<ImportedData, Refusal>> {
        let (name, file) = self.taken.as_mut()?;
        file.enter("entry", &entry.to_string());
        let result = open(&file.tensors, &file.assignment, name);
        Some(result.map(|result| result.imported))
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
    /// How many layers or entries of a batch there are.
    fn entries(&self) -> usize {
        self.assignment.entries(&self.tensors)
    }

    /// Whether a number that is still being typed is one of them.
    pub fn has_entry(&self, typed: &str) -> bool {
        let typed = typed.parse::<usize>().ok();
        typed.is_some_and(|entry| (1..=self.entries()).contains(&entry))
    }

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
