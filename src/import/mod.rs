//! From the tensors of a file to [`ImportedData`]: the role of each tensor and the order of its axes.
//!
//! [`TensorAssignment::guess`] goes by names and shapes; a user can change the assignment. [`open`] then makes the numbers or explains
//! what is wrong.

mod axis_transforms;
pub mod file_messages;
mod messages;
mod pasted_tables;
mod roles;
mod session_file;
mod tensor_names;

use ndarray::Array3;

use crate::state::imported::{
    AxisLabels, ImportedData, ImportedTensors, Inputs, Kind, Refusal, serialize,
};
use attention::{Linear, Weights};
pub use axis_transforms::AxisTransform;
use axis_transforms::Found;
use formats::Tensor;
pub use messages::{axes, how, part, refusal, remark, role, shape};
pub use pasted_tables::{Table, tables};
pub use roles::Role;
pub use session_file::{SettingFile, read_setting, write_setting};

/// What a person, or a guess, takes the tensors of a file for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorAssignment {
    /// Which kind of numbers they make.
    pub kind: Kind,
    /// Which tensor plays each role; other roles than those of the kind are passed over.
    pub cast: Vec<(Role, usize)>,
    /// Query heads, where shapes do not say it.
    pub heads: usize,
    /// Whether the rows stand before the heads in tensors of three axes.
    pub is_rows_first: bool,
    /// Which layer of a stack, or entry of a batch, from 0.
    pub entry: usize,
}

/// A tensor and how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its role.
    pub role: Role,
    /// Which tensor of the file.
    pub tensor: usize,
    /// What had to be done to it.
    pub how: Vec<AxisTransform>,
    /// The shape that it has then; that of the file for what was taken apart.
    pub shape: Vec<usize>,
}

/// Numbers that can be brought, and how they were read.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportResult {
    /// The numbers.
    pub brought: ImportedData,
    /// The tensors that they were made of.
    pub parts: Vec<Part>,
}

impl TensorAssignment {
    /// The tensor that plays `role`.
    pub fn plays(&self, role: Role) -> Option<usize> {
        let mut cast = self.cast.iter();
        cast.find(|(own, _)| *own == role)
            .map(|(_, tensor)| *tensor)
    }

    /// Gives `role` to a tensor, or to none.
    pub fn cast(&mut self, role: Role, tensor: Option<usize>) {
        self.cast.retain(|(own, _)| *own != role);
        self.cast.extend(tensor.map(|tensor| (role, tensor)));
    }

    /// The likeliest reading; `heads` are those that the page has now.
    pub fn guess(tensors: &[Tensor], heads: usize) -> Self {
        let cast = tensor_names::cast(tensors);
        let has = |role| cast.iter().any(|(own, _)| *own == role);
        let has_layer = has(Role::Fused) || [Role::WQ, Role::WK, Role::WV].map(has) == [true; 3];
        let kind = if has_layer {
            Kind::Layer
        } else if [Role::Q, Role::K, Role::V].map(has) == [true; 3] {
            Kind::Heads
        } else if has(Role::Weights) {
            Kind::Matrix
        } else if has(Role::Queries) {
            Kind::Embeddings
        } else {
            return Self::by_shape(tensors, heads);
        };
        Self::new(kind, cast, tensors, heads)
    }

    fn new(kind: Kind, cast: Vec<(Role, usize)>, tensors: &[Tensor], heads: usize) -> Self {
        let shape = |role| {
            let (_, tensor) = cast.iter().find(|(own, _)| *own == role)?;
            tensors.get(*tensor).map(|tensor| &tensor.shape[..])
        };
        Self {
            heads: axis_transforms::heads(kind, &shape, heads),
            is_rows_first: kind == Kind::Heads && axis_transforms::is_rows_first(&shape),
            kind,
            cast,
            entry: 0,
        }
    }

    /// Without names that say anything: three alike are Q, K and V; rows that sum to 1 are weights.
    fn by_shape(tensors: &[Tensor], heads: usize) -> Self {
        let axes = |at: usize| tensors.get(at).map(|tensor| tensor.shape.len());
        let is_alike = tensors.len() == 3 && axes(0) == axes(1) && axes(1) == axes(2);
        let is_finished = tensors.first().is_some_and(axis_transforms::sums_to_one);
        let (kind, roles): (Kind, &[Role]) = match (is_alike, is_finished) {
            (true, false) => (Kind::Heads, &[Role::Q, Role::K, Role::V]),
            (_, true) => (Kind::Matrix, &[Role::Weights]),
            (false, false) if axes(0).is_some_and(|axes| axes > 2) => {
                (Kind::Matrix, &[Role::Weights])
            }
            (false, false) => (Kind::Embeddings, &[Role::Queries]),
        };
        let cast = roles.iter().copied().zip(0..tensors.len()).collect();
        Self::new(kind, cast, tensors, heads)
    }

