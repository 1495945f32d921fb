//! The names that libraries give to tensors: the role of each, and which tensors are the same of several layers or heads.

use super::library_names::{self, End};
use super::{Role, TensorAssignment};
use crate::export::tensors::{self, Name};
use crate::state::imported::Refusal;
use formats::Tensor;

/// Parts of a tensor's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TensorName {
    /// The role, if the name has one.
    pub(super) role: Option<Role>,
    /// The segments before the last one, without numbers.
    pub(super) path: Vec<String>,
    /// The name without numbers: equal for tensors that are the same of several layers.
    pub(super) pattern: String,
    /// The numbers in it, outermost first: which layer, as a rule.
    pub(super) at: Vec<u64>,
    /// Which head, where each is saved by itself.
    pub(super) head: Option<u64>,
}

impl TensorName {
    pub(super) fn new(name: &str, axes: usize) -> Self {
        let name = name.to_ascii_lowercase();
        if let Some(own) = tensors::named(&name) {
            return Self {
                role: of_own(own),
                pattern: name,
                ..Self::default()
            };
        }
        let mut parts = segments(&name);
        let (end, tail) = ending(&mut parts);
        let (stem, end) = match parts.pop() {
            Some(stem) if matches!(end, End::None) => library_names::split(stem),
            // The weights of an attention are no weights of a module.
            Some(stem) if matches!(end, End::Weight) && library_names::is_attention(stem) => {
                (stem, End::None)
            }
            Some(stem) => (stem, end),
            None => return Self::whole(name),
        };
        let mut found = Self::default();
        for part in &parts {
            let bare = found.count(part);
            found.path.push(bare);
        }
        let path: Vec<&str> = found.path.iter().map(String::as_str).collect();
        found.role = library_names::role_of(&path, stem, tail, &end, axes);
        let tail = match (library_names::counted(stem, tail), &end) {
            (Some((bare, layer)), _) => {
                found.at.extend(layer);
                bare
            }
            (None, End::None) => {
                let bare = found.count(stem);
                found.take(&bare, tail);
                bare
            }
            (None, _) => {
                let bare = found.count(stem);
                format!("{bare}.{}", tail.unwrap_or_default())
            }
        };
        found.pattern = format!("{}.{tail}.{end:?}", found.path.join("."));
        found
    }

    fn whole(pattern: String) -> Self {
        Self {
            pattern,
            ..Self::default()
        }
    }

    /// Takes the numbers out of a segment, and returns the rest.
    fn count(&mut self, part: &str) -> String {
        let bare: String = part.chars().filter(|c| !c.is_ascii_digit()).collect();
        let bare = bare.trim_end_matches(['_', '-']).to_owned();
        let before = if bare.is_empty() {
            self.path.last().cloned().unwrap_or_default()
        } else {
            bare.clone()
        };
        let runs = part.split(|c: char| !c.is_ascii_digit());
        for run in runs.filter(|run| !run.is_empty()) {
            self.take(&before, run.parse().ok());
        }
        bare
    }

    /// Stores a number after the word for what it counts.
    fn take(&mut self, word: &str, number: Option<u64>) {
        match number {
            Some(number) if word == "head" || word == "heads" => self.head = Some(number),
            Some(number) => self.at.push(number),
            None => {}
        }
    }

    /// How many segments at the beginning two names share.
    fn shared(&self, other: &Self) -> usize {
        let both = self.path.iter().zip(&other.path);
        both.take_while(|(one, other)| one == other).count()
    }
}

/// The names of all tensors.
pub(super) fn all(tensors: &[Tensor]) -> Vec<TensorName> {
    let named = |tensor: &Tensor| TensorName::new(&tensor.name, tensor.shape.len());
    tensors.iter().map(named).collect()
}

/// Which tensor plays which role, by their names. Where several could, as self- and cross-attention of a checkpoint, it is the one
/// that shares most of its name with the first projection or map; of several layers it is the first.
pub(super) fn roles(tensors: &[Tensor]) -> Vec<(Role, usize)> {
    let names = all(tensors);
    let is_lead = |name: &&TensorName| matches!(name.role, Some(Role::WQ | Role::Fused));
    let lead = names.iter().find(is_lead);
    let lead = lead.or_else(|| names.iter().find(|name| name.role.is_some()));
    let Some(lead) = lead else { return Vec::new() };
    let of_role = |role: Role| {
        let own = names.iter().enumerate();
        let own = own.filter(|(_, name)| name.role == Some(role));
        // Queries and keys behind a rotation are those that are multiplied.
        let fit = |name: &TensorName| (name.shared(lead), name.pattern.contains("hook_rot"));
        let best = own.clone().map(|(_, name)| fit(name)).max()?;
        let (_, first) = own.clone().find(|(_, name)| fit(name) == best)?;
        let own = own.filter(|(_, name)| name.pattern == first.pattern);
        let (at, _) = own.min_by_key(|(_, name)| (&name.at, name.head))?;
        Some((role, at))
    };
    Role::ALL.into_iter().filter_map(of_role).collect()
}

