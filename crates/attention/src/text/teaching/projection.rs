//! Query and key projections of one head.

use ndarray::{Array1, Array2};

use super::Role;
use super::layout::{CONTENT_SCALE, Flag, Layout};

/// Scores after division by `√d_k`: how far the wanted key stands above the others.
mod strength {
    /// Sum over the frequencies of a head of position.
    pub(super) const POSITION: f32 = 12.0;
    /// Two equal codes.
    pub(super) const MEANING: f32 = 8.0;
    /// A noun, to a head that looks for nouns: `e³` is about 20 times a word that is none.
    pub(super) const NOUN: f32 = 3.0;
    /// A living being on top of that, to a pronoun: `e` times as likely as another noun.
    pub(super) const LIVING: f32 = 1.0;
    /// A noun, to a modifier: enough to prefer one that is some places ahead to a nearer word.
    pub(super) const NOUN_OF_MODIFIER: f32 = 8.0;
    /// Nearness, in the head of modifiers: enough to prefer the next noun to a later one.
    pub(super) const NEARNESS: f32 = 4.0;
    /// The first token, to any other word in the head of modifiers: far above nearness.
    pub(super) const REST: f32 = 14.0;
}

/// How far ahead a query of the head of modifiers looks, in places: also the third word is nearer to it than the one before.
const AHEAD: f64 = 1.5;

/// The projections of one head: `query` and `key` `[d_model, d_k]`, `bias` `[d_k]` added to the queries.
pub(super) struct Projections {
    pub(super) query: Array2<f32>,
    pub(super) bias: Array1<f32>,
    pub(super) key: Array2<f32>,
}

/// A number of the queries and one of the keys whose product is a part of the score, as weights of embedding columns.
#[derive(Default)]
struct Feature {
    query: Vec<(usize, f32)>,
    bias: f32,
    key: Vec<(usize, f32)>,
}

/// The features of one head, at most `d_k`.
struct Builder<'a> {
    layout: &'a Layout,
    features: Vec<Feature>,
}

/// The projections of a head. `positions` says whether the encoding is added to the embeddings.
pub(super) fn head(layout: &Layout, role: Role, positions: bool) -> Projections {
    let mut head = Builder {
        layout,
        features: Vec::new(),
    };
    head.build(role);
    let mut built = head.spread();
    if positions {
        built.take_constants_away(layout);
    }
    built
}

