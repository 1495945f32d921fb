//! The tensors of a run, and what each step does to them.

use std::ops::Range;

use kernels::{Packed, largest_norm, multiply};
use ndarray::{Array3, Array4, ArrayView2, Axis, Zip, s};

use super::f64_scores::{
    Large, Wide, additive_may_be_large, largest_by_column, may_be_large, strictness,
};
use super::head_norm::normalize;
use super::kv_head::KvHead;
use super::matmul::{add_product, contiguous, contiguous_mut, pack, pack_groups, project};
use super::rotary::turn;
use super::share::Share;
use super::tile::{Scratch, Tile};
use crate::plan::{Operation, RowSink, Side};
use crate::{
    Error, Layer, Linear, Linformer, Request, Rows, Sizes, Source, Trace, sinusoidal_encoding_at,
    zeros4,
};

/// Every tensor that outlives a tile. Absent ones are empty.
pub(super) struct Tensors {
    queries: Array3<f32>,
    keys_values: Option<Array3<f32>>,
    q: Array4<f32>,
    k: Array4<f32>,
    v: Array4<f32>,
    short_k: Option<Array4<f32>>,
    short_v: Option<Array4<f32>>,
    scores: Option<Rows>,
    weights: Option<Rows>,
    context: Array4<f32>,
    /// One for each group of heads.
    merged: Vec<Array3<f32>>,
    output: Array3<f32>,
    share: Share,
    wide: Wide,
    kv_head: KvHead,
    pub(super) scratch: Scratch,
}

impl Tensors {
    /// Memory for the wanted results of the heads of `share`; for the weights only where `stores_weights`.
    pub(super) fn new(
        request: &Request,
        share: Share,
        stores_weights: bool,
    ) -> Result<Self, Error> {
        let want = request.call().want;
        let Sizes {
            batch,
            heads,
            kv_heads,
            n,
            m,
            keys,
            d_k,
            d_v,
            d_out,
            ..
        } = share.sizes(request);
        let (queries, keys_values, [q, k, v]) = match request.source() {
            Source::Layer {
                queries,
                keys_values,
                ..
            } => {
                let q = zeros4("q", [batch, heads, n, d_k])?;
                let k = zeros4("k", [batch, kv_heads, m, d_k])?;
                let v = zeros4("v", [batch, kv_heads, m, d_v])?;
                (queries.clone(), keys_values.clone(), [q, k, v])
            }
            Source::Heads(given) => {
                let own = |all: &Array3<f32>| {
                    let rows = all.slice(s![share.heads(all.len_of(Axis(0))), .., ..]);
                    rows.as_standard_layout().into_owned().insert_axis(Axis(0))
                };
                let [q, k, v] = [&given.q, &given.k, &given.v].map(own);
                (Array3::zeros((0, 0, 0)), None, [q, k, v])
            }
        };
        let quadratic = |wanted: bool, field| {
            if wanted {
                Rows::reserve(field, [batch, heads, n, keys]).map(Some)
            } else {
                Ok(None)
            }
        };
        let context = want.context || want.output;
        Ok(Self {
            queries,
            keys_values,
            q,
            k,
            v,
            short_k: None,
            short_v: None,
            scores: quadratic(want.scores, "scores")?,
            weights: quadratic(want.weights && stores_weights, "weights")?,
            context: zeros4(
                "context",
                if context {
                    [batch, heads, n, d_v]
                } else {
                    [0; 4]
                },
            )?,
            merged: Vec::new(),
            output: zeros4("output", [1, batch, n, if want.output { d_out } else { 0 }])?
                .remove_axis(Axis(0)),
            share,
            wide: Wide::new(),
            kv_head: KvHead::default(),
            scratch: Scratch::new(),
        })
    }

    /// The wanted results.
    pub(super) fn into_trace(self, request: &Request) -> Trace<f32> {
        let want = request.call().want;
        Trace {
            q: want.q.then_some(self.q),
            k: want.k.then_some(self.k),
            v: want.v.then_some(self.v),
            scores: self.scores.map(Rows::into_array),
            weights: self.weights.map(Rows::into_array),
            context: want.context.then_some(self.context),
            output: want.output.then_some(self.output),
            empty_rows: request.empty_rows(),
        }
    }

