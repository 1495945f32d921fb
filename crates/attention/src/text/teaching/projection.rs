//! Query and key projections of one head.

use ndarray::{Array1, Array2};

use super::Role;
use super::layout::{CONTENT_SCALE, Flag, Layout};

/// Scores at full strength, after division by `√d_k`: how far the wanted key stands above the others.
mod strength {
    /// Sum over the frequencies of a head of position.
    pub(super) const POSITION: f32 = 10.0;
    /// Two equal codes.
    pub(super) const MEANING: f32 = 8.0;
    /// A noun, to a head that looks for nouns: `e³` is about 20 times a word that is none.
    pub(super) const NOUN: f32 = 3.0;
    /// A living being on top of that, to a pronoun: `e` times as likely as another noun.
    pub(super) const LIVING: f32 = 1.0;
    /// A noun, to a modifier.
    pub(super) const NOUN_OF_MODIFIER: f32 = 5.0;
    /// Nearness, in the head of modifiers: enough to prefer the next noun to a later one.
    pub(super) const NEARNESS: f32 = 4.0;
}

/// The projections of one head: `query` and `key` `[d_model, d_k]`, `bias` `[d_k]` added to the queries.
pub(super) struct Builder<'a> {
    layout: &'a Layout,
    pub(super) query: Array2<f32>,
    pub(super) bias: Array1<f32>,
    pub(super) key: Array2<f32>,
    used: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn head(layout: &'a Layout, role: Role, positions: bool) -> Self {
        let shape = (layout.d_model, layout.d_k);
        let mut head = Self {
            layout,
            query: Array2::zeros(shape),
            bias: Array1::zeros(layout.d_k),
            key: Array2::zeros(shape),
            used: 0,
        };
        match role {
            Role::PronounToNoun => {
                head.class(
                    Some(Flag::Pronoun),
                    &[
                        (Flag::Noun, strength::NOUN),
                        (Flag::Living, strength::LIVING),
                    ],
                );
            }
            Role::Previous => head.position(-1.0, strength::POSITION),
            Role::SameWord => head.meaning(),
            Role::First => head.beginning(),
            Role::Next => head.position(1.0, strength::POSITION),
            Role::Nouns => head.class(None, &[(Flag::Noun, strength::NOUN)]),
            Role::Itself => head.position(0.0, strength::POSITION),
            Role::ModifierToNoun => {
                head.class(
                    Some(Flag::Modifier),
                    &[(Flag::Noun, strength::NOUN_OF_MODIFIER)],
                );
                head.position(1.5, strength::NEARNESS);
            }
        }
        if positions {
            head.take_constants_away();
        }
        head
    }

    /// The next unused number of the queries and keys.
    fn next(&mut self) -> Option<usize> {
        let j = self.used;
        self.used += 1;
        (j < self.layout.d_k).then_some(j)
    }

    /// The factor on a query and on its key that makes their product add `score` after division by `√d_k`.
    fn side(&self, score: f32) -> f32 {
        (score * self.layout.sharpness() * (self.layout.d_k as f32).sqrt()).sqrt()
    }

    /// A flag of the query, or every query, times a weighted sum of flags of the key.
    fn class(&mut self, asks: Option<Flag>, answers: &[(Flag, f32)]) {
        let (Some(j), side) = (self.next(), self.side(1.0)) else {
            return;
        };
        match asks.map(|flag| self.layout.flag(flag)) {
            None => self.bias[j] = side,
            Some(Some(column)) => self.query[[column, j]] = side / CONTENT_SCALE,
            Some(None) => {}
        }
        for (flag, score) in answers {
            if let Some(column) = self.layout.flag(*flag) {
                self.key[[column, j]] = side * score / CONTENT_SCALE;
            }
        }
    }

    /// Queries turned forward by `shift` places meet the keys' own places.
    fn position(&mut self, shift: f64, score: f32) {
        for (pair, share) in self.shares() {
            let (sine, cosine) = (2 * pair, 2 * pair + 1);
            let (sin, cos) = turn(self.layout, pair, shift);
            let side = self.side(score * share);
            if let Some(j) = self.next() {
                self.query[[sine, j]] = side * cos;
                self.query[[cosine, j]] = side * sin;
                self.key[[sine, j]] = side;
            }
            if let Some(j) = self.next() {
                self.query[[sine, j]] = -side * sin;
                self.query[[cosine, j]] = side * cos;
                self.key[[cosine, j]] = side;
            }
        }
    }

    /// Every query asks for place 0, where all cosines are 1.
    fn beginning(&mut self) {
        for (pair, share) in self.shares() {
            let side = self.side(strength::POSITION * share);
            if let Some(j) = self.next() {
                self.bias[j] = side;
                self.key[[2 * pair + 1, j]] = side;
            }
        }
    }

    /// Query and key both hand on the code.
    fn meaning(&mut self) {
        let columns: Vec<usize> = self.layout.code(self.layout.d_k).collect();
        let side = self.side(strength::MEANING / columns.len().max(1) as f32) / CONTENT_SCALE;
        for column in columns {
            if let Some(j) = self.next() {
                self.query[[column, j]] = side;
                self.key[[column, j]] = side;
            }
        }
    }

    /// The pairs of columns that still fit, each with its share of the score: proportional to the frequency, because
    /// the fast ones tell neighbours apart and the slow ones only have to tell far places apart.
    fn shares(&self) -> Vec<(usize, f32)> {
        let room = (self.layout.d_k - self.used.min(self.layout.d_k)).div_ceil(2);
        let pairs: Vec<usize> = self.layout.frequencies().take(room).collect();
        let total: f64 = pairs.iter().map(|pair| frequency(self.layout, *pair)).sum();
        pairs
            .iter()
            .map(|pair| (*pair, (frequency(self.layout, *pair) / total) as f32))
            .collect()
    }

    /// A constant in a query would add the same to every score of some keys only through the query's own side, so the
    /// bias removes what the encoding's constant columns put into the queries. (A constant in the keys adds the same
    /// to a whole row, which a softmax does not see.)
    fn take_constants_away(&mut self) {
        let first = self
            .layout
            .frequencies()
            .last()
            .map_or(0, |pair| 2 * pair + 2);
        for column in first.min(self.layout.d_model)..self.layout.d_model {
            let constant = self.layout.constant(column);
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
