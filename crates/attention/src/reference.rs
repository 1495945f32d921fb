//! The reference: every definition in 64-bit plain loops, slow and easy to read.
//!
//! It shares the checked [`Request`] with the fast paths and nothing else.

use ndarray::{Array3, Array4, ArrayView1, s};

use crate::plan::Side;
use crate::softmax::softmax;
use crate::{
    CellIndex, Layer, Linear, Position, Request, Rotation, Scoring, Source, Trace, kv_head_of,
    score, sinusoid,
};

/// Computes every result of `request` in 64 bit, wanted or not.
pub fn compute(request: &Request) -> Trace<f64> {
    let sizes = request.sizes();
    let [q, k, v] = queries_keys_values(request);
    let [q, k] = normalized(request, [q, k]);
    let [q, k] = match request.config().position.rotation() {
        Some(rotation) => [
            rotated(&q, rotation, request, Side::Queries),
            rotated(&k, rotation, request, Side::KeysValues),
        ],
        None => [q, k],
    };
    let (keys, values) = shortened(request, &k, &v);
    let scores = Array4::from_shape_fn(
        (sizes.batch, sizes.heads, sizes.n, sizes.keys),
        |(b, g, i, j)| {
            let h = kv_head_of(g, sizes.heads, sizes.kv_heads);
            let score = score_of(
                request,
                q.slice(s![b, g, i, ..]),
                keys.slice(s![b, h, j, ..]),
            );
            let places = &request.call().places;
            let penalty = request.config().position.penalty(g, sizes.heads);
            let distance = places.query(b, i).abs_diff(places.key(b, j)) as f64;
            let bias = request.call().bias.as_ref();
            score - penalty * distance + bias.map_or(0.0, |bias| f64::from(bias.row(b, g, i)[j]))
        },
    );
    let weights = weights_of(request, &scores);
    let context = Array4::from_shape_fn(
        (sizes.batch, sizes.heads, sizes.n, sizes.d_v),
        |(b, g, i, c)| {
            let h = kv_head_of(g, sizes.heads, sizes.kv_heads);
            (0..sizes.keys)
                .map(|j| weights[[b, g, i, j]] * values[[b, h, j, c]])
                .sum()
        },
    );
    let output = output_of(request, &context);
    Trace {
        q: Some(q),
        k: Some(k),
        v: Some(v),
        scores: Some(scores),
        weights: Some(weights),
        context: Some(context),
        output: Some(output),
        empty_rows: request.empty_rows(),
    }
}

fn queries_keys_values(request: &Request) -> [Array4<f64>; 3] {
    match request.source() {
        Source::Heads(inputs) => [&inputs.q, &inputs.k, &inputs.v]
            .map(|rows| rows.mapv(f64::from).insert_axis(ndarray::Axis(0))),
        Source::Layer {
            layer,
            queries,
            keys_values,
        } => {
            let sharing = layer.sharing;
            let places = &request.call().places;
            let from = positioned(queries, layer, |b, i| places.query(b, i));
            let to = keys_values.as_ref().map_or_else(
                || from.clone(),
                |rows| positioned(rows, layer, |b, j| places.key(b, j)),
            );
            [
                project(&from, &layer.weights.query, sharing.heads),
                project(&to, &layer.weights.key, sharing.kv_heads),
                project(&to, &layer.weights.value, sharing.kv_heads),
            ]
        }
    }
}

fn positioned(
    rows: &Array3<f32>,
    layer: &Layer,
    place: impl Fn(usize, usize) -> i64,
) -> Array3<f64> {
    let d_model = layer.d_model();
    Array3::from_shape_fn(rows.dim(), |(b, i, c)| {
        let position = match layer.position {
            Position::Sinusoidal => sinusoid(place(b, i), c, d_model),
            _ => 0.0,
        };
        f64::from(rows[[b, i, c]]) + position
    })
}

/// `y = x·w + b`, head `g` taking columns `g·d … (g+1)·d`: `[batch, rows, d_model]` → `[batch, heads, rows, d]`.
fn project(x: &Array3<f64>, linear: &Linear, heads: usize) -> Array4<f64> {
    let (batch, rows, _) = x.dim();
    let d = linear.w.ncols() / heads;
    Array4::from_shape_fn((batch, heads, rows, d), |(b, g, i, c)| {
        linear.entry(|column| x[[b, i, column]], g * d + c)
    })
}

