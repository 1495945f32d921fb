//! Every tensor of a file with what becomes of it.

use super::series::RoleSeries;
use super::{
    AssignedTensor, FileSetting, ImportResult, Role, TensorAssignment, file_settings, tensor_names,
};
use crate::state::imported::Refusal;
use formats::Tensor;

/// Use of a tensor, or of several whose names differ only in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// It is shown.
    Part(AssignedTensor),
    /// It plays a role, and something is wrong with it or with another.
    Role {
        /// The role.
        role: Role,
        /// Which tensor.
        tensor: usize,
    },
    /// Other layers have it in the same role.
    Other {
        /// The role.
        role: Role,
        /// The first of them.
        tensor: usize,
        /// How many there are.
        count: usize,
    },
    /// A setting of the page follows from it.
    Setting {
        /// The setting.
        setting: FileSetting,
        /// Which tensor.
        tensor: usize,
    },
    /// Nothing is made of it.
    Unused {
        /// The first of them.
        tensor: usize,
        /// How many there are.
        count: usize,
    },
}

/// A line for each tensor, those of a pattern together: what is shown, in which order it was read, then the rest as in the file.
pub fn lines(
    tensors: &[Tensor],
    reading: &TensorAssignment,
    result: &Result<ImportResult, Refusal>,
) -> Vec<Line> {
    let series = RoleSeries::new(tensors, reading);
    let mut taken = vec![false; tensors.len()];
    let mut lines: Vec<Line> = Vec::new();
    let roles: Vec<Role> = match result {
        Ok(opened) => opened.parts.iter().map(|part| part.role).collect(),
        Err(_) => Role::for_kind(reading.kind).to_vec(),
    };
    for role in roles {
        let Some(chosen) = series.chosen(role) else {
            continue;
        };
        chosen.tensors.iter().for_each(|own| taken[*own] = true);
        let part = result.as_ref().ok().and_then(|opened| {
            let mut parts = opened.parts.iter();
            parts.find(|part| part.role == role)
        });
        let tensor = chosen.tensors.first().copied().unwrap_or_default();
        lines.push(part.map_or(Line::Role { role, tensor }, |part| Line::Part(part.clone())));
        let all = series
            .series(role)
            .into_iter()
            .flat_map(|own| own.tensors());
        let rest: Vec<usize> = all.filter(|own| !taken[*own]).collect();
        rest.iter().for_each(|own| taken[*own] = true);
        if let [tensor, ..] = rest[..] {
            let count = rest.len();
            lines.push(Line::Other {
                role,
                tensor,
                count,
            });
        }
    }
    if let Ok(opened) = result {
        for (setting, tensor) in file_settings::of(tensors, &opened.imported) {
            if !std::mem::replace(&mut taken[tensor], true) {
                lines.push(Line::Setting { setting, tensor });
            }
        }
    }
    lines.extend(unused(tensors, &taken));
    lines
}

fn unused(tensors: &[Tensor], taken: &[bool]) -> Vec<Line> {
    let names = tensor_names::all(tensors);
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for at in (0..tensors.len()).filter(|at| !taken[*at]) {
        let same = groups.iter_mut().find(|(first, _)| {
            let has_numbers = !names[at].at.is_empty();
            has_numbers
                && names[*first].pattern == names[at].pattern
                && tensors[*first].shape == tensors[at].shape
        });
        match same {
            Some((_, count)) => *count += 1,
            None => groups.push((at, 1)),
        }
    }
    let line = |(tensor, count)| Line::Unused { tensor, count };
    groups.into_iter().map(line).collect()
}
