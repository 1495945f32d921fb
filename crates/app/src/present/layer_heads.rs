//! What is found of the heads of every layer of a learned model, or of the one layer that there is.

wasm_chunks::chunk!("more");

use std::borrow::Cow;

use super::findings::Findings;
use super::run::Run;
use attention::Sizes;
use attention::analysis::{Collector, HeadStats, Places, Visible};
use attention::plan::WeightRow;
use engine::learned::LearnedLayer;

/// Heads of a layer.
pub struct LayerHeads<'a> {
    /// Number of the first, counted on through the layers.
    pub first: usize,
    /// The layer, from 1, where there are several.
    pub layer: Option<usize>,
    pub stats: Cow<'a, [HeadStats]>,
    pub findings: Cow<'a, Findings>,
}

/// The layers of a run, one after the other: its own as the settings of the page compute it, others as the model does.
pub fn layers(run: &Run) -> Vec<LayerHeads<'_>> {
    let own = |layer| LayerHeads {
        first: run.thumbnail(0),
        layer,
        stats: Cow::Borrowed(&run.reply.stats[..]),
        findings: Cow::Borrowed(run.findings()),
    };
    let layers = run.state.layers;
    let Some(model) = run.learned().filter(|_| layers > 1) else {
        return vec![own(None)];
    };
    let layer = |layer| match layer == run.state.layer {
        true => own(Some(layer)),
        false => other(run, model, layer),
    };
    (1..=layers).map(layer).collect()
}

fn other<'a>(run: &Run, model: &LearnedLayer, layer: usize) -> LayerHeads<'a> {
    let (heads, n) = (run.heads(), run.queries.len());
    let first = (layer - 1) * heads;
    let maps = (first..first + heads).flat_map(|head| model.map(head));
    let weights: Vec<f32> = maps.copied().collect();
    let stats = measures(&weights, heads, n);
    let visible = Visible::new(n, n, |_, _| true);
    let findings = Findings::new(&weights, &stats, visible, Places::Same, run.words());
    LayerHeads {
        first,
        layer: Some(layer),
        stats: Cow::Owned(stats),
        findings: Cow::Owned(findings),
    }
}

/// Measures of weights `[heads, n, n]`.
fn measures(weights: &[f32], heads: usize, n: usize) -> Vec<HeadStats> {
    let mut measures = Collector::new(&Sizes {
        batch: 1,
        heads,
        kv_heads: heads,
        n,
        m: n,
        keys: n,
        d_model: None,
        d_k: 0,
        d_v: 0,
        d_out: 0,
    });
    for (at, weights) in weights.chunks_exact(n.max(1)).enumerate() {
        measures.row(&WeightRow {
            batch: 0,
            head: at / n,
            query: at % n,
            weights,
            support: 0..n,
        });
    }
    measures.finish().into_iter().flatten().collect()
}
