//! Outputs of heads that are taken from elsewhere, and those that are kept for it.

use super::pass::Pass;
use super::{Inference, WantedLogits};

/// What a head gives in place of its own `C = A·V`: activation patching (Vig et al. 2020, §3; Wang et al. 2023, §3.1). With the head's own
/// [context](Inference::contexts) nothing changes; zeros switch it [off](Inference::off).
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// The layer.
    pub layer: usize,
    /// One of its heads.
    pub head: usize,
    /// `[batch·n, d_k]`.
    pub rows: Vec<f32>,
}

impl Inference {
    /// The same changes of a pass without its results.
    pub(crate) fn changes(&self) -> Self {
        Self {
            weights: Vec::new(),
            contexts: Vec::new(),
            hidden: Vec::new(),
            logits: WantedLogits::None,
            off: self.off.clone(),
            hide: self.hide.clone(),
            patch: self.patch.clone(),
        }
    }
}

impl Pass<'_> {
    /// Whether what a head gives is not of its own making.
    pub(super) fn is_replaced(&self, layer: usize, head: usize) -> bool {
        let mut patches = self.how.patch.iter();
        self.how.off.contains(&(layer, head))
            || patches.any(|patch| (patch.layer, patch.head) == (layer, head))
    }

    /// Puts patches into `context`, `[batch·n, heads·d_k]`, and keeps what is wanted of it.
    pub(super) fn patch_and_keep(&mut self, layer: usize, context: &mut [f32]) {
        let (heads, d_k) = (self.model.config.heads, self.model.config.d_k);
        for patch in self.how.patch.iter().filter(|patch| patch.layer == layer) {
            let to = context.chunks_exact_mut(d_k).skip(patch.head);
            let rows = to.step_by(heads).zip(patch.rows.chunks_exact(d_k));
            rows.for_each(|(to, row)| to.copy_from_slice(row));
        }
        let wanted = self.how.contexts.iter().zip(&mut self.result.contexts);
        for ((_, head), kept) in wanted.filter(|((own, _), _)| *own == layer) {
            let rows = context.chunks_exact(d_k).skip(*head).step_by(heads);
            *kept = rows.flatten().copied().collect();
        }
    }
}
