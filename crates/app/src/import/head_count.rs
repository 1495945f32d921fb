//! Number of heads in a file, and the question to the user if it is unknown.

use super::role_table::RoleTable;
use super::{Role, TensorAssignment, tensor_names};
use crate::state::imported::ImportedKind;
use crate::state::imported::validate::MOST_HEADS;
use formats::Tensor;

/// Question about the number of heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadsAsked {
    /// How many query heads share keys and values, so that only multiples of it are possible.
    pub group: usize,
    /// A number from a tensor of the file, and which tensor.
    pub said: Option<(usize, usize)>,
}

impl HeadsAsked {
    /// Default answer: the number from the file, or the smallest possible.
    pub fn likeliest(self) -> usize {
        self.said.map_or(self.group, |(heads, _)| heads)
    }
}

/// Question about the number of heads; `None` if shapes determine it, or without heads.
pub(super) fn asked(reading: &TensorAssignment, tensors: &[Tensor]) -> Option<HeadsAsked> {
    let [queries, keys] = match reading.kind {
        ImportedKind::Layer => RoleTable::new(tensors, reading).open_widths()?,
        ImportedKind::Heads => {
            let is_flat = |axes: &usize| *axes < 3;
            let is_open = reading.axes_of_heads(tensors).iter().any(is_flat);
            let last = |role| tensors.get(reading.plays(role)?)?.shape.last().copied();
            [last(Role::Q).filter(|_| is_open)?, last(Role::K)?]
        }
        ImportedKind::Matrix | ImportedKind::Embeddings => return None,
    };
    let is_grouped = keys > 0 && queries.is_multiple_of(keys);
    let group = if is_grouped { queries / keys } else { 1 };
    let group = group.clamp(1, MOST_HEADS);
    let fits = |heads: &usize| {
        let is_one = (1..=MOST_HEADS).contains(heads);
        is_one && queries.is_multiple_of(*heads) && heads.is_multiple_of(group)
    };
    let names = tensor_names::all(tensors);
    let says = |(at, tensor): (usize, &Tensor)| {
        let heads = said(names[at].role, tensor, queries)?;
        Some((heads, at)).filter(|(heads, _)| fits(heads))
    };
    let said = tensors.iter().enumerate().find_map(says);
    Some(HeadsAsked { group, said })
}

/// Number of heads from a tensor, for queries of so many columns.
fn said(role: Option<Role>, tensor: &Tensor, queries: usize) -> Option<usize> {
    let name = tensor.name.to_ascii_lowercase();
    let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let has = |ends: &[&str]| ends.iter().any(|end| plain.ends_with(end));
    if let [number] = tensor.data[..] {
        let is_count =
            has(&["numattentionheads", "numheads", "nheads", "nhead"]) || plain == "heads";
        return is_count.then_some(number as usize);
    }
    let of_width = |d: usize| (d > 0 && d < queries).then(|| queries / d);
    match (role, &tensor.shape[..]) {
        (Some(Role::Q), [.., heads, _, d] | [.., _, heads, d]) if heads * d == queries => {
            Some(*heads)
        }
        (Some(Role::Weights), [.., heads, _, _]) => Some(*heads),
        (Some(Role::BQ), [heads, d]) if heads * d == queries => Some(*heads),
        (_, [d])
            if has(&[
                "qnormweight",
                "qlayernormweight",
                "normqweight",
                "qnormscale",
            ]) =>
        {
            of_width(*d)
        }
        (_, [half]) if plain.ends_with("rotaryembinvfreq") => of_width(2 * half),
        (_, [_, heads]) if plain.contains("relativeattentionbias") => Some(*heads),
        _ => None,
    }
}