    /// A step of the prepare or finish stage.
    pub(super) fn run_step(&mut self, operation: Operation, request: &Request) {
        match operation {
            Operation::AddPositions(side) => self.add_positions(request, side),
            Operation::ProjectQueries => self.project_queries(request),
            Operation::ProjectKeys | Operation::ProjectValues => {
                self.project_keys_values(operation, request)
            }
            Operation::NormQueries => normalize(&mut self.q, request, |norms| &norms.query),
            Operation::NormKeys => normalize(&mut self.k, request, |norms| &norms.key),
            Operation::RotateQueries => turn(&mut self.q, request, Side::Queries),
            Operation::RotateKeys => turn(&mut self.k, request, Side::KeysValues),
            Operation::ShortenKeys => {
                self.short_k = linformer_project(request, &self.k, |linformer| linformer.e.view())
            }
            Operation::ShortenValues => {
                self.short_v = linformer_project(request, &self.v, |linformer| linformer.f.view())
            }
            Operation::MergeHeads => self.merge_heads(request),
            Operation::ProjectOutput => self.project_output(request),
            _ => unreachable!("steps of the attend stage run tile by tile"),
        }
    }

    /// A step of the attend stage, for one tile.
    pub(super) fn run_tile_step(&mut self, operation: Operation, tile: Tile, request: &Request) {
        let (sizes, config, call) = (request.sizes(), request.config(), request.call());
        let scratch = &mut self.scratch;
        match operation {
            Operation::DotScores => self.dot_scores(tile, request),
            Operation::AdditiveScores => self.additive_scores(tile, request),
            // The factor is applied where the scores are made.
            Operation::Scale => {}
            Operation::Cap => config.cap.into_iter().for_each(|cap| scratch.cap(cap)),
            Operation::Bias => {
                let penalty = config.position.penalty(tile.head, sizes.heads);
                scratch.subtract_alibi(tile, penalty, &call.places);
            }
            Operation::AddBias => {
                let bias = call.bias.iter();
                bias.for_each(|bias| scratch.add_bias(tile, bias));
            }
            Operation::Mask => scratch.mask(call.masked_score),
            Operation::Softmax => scratch.softmax(config.temperature),
            Operation::HideWeights => scratch.hide_weights(),
            Operation::WeightedSum => self.weighted_sum(tile, request),
            _ => unreachable!("only steps of the attend stage run tile by tile"),
        }
    }

    /// Adds the sinusoidal encoding of their places to the rows of one side, `[batch, rows, d_model]`.
    fn add_positions(&mut self, request: &Request, side: Side) {
        let rows = match (side, &mut self.keys_values) {
            (Side::KeysValues, Some(rows)) => rows,
            _ => &mut self.queries,
        };
        let (_, length, d_model) = rows.dim();
        let places = request.call().places.all(side, length);
        let encode = |places: &Vec<i64>| sinusoidal_encoding_at(places, d_model);
        let encodings: Vec<_> = places.iter().map(encode).collect();
        for (at, mut entry) in rows.outer_iter_mut().enumerate() {
            let encoding = &encodings[at.min(encodings.len() - 1)];
            Zip::from(&mut entry).and(encoding).for_each(|x, p| *x += p);
        }
    }

    fn dot_scores(&mut self, tile: Tile, request: &Request) {
        let config = request.config();
        let q = self.share.queries(tile, &self.q, request.sizes());
        let k = self.short_k.as_ref().unwrap_or(&self.k);
        let k = self.share.keys_or_values(tile, k, request.sizes());
        let head = self.kv_head.select(tile, request.sizes());
        let longest = largest_norm(&contiguous(q), q.ncols());
        let scale = config.scale / strictness(config.temperature);
        let read = |row| self.scratch.read_keys_of(row);
        let large = may_be_large(longest, head.longest_key(k), scale).then(|| {
            let [queries, keys] = [q, k].map(lengths);
            Large::find(&queries, &keys, read, |q, k| may_be_large(*q, *k, scale))
        });
        if large.as_ref().is_none_or(|large| large.leaves_any) {
            let keys = head.keys(k);
            self.scratch.dot_scores(&contiguous(q), keys, config.scale);
        }
        if let Some(large) = large.filter(|large| self.scratch.needs_wide(large)) {
            let read = self.scratch.read_keys();
            let scores = self.wide.dot_scores(request, tile, read);
            self.scratch.wide_scores(scores, &large);
        }
    }