/// Whether all tensors are those of a setting of this page, which saves inputs and results
/// together.
pub(super) fn are_of_setting(tensors: &[Tensor]) -> bool {
    let wanted = [Name::Q, Name::Scores, Name::Weights, Name::Context];
    let has = |name: &Name| {
        let mut own = tensors.iter();
        own.any(|own| own.name == name.name())
    };
    wanted.iter().all(has)
}

/// The refusal with the name that the file gives to its tensor, alone or as a part of it: readers know their tensors by these.
pub(super) fn renamed(refusal: Refusal, reading: &TensorAssignment, tensors: &[Tensor]) -> Refusal {
    refusal.named(|role| {
        let whole = match role {
            "w_q" | "w_k" | "w_v" => reading.plays(Role::Fused),
            "b_q" | "b_k" | "b_v" => reading.plays(Role::FusedBias),
            _ => None,
        };
        let pair = || match role {
            "w_k" | "w_v" => reading.plays(Role::FusedKV),
            "b_k" | "b_v" => reading.plays(Role::FusedKVBias),
            _ => None,
        };
        let own = || reading.plays(Role::ALL.into_iter().find(|own| own.name() == role)?);
        let name = &tensors.get(whole.or_else(own).or_else(pair)?)?.name;
        Some(name).filter(|name| !name.is_empty()).cloned()
    })
}

/// Whether a tensor is the weight of a PyTorch module, which holds its output along its first axis.
pub(super) fn is_of_module(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".weight") || name.ends_with("_proj_weight")
}

/// Whether GPT-2 has given a tensor its name, whose modules hold their input along the first axis in the original and their output in
/// most that came later.
pub(super) fn is_of_gpt2(name: &str) -> bool {
    name.contains("c_attn") || name.contains("c_proj")
}

/// Whether it is the kernel of a dense layer of Keras or Flax, which holds its inputs along the first axis.
pub(super) fn is_kernel(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("kernel") || name.contains("/vars/")
}

/// Whether each head's queries, keys and values stand together in a fused matrix.
pub(super) fn is_fused_by_head(name: &str) -> bool {
    name.contains("query_key_value")
}

/// Whether rows come before heads in what is saved by this name.
pub(super) fn is_rows_first(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["hook_q", "hook_k", "hook_v", "hook_rot"]
        .iter()
        .any(|hook| name.contains(hook))
}

fn segments(name: &str) -> Vec<&str> {
    let parts = name.split(['.', '/', ':', '[', ']', '(', ')', '\'', '"', ' ', '~']);
    parts.filter(|part| !part.is_empty()).collect()
}

/// Takes what says that a tensor is a module's weight or bias from the end, and a number that stands there.
fn ending(parts: &mut Vec<&str>) -> (End, Option<u64>) {
    let (mut end, mut tail) = (End::None, None);
    while let (Some(last), true) = (parts.last(), parts.len() > 1) {
        let number = last.parse::<u64>().ok();
        let found = match *last {
            "weight" | "kernel" | "w" => End::Weight,
            "bias" | "b" => End::Bias,
            "vars" if tail == Some(1) => End::Bias,
            "vars" => End::Weight,
            _ if number.is_some() && tail.is_none() => {
                tail = number;
                parts.pop();
                continue;
            }
            _ => break,
        };
        if !matches!(end, End::None) {
            break;
        }
        // What stood behind it is the number of a variable.
        (end, tail) = (found, None);
        parts.pop();
    }
    (end, tail)
}

/// The names that this page gives, to tensors and to their files.
const fn of_own(name: Name) -> Option<Role> {
    Some(match name {
        Name::X => Role::Queries,
        Name::XKeysValues => Role::KeysValues,
        Name::WQ => Role::WQ,
        Name::WK => Role::WK,
        Name::WV => Role::WV,
        Name::WA => Role::WA,
        Name::WO => Role::WO,
        Name::BQ => Role::BQ,
        Name::BK => Role::BK,
        Name::BV => Role::BV,
        Name::BO => Role::BO,
        Name::Q => Role::Q,
        Name::K => Role::K,
        Name::V => Role::V,
        Name::Weights => Role::Weights,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
