//! Collects tensors for their roles.

use ndarray::{Array1, Array3};

use super::axis_transforms::{self, Found};
use super::series::RoleSeries;
use super::weight_matrices::{Fusion, heads_axis};
use super::{
    AssignedTensor, AxisTransform, Role, TensorAssignment, messages, tensor_names, token_labels,
};
use crate::state::imported::{AxisLabels, ImportedKind, ImportedTensors, Inputs, Refusal};
use attention::{Linear, Weights};
use formats::Tensor;

/// Reads each role of an assignment, and remembers how.
pub(super) struct RoleTable<'a> {
    tensors: &'a [Tensor],
    reading: &'a TensorAssignment,
    series: RoleSeries<'a>,
    pub(super) parts: Vec<AssignedTensor>,
}

impl<'a> RoleTable<'a> {
    pub(super) fn new(tensors: &'a [Tensor], reading: &'a TensorAssignment) -> Self {
        Self {
            tensors,
            reading,
            series: RoleSeries::new(tensors, reading),
            parts: Vec::new(),
        }
    }

    pub(super) fn contents(&mut self) -> Result<ImportedTensors, Refusal> {
        Ok(match self.reading.kind {
            ImportedKind::Matrix => ImportedTensors::Matrix(self.weights()?),
            ImportedKind::Heads => self.heads()?,
            ImportedKind::Embeddings => {
                ImportedTensors::Embeddings(self.inputs(None)?.ok_or(missing(Role::Queries))?)
            }
            ImportedKind::Layer => self.layer()?,
        })
    }

