//! The lines that make a mask, in the arrays of NumPy, PyTorch and JAX.

use super::writer::{Names, Writer};
use super::{Note, ProgramError, Task, line};
use crate::rule::{Rule, Variable};

/// Whose arrays a mask is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrays {
    NumPy,
    Torch,
    Jax,
}

impl Arrays {
    pub(super) const fn module(self) -> &'static str {
        match self {
            Self::NumPy => "np",
            Self::Torch => "torch",
            Self::Jax => "jnp",
        }
    }

    /// Whole numbers from 0, as many as `count` says.
    fn range(self, count: &str) -> String {
        match self {
            Self::Torch => format!("torch.arange({count}, device=q.device)"),
            _ => format!("{}.arange({count})", self.module()),
        }
    }

    fn full(self, shape: &str, is_visible: bool) -> String {
        let made = if is_visible { "ones" } else { "zeros" };
        match self {
            Self::Torch => format!("torch.{made}({shape}, dtype=torch.bool, device=q.device)"),
            _ => format!("{}.{made}({shape}, dtype=bool)", self.module()),
        }
    }
}

/// A mask in a program.
pub(super) struct MaskLines {
    /// What makes `mask`, of `axes` axes, the last of them `n` and `m`; `True` is visible.
    pub(super) lines: Vec<String>,
    pub(super) axes: usize,
    pub(super) note: Option<Note>,
}

impl MaskLines {
    /// `mask` with four axes.
    pub(super) fn with_four_axes(&self) -> &'static str {
        match self.axes {
            2 => "mask[None, None]",
            3 => "mask[None]",
            _ => "mask",
        }
    }
}

impl Task<'_> {
    /// The lines that make `mask`, where `lengths` says how `n` and `m` follow from the inputs.
    pub(super) fn mask(&self, arrays: Arrays, lengths: &str) -> Result<MaskLines, ProgramError> {
        let lengths = format!("n, m = {lengths}");
        match self.rule {
            Some(rule) => Ok(self.written(rule, arrays, lengths)),
            None => self.listed(arrays, lengths),
        }
    }

    /// The mask as a condition.
    fn written(&self, rule: &Rule, arrays: Arrays, lengths: String) -> MaskLines {
        let mut writer = Writer::new(arrays, Names::OF_ARRAYS);
        let condition = writer.rule(rule);
        let axes = self.axes_of(rule);
        let is_used = |variable| writer.uses(variable);
        let mut lines = vec![lengths];
        if is_used(Variable::Query) {
            lines.push(format!("i = {}[:, None]", arrays.range("n")));
        }
        if is_used(Variable::Key) {
            lines.push(format!("j = {}", arrays.range("m")));
        }
        if axes >= 3 && rule.names(Variable::Head) {
            let heads = arrays.range(&self.axes.heads.to_string());
            lines.push(format!("h = {heads}[:, None, None]"));
        }
        if axes == 4 {
            let batch = arrays.range(&self.axes.batch.to_string());
            lines.push(format!("b = {batch}[:, None, None, None]"));
        }
        let is_whole = is_used(Variable::Query) && is_used(Variable::Key);
        lines.extend(writer.lines);
        lines.extend(writer.inner);
        lines.push(if is_whole {
            format!("mask = {condition}")
        } else {
            let shape = self.shape(axes);
            format!(
                "mask = {}.broadcast_to({condition}, {shape})",
                arrays.module()
            )
        });
        MaskLines {
            lines,
            axes,
            note: None,
        }
    }

    fn axes_of(&self, rule: &Rule) -> usize {
        if rule.names(Variable::Batch) {
            4
        } else if rule.names(Variable::Head) {
            3
        } else {
            2
        }
    }

    /// The mask's shape in Python.
    fn shape(&self, axes: usize) -> String {
        let [batch, heads, ..] = self.cells.shape();
        match axes {
            2 => line("(n, m)"),
            3 => format!("({heads}, n, m)"),
            _ => format!("({batch}, {heads}, n, m)"),
        }
    }

    /// The mask cell by cell.
    fn listed(&self, arrays: Arrays, lengths: String) -> Result<MaskLines, ProgramError> {
        let [batch, heads, ..] = self.cells.shape();
        let axes = if batch * heads == 1 { 2 } else { 4 };
        let shape = self.shape(axes);
        let mut lines = vec![lengths];
        if self.cells.are_all_visible() {
            lines.push(format!("mask = {}", arrays.full(&shape, true)));
        } else {
            // JAX's arrays cannot be written to.
            let written = if arrays == Arrays::Jax {
                Arrays::NumPy
            } else {
                arrays
            };
            lines.push(format!("mask = {}", written.full(&shape, false)));
            lines.extend(self.filled(axes)?);
            if written != arrays {
                lines.push(line("mask = jnp.asarray(mask)"));
            }
        }
        Ok(MaskLines {
            lines,
            axes,
            note: Some(Note::CellsListed),
        })
    }

    /// A loop that makes stretches of `mask` visible.
    fn filled(&self, axes: usize) -> Result<Vec<String>, ProgramError> {
        let runs = self.cells.runs()?;
        let (names, place) = match axes {
            2 => ("i, first, end", "i"),
            _ => ("b, h, i, first, end", "b, h, i"),
        };
        let written: Vec<_> = runs
            .iter()
            .map(|run| match axes {
                2 => format!("({}, {}, {})", run.query, run.first, run.end),
                _ => format!(
                    "({}, {}, {}, {}, {})",
                    run.batch, run.head, run.query, run.first, run.end
                ),
            })
            .collect();
        if written.is_empty() {
            return Ok(Vec::new());
        }
        let mut lines = vec![line("visible = [")];
        lines.extend(
            written
                .chunks(8)
                .map(|some| format!("    {},", some.join(", "))),
        );
        lines.push(line("]"));
        lines.push(format!("for {names} in visible:"));
        lines.push(format!("    mask[{place}, first:end] = True"));
        Ok(lines)
    }
}
