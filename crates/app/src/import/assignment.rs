//! Assignment of a file's tensors to roles, and the reason for it.

use super::head_count::{self, HeadsAsked};
use super::series::RoleSeries;
use super::{Role, axis_transforms, finished_weights, tensor_names};
use crate::state::imported::ImportedKind;
use finished_weights::Likeness;
use formats::Tensor;

/// Assignment of a file's tensors, by the user or guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorAssignment {
    /// Which kind of numbers they make.
    pub kind: ImportedKind,
    /// Why they are taken for that.
    pub why: Why,
    /// Which tensor plays each role; other roles than those of the kind are passed over. Tensors that are the same of other
    /// layers play it where another layer is chosen.
    pub roles: Vec<(Role, usize)>,
    /// Query heads, if shapes do not determine them.
    pub heads: usize,
    /// Whether the rows stand before the heads in tensors of three axes.
    pub is_rows_first: bool,
    /// Whether queries are the columns of finished weights.
    pub is_transposed: bool,
    /// Which layer of a stack, or entry of a batch, from 0.
    pub entry: usize,
}

/// Why tensors are taken for a kind of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A tensor has a name of that kind.
    Name(usize),
    /// This page has saved all tensors of a setting.
    Saved,
    /// Every row sums to 1 or is empty.
    Sums,
    /// The numbers are as large as weights are.
    Fractions,
    /// There are more than two axes.
    Axes,
    /// Three tensors are alike.
    Alike,
    /// Nothing else fits.
    Rows,
    /// A person chose it.
    Chosen,
}

impl TensorAssignment {
    /// The tensor that plays `role`.
    pub fn plays(&self, role: Role) -> Option<usize> {
        let mut roles = self.roles.iter();
        roles
            .find(|(own, _)| *own == role)
            .map(|(_, tensor)| *tensor)
    }

    /// Gives `role` to a tensor, or to none.
    pub fn assign(&mut self, role: Role, tensor: Option<usize>) {
        self.roles.retain(|(own, _)| *own != role);
        self.roles.extend(tensor.map(|tensor| (role, tensor)));
    }

    /// The likeliest reading.
    pub fn guess(tensors: &[Tensor]) -> Self {
        let roles = tensor_names::roles(tensors);
        let has = |role| roles.iter().any(|(own, _)| *own == role);
        let has_all = |roles: &[Role]| roles.iter().all(|role| has(*role));
        let has_layer = has(Role::Fused)
            || has_all(&[Role::WQ, Role::WK, Role::WV])
            || has_all(&[Role::WQ, Role::FusedKV]);
        let (kind, leads): (ImportedKind, &[Role]) = if has_layer {
            (ImportedKind::Layer, &[Role::Fused, Role::WQ])
        } else if has_all(&[Role::Q, Role::K, Role::V]) {
            (ImportedKind::Heads, &[Role::Q])
        } else if has(Role::Weights) {
            (ImportedKind::Matrix, &[Role::Weights])
        } else if has(Role::Queries) {
            (ImportedKind::Embeddings, &[Role::Queries])
        } else {
            return Self::by_shape(tensors);
        };
        let lead = leads.iter().find_map(|lead| {
            let mut roles = roles.iter();
            roles.find(|(own, _)| own == lead)
        });
        let why = match lead {
            _ if tensor_names::are_of_setting(tensors) => Why::Saved,
            Some((_, tensor)) => Why::Name(*tensor),
            None => Why::Rows,
        };
        Self::new(kind, why, roles, tensors)
    }

    fn new(kind: ImportedKind, why: Why, roles: Vec<(Role, usize)>, tensors: &[Tensor]) -> Self {
        let tensor = |role| {
            let (_, tensor) = roles.iter().find(|(own, _)| *own == role)?;
            tensors.get(*tensor)
        };
        let shape = |role| tensor(role).map(|tensor| &tensor.shape[..]);
        let says_rows_first =
            |role| tensor(role).is_some_and(|own| tensor_names::is_rows_first(&own.name));
        let is_rows_first = kind == ImportedKind::Heads
            && (says_rows_first(Role::Q) || axis_transforms::is_rows_first(&shape));
        let mut reading = Self {
            heads: 1,
            is_rows_first,
            is_transposed: false,
            kind,
            why,
            roles,
            entry: 0,
        };
        let asked = reading.asked_heads(tensors);
        reading.heads = asked.map_or(1, |asked| asked.likeliest());
        reading
    }

