//! The attention of a layer: projections, then sequence by sequence, head by head.

use std::ops::Range;

use ndarray::{Array3, Axis};

use super::head::{Head, Weights, packed_values};
use super::key_values::{KeyValues, LayerKeyValues};
use super::pass::Pass;
use super::product;
use crate::layout::{AttentionSlots, LinearSlots, Slot};
use crate::step::check_range;
use attention::cpu::{Turns, normalize_head};
use attention::plan::tile_rows;
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
        let n = self.words.length();
        let shape = [self.words.batch(), n, self.passed + n];
        for (place, _) in &wanted {
            let zeros = product::reserved("weights", &shape)?;
            self.result.weights[*place] = Array3::from_shape_vec(shape, zeros).unwrap_or_default();
        }
        let slots = self.model.layout.layers[layer].attention;
        let mut past = self.past.take();
        let context = self.attend_all(layer, slots, x, (&wanted, goes_on), past.as_deref_mut());
        self.past = past;
        let mut context = context?;
        if !goes_on {
            return Ok(Vec::new());
        }
        self.patch_and_keep(layer, &mut context);
        if let Some(split) = &mut self.split {
            split.attention(layer, self.model, &context);
        }
        Ok(product::linear(&context, slots.output, self.numbers))
    }

    /// `concat_g(C_g)`, `[batch·n, heads·d_k]`: 0 for heads that are off or patched.
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
        let [q, k, v] = self.projections(layer, slots, x, goes_on || past.is_some());
        let mut context = vec![0.0; if goes_on { q.len() } else { 0 }];
        for sequence in 0..self.words.batch() {
            let of_heads =
                |rows: &[f32], heads| head_rows(rows, heads, d_k, sequence * n..(sequence + 1) * n);
            let mut own = LayerKeyValues::empty(config.kv_heads);
            let all = match &mut past {
                Some(past) => past.layer(layer),
                None => &mut own,
            };
            all.append(
                &of_heads(&k, config.kv_heads),
                &of_heads(&v, config.kv_heads),
            );
            let q = of_heads(&q, config.heads);
            for (kv_head, (keys, values)) in all.keys.iter().zip(&all.values).enumerate() {
                let values = goes_on.then(|| packed_values(values, d_k));
                for (head, q) in q.iter().enumerate() {
                    if kv_head_of(head, config.heads, config.kv_heads) != kv_head {
                        continue;
                    }
                    let is_replaced = self.is_replaced(layer, head);
                    let head = Head {
                        config: &config,
                        layer,
                        head,
                        passed: self.passed,
                        q,
                        keys,
                        values: values.as_ref().filter(|_| !is_replaced),
                    };
                    self.attend_head(&head, sequence, wanted, &mut context)?;
                }
            }
        }
        Ok(context)
    }

    /// Keeps the wanted weights of a head of one sequence, and writes its part of `context`, tile by tile.
    fn attend_head(
        &mut self,
        head: &Head,
        sequence: usize,
        wanted: &[Wanted],
        context: &mut [f32],
    ) -> Result<(), Error> {
        let mut places = wanted
            .iter()
            .filter(|(_, own)| *own == head.head)
            .peekable();
        if places.peek().is_none() && head.values.is_none() {
            return Ok(());
        }
        let hidden = self.hidden_cells(head.layer, head.head);
        let (n, heads, d_k) = (self.words.length(), head.config.heads, head.config.d_k);
        for first in (0..n).step_by(tile_rows(self.passed + n)) {
            let rows = first..n.min(first + tile_rows(self.passed + n));
            let weights = head.weights(rows, &hidden);
            for (place, _) in places.clone() {
                self.keep_weights(*place, head.layer, [sequence, first], &weights)?;
            }
            if let Some(values) = head.values {
                let from = (sequence * n + first) * heads * d_k;
                let to = context[from..].chunks_exact_mut(d_k);
                let to = to.skip(head.head).step_by(heads);
                let rows = weights.context(values, d_k);
                rows.chunks_exact(d_k)
                    .zip(to)
                    .for_each(|(row, to)| to.copy_from_slice(row));
            }
        }
        Ok(())
    }

    /// Queries, keys and, where they are needed, values: `[batch·n, heads·d_k]` and twice `[batch·n, kv_heads·d_k]`.
    pub(super) fn projections(
        &self,
        layer: usize,
        slots: AttentionSlots,
        x: &[f32],
        needs_values: bool,
    ) -> [Vec<f32>; 3] {
        let [query_scale, key_scale] = slots.head_norms.map_or([None, None], |own| own.map(Some));
        let turns = self.turns(layer, slots);
        let values = || product::linear(x, slots.value, self.numbers);
        [
            self.project(x, slots.query, query_scale, turns.as_ref()),
            self.project(x, slots.key, key_scale, turns.as_ref()),
            needs_values.then(values).unwrap_or_default(),
        ]
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
        let places = self.passed as i64..(self.passed + self.words.length()) as i64;
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

    /// Keeps a tile of a wanted map, from query `first` of a sequence on.
    fn keep_weights(
        &mut self,
        place: usize,
        layer: usize,
        [sequence, first]: [usize; 2],
        weights: &Weights,
    ) -> Result<(), Error> {
        let map = &mut self.result.weights[place];
        let mut own = map.index_axis_mut(Axis(0), sequence);
        for (mut to, row) in own.outer_iter_mut().skip(first).zip(weights.rows()) {
            check_range(&format!("layers.{layer}"), row)?;
            to.iter_mut()
                .zip(row)
                .for_each(|(to, weight)| *to = *weight);
        }
        Ok(())
    }
}

/// `[n, d_k]` of every head, from some rows of `[batch·n, heads·d_k]`; empty where these were not computed.
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