    fn additive_scores(&mut self, tile: Tile, request: &Request) {
        let w_a = request.additive().map(|w_a| w_a.to_vec());
        let w_a = w_a.unwrap_or_default();
        let q = self.share.queries(tile, &self.q, request.sizes());
        let k = self.short_k.as_ref().unwrap_or(&self.k);
        let k = self.share.keys_or_values(tile, k, request.sizes());
        let largest = self.kv_head.select(tile, request.sizes()).largest_keys(k);
        let divisor = strictness(request.config().temperature);
        let are_large = |q: &[f32], k: &[f32]| additive_may_be_large(q, k, &w_a, divisor);
        let are_any_large = are_large(&largest_by_column(q), largest);
        let (q, k) = (contiguous(q), contiguous(k));
        let read = |row| self.scratch.read_keys_of(row);
        let large = are_any_large.then(|| {
            let rows = [&q, &k].map(|rows| rows.chunks_exact(w_a.len().max(1)).collect::<Vec<_>>());
            Large::find(&rows[0], &rows[1], read, |q, k| are_large(q, k))
        });
        if large.as_ref().is_none_or(|large| large.leaves_any) {
            self.scratch.additive_scores(&q, &k, &w_a);
        }
        if let Some(large) = large.filter(|large| self.scratch.needs_wide(large)) {
            let read = self.scratch.read_keys();
            let scores = self.wide.additive_scores(request, tile, read, &large);
            self.scratch.wide_scores(scores, &large);
        }
    }

    fn weighted_sum(&mut self, tile: Tile, request: &Request) {
        let v = self.short_v.as_ref().unwrap_or(&self.v);
        let v = self.share.keys_or_values(tile, v, request.sizes());
        let values = self.kv_head.select(tile, request.sizes()).values(v);
        let head = self.share.head_index(tile, request.sizes());
        let out = self
            .context
            .slice_mut(s![tile.batch, head, tile.rows(), ..]);
        self.scratch.weighted_sum(values, contiguous_mut(out));
    }

    fn project_queries(&mut self, request: &Request) {
        let Source::Layer { layer, .. } = request.source() else {
            return;
        };
        let (linear, heads) = (&layer.weights.query, request.sizes().heads);
        let packed = layer.packed.query(linear, heads);
        let own = self.share.heads(heads);
        project_heads(&self.queries, linear, packed, own, &mut self.q);
    }

    fn project_keys_values(&mut self, operation: Operation, request: &Request) {
        let Source::Layer { layer, .. } = request.source() else {
            return;
        };
        let Layer {
            weights, packed, ..
        } = layer.as_ref();
        let rows = self.keys_values.as_ref().unwrap_or(&self.queries);
        let heads = request.sizes().kv_heads;
        let (linear, packed, out) = if operation == Operation::ProjectKeys {
            let packed = packed.key(&weights.key, heads);
            (&weights.key, packed, &mut self.k)
        } else {
            let packed = packed.value(&weights.value, heads);
            (&weights.value, packed, &mut self.v)
        };
        project_heads(rows, linear, packed, self.share.heads(heads), out);
    }

    /// Keeps the scores of a tile; tiles come in the order of the result.
    pub(super) fn keep_scores(&mut self) {
        if let Some(scores) = &mut self.scores {
            self.scratch.copy_scores(scores);
        }
    }

    pub(super) fn keep_weights(&mut self, tile: Tile, sink: &mut dyn RowSink) {
        let rows = self.scratch.weight_rows(tile);
        if let Some(weights) = &mut self.weights {
            weights.extend_from_slice(rows.weights);
        }
        sink.take(rows);
    }

