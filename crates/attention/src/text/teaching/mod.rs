//! Embeddings and weights built by hand, so that each head has one recognisable behaviour.
//!
//! They are computed with like random weights; nothing was learned. An embedding encodes the class of a word (noun, living being,
//! pronoun, modifier), as earlier layers would have found it in its sentence, and a code of ±1 for its meaning. Its position comes from
//! the sinusoidal encoding alone, so that positional heads visibly fail when it is switched off. See [`Role`] for what the heads do and
//! [`weights`] for how.
//!
//! Every product of query and key is spread over all `d_k` components. Divided by `√d_k` it is the same for every `d_k` that has room
//! for the head: a class needs one component, a frequency of the encoding two (heads of position use up to four), a code as many as it
//! has. Not divided, scores grow with `√d_k` and the softmax saturates. A small `d_model` leaves room for fewer frequencies and a shorter
//! code.

mod embedding;
mod layout;
mod projection;
mod sentence;

use ndarray::{Array1, Array2};

use super::Sizes;
use crate::{Linear, Weights};
use layout::Layout;

pub use embedding::embeddings;
pub use sentence::{Aim, Sentence};

/// Roles of the hand-built heads, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A pronoun looks at the nouns before it, at people and animals most; every other query spreads evenly. Between two texts it
    /// looks at all nouns.
    PronounToNoun,
    /// Every token looks at the one before it.
    Previous,
    /// Every token looks at the tokens with its own meaning, itself among them; joins translations. Between two texts a word without a
    /// counterpart spreads evenly.
    SameWord,
    /// Every token looks at the first one.
    First,
    /// Every token looks at the one after it.
    Next,
    /// Every token looks at the nouns.
    Nouns,
    /// Every token looks at itself.
    Itself,
    /// A modifier looks at the noun that follows it; every other token rests on the first one, as trained heads
    /// do that have nothing to do (Xiao et al. 2024).
    ModifierToNoun,
}

impl Role {
    /// Whether a head of this role sees nothing without the encoding of positions.
    pub fn needs_positions(self) -> bool {
        matches!(
            self,
            Self::Previous | Self::First | Self::Next | Self::Itself | Self::ModifierToNoun
        )
    }
}

/// Every role: head `g` has the role `ROLES[g]`, so there are at most eight hand-built heads.
pub const ROLES: [Role; 8] = [
    Role::PronounToNoun,
    Role::Previous,
    Role::SameWord,
    Role::First,
    Role::Next,
    Role::Nouns,
    Role::Itself,
    Role::ModifierToNoun,
];

/// The weights of the first `sizes.heads` roles (roles repeat after the eighth), with a query bias.
///
/// With `q = x·W_Q + b_Q`, `k = x·W_K`, three kinds of score appear, here after division by `√d_k`:
///
/// - *position*: `Σ_i g_i cos(ω_i (key − query − shift))` over a few frequencies `ω_i` of the encoding, from a rotation
///   of the encoding by `shift` (the idea that Vaswani et al. 2017, section 3.5, name for choosing it);
/// - *class*: a flag of the query (or a constant) times a sum of flags of the key;
/// - *meaning*: the agreement of two codes, `a/L Σ_j c_j c'_j` with codes of length `L`.
///
/// Each is a sum of products of a number of the query and one of the key. The components take turns to carry them: with `c` components
/// for a product, each is `√(√d_k / c)` times its number, so that the sum over all `d_k` is `√d_k` times the score.
///
/// Values hand on the flags and the code of the word, and `W_O` puts the mean over the heads back in their columns.
/// A key/value head that several query heads share has the key projection of the first of them, so sharing spoils the
/// others, on purpose. `positions` says whether the encoding is added to the embeddings; the query bias takes its
/// constant part away again. Every size must be at least 1; the result does not depend on a seed.
pub fn weights(sizes: Sizes, positions: bool) -> Weights {
    let Sizes {
        d_model,
        d_k,
        heads,
        kv_heads,
    } = sizes;
    let layout = Layout::new(d_model, d_k);
    let mut query = Array2::zeros((d_model, heads * d_k));
    let mut bias = Array1::zeros(heads * d_k);
    for head in 0..heads {
        let columns = head * d_k..(head + 1) * d_k;
        let built = projection::head(&layout, role(head), positions);
        query
            .slice_mut(ndarray::s![.., columns.clone()])
            .assign(&built.query);
        bias.slice_mut(ndarray::s![columns]).assign(&built.bias);
    }
    let mut key = Array2::zeros((d_model, kv_heads * d_k));
    for shared in 0..kv_heads {
        let built = projection::head(&layout, role(shared * (heads / kv_heads)), positions);
        key.slice_mut(ndarray::s![.., shared * d_k..(shared + 1) * d_k])
            .assign(&built.key);
    }
    Weights {
        query: Linear {
            w: query,
            b: Some(bias),
        },
        key: Linear::without_bias(key),
        value: Linear::without_bias(layout.values(kv_heads)),
        output: Some(Linear::without_bias(layout.output(heads))),
        additive: None,
    }
}

fn role(head: usize) -> Role {
    ROLES[head % ROLES.len()]
}