    /// Without meaningful names: tensors with the shape of weights are weights, and three equal
    /// shapes are Q, K and V.
    fn by_shape(tensors: &[Tensor]) -> Self {
        let axes = |at: usize| tensors.get(at).map(|tensor| tensor.shape.len());
        let is_alike = tensors.len() == 3 && axes(0) == axes(1) && axes(1) == axes(2);
        let likeness: Vec<_> = tensors.iter().map(finished_weights::likeness).collect();
        let finished = likeness.iter().position(Option::is_some);
        let finished = finished.filter(|_| !is_alike || likeness.iter().all(Option::is_some));
        let many = tensors.iter().position(|own| own.shape.len() > 2);
        if let Some(at) = finished {
            let why = match likeness[at] {
                Some(Likeness::Sums) => Why::Sums,
                _ => Why::Fractions,
            };
            return Self::new(
                ImportedKind::Matrix,
                why,
                vec![(Role::Weights, at)],
                tensors,
            );
        }
        if is_alike {
            let roles = [Role::Q, Role::K, Role::V].into_iter().zip(0..).collect();
            return Self::new(ImportedKind::Heads, Why::Alike, roles, tensors);
        }
        let (kind, why, role, at) = match many {
            Some(at) => (ImportedKind::Matrix, Why::Axes, Role::Weights, at),
            None => (ImportedKind::Embeddings, Why::Rows, Role::Queries, 0),
        };
        Self::new(kind, why, vec![(role, at)], tensors)
    }

    /// How many layers or entries of a batch there are to choose from.
    pub fn entries(&self, tensors: &[Tensor]) -> usize {
        RoleSeries::new(tensors, self).entries()
    }

    /// Question about the number of heads; `None` if shapes determine it, or without heads.
    pub fn asked_heads(&self, tensors: &[Tensor]) -> Option<HeadsAsked> {
        head_count::asked(self, tensors)
    }

    /// Whether shapes leave open which axis the heads stand along.
    pub fn asks_rows_first(&self, tensors: &[Tensor]) -> bool {
        let is_long = |axes: &usize| *axes > 2;
        self.axes_of_heads(tensors).iter().any(is_long)
    }

    /// Whether finished weights may stand the other way round: their columns sum to 1, and not their rows.
    pub fn asks_transposed(&self, tensors: &[Tensor]) -> bool {
        let weights = self.plays(Role::Weights).and_then(|own| tensors.get(own));
        self.kind == ImportedKind::Matrix
            && weights.is_some_and(finished_weights::has_columns_of_one)
    }

    /// Axes of the tensors assigned to Q, K and V, if those are requested; axes of length 1 do not
    /// count.
    pub(super) fn axes_of_heads(&self, tensors: &[Tensor]) -> Vec<usize> {
        let axes = |role| {
            let tensor = tensors.get(self.plays(role)?)?;
            Some(tensor.shape.iter().filter(|length| **length > 1).count())
        };
        let roles = match self.kind {
            ImportedKind::Heads => &[Role::Q, Role::K, Role::V][..],
            _ => &[],
        };
        roles.iter().copied().filter_map(axes).collect()
    }

    /// The same tensors as numbers of another kind.
    #[must_use]
    pub fn turned_to(&self, kind: ImportedKind, tensors: &[Tensor]) -> Self {
        let mut roles = self.roles.clone();
        for role in Role::for_kind(kind)
            .iter()
            .filter(|role| role.is_needed(kind))
        {
            let is_cast = roles.iter().any(|(own, _)| own == role);
            let free = (0..tensors.len()).find(|at| {
                let plays = |(own, tensor): &(Role, usize)| {
                    tensor == at && Role::for_kind(kind).contains(own)
                };
                !roles.iter().any(plays)
            });
            roles.extend(free.filter(|_| !is_cast).map(|free| (*role, free)));
        }
        Self::new(kind, Why::Chosen, roles, tensors)
    }
}
