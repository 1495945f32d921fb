//! Hiding cells of single heads from a model that was trained without: tests whether the model
//! needs what a map seems to show.

use ndarray::Array4;

use super::{Model, ModelConfig};
use attention::{Code, Error, ExplicitMask, Mask};

/// Cells that a head does not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HiddenCells {
    layer: usize,
    head: usize,
    cells: Vec<(usize, usize)>,
}

impl Model {
    /// The model with cells hidden from one of its heads, each a query and a key: their scores are −∞ in every sequence that has them,
    /// and a query that sees nothing adds nothing (`C_i = 0`). What is hidden already stays so.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] where the model has no such layer or head, or takes no sequence that has the cell.
    pub fn with_hidden(
        &self,
        layer: usize,
        head: usize,
        cells: &[(usize, usize)],
    ) -> Result<Self, Error> {
        self.check_head(layer, head)?;
        let most = self.config.length;
        let beyond = cells.iter().find(|(query, key)| query.max(key) >= &most);
        if let Some((query, key)) = beyond {
            let (value, rule) = (
                format!("[{query}, {key}]"),
                format!("must be below {most} (length)"),
            );
            return Err(Error::new(Code::ShapeMismatch, "cells", value, rule));
        }
        let mut model = self.clone();
        model.hidden.push(HiddenCells {
            layer,
            head,
            cells: cells.to_vec(),
        });
        Ok(model)
    }

    /// Whether a head of a layer does not see a key, whatever the model's own mask says.
    pub(crate) fn hides(&self, layer: usize, head: usize, cell: (usize, usize)) -> bool {
        let of_head = |own: &&HiddenCells| (own.layer, own.head) == (layer, head);
        self.hidden
            .iter()
            .filter(of_head)
            .any(|own| own.cells.contains(&cell))
    }

    /// The mask of a layer for sequences of `n` words.
    pub(crate) fn mask(&self, layer: usize, n: usize) -> Mask {
        let own = own_mask(&self.config, layer);
        if self.hidden.iter().all(|hidden| hidden.layer != layer) {
            return own;
        }
        let mut seen = Array4::from_elem((1, self.config.heads, n, n), true);
        for hidden in self.hidden.iter().filter(|hidden| hidden.layer == layer) {
            for (query, key) in &hidden.cells {
                if let Some(cell) = seen.get_mut([0, hidden.head, *query, *key]) {
                    *cell = false;
                }
            }
        }
        Mask::All(vec![own, Mask::Painted(ExplicitMask::new(seen))])
    }

    pub(crate) fn check_head(&self, layer: usize, head: usize) -> Result<(), Error> {
        let ModelConfig { layers, heads, .. } = self.config;
        if layer >= layers {
            return Err(self.no_layer(layer));
        }
        if head >= heads {
            let rule = format!("a layer has {heads} heads");
            return Err(Error::new(Code::ShapeMismatch, "head", head, rule));
        }
        Ok(())
    }
}

/// What a layer shows each word by itself.
fn own_mask(config: &ModelConfig, layer: usize) -> Mask {
    let order = if config.causal {
        Mask::Causal
    } else {
        Mask::Full
    };
    let window = match config.local.filter(|_| config.is_local(layer)) {
        Some(local) => Mask::Local {
            window: local.window,
        },
        None => return order,
    };
    if config.causal {
        Mask::All(vec![order, window])
    } else {
        window
    }
}
