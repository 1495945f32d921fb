//! Tests of the scene: colours, scales, pixels, layout, hit tests and marks.

mod colour;
mod heatmap;
mod layout;
mod marks;
mod scale;
mod signed;
mod sinks;

use crate::words::{measure, tokens};
use app::scene::layout::{CellFormat, MapLayout, Request, Side};

/// A map of `queries × keys` in `width` CSS pixels at `dpr`.
fn lay_out(width: f64, dpr: f64, queries: usize, keys: usize) -> MapLayout {
    MapLayout::new(&Request {
        width,
        plot_height: f64::INFINITY,
        dpr,
        queries: &tokens(queries),
        keys: &tokens(keys),
        query_title: "query ↓",
        key_title: "key →",
        sides: [Side::Queries, Side::Keys],
        form: CellFormat::Weights,
        corner: 0.0,
        measure: &measure,
    })
}

/// Repeatable weights that look random: `count` values in 0…1.
fn weights(count: usize) -> Vec<f32> {
    let mut state = 0x9e37_79b9_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 / 16_777_216.0
    };
    (0..count).map(|_| next()).collect()
}