    fn find(&self, role: Role) -> Option<Found<'a>> {
        Found::new_chosen(self.tensors, &self.series.chosen(role)?, role.axes())
    }

    fn need(&self, role: Role) -> Result<Found<'a>, Refusal> {
        self.find(role).ok_or(missing(role))
    }

    fn read(&mut self, role: Role, how: Vec<AxisTransform>) {
        let chosen = self.series.chosen(role);
        let tensor = chosen.and_then(|chosen| chosen.tensors.first().copied());
        let tensor = tensor.unwrap_or_default();
        let shape = self.tensors.get(tensor).map(|own| own.shape.clone());
        self.parts.push(AssignedTensor {
            role,
            tensor,
            how,
            shape: shape.unwrap_or_default(),
        });
    }

    fn weights(&mut self) -> Result<Array3<f32>, Refusal> {
        let is_transposed = self.reading.is_transposed;
        let (weights, how) = self.need(Role::Weights)?.weights(is_transposed)?;
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

    /// The length of inputs, by those of the file or by what the output has as many of.
    fn width(&self) -> Option<usize> {
        let inputs = self.find(Role::Queries).and_then(|found| found.width());
        let bias = || {
            let bias = self.find(Role::BO)?;
            Some(bias.tensor.data.len())
        };
        let output = || {
            let output = self.find(Role::WO)?;
            output
                .tensor
                .shape
                .last_chunk::<3>()
                .map(|[_, _, last]| *last)
        };
        inputs.or_else(bias).or_else(output)
    }

    /// Rows of the output projection where they are no more than those of the inputs: columns of the queries.
    fn merged(&self, width: Option<usize>) -> Option<usize> {
        let output = self.find(Role::WO)?;
        match (&output.tensor.shape[..], width) {
            ([rows, columns], _) if rows == columns => Some(*rows),
            ([rows, columns], Some(width)) if *rows == width => Some(*columns),
            ([rows, columns], Some(width)) if *columns == width => Some(*rows),
            _ => None,
        }
    }

    /// Columns of queries and keys, if no shape determines their number of heads.
    pub(super) fn open_widths(&mut self) -> Option<[usize; 2]> {
        let is_said = self.find(Role::WQ).is_some_and(|own| {
            own.is_by_head || own.tensor.shape.len() == 3 && own.tensor.shape[0] > 1
        });
        if is_said && self.find(Role::Fused).is_none() {
            return None;
        }
        let [query, key, _] = self.projections().ok()?;
        Some([query.w.ncols(), key.w.ncols()])
    }

    /// Heads by a matrix for each of them.
    fn heads_of_shape(&self) -> Option<usize> {
        let own = self
            .find(Role::WQ)
            .filter(|_| self.find(Role::Fused).is_none())?;
        let shape = &own.tensor.shape;
        let is_each = shape.len() == 3 && (shape[0] > 1 || own.is_by_head);
        let axis = || match own.is_by_head {
            true => 0,
            false => heads_axis(&own.tensor.name, shape, self.width()),
        };
        is_each.then(|| shape[axis()])
    }

    fn projections(&mut self) -> Result<[Linear; 3], Refusal> {
        let width = self.width();
        let fusion = Fusion {
            width,
            merged: self.merged(width),
            heads: self.reading.heads,
        };
        let biases = self.find(Role::FusedBias);
        let biases = biases.map(|own| own.biases(fusion)).transpose()?;
        let Some(found) = self.find(Role::Fused) else {
            let three = self.apart(width)?;
            return Ok(self.with_biases(three, biases));
        };
        let (three, how) = found.fused(fusion)?;
        self.read(Role::Fused, how);
        let three = three.map(|w| Linear { w, b: None });
        Ok(self.with_biases(three, biases))
    }

    /// The biases of three in one, for projections that have none of their own.
    fn with_biases(&mut self, three: [Linear; 3], biases: Option<[Array1<f32>; 3]>) -> [Linear; 3] {
        let Some(biases) = biases else { return three };
        self.read(Role::FusedBias, Vec::new());
        let mut biases = biases.into_iter();
        three.map(|own| Linear {
            b: own.b.or(biases.next()),
            ..own
        })
    }

    fn apart(&mut self, width: Option<usize>) -> Result<[Linear; 3], Refusal> {
        let query = self.linear(Role::WQ, Role::BQ, width, None)?;
        let inputs = query.w.nrows();
        let Some(pair) = self
            .find(Role::FusedKV)
            .filter(|_| self.find(Role::WK).is_none())
        else {
            let key = self.linear(Role::WK, Role::BK, Some(inputs), None)?;
            let value = self.linear(Role::WV, Role::BV, Some(inputs), None)?;
            return Ok([query, key, value]);
        };
        let ([key, value], how) = pair.pair(inputs)?;
        self.read(Role::FusedKV, how);
        let biases = self.find(Role::FusedKVBias);
        let biases = biases.map(|own| own.pair_of_biases()).transpose()?;
        if biases.is_some() {
            self.read(Role::FusedKVBias, Vec::new());
        }
        let mut biases = biases.into_iter().flatten();
        let [key, value] = [key, value].map(|w| Linear {
            w,
            b: biases.next(),
        });
        Ok([query, key, value])
    }

    fn layer(&mut self) -> Result<ImportedTensors, Refusal> {
        let [query, key, value] = self.projections()?;
        let heads = self.heads_of_shape().unwrap_or(self.reading.heads).max(1);
        let d_k = (query.w.ncols() / heads).max(1);
        let kv_heads = (key.w.ncols() / d_k).max(1);
        let merged = value.w.ncols() / kv_heads * heads;
        let output = match self.find(Role::WO) {
            Some(_) => {
                let is_turned = self.is_output_turned();
                Some(self.linear(Role::WO, Role::BO, Some(merged), is_turned)?)
            }
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

    /// Whether a square output projection has its outputs first: with GPT-2's names the fused
    /// matrix decides.
    fn is_output_turned(&self) -> Option<bool> {
        let output = self.find(Role::WO)?;
        if !tensor_names::is_of_gpt2(&output.tensor.name) {
            return None;
        }
        let fused = self.parts.iter().find(|part| part.role == Role::Fused);
        Some(fused.is_some_and(|part| part.how.contains(&AxisTransform::Turned)))
    }

    fn linear(
        &mut self,
        w: Role,
        b: Role,
        rows: Option<usize>,
        is_turned: Option<bool>,
    ) -> Result<Linear, Refusal> {
        let found = self.need(w)?;
        let (matrix, how) = found.matrix(rows, w == Role::WO, is_turned)?;
        let bias = self.find(b).map(|found| found.one()).transpose()?;
        self.read(w, how);
        if bias.is_some() {
            self.read(b, Vec::new());
        }
        Ok(Linear { w: matrix, b: bias })
    }

    /// Names of rows and columns, from the labels of the file.
    pub(super) fn names(&self) -> AxisLabels {
        let labels = |role, from_end: usize| {
            let tensor = self.tensors.get(self.reading.plays(role)?)?;
            let at = tensor.labels.len().checked_sub(from_end)?;
            let names = tensor.labels[at].names.clone();
            Some(token_labels::as_text(names)).filter(|names| !names.is_empty())
        };
        let (rows, columns) = match self.reading.kind {
            ImportedKind::Matrix => (labels(Role::Weights, 2), labels(Role::Weights, 1)),
            ImportedKind::Heads => (labels(Role::Q, 2), labels(Role::K, 2)),
            ImportedKind::Embeddings | ImportedKind::Layer => {
                (labels(Role::Queries, 2), labels(Role::KeysValues, 2))
            }
        };
        AxisLabels {
            rows: rows.unwrap_or_default(),
            columns: columns.unwrap_or_default(),
        }
    }
}

fn missing(role: Role) -> Refusal {
    let letter = messages::role(role);
    Refusal::Missing { letter }
}
