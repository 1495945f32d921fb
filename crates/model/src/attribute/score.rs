//! A score by its sources: `score = scale·q·k − penalty`, and `q` and `k` are linear in the rows that they are read from (Elhage et al. 2021,
//! "Splitting attention head terms into circuits").

use super::parts::{FrozenNorm, Parts, dot, wide};
use super::{Attribution, ScoreCell, Source};
use crate::infer::Inference;
use crate::layout::{LinearSlots, NormSlots, Slot};
use crate::{Model, NormPlace, Words};
use attention::cpu::Turns;
use attention::{Error, kv_head_of};

/// Which of the two rows of a score is split; the other one stays whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum By {
    /// What the key is made of.
    #[default]
    Key,
    /// What the query is made of.
    Query,
}

/// A query or a key of a head, and what it is the sum of: `[d_k]`.
struct Side {
    whole: Vec<f64>,
    parts: Parts,
}

impl Model {
    /// The score of a cell before the softmax, split over the sources of its key or of its query: `scale·q·k_s`, or `scale·q_s·k`. Where
    /// scores have a cap it is that before the cap, with the penalty of a distance all the same. Norms of queries and keys are taken as they
    /// are in this pass, like the others. Of `how`, what is changed counts.
    ///
    /// # Errors
    /// As [`infer`](Self::infer); [`Code::ShapeMismatch`](attention::Code::ShapeMismatch) for more than one sequence, or a cell that the model
    /// does not have; [`Code::NotApplicable`](attention::Code::NotApplicable) for a cell that the query does not see.
    pub fn attribute_score(
        &self,
        words: &Words,
        how: &Inference,
        cell: ScoreCell,
        by: By,
    ) -> Result<Attribution, Error> {
        let sides = self.sides(words, how, cell)?;
        Ok(self.split_sides(cell, &sides, by))
    }

    /// Both splits of one pass: by the key's sources and by the query's.
    ///
    /// # Errors
    /// As [`attribute_score`](Self::attribute_score).
    pub fn attribute_both(
        &self,
        words: &Words,
        how: &Inference,
        cell: ScoreCell,
    ) -> Result<[Attribution; 2], Error> {
        let sides = self.sides(words, how, cell)?;
        Ok([By::Key, By::Query].map(|by| self.split_sides(cell, &sides, by)))
    }

    fn split_sides(&self, cell: ScoreCell, [query, key]: &[Side; 2], by: By) -> Attribution {
        let (score, scale) = (self.score_of(cell, query, key), self.config.scale());
        let (split, whole) = match by {
            By::Key => (&key.parts, &query.whole),
            By::Query => (&query.parts, &key.whole),
        };
        let parts = split
            .iter()
            .map(|(source, row)| (source, dot(row, whole) * f64::from(scale)));
        let penalty = self.penalty(cell).map(|value| (Source::Distance, value));
        Attribution::new(score, parts.chain(penalty))
    }

    /// The same split over all pairs of a source of the query and one of the key: `scale·q_s·k_t`. The penalty of a distance is a pair of
    /// its own.
    ///
    /// # Errors
    /// As [`attribute_score`](Self::attribute_score).
    pub fn attribute_pairs(
        &self,
        words: &Words,
        how: &Inference,
        cell: ScoreCell,
    ) -> Result<Attribution<[Source; 2]>, Error> {
        let [query, key] = self.sides(words, how, cell)?;
        let scale = f64::from(self.config.scale());
        let pairs = query.parts.iter().flat_map(|(of_query, q)| {
            let keys = key.parts.iter();
            keys.map(move |(of_key, k)| ([of_query, of_key], dot(q, k) * scale))
        });
        let penalty = self
            .penalty(cell)
            .map(|value| ([Source::Distance; 2], value));
        let score = self.score_of(cell, &query, &key);
        Ok(Attribution::new(score, pairs.chain(penalty)))
    }

