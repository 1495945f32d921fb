//! Layers that see only near words, and which of a model they are.

/// Layers of a sliding window (Beltagy et al. 2020, §3.1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Local {
    /// Which layers they are.
    pub layers: LocalLayers,
    /// How many words each word sees to each side besides itself, as far as the model lets it see any.
    pub window: usize,
    /// Base of their rotary positions, where it is not that of the others.
    pub rotary_base: Option<f32>,
}

/// Which layers are local. Layers count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalLayers {
    /// All.
    All,
    /// All but every `n`th: layers `n − 1`, `2n − 1` … see everything.
    AllButEvery(usize),
    /// This one and those after it.
    From(usize),
}

impl LocalLayers {
    /// Whether a layer is one of them.
    pub const fn have(self, layer: usize) -> bool {
        match self {
            Self::All => true,
            Self::AllButEvery(n) => n == 0 || !(layer + 1).is_multiple_of(n),
            Self::From(first) => layer >= first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LocalLayers::{All, AllButEvery, From};

    #[test]
    fn every_nth_layer_sees_everything() {
        let picture = |layers: super::LocalLayers| -> String {
            (0..7)
                .map(|layer| if layers.have(layer) { 'l' } else { '.' })
                .collect()
        };
        assert_eq!(picture(All), "lllllll");
        assert_eq!(picture(AllButEvery(2)), "l.l.l.l");
        assert_eq!(picture(AllButEvery(6)), "lllll.l");
        assert_eq!(picture(From(5)), ".....ll");
    }
}
