//! The attention of a layer: projections, then sequence by sequence, head by head.

use std::ops::Range;

use ndarray::{Array3, Axis};

use super::head::{Head, Weights};
use super::key_values::{KeyValues, LayerKeyValues};
use super::{Pass, product};
use crate::layout::{AttentionSlots, LinearSlots, Slot};
use crate::step::check_range;
use attention::cpu::{Turns, normalize_head};
use attention::{Error, kv_head_of};

/// Where a head's map is among the wanted ones, and the head.
type Wanted = (usize, usize);

impl Pass<'_> {
    /// What the attention of a layer gives for the rows `x`, `[batch·n, d_model]`; nothing but wanted weights, and keys and values to be kept,
    /// unless `goes_on`.
    pub(super) fn attend(
        &mut self,
        layer: usize,
        x: &[f32],
        goes_on: bool,
    ) -> Result<Vec<f32>, Error> {
        let heads = self.how.weights.iter().enumerate();
        let of_layer = heads.filter(|(_, (own, _))| *own == layer);
        let wanted: Vec<Wanted> = of_layer.map(|(place, (_, head))| (place, *head)).collect();
        if !goes_on && wanted.is_empty() && self.past.is_none() {
            return Ok(Vec::new());
        }
        let slots = self.model.layout.layers[layer].attention;
        let mut past = self.past.take();
        let context = self.attend_all(layer, slots, x, (&wanted, goes_on), past.as_deref_mut());
        self.past = past;
        let context = context?;
        Ok(match goes_on {
            true => product::linear(&context, slots.output, self.numbers),
            false => Vec::new(),
        })
    }

    /// `concat_g(C_g)`, `[batch·n, heads·d_k]`: 0 for heads that are off.
    fn attend_all(
        &mut self,
        layer: usize,
        slots: AttentionSlots,
        x: &[f32],
        (wanted, goes_on): (&[Wanted], bool),
        mut past: Option<&mut KeyValues>,
    ) -> Result<Vec<f32>, Error> {
        let config = self.model.config;
        let (n, d_k) = (self.words.length(), config.d_k);
        let [query_scale, key_scale] = slots.head_norms.map_or([None, None], |own| own.map(Some));
        let turns = self.turns(layer, slots);
        let project = |slots, scale| self.project(x, slots, scale, turns.as_ref());
        let (q, k) = (
            project(slots.query, query_scale),
            project(slots.key, key_scale),
        );
        let v = match goes_on || past.is_some() {
            true => product::linear(x, slots.value, self.numbers),
            false => Vec::new(),
        };
        let mut context = vec![0.0; if goes_on { q.len() } else { 0 }];
        for sequence in 0..self.words.batch() {
            let rows = sequence * n..(sequence + 1) * n;
            let mut own = LayerKeyValues::empty(config.kv_heads);
            let all = past
                .as_deref_mut()
                .map_or(&mut own, |past| past.layer(layer));
            let of_heads = |rows_of: &[f32], heads| head_rows(rows_of, heads, d_k, rows.clone());
            all.append(
                &of_heads(&k, config.kv_heads),
                &of_heads(&v, config.kv_heads),
            );
            for (head, q) in of_heads(&q, config.heads).iter().enumerate() {
                let kv_head = kv_head_of(head, config.heads, config.kv_heads);
                let mut places = wanted.iter().filter(|(_, own)| *own == head).peekable();
                let is_needed = goes_on && !self.how.off.contains(&(layer, head));
                if places.peek().is_none() && !is_needed {
                    continue;
                }
                let head = Head {
                    config: &config,
                    layer,
                    head,
                    passed: self.passed,
                    q,
                    keys: &all.keys[kv_head],
                    values: &all.values[kv_head],
                };
                let weights = head.weights(&self.hidden_cells(layer, head.head));
                for (place, _) in places {
                    self.keep_weights(*place, (layer, sequence), &weights)?;
                }
                if is_needed {
                    let to = context[rows.start * config.heads * d_k..].chunks_exact_mut(d_k);
                    let to = to.skip(head.head).step_by(config.heads);
                    let from = head.context(&weights);
                    from.chunks_exact(d_k)
                        .zip(to)
                        .for_each(|(from, to)| to.copy_from_slice(from));
                }
            }
        }
        Ok(context)
    }

    /// Queries or keys, `[batch·n, heads·d_k]`: normalized and rotated where the model does that.
    fn project(
        &self,
        x: &[f32],
        slots: LinearSlots,
        scale: Option<Slot>,
        turns: Option<&Turns>,
    ) -> Vec<f32> {
        let (width, d_k) = (slots.w.columns, self.model.config.d_k);
        let mut rows = product::linear(x, slots, self.numbers);
        if let Some(scale) = scale {
            let (scale, epsilon) = (self.numbers.vector(scale), self.model.config.epsilon);
            rows.chunks_exact_mut(d_k)
                .for_each(|row| normalize_head(row, &scale, epsilon));
        }
        if let Some(turns) = turns {
            for (at, row) in rows.chunks_exact_mut(width).enumerate() {
                let place = at % self.words.length();
                row.chunks_exact_mut(d_k)
                    .for_each(|row| turns.turn(place, row));
            }
        }
        rows
    }

    fn turns(&self, layer: usize, slots: AttentionSlots) -> Option<Turns> {
        let config = &self.model.config;
        let divisors = slots.divisors.map(|own| self.numbers.vector(own));
        let places = self.passed..self.passed + self.words.length();
        Turns::new(
            config.position_in(layer),
            divisors.as_deref(),
            places,
            config.d_k,
        )
    }

    fn hidden_cells(&self, layer: usize, head: usize) -> Vec<(usize, usize)> {
        let all = self.model.hidden.iter().chain(&self.how.hide);
        let own = all.filter(|own| (own.layer, own.head) == (layer, head));
        own.flat_map(|own| own.cells.iter().copied()).collect()
    }

    fn keep_weights(
        &mut self,
        place: usize,
        (layer, sequence): (usize, usize),
        weights: &Weights,
    ) -> Result<(), Error> {
        let shape = (self.words.batch(), self.words.length(), weights.keys);
        let map = &mut self.result.weights[place];
        if map.dim() != shape {
            *map = Array3::zeros(shape);
        }
        let mut own = map.index_axis_mut(Axis(0), sequence);
        for (mut to, row) in own.outer_iter_mut().zip(weights.rows()) {
            check_range(&format!("layers.{layer}"), row)?;
            to.iter_mut()
                .zip(row)
                .for_each(|(to, weight)| *to = *weight);
        }
        Ok(())
    }
}

/// `[n, d_k]` of every head, from some rows of `[batch·n, heads·d_k]`; empty where there are none.
fn head_rows(all: &[f32], heads: usize, d_k: usize, rows: Range<usize>) -> Vec<Vec<f32>> {
    let width = heads * d_k;
    let all = all
        .get(rows.start * width..rows.end * width)
        .unwrap_or_default();
    let of_head = |head: usize| {
        let parts = all.chunks_exact(d_k).skip(head).step_by(heads);
        parts.flatten().copied().collect()
    };
    (0..heads).map(of_head).collect()
}
