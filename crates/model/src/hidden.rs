//! Hiding cells of single heads from a model that was trained without: tests whether the model
//! needs what a map seems to show.

use std::ops::Range;

use ndarray::Array4;

use super::{Model, ModelConfig};
use attention::{Code, Error, ExplicitMask, Mask};

/// Cells that a head does not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenCells {
    /// The layer.
    pub layer: usize,
    /// One of its heads.
    pub head: usize,
    /// A query and a key each.
    pub cells: Vec<(usize, usize)>,
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
        let hidden = HiddenCells {
            layer,
            head,
            cells: cells.to_vec(),
        };
        self.check_hidden(&hidden)?;
        let mut model = self.clone();
        model.hidden.push(hidden);
        Ok(model)
    }

    pub(crate) fn check_hidden(&self, hidden: &HiddenCells) -> Result<(), Error> {
        self.check_head(hidden.layer, hidden.head)?;
        let most = self.config.length;
        let mut cells = hidden.cells.iter();
        let beyond = cells.find(|(query, key)| query.max(key) >= &most);
        let Some((query, key)) = beyond else {
            return Ok(());
        };
        let (value, rule) = (
            format!("[{query}, {key}]"),
            format!("must be below {most} (length)"),
        );
        Err(Error::new(Code::ShapeMismatch, "cells", value, rule))
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

/// The keys, of `count`, that [`own_mask`] shows a query.
pub(crate) fn own_range(
    config: &ModelConfig,
    layer: usize,
    query: usize,
    count: usize,
) -> Range<usize> {
    let local = config.local.filter(|_| config.is_local(layer));
    let window = local.map_or(count, |local| local.window);
    let ahead = if config.causal { 0 } else { window };
    let end = query.saturating_add(ahead).saturating_add(1).min(count);
    query.saturating_sub(window).min(end)..end
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