    /// How many layers or entries of a batch there are to choose from.
    pub fn entries(&self, tensors: &[Tensor]) -> usize {
        let roles = Role::for_kind(self.kind).iter();
        let of = |role: &Role| {
            let tensor = tensors.get(self.plays(*role)?)?;
            Some(axis_transforms::entries(&tensor.shape, role.axes()?))
        };
        roles.filter_map(of).max().unwrap_or(1)
    }

    /// Whether shapes leave open how many heads there are.
    pub fn asks_heads(&self, tensors: &[Tensor]) -> bool {
        let is_flat = |axes: &usize| *axes < 3;
        self.kind == Kind::Layer || self.axes_of_heads(tensors).iter().any(is_flat)
    }

    /// Whether shapes leave open which axis the heads stand along.
    pub fn asks_rows_first(&self, tensors: &[Tensor]) -> bool {
        self.axes_of_heads(tensors).iter().any(|axes| *axes > 2)
    }

    /// Axes of what plays Q, K and V, where those are asked for; an axis of one counts for none.
    fn axes_of_heads(&self, tensors: &[Tensor]) -> Vec<usize> {
        let axes = |role| {
            let tensor = tensors.get(self.plays(role)?)?;
            Some(tensor.shape.iter().filter(|length| **length > 1).count())
        };
        let roles = match self.kind {
            Kind::Heads => &[Role::Q, Role::K, Role::V][..],
            _ => &[],
        };
        roles.iter().copied().filter_map(axes).collect()
    }

    /// The same tensors as numbers of another kind.
    #[must_use]
    pub fn turned_to(&self, kind: Kind, tensors: &[Tensor]) -> Self {
        let mut cast = self.cast.clone();
        for role in Role::for_kind(kind)
            .iter()
            .filter(|role| role.is_needed(kind))
        {
            let is_cast = cast.iter().any(|(own, _)| own == role);
            let free = (0..tensors.len()).find(|at| {
                let plays = |(own, tensor): &(Role, usize)| {
                    tensor == at && Role::for_kind(kind).contains(own)
                };
                !cast.iter().any(plays)
            });
            cast.extend(free.filter(|_| !is_cast).map(|free| (*role, free)));
        }
        Self::new(kind, cast, tensors, self.heads)
    }
}

/// Makes numbers of the tensors of `file`, read as `reading` says.
///
/// # Errors
/// Why the tensors do not fit their roles.
pub fn open(
    tensors: &[Tensor],
    reading: &TensorAssignment,
    file: &str,
) -> Result<ImportResult, Refusal> {
    let mut cast = RoleTable {
        tensors,
        reading,
        parts: Vec::new(),
    };
    let contents = match reading.kind {
        Kind::Matrix => ImportedTensors::Matrix(cast.weights()?),
        Kind::Heads => cast.heads()?,
        Kind::Embeddings => {
            ImportedTensors::Embeddings(cast.inputs(None)?.ok_or(missing(Role::Queries))?)
        }
        Kind::Layer => cast.layer()?,
    };
    for own in serialize::tensors(&contents) {
        let mut parts = cast.parts.iter_mut();
        if let Some(part) = parts.find(|part| part.role.name() == own.name) {
            part.shape = own.shape;
        }
    }
    Ok(ImportResult {
        brought: ImportedData::new(contents, cast.names(), file)
            .map_err(|refusal| tensor_names::renamed(refusal, reading, tensors))?,
        parts: cast.parts,
    })
}

fn missing(role: Role) -> Refusal {
    let letter = messages::role(role);
    Refusal::Missing { letter }
}

/// Tensors on their way to the roles that they play.
struct RoleTable<'a> {
    tensors: &'a [Tensor],
    reading: &'a TensorAssignment,
    parts: Vec<Part>,
}

