//! From the tensors of a file to [`ImportedData`]: the role of each tensor and the order of its axes.
//!
//! [`TensorAssignment::guess`] goes by names and shapes; a user can change the assignment. [`open`] then makes the numbers or explains
//! what is wrong.

wasm_chunks::chunk!("more");

mod assignment;
mod axis_transforms;
pub mod dialog;
mod file_reader;
mod file_settings;
mod finished_weights;
mod head_count;
mod library_names;
mod listing;
mod messages;
mod pasted_tables;
mod role_table;
mod roles;
mod series;
mod session_file;
mod tensor_names;
mod token_labels;
mod weight_matrices;

use crate::state::imported::{ImportedData, Refusal, entry_name, serialize};
pub use assignment::{TensorAssignment, Why};
pub use axis_transforms::AxisTransform;
pub use file_reader::{FileContents, FileToRead, ReadTensors};
pub use file_settings::FileSetting;
use formats::Tensor;
pub use head_count::HeadsAsked;
pub use listing::{Line, lines};
pub use messages::{axes, heads_note, how, line, part, refusal, remark, role, shape, why};
pub use pasted_tables::{Table, tables};
use role_table::RoleTable;
pub use roles::Role;
pub use session_file::{SettingFile, begins_setting, read_setting, write_setting};

/// A tensor and how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedTensor {
    /// Its role.
    pub role: Role,
    /// Which tensor of the file.
    pub tensor: usize,
    /// Transforms applied to it.
    pub how: Vec<AxisTransform>,
    /// Its shape afterwards; that of the file for a tensor that was split.
    pub shape: Vec<usize>,
}

/// Data that can be imported, and how they were read.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportResult {
    /// The numbers.
    pub imported: ImportedData,
    /// The tensors that they were built from.
    pub parts: Vec<AssignedTensor>,
    /// Settings that other tensors of the file say.
    pub settings: Vec<FileSetting>,
}

/// Builds data from the tensors of `file`, assigned as in `reading`.
///
/// # Errors
/// Why the tensors do not fit their roles.
pub fn open(
    tensors: &[Tensor],
    reading: &TensorAssignment,
    file: &str,
) -> Result<ImportResult, Refusal> {
    let mut roles = RoleTable::new(tensors, reading);
    let contents = roles.contents()?;
    for own in serialize::tensors(&contents) {
        let mut parts = roles.parts.iter_mut();
        if let Some(part) = parts.find(|part| part.role.name() == own.name) {
            part.shape = own.shape;
        }
    }
    let all = roles.parts.iter().flat_map(|part| &part.how);
    let entry = all.into_iter().find_map(AxisTransform::entry);
    let file = entry.map_or_else(|| file.to_owned(), |entry| entry_name(file, entry));
    let imported = ImportedData::new(contents, roles.names(), &file)
        .map_err(|refusal| tensor_names::renamed(refusal, reading, tensors))?;
    let settings = file_settings::of(tensors, &imported).into_iter();
    Ok(ImportResult {
        settings: settings.map(|(setting, _)| setting).collect(),
        parts: roles.parts,
        imported,
    })
}