    /// The heads side by side: `[batch, heads, n, d_v]` → `[batch, n, heads·d_v]`, those of each group by themselves where W_O follows.
    fn merge_heads(&mut self, request: &Request) {
        let heads = request.sizes().heads;
        let own = self.share.heads(heads);
        let side_by_side = |heads| self.side_by_side(heads, own.start);
        if request.output().is_none() {
            self.output = side_by_side(own.clone());
            return;
        }
        let groups = self.share.output_groups(heads).into_iter();
        self.merged = groups.map(side_by_side).collect();
    }

    /// The context of `heads`, of which the first that is here is head `first`.
    fn side_by_side(&self, heads: Range<usize>, first: usize) -> Array3<f32> {
        let (batch, _, n, d_v) = self.context.dim();
        let mut merged = Array3::zeros((batch, n, heads.len() * d_v));
        for (place, head) in heads.enumerate() {
            let columns = place * d_v..(place + 1) * d_v;
            let context = self.context.slice(s![.., head - first, .., ..]);
            merged.slice_mut(s![.., .., columns]).assign(&context);
        }
        merged
    }

    /// `Σ_g merged[g]·W_O[g] + b_O` over the groups of heads; the bias comes with the first of all.
    fn project_output(&mut self, request: &Request) {
        let Some(linear) = request.output() else {
            return;
        };
        let heads = request.sizes().heads;
        let own;
        let packed = match request.source() {
            Source::Layer { layer, .. } => layer.packed.output(linear, heads),
            Source::Heads(_) => {
                own = pack_groups(linear, heads);
                &own
            }
        };
        let first = usize::from(self.share == Share::SecondHalf);
        let groups = packed.iter().enumerate().skip(first);
        for (merged, (group, w)) in self.merged.iter().zip(groups) {
            for (x, out) in merged.outer_iter().zip(self.output.outer_iter_mut()) {
                let (x, out) = (contiguous(x), contiguous_mut(out));
                match group {
                    0 => project(&x, w, linear.b.as_ref(), 0, out),
                    _ => add_product(&x, w, out),
                }
            }
        }
    }
}

/// `‖x‖` of each row.
fn lengths(rows: ArrayView2<f32>) -> Vec<f32> {
    let of_row = |row: &[f32]| largest_norm(row, row.len());
    contiguous(rows)
        .chunks_exact(rows.ncols().max(1))
        .map(of_row)
        .collect()
}

/// `out[b, g] = x[b]·w[:, g·d … (g+1)·d] + b[g·d … (g+1)·d]` for the `heads` g of all, with the columns of each head packed.
fn project_heads(
    x: &Array3<f32>,
    linear: &Linear,
    packed: &[Packed],
    heads: Range<usize>,
    out: &mut Array4<f32>,
) {
    let width = out.dim().3;
    for (x, mut out) in x.outer_iter().zip(out.outer_iter_mut()) {
        let x = contiguous(x);
        for (head, out) in heads.clone().zip(out.outer_iter_mut()) {
            let bias = linear.b.as_ref();
            project(&x, &packed[head], bias, head * width, contiguous_mut(out));
        }
    }
}

/// `E·K` or `F·V` for every batch entry and head.
fn linformer_project(
    request: &Request,
    rows: &Array4<f32>,
    matrix: impl Fn(&Linformer) -> ArrayView2<f32>,
) -> Option<Array4<f32>> {
    let matrix = request.call().linformer.as_ref().map(matrix)?;
    let (batch, heads, _, d) = rows.dim();
    let mut short = Array4::zeros((batch, heads, matrix.nrows(), d));
    let matrix = contiguous(matrix);
    for (rows, mut short) in rows.outer_iter().zip(short.outer_iter_mut()) {
        for (rows, short) in rows.outer_iter().zip(short.outer_iter_mut()) {
            multiply(&matrix, &pack(rows), contiguous_mut(short));
        }
    }
    Some(short)
}