impl Builder<'_> {
    fn build(&mut self, role: Role) {
        match role {
            Role::PronounToNoun => self.class(
                Some(Flag::Pronoun),
                &[
                    (Flag::Noun, strength::NOUN),
                    (Flag::Living, strength::LIVING),
                    (Flag::Later, -strength::NOUN - strength::LIVING),
                ],
            ),
            Role::Previous => self.position(-1.0, strength::POSITION),
            Role::SameWord => self.meaning(),
            Role::First => self.beginning(strength::POSITION, None),
            Role::Next => self.position(1.0, strength::POSITION),
            Role::Nouns => self.class(None, &[(Flag::Noun, strength::NOUN)]),
            Role::Itself => self.position(0.0, strength::POSITION),
            Role::ModifierToNoun => {
                self.class(
                    Some(Flag::Modifier),
                    &[(Flag::Noun, strength::NOUN_OF_MODIFIER)],
                );
                self.position(AHEAD, strength::NEARNESS);
                self.beginning(strength::REST, self.layout.flag(Flag::Modifier));
            }
        }
    }

    /// A flag of the query, or every query, times a weighted sum of flags of the key.
    fn class(&mut self, asks: Option<Flag>, answers: &[(Flag, f32)]) {
        let column = |flag| self.layout.flag(flag);
        let asks_column = asks.and_then(column);
        let answers = answers.iter();
        self.features.push(Feature {
            bias: if asks.is_none() { 1.0 } else { 0.0 },
            query: asks_column
                .map(|column| (column, 1.0 / CONTENT_SCALE))
                .into_iter()
                .collect(),
            key: answers
                .filter_map(|(flag, score)| Some((column(*flag)?, score / CONTENT_SCALE)))
                .collect(),
        });
    }

    /// Queries turned forward by `shift` places meet the keys' own places.
    fn position(&mut self, shift: f64, score: f32) {
        for (pair, share) in self.shares(2) {
            let (sine, cosine) = (2 * pair, 2 * pair + 1);
            let (sin, cos) = turn(self.layout, pair, shift);
            let score = score * share;
            self.features.push(Feature {
                query: vec![(sine, score * cos), (cosine, score * sin)],
                key: vec![(sine, 1.0)],
                ..Feature::default()
            });
            self.features.push(Feature {
                query: vec![(sine, -score * sin), (cosine, score * cos)],
                key: vec![(cosine, 1.0)],
                ..Feature::default()
            });
        }
    }

    /// Makes every query attend to position 0, where all cosines are 1, except for those with the
    /// flag in column `unless`.
    fn beginning(&mut self, score: f32, unless: Option<usize>) {
        for (pair, share) in self.shares(1) {
            let score = score * share;
            self.features.push(Feature {
                bias: score,
                query: unless
                    .map(|column| (column, -score / CONTENT_SCALE))
                    .into_iter()
                    .collect(),
                key: vec![(2 * pair + 1, 1.0)],
            });
        }
    }

    /// Copies the code into query and key.
    fn meaning(&mut self) {
        let columns: Vec<usize> = self.layout.code(self.layout.d_k).collect();
        let score = strength::MEANING / columns.len() as f32 / (CONTENT_SCALE * CONTENT_SCALE);
        let of_column = |column| Feature {
            query: vec![(column, score)],
            key: vec![(column, 1.0)],
            ..Feature::default()
        };
        self.features.extend(columns.into_iter().map(of_column));
    }

    /// The pairs of columns that still fit where each takes `components`, with their shares of the score: proportional to the frequency,
    /// because the fast ones tell neighbours apart and the slow ones only have to tell far places apart.
    fn shares(&self, components: usize) -> Vec<(usize, f32)> {
        let room = self.layout.d_k.saturating_sub(self.features.len()) / components;
        let pairs: Vec<usize> = self.layout.frequencies().take(room).collect();
        let total: f64 = pairs.iter().map(|pair| frequency(self.layout, *pair)).sum();
        pairs
            .iter()
            .map(|pair| (*pair, (frequency(self.layout, *pair) / total) as f32))
            .collect()
    }

    /// Gives every component one feature, in turns, so that all of them carry the score: with `c` components for a feature, each has
    /// `√d_k / c` of its product, half of the factor on either side. Their sum over `√d_k` is the product.
    fn spread(&self) -> Projections {
        let (d_k, count) = (self.layout.d_k, self.features.len());
        let mut made = Projections {
            query: Array2::zeros((self.layout.d_model, d_k)),
            bias: Array1::zeros(d_k),
            key: Array2::zeros((self.layout.d_model, d_k)),
        };
        for (j, (at, feature)) in (0..d_k).zip(self.features.iter().enumerate().cycle()) {
            let components = d_k / count + usize::from(at < d_k % count);
            let side = ((d_k as f32).sqrt() / components as f32).sqrt();
            let balance = feature.balance();
            made.bias[j] = side * feature.bias / balance;
            for (column, weight) in &feature.query {
                made.query[[*column, j]] = side * weight / balance;
            }
            for (column, weight) in &feature.key {
                made.key[[*column, j]] = side * weight * balance;
            }
        }
        made
    }
}

impl Feature {
    /// The factor that goes from the query over to the key, so that both are of one size.
    fn balance(&self) -> f32 {
        let largest = |weights: &[(usize, f32)]| {
            weights
                .iter()
                .fold(0.0, |most: f32, (_, weight)| most.max(weight.abs()))
        };
        let (query, key) = (self.bias.max(largest(&self.query)), largest(&self.key));
        if query > 0.0 && key > 0.0 {
            (query / key).sqrt()
        } else {
            1.0
        }
    }
}

impl Projections {
    /// A constant in a query would add the same to every score of some keys only through the query's own side, so the
    /// bias removes what the encoding's constant columns put into the queries. (A constant in the keys adds the same
    /// to a whole row, which a softmax does not see.)
    fn take_constants_away(&mut self, layout: &Layout) {
        let first = layout
            .frequencies()
            .last()
            .map_or(0, |pair| 2 * pair + 2)
            .min(layout.d_model);
        for column in first..layout.d_model {
            let constant = layout.constant(column);
            self.bias.scaled_add(-constant, &self.query.row(column));
        }
    }
}

/// The encoding's frequency in pair `pair`, in radians per place.
fn frequency(layout: &Layout, pair: usize) -> f64 {
    1.0 / libm::pow(10_000.0, 2.0 * pair as f64 / layout.d_model as f64)
}

/// Sine and cosine of the angle that `shift` places turn a pair of columns by.
fn turn(layout: &Layout, pair: usize, shift: f64) -> (f32, f32) {
    let angle = frequency(layout, pair) * shift;
    (libm::sin(angle) as f32, libm::cos(angle) as f32)
}