/// `scale ∘ x/√(mean square + ε)` of every row of the queries' heads and the keys', where the layer has norms for them.
fn normalized(request: &Request, mut queries_keys: [Array4<f64>; 2]) -> [Array4<f64>; 2] {
    let Some(norms) = request.norms() else {
        return queries_keys;
    };
    for (rows, scale) in queries_keys.iter_mut().zip([&norms.query, &norms.key]) {
        for mut row in rows.rows_mut() {
            let square = row.iter().map(|x| x * x).sum::<f64>() / row.len() as f64;
            let root = (square + f64::from(norms.epsilon)).sqrt();
            row.zip_mut_with(scale, |x, scale| *x *= f64::from(*scale) / root);
        }
    }
    queries_keys
}

/// Rotates every pair of columns of a row by the angle of its place; columns that belong to no pair stay.
fn rotated(rows: &Array4<f64>, rotation: Rotation, request: &Request, side: Side) -> Array4<f64> {
    let (divisors, places) = (request.rotary_divisors(), &request.call().places);
    let mut out = rows.clone();
    let (batch, heads, length, width) = rows.dim();
    for (b, g, i, pair) in ndarray::indices((batch, heads, length, rotation.pair_count(width))) {
        let divisor = divisors.map_or(1.0, |divisors| f64::from(divisors[pair]));
        let angle = rotation.angle(places.of(side, b, i), pair, width) / divisor;
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let [first, second] = rotation.columns_of(pair, width);
        let (x, y) = (rows[[b, g, i, first]], rows[[b, g, i, second]]);
        out[[b, g, i, first]] = x * cos - y * sin;
        out[[b, g, i, second]] = x * sin + y * cos;
    }
    out
}

/// Keys and values as the scores see them: `E·K` and `F·V` with Linformer, unchanged without.
fn shortened(request: &Request, k: &Array4<f64>, v: &Array4<f64>) -> (Array4<f64>, Array4<f64>) {
    let Some(linformer) = &request.call().linformer else {
        return (k.clone(), v.clone());
    };
    let along = |matrix: &ndarray::Array2<f32>, rows: &Array4<f64>| {
        let (batch, heads, m, d) = rows.dim();
        Array4::from_shape_fn((batch, heads, matrix.nrows(), d), |(b, h, r, c)| {
            (0..m)
                .map(|j| f64::from(matrix[[r, j]]) * rows[[b, h, j, c]])
                .sum()
        })
    };
    (along(&linformer.e, k), along(&linformer.f, v))
}

fn score_of(request: &Request, q: ArrayView1<f64>, k: ArrayView1<f64>) -> f64 {
    let (q, k) = (q.to_vec(), k.to_vec());
    match (request.config().scoring, request.additive()) {
        (Scoring::Additive, Some(w_a)) => score::additive(&q, &k, &w_a.mapv(f64::from).to_vec()),
        _ => capped(
            f64::from(request.config().scale) * score::dot(&q, &k),
            request.config().cap,
        ),
    }
}

/// `cap·tanh(score/cap)`, where there is a cap.
fn capped(score: f64, cap: Option<f32>) -> f64 {
    match cap.map(f64::from) {
        Some(cap) => cap * libm::tanh(score / cap),
        None => score,
    }
}

fn weights_of(request: &Request, scores: &Array4<f64>) -> Array4<f64> {
    let call = request.call();
    let (batch, heads, n, keys) = scores.dim();
    let mut weights = Array4::zeros(scores.dim());
    for (b, g, i) in ndarray::indices((batch, heads, n)) {
        let sees = |key| {
            call.mask.visible(CellIndex {
                batch: b,
                head: g,
                query: i,
                key,
            })
        };
        let mut row = scores.slice(s![b, g, i, ..]).to_vec();
        let seen: Vec<bool> = (0..keys).map(sees).collect();
        let mut visible = if call.mask_after {
            vec![true; keys]
        } else {
            seen.clone()
        };
        if let Some(fill) = call.masked_score {
            for (score, seen) in row.iter_mut().zip(&mut visible) {
                if !std::mem::replace(seen, true) {
                    *score = f64::from(fill);
                }
            }
        }
        let temperature = f64::from(call.temperature);
        row.iter_mut().for_each(|score| *score /= temperature);
        let shares = softmax(&row, &visible);
        for key in 0..keys {
            let is_taken_back = call.mask_after && !seen[key];
            weights[[b, g, i, key]] = if is_taken_back { 0.0 } else { shares[key] };
        }
    }
    weights
}

/// The heads side by side, through W_O where there is one: `[batch, n, d_out]`.
fn output_of(request: &Request, context: &Array4<f64>) -> Array3<f64> {
    let sizes = request.sizes();
    let beside =
        |b: usize, i: usize, column: usize| context[[b, column / sizes.d_v, i, column % sizes.d_v]];
    Array3::from_shape_fn(
        (sizes.batch, sizes.n, sizes.d_out),
        |(b, i, c)| match request.output() {
            None => beside(b, i, c),
            Some(output) => output.entry(|column| beside(b, i, column), c),
        },
    )
}
