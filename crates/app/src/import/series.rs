//! Tensors that are the same of several layers, steps or heads: of layers and steps one is chosen for a role, those of heads are joined.

use super::axis_transforms::entries;
use super::tensor_names::{self, TensorName};
use super::{Role, TensorAssignment};
use formats::Tensor;

/// The tensors of a role, layer by layer in the order of their numbers.
pub(super) struct Series(Vec<Layer>);

/// Entries of one layer.
struct Layer {
    at: Vec<u64>,
    /// One tensor, or one for each head.
    tensors: Vec<usize>,
}

impl Series {
    fn new(members: impl Iterator<Item = usize>, names: &[TensorName]) -> Self {
        let mut members: Vec<usize> = members.collect();
        members.sort_by_key(|own| (&names[*own].at, names[*own].head));
        let mut layers: Vec<Layer> = Vec::new();
        for own in members {
            let name = &names[own];
            match layers.last_mut() {
                Some(layer) if layer.at == name.at && name.head.is_some() => {
                    layer.tensors.push(own);
                }
                _ => layers.push(Layer {
                    at: name.at.clone(),
                    tensors: vec![own],
                }),
            }
        }
        Self(layers)
    }

    /// Every tensor of it.
    pub(super) fn tensors(&self) -> impl Iterator<Item = usize> {
        self.0
            .iter()
            .flat_map(|layer| layer.tensors.iter().copied())
    }
}

/// Tensors that play a role in the layer that is chosen.
pub(super) struct ChosenTensors {
    /// One, or one for each head.
    pub(super) tensors: Vec<usize>,
    /// Which of its layers or entries of a batch, and of how many in the file and in the tensor itself.
    pub(super) entry: [usize; 3],
}

/// The series of every role of an assignment.
pub(super) struct RoleSeries<'a> {
    tensors: &'a [Tensor],
    reading: &'a TensorAssignment,
    series: Vec<(Role, Series)>,
}

impl<'a> RoleSeries<'a> {
    pub(super) fn new(tensors: &'a [Tensor], reading: &'a TensorAssignment) -> Self {
        let names = tensor_names::all(tensors);
        let roles = Role::for_kind(reading.kind).iter().copied();
        let plays = |role: Role| reading.plays(role).filter(|own| *own < tensors.len());
        let others = |role: Role| {
            let others = Role::for_kind(reading.kind).iter().copied();
            let others = others.filter(move |other| *other != role);
            others.filter_map(plays)
        };
        let series = |role: Role| {
            let own = plays(role)?;
            let is_alike = |at: &usize| {
                names[*at].pattern == names[own].pattern
                    && tensors[*at].shape.len() == tensors[own].shape.len()
            };
            // Numbered tensors of different roles are no layers of one.
            let members = (0..tensors.len()).filter(is_alike);
            let is_split = others(role).any(|other| is_alike(&other));
            let members = members.filter(|at| *at == own || !is_split);
            Some((role, Series::new(members, &names)))
        };
        Self {
            tensors,
            reading,
            series: roles.filter_map(series).collect(),
        }
    }

    pub(super) fn series(&self, role: Role) -> Option<&Series> {
        let mut all = self.series.iter();
        all.find(|(own, _)| *own == role).map(|(_, series)| series)
    }

    /// The series that determines the number of layers.
    fn lead(&self) -> Option<(Role, &Series)> {
        let mut all = self.series.iter();
        let lead = all.find(|(_, series)| series.0.len() > 1)?;
        Some((lead.0, &lead.1))
    }

    /// How many entries a tensor of a role holds itself.
    fn inner(&self, role: Role, tensor: usize) -> usize {
        let shape = &self.tensors[tensor].shape;
        role.axes().map_or(1, |axes| entries(shape, axes))
    }

    fn inner_of(&self, role: Role, series: &Series) -> usize {
        let first = series.tensors().next();
        first.map_or(1, |own| self.inner(role, own))
    }

    /// How many layers, steps or entries of a batch there are to choose from.
    pub(super) fn entries(&self) -> usize {
        let inner = self
            .series
            .iter()
            .map(|(role, own)| self.inner_of(*role, own));
        match self.lead() {
            Some((role, lead)) => lead.0.len() * self.inner_of(role, lead).max(1),
            None => inner.max().unwrap_or(1),
        }
    }

    /// The tensors of a role at the chosen entry; `None` where that layer has none.
    pub(super) fn chosen(&self, role: Role) -> Option<ChosenTensors> {
        let series = self.series(role)?;
        let of = self.entries();
        let at = self.reading.entry.min(of.saturating_sub(1));
        let Some((leading, lead)) = self.lead().filter(|_| series.0.len() > 1) else {
            let tensors = series.0.first()?.tensors.clone();
            let inner = self.inner(role, *tensors.first()?);
            let entry = [at.min(inner.saturating_sub(1)), inner, inner];
            return Some(ChosenTensors { tensors, entry });
        };
        let each = self.inner_of(leading, lead).max(1);
        let layer = lead.0.get(at / each)?;
        let own = series.0.iter().find(|own| own.at == layer.at)?;
        let inner = self.inner(role, *own.tensors.first()?);
        Some(ChosenTensors {
            tensors: own.tensors.clone(),
            entry: [at, of, inner],
        })
    }
}
