//! Shares inputs between the requests of successive states; a change recomputes only what depends
//! on it.

use std::sync::Arc;

use super::layer::{LayerKey, length};
use super::mask::MaskKey;
use super::recent::Recent;
use super::rows::{Rows, RowsKey};
use super::{LinformerKey, call_with, imported, options, tokens, wanted};
use crate::state::State;
use attention::{CallOptions, Error, Layer, Linformer, Mask, Outputs, Request};

/// Builds requests, and keeps their layers, rows, painted masks and Linformer matrices for later ones. A layer that stays the same keeps
/// its packed weights and those on a graphics device.
#[derive(Debug, Default)]
pub struct RequestCache {
    layers: Recent<LayerKey, Arc<Layer>>,
    rows: Recent<RowsKey, Arc<Rows>>,
    masks: Recent<MaskKey, Mask>,
    linformers: Recent<LinformerKey, Linformer>,
}

impl RequestCache {
    /// The attention that a state describes, wanting what its page shows.
    ///
    /// The batch has one entry. A text without tokens gives a map without rows or columns, which is no error.
    ///
    /// # Errors
    /// `Code::NotApplicable` for a finished matrix, of which no computation is known; and for a state that did not come
    /// through [`State::set`].
    pub fn request(&mut self, state: &State) -> Result<Request, Error> {
        self.request_for(state, wanted(state))
    }

    /// The same with other outputs.
    ///
    /// # Errors
    /// As [`request`](Self::request).
    pub fn request_for(&mut self, state: &State, want: Outputs) -> Result<Request, Error> {
        if let Some(inputs) = imported::heads(state)? {
            let call = self.call(state, want, tokens(state).lengths());
            return Request::from_heads(inputs, options(state), call);
        }
        let rows = self.rows(state)?;
        let call = self.call(state, want, rows.sides.lengths());
        let (queries, keys_values) = (rows.queries.clone(), rows.keys_values.clone());
        Request::new(self.layer(state)?, queries, keys_values, call)
    }

    fn call(&mut self, state: &State, want: Outputs, lengths: (usize, usize)) -> CallOptions {
        let mask = self.mask(MaskKey::new(state, lengths));
        let linformer = LinformerKey::new(state, lengths.1).map(|key| self.linformer(key));
        CallOptions {
            want,
            ..call_with(state, lengths, mask, linformer)
        }
    }

    fn layer(&mut self, state: &State) -> Result<Arc<Layer>, Error> {
        let key = LayerKey::new(state)?;
        if let Some(layer) = self.layers.get(&key) {
            return Ok(layer);
        }
        let alike = self.layers.find(|other| other.has_weights_of(&key));
        let layer = key.layer(alike.map(|layer| layer.weights().clone()))?;
        let numbers = length(layer.weights());
        self.layers.insert(key, layer.clone(), 2 * numbers);
        Ok(layer)
    }

    fn rows(&mut self, state: &State) -> Result<Arc<Rows>, Error> {
        if let Some(rows) = Rows::imported(state) {
            return Ok(Arc::new(rows));
        }
        if let Some(rows) = Rows::learned(state)? {
            return Ok(Arc::new(rows));
        }
        let key = RowsKey::new(state);
        Ok(self.rows.get(&key).unwrap_or_else(|| {
            let rows = Arc::new(key.rows());
            self.rows.insert(key, rows.clone(), rows.length());
            rows
        }))
    }

    fn mask(&mut self, key: MaskKey) -> Mask {
        if !key.has_cells() {
            return key.mask();
        }
        self.masks.get(&key).unwrap_or_else(|| {
            let (mask, numbers) = (key.mask(), key.length());
            self.masks.insert(key, mask.clone(), numbers);
            mask
        })
    }

    fn linformer(&mut self, key: LinformerKey) -> Linformer {
        self.linformers.get(&key).unwrap_or_else(|| {
            let matrices = key.matrices();
            let numbers = matrices.e.len() + matrices.f.len();
            self.linformers.insert(key, matrices.clone(), numbers);
            matrices
        })
    }
}

#[cfg(test)]
mod tests;