    fn score_of(&self, cell: ScoreCell, query: &Side, key: &Side) -> f64 {
        let product = dot(&query.whole, &key.whole) * f64::from(self.config.scale());
        product + self.penalty(cell).unwrap_or_default()
    }

    /// What the distance of the two adds to the score, at most 0.
    fn penalty(&self, cell: ScoreCell) -> Option<f64> {
        let position = self.config.position_in(cell.layer);
        let slope = position.penalty(cell.head, self.config.heads);
        let distance = cell.query.abs_diff(cell.key) as f64;
        position.has_penalty().then_some(-slope * distance)
    }

    /// The query and the key of a cell.
    fn sides(&self, words: &Words, how: &Inference, cell: ScoreCell) -> Result<[Side; 2], Error> {
        cell.check(self, words, how)?;
        let rows = self.split(words, how, cell.layer, [cell.query, cell.key])?;
        let [query, key] = rows.map(|(whole, parts)| Side { whole, parts });
        let slots = self.layout.layers[cell.layer].attention;
        let kv_head = kv_head_of(cell.head, self.config.heads, self.config.kv_heads);
        let [query_norm, key_norm] = slots.head_norms.map_or([None; 2], |own| own.map(Some));
        let read = |mut side: Side, (map, head), norm, at| {
            self.enter(&mut side, cell.layer);
            self.project(&mut side, map, head);
            self.norm_head(&mut side, norm);
            self.turn(&mut side, cell.layer, slots.divisors, at);
            side
        };
        Ok([
            read(query, (slots.query, cell.head), query_norm, cell.query),
            read(key, (slots.key, kv_head), key_norm, cell.key),
        ])
    }

    /// The norm before the attention, if there is one.
    fn enter(&self, side: &mut Side, layer: usize) {
        let is_after = self.config.norm_place == NormPlace::After;
        let slots = self.layout.layers[layer].norm_1;
        if let Some(slots) = slots.filter(|_| !is_after) {
            let norm = FrozenNorm::new(&side.whole, slots, self);
            side.map(|row| norm.of(row));
            norm.shift.into_iter().for_each(|shift| side.add(shift));
        }
    }

    /// `x·W + b` of one head.
    fn project(&self, side: &mut Side, slots: LinearSlots, head: usize) {
        let (d_k, inner) = (self.config.d_k, slots.w.rows);
        let columns = head * d_k..(head + 1) * d_k;
        let mut lines = vec![0.0; d_k * inner];
        self.numbers.outputs(slots.w, columns.clone(), &mut lines);
        let lines = wide(&lines);
        side.map(|row| {
            lines
                .chunks_exact(inner)
                .map(|line| dot(row, line))
                .collect()
        });
        if let Some(b) = slots.b {
            side.add(wide(&self.numbers.vector(b)[columns]));
        }
    }

    /// A head's own norm, if there is one.
    fn norm_head(&self, side: &mut Side, scale: Option<Slot>) {
        if let Some(scale) = scale {
            let slots = NormSlots { scale, shift: None };
            let norm = FrozenNorm::new(&side.whole, slots, self);
            side.map(|row| norm.of(row));
        }
    }

    /// The rotation of a place, if there is one.
    fn turn(&self, side: &mut Side, layer: usize, divisors: Option<Slot>, at: usize) {
        let divisors = divisors.map(|own| self.numbers.vector(own));
        let position = self.config.position_in(layer);
        let turns = Turns::new(position, divisors.as_deref(), [at as i64], self.config.d_k);
        if let Some(turns) = turns {
            side.map(|row| {
                let mut row = row.to_vec();
                turns.turn_wide(0, &mut row);
                row
            });
        }
    }
}

impl Side {
    fn map(&mut self, linear: impl Fn(&[f64]) -> Vec<f64>) {
        self.whole = linear(&self.whole);
        self.parts.map(linear);
    }

    /// Adds a bias.
    fn add(&mut self, bias: Vec<f64>) {
        self.whole.iter_mut().zip(&bias).for_each(|(x, b)| *x += b);
        self.parts.add(Source::Bias, bias);
    }
}