impl RoleTable<'_> {
    fn find(&self, role: Role) -> Option<Found<'_>> {
        let tensor = self.tensors.get(self.reading.plays(role)?)?;
        Some(match role.axes() {
            Some(axes) => Found::entry(tensor, axes, self.reading.entry),
            None => Found::new(tensor),
        })
    }

    fn need(&self, role: Role) -> Result<Found<'_>, Refusal> {
        self.find(role).ok_or(missing(role))
    }

    fn read(&mut self, role: Role, how: Vec<AxisTransform>) {
        let tensor = self.reading.plays(role).unwrap_or_default();
        let shape = self.tensors.get(tensor).map(|own| own.shape.clone());
        self.parts.push(Part {
            role,
            tensor,
            how,
            shape: shape.unwrap_or_default(),
        });
    }

    fn weights(&mut self) -> Result<Array3<f32>, Refusal> {
        let (weights, how) = self.need(Role::Weights)?.weights()?;
        self.read(Role::Weights, how);
        Ok(weights)
    }

    fn heads(&mut self) -> Result<ImportedTensors, Refusal> {
        let (heads, is_rows_first) = (self.reading.heads, self.reading.is_rows_first);
        let (q, how) = self.need(Role::Q)?.heads(heads, is_rows_first)?;
        self.read(Role::Q, how);
        let d_k = q.dim().2;
        let key = self.need(Role::K)?;
        let kv_heads = key.kv_heads(d_k);
        let (k, how) = key.heads(kv_heads, is_rows_first)?;
        let (k, how) = axis_transforms::turned_to(k, d_k, how);
        self.read(Role::K, how);
        let (v, how) = self.need(Role::V)?.heads(k.dim().0, is_rows_first)?;
        self.read(Role::V, how);
        Ok(ImportedTensors::Heads { q, k, v })
    }

    fn inputs(&mut self, width: Option<usize>) -> Result<Option<Inputs>, Refusal> {
        let Some(found) = self.find(Role::Queries) else {
            return Ok(None);
        };
        let (queries, how) = found.rows(width)?;
        self.read(Role::Queries, how);
        let source = self.find(Role::KeysValues);
        let source = source
            .map(|found| found.rows(Some(queries.ncols())))
            .transpose()?;
        let keys_values = source.map(|(rows, how)| {
            self.read(Role::KeysValues, how);
            rows
        });
        Ok(Some(Inputs {
            queries,
            keys_values,
        }))
    }

    fn layer(&mut self) -> Result<ImportedTensors, Refusal> {
        let width = self.find(Role::Queries).and_then(|found| found.width());
        let [query, key, value] = match self.find(Role::Fused) {
            Some(found) => {
                let (three, how) = found.fused(width)?;
                let biases = self
                    .find(Role::FusedBias)
                    .map(|found| found.thirds())
                    .transpose()?;
                self.read(Role::Fused, how);
                let mut biases = biases.map(Vec::from).unwrap_or_default().into_iter();
                three.map(|w| Linear {
                    w,
                    b: biases.next(),
                })
            }
            None => {
                let query = self.linear(Role::WQ, Role::BQ, width)?;
                let width = Some(query.w.nrows());
                let key = self.linear(Role::WK, Role::BK, width)?;
                let value = self.linear(Role::WV, Role::BV, width)?;
                [query, key, value]
            }
        };
        let heads = self.reading.heads.max(1);
        let d_k = (query.w.ncols() / heads).max(1);
        let kv_heads = (key.w.ncols() / d_k).max(1);
        let merged = value.w.ncols() / kv_heads * heads;
        let output = match self.find(Role::WO) {
            Some(_) => Some(self.linear(Role::WO, Role::BO, Some(merged))?),
            None => None,
        };
        let additive = self.find(Role::WA).map(|found| found.one()).transpose()?;
        if additive.is_some() {
            self.read(Role::WA, Vec::new());
        }
        let inputs = self.inputs(Some(query.w.nrows()))?;
        Ok(ImportedTensors::Layer {
            weights: Weights {
                query,
                key,
                value,
                output,
                additive,
            },
            heads,
            kv_heads,
            inputs,
        })
    }

    fn linear(&mut self, w: Role, b: Role, rows: Option<usize>) -> Result<Linear, Refusal> {
        let (matrix, how) = self.need(w)?.matrix(rows, w == Role::WO)?;
        let bias = self.find(b).map(|found| found.one()).transpose()?;
        self.read(w, how);
        if bias.is_some() {
            self.read(b, Vec::new());
        }
        Ok(Linear { w: matrix, b: bias })
    }

    /// What rows and columns are called, by the labels of the file.
    fn names(&self) -> AxisLabels {
        let labels = |role, from_end: usize| {
            let tensor = self.tensors.get(self.reading.plays(role)?)?;
            let at = tensor.labels.len().checked_sub(from_end)?;
            Some(tensor.labels[at].names.clone()).filter(|names| !names.is_empty())
        };
        let (rows, columns) = match self.reading.kind {
            Kind::Matrix => (labels(Role::Weights, 2), labels(Role::Weights, 1)),
            Kind::Heads => (labels(Role::Q, 2), labels(Role::K, 2)),
            Kind::Embeddings | Kind::Layer => {
                (labels(Role::Queries, 2), labels(Role::KeysValues, 2))
            }
        };
        AxisLabels {
            rows: rows.unwrap_or_default(),
            columns: columns.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_shapes_leave_open_is_asked() {
        let asked = |shape: &[usize], kind| {
            let tensor =
                |name| Tensor::new(name, shape.to_vec(), vec![0.5; shape.iter().product()]);
            let tensors = ["q", "k", "v"].map(tensor);
            let reading = TensorAssignment::guess(&tensors, 2).turned_to(kind, &tensors);
            (
                reading.asks_heads(&tensors),
                reading.asks_rows_first(&tensors),
            )
        };
        assert_eq!(asked(&[6, 8], Kind::Heads), (true, false));
        assert_eq!(asked(&[1, 6, 8], Kind::Heads), (true, false));
        assert_eq!(asked(&[2, 6, 8], Kind::Heads), (false, true));
        assert_eq!(asked(&[6, 8], Kind::Layer), (true, false));
        assert_eq!(asked(&[6, 8], Kind::Embeddings), (false, false));
    }
}
