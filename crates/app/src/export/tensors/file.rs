//! File names and axis labels of saved tensors.

use super::{Entry, Name};
use crate::present::steps::Matrix;
use crate::state::request_builder::{self, Sides};
use crate::state::{State, StepKind};
use formats::{Kind, Labels, Tensor};

/// The beginning of every file name: a folder of downloads holds files of everybody.
const PREFIX: &str = "attention";

/// The file of one tensor, e.g. `attention-w_q.npy`.
pub fn file_name(name: Name, kind: Kind) -> String {
    format!("{PREFIX}-{}.{}", name.name(), kind.extension())
}

/// The file of all of them.
pub fn whole_name(kind: Kind) -> String {
    format!("{PREFIX}.{}", kind.extension())
}

/// The tensor that the name of a file, or of a tensor in it, refers to: `w_q`, and
/// `attention-w_q (2)` as browsers number files of one name.
pub fn named(stem: &str) -> Option<Name> {
    let bare = stem.split(" (").next().unwrap_or(stem);
    let bare = bare
        .strip_prefix(PREFIX)
        .map_or(bare, |rest| rest.trim_start_matches(['-', '_']));
    Name::from_name(&bare.to_ascii_lowercase())
}

/// A tensor with its name, its shape and labels along its axes: tokens where it has them.
pub fn labelled(state: &State, entry: &Entry, data: Vec<f32>) -> Tensor {
    let sides = request_builder::tokens(state);
    let labels = entry.axes.iter().map(|axis| labels(state, &sides, *axis));
    Tensor {
        labels: labels.collect(),
        ..Tensor::new(entry.name.name(), entry.shape(), data)
    }
}

fn labels(state: &State, sides: &Sides, (axis, length): (&'static str, usize)) -> Labels {
    let numbers = || (1..=length).map(|at| at.to_string()).collect();
    let (title, names) = match axis {
        "n" => ("query", sides.queries.words.clone()),
        "m" => ("key", sides.keys().words.clone()),
        "position" => ("position", sides.positions().into_owned()),
        "keys" if !state.linformer => ("key", sides.keys().words.clone()),
        "keys" => ("mixture", numbers()),
        "heads" => ("head", numbers()),
        "kv_heads" => ("kv_head", numbers()),
        other => (other, numbers()),
    };
    let is_whole = names.len() == length;
    Labels {
        title: title.to_owned(),
        names: if is_whole { names } else { numbers() },
    }
}

/// The matrix of a step that is on the map.
pub fn of_map(state: &State, step: StepKind, matrix: &Matrix<'_>) -> Tensor {
    let sides = request_builder::tokens(state);
    let axes = [
        (matrix.row_axis, matrix.rows),
        (matrix.column_axis, matrix.columns),
    ];
    let labels = axes.map(|(axis, length)| labels(state, &sides, (axis.name(), length)));
    let shape = vec![matrix.rows, matrix.columns];
    Tensor {
        labels: labels.into(),
        ..Tensor::new(step.name(), shape, matrix.values.to_vec())
    }
}
