//! The result of a computation, with the state that it belongs to.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use super::findings::{Findings, meanings};
use super::mask_bits::MaskBits;
use super::steps::{Matrix, MatrixKind, Numbers, matrix};
use super::weight_range::WeightRange;
use super::{names, roles};
use crate::scene::heatmap::{Grid, Hidden};
use crate::scene::scale::largest_in;
use crate::state::learned::{self, grammar};
use crate::state::request_builder::{self, Sides};
use crate::state::steps::{self, Axis};
use crate::state::{ColourRange, Hiding, State, StepKind};
use attention::analysis::{BINS, PatternMatch, Places, Rows, Visible, Words, read};
use attention::{Config, Request};
use engine::PageRun;
use engine::learned::LearnedLayer;

/// One computed picture and its numbers.
pub struct Run {
    /// State that was computed.
    pub state: State,
    /// Row names: the tokens, long ones truncated.
    pub queries: Vec<String>,
    /// Column names.
    pub keys: Vec<String>,
    /// Both texts as they were split.
    pub sides: Sides,
    /// The mask.
    pub seen: Rc<MaskBits>,
    /// The numbers.
    pub reply: PageRun,
    /// The largest weight of each head.
    largest: Vec<f32>,
    /// The layer of a learned model that it was computed with.
    learned: Option<Arc<LearnedLayer>>,
    /// Sizes and switches of what was computed.
    pub config: Config,
    /// Its steps, in order.
    pub steps: Vec<StepKind>,
    /// Which run of its lane it is.
    pub number: u32,
    request: OnceCell<Option<Request>>,
    /// The matrix that is the large map, where the run did not return it itself.
    made: Option<(StepKind, usize, Matrix<'static>)>,
    findings: OnceCell<Findings>,
    visible: OnceCell<Visible>,
    readings: Vec<OnceCell<PatternMatch>>,
    roles: OnceCell<Vec<roles::Shown>>,
    /// Those of each head, found when they are first asked for.
    ranges: Vec<OnceCell<WeightRange>>,
}

/// Column names: the keys, or the numbers of Linformer's mixtures of them.
fn keys(state: &State, sides: &Sides) -> Vec<String> {
    if state.linformer {
        (1..=state.projected).map(|at| at.to_string()).collect()
    } else {
        names::tokens(&sides.keys().words)
    }
}

impl Run {
    /// Combines a reply with its state. The mask is reused from `before` if it is the same.
    ///
    /// `None` if the reply's size does not fit the state.
    pub fn new(state: State, reply: PageRun, before: Option<&Self>) -> Option<Self> {
        let sides = request_builder::tokens(&state);
        let (queries, keys) = (names::tokens(&sides.queries.words), keys(&state, &sides));
        let cells = queries.len() * keys.len();
        if reply.weights.len() != state.heads * cells {
            return None;
        }
        let seen = before.filter(|before| before.hides_as(&state, queries.len(), keys.len()));
        let seen = seen.map_or_else(
            || Rc::new(MaskBits::new(&state, queries.len(), keys.len())),
            |before| before.seen.clone(),
        );
        let config = steps::config(&state);
        Some(Self {
            steps: steps::for_state(&state),
            config,
            number: before.map_or(0, |before| before.number.wrapping_add(1)),
            request: OnceCell::new(),
            made: None,
            learned: learned::cached_for(&state),
            sides,
            largest: (reply.weights.chunks(cells.max(1)))
                .map(|weights| weights.iter().copied().fold(0.0, f32::max))
                .collect(),
            queries,
            keys,
            seen,
            reply,
            findings: OnceCell::new(),
            visible: OnceCell::new(),
            readings: vec![OnceCell::new(); state.heads],
            roles: OnceCell::new(),
            ranges: vec![OnceCell::new(); state.heads],
            state,
        })
    }

    fn hides_as(&self, state: &State, queries: usize, keys: usize) -> bool {
        (self.queries.len(), self.keys.len()) == (queries, keys)
            && self.state.hiding == state.hiding
            && request_builder::mask(&self.state, keys) == request_builder::mask(state, keys)
    }

    /// Whether a number is written over hidden scores.
    pub fn is_written(&self) -> bool {
        self.state.hiding == Hiding::Written
    }

    /// Request with all inputs, built on first use; `None` if the state is invalid.
    pub fn request(&self) -> Option<&Request> {
        let made = self
            .request
            .get_or_init(|| request_builder::request(&self.state).ok());
        made.as_ref()
    }

    /// The layer of a learned model that it was computed with.
    pub fn learned(&self) -> Option<&LearnedLayer> {
        self.learned.as_deref()
    }

    /// The head of a thumbnail, counted on through the layers of a model.
    pub fn thumbnail(&self, head: usize) -> usize {
        match self.learned {
            Some(_) => (self.state.layer - 1) * self.heads() + head,
            None => head,
        }
    }

    /// Results of one head with the request; `None` until its own matrices have arrived.
    pub fn numbers(&self, head: usize) -> Option<Numbers<'_>> {
        let parts = self.reply.parts.as_ref();
        let parts = parts.filter(|parts| parts.head == head)?;
        Some(Numbers {
            request: self.request()?,
            head,
            q: &parts.q,
            k: &parts.k,
            v: &parts.v,
            scores: &parts.scores,
            weights: self.head(head),
            context: &parts.context,
            output: self.reply.output.as_deref()?,
            learned: self.learned(),
        })
    }

    /// The matrix of a step for a head; `None` where there is none, or its numbers are not there.
    pub fn matrix(&self, step: StepKind, head: usize) -> Option<Matrix<'_>> {
        let is_made = |(of, whose, _): &&(StepKind, usize, _)| (*of, *whose) == (step, head);
        match (self.made.as_ref().filter(is_made), step) {
            (Some((_, _, made)), _) => Some(made.borrowed()),
            (None, StepKind::Weights) => Some(self.weights(head)),
            (None, StepKind::Mask) => self.mask(),
            (None, _) => matrix(step, &self.numbers(head)?),
        }
    }

    /// The tokens along an axis; `None` where it has none.
    pub fn tokens(&self, axis: Axis) -> Option<Cow<'_, [String]>> {
        match axis {
            Axis::N => Some(Cow::Borrowed(&self.queries)),
            Axis::M if self.state.linformer => {
                Some(Cow::Owned(names::tokens(&self.sides.keys().words)))
            }
            Axis::M => Some(Cow::Borrowed(&self.keys)),
            Axis::Keys => Some(Cow::Borrowed(&self.keys)),
            Axis::Positions => Some(Cow::Owned(names::tokens(&self.sides.positions()))),
            Axis::Vocabulary => {
                let words = grammar(&self.state.text).words();
                Some(words.into_iter().map(str::to_owned).collect())
            }
            _ => None,
        }
    }

    /// The tokens of rows and columns as they are written, for what they mean; Linformer's mixtures have none but their numbers.
    pub fn words(&self) -> [&[String]; 2] {
        let keys = if self.state.linformer {
            &self.keys
        } else {
            &self.sides.keys().words
        };
        [&self.sides.queries.words, keys]
    }

    /// The weights of a head as a matrix.
    pub fn weights(&self, head: usize) -> Matrix<'_> {
        Matrix {
            rows: self.queries.len(),
            columns: self.keys.len(),
            values: Cow::Borrowed(self.head(head)),
            row_axis: Axis::N,
            column_axis: Axis::Keys,
            kind: MatrixKind::Weights,
            is_masked: true,
        }
    }

    /// The mask, where there is one.
    fn mask(&self) -> Option<Matrix<'_>> {
        let mask = request_builder::mask(&self.state, self.keys.len());
        let seen = |query, key| f32::from(u8::from(request_builder::is_visible(&mask, query, key)));
        let row = |query| (0..self.keys.len()).map(move |key| seen(query, key));
        steps::has_mask(&self.config).then(|| Matrix {
            values: (0..self.queries.len()).flat_map(row).collect(),
            kind: MatrixKind::Mask,
            ..self.weights(0)
        })
    }

    /// Computes the matrix of the large map in advance, so that hovering does not.
    pub fn prepare(&mut self, step: StepKind, head: usize) {
        self.made = None;
        let made = self
            .matrix(step, head)
            .and_then(|matrix| match matrix.values {
                Cow::Owned(values) => Some(Matrix {
                    values: Cow::Owned(values),
                    ..matrix
                }),
                Cow::Borrowed(_) => None,
            });
        self.made = made.map(|matrix| (step, head, matrix));
    }

    /// Number of heads.
    pub fn heads(&self) -> usize {
        self.state.heads
    }

    /// Weight that ends the colour range.
    pub fn largest(&self, range: ColourRange, head: usize) -> f32 {
        largest_in(self.range_in_force(range), &self.largest, head)
    }

    /// Resolves `range` to the colour range in effect.
    pub fn range_in_force(&self, range: ColourRange) -> ColourRange {
        range.in_force(self.queries.len().max(self.keys.len()))
    }

    /// Which cells are hidden.
    pub fn hidden(&self) -> &Hidden {
        &self.seen.hidden
    }

    /// The token of a row; empty for a row that there is not.
    pub fn query(&self, row: usize) -> &str {
        self.queries.get(row).map_or("", String::as_str)
    }

    /// Column name; empty out of range.
    pub fn key(&self, column: usize) -> &str {
        self.keys.get(column).map_or("", String::as_str)
    }

    /// A word that its model knows; nothing where it knows none at that place.
    pub fn word(&self, at: usize) -> &'static str {
        let words = grammar(&self.state.text).words();
        words.get(at).copied().unwrap_or_default()
    }

    /// The weights of one head; nothing for a head that there is not.
    pub fn head(&self, head: usize) -> &[f32] {
        let cells = self.queries.len() * self.keys.len();
        self.reply
            .weights
            .get(head * cells..(head + 1) * cells)
            .unwrap_or_default()
    }

    /// The weights of one query in one head; nothing for a row that there is not.
    pub fn row(&self, head: usize, query: usize) -> &[f32] {
        let keys = self.keys.len();
        self.head(head)
            .get(query * keys..(query + 1) * keys)
            .unwrap_or_default()
    }

    /// The map of one head; `None` for a head that there is not.
    pub fn grid(&self, head: usize) -> Option<Grid<'_>> {
        Grid::new(self.head(head), self.hidden()).ok()
    }

    /// How many cells of a head have a weight in each twentieth of 0 … 1, of those that can have one; `None` for a head that there
    /// is not.
    pub fn histogram(&self, head: usize) -> Option<[u32; BINS]> {
        let mut counts = self.reply.stats.get(head)?.histogram;
        let cells = self.queries.len() * self.keys.len();
        let reachable: usize = self.seen.reachable().iter().sum();
        counts[0] = counts[0].saturating_sub(cells.saturating_sub(reachable) as u32);
        Some(counts)
    }

    /// Between which ends the weights and row sums of a head lie; `None` for a head that there is not.
    pub fn range(&self, head: usize) -> Option<WeightRange> {
        let range = || WeightRange::new(self.head(head), self.keys.len(), &self.seen);
        Some(*self.ranges.get(head)?.get_or_init(range))
    }

    /// Findings about the weights of all heads, computed on first use.
    pub fn findings(&self) -> &Findings {
        self.findings.get_or_init(|| {
            Findings::new(
                &self.reply.weights,
                &self.reply.stats,
                self.visible().clone(),
                self.places(),
                self.words(),
            )
        })
    }

    /// Pattern of one head, computed on first use.
    pub fn reading(&self, head: usize) -> &PatternMatch {
        self.readings[head].get_or_init(|| {
            let [queries, keys] = &meanings(self.words());
            self.with_rows(head, |rows| {
                read(rows, self.places(), Words { queries, keys })
            })
        })
    }

    /// Whether the weights of a head show what it is built for.
    pub fn shows_role(&self, head: usize) -> bool {
        self.role(head).is_role
    }

    /// In how many rows the weights of a head do not show what it is built for.
    pub(super) fn role_exceptions(&self, head: usize) -> usize {
        self.role(head).exceptions
    }

    fn role(&self, head: usize) -> roles::Shown {
        let shown = self.roles.get_or_init(|| roles::shown(self));
        shown.get(head).copied().unwrap_or_default()
    }

    /// The rows of one head with what they see.
    pub(super) fn with_rows<T>(&self, head: usize, then: impl FnOnce(&Rows<'_>) -> T) -> T {
        let stats = self.reply.stats.get(head);
        let entropies = stats.map_or(&[][..], |stats| &stats.entropy_per_query);
        then(&Rows::new(self.head(head), self.visible()).with_entropies(entropies))
    }

    /// Which cells can have weight.
    fn visible(&self) -> &Visible {
        self.visible.get_or_init(|| {
            let reaches = |query, key| self.seen.reaches(query, key);
            Visible::new(self.queries.len(), self.keys.len(), reaches)
        })
    }

    /// Relation between key positions and query positions.
    pub fn places(&self) -> Places {
        match (self.state.linformer, &self.state.second) {
            (true, _) => Places::None,
            (false, Some(_)) => Places::Other,
            (false, None) => Places::Same,
        }
    }

    /// Mean over the rows of entropy over its maximum, `ln` of the keys that a row can reach; rows that reach fewer than
    /// two keys have no maximum to share and are left out. `None` where all are.
    pub fn entropy_share(&self, head: usize) -> Option<f64> {
        let entropies = &self.reply.stats.get(head)?.entropy_per_query;
        let pairs = entropies
            .iter()
            .zip(self.seen.reachable())
            .filter(|(_, keys)| **keys > 1);
        let shares = pairs.map(|(entropy, keys)| entropy / libm::log(*keys as f64));
        let (count, sum) = shares.fold((0, 0.0), |(count, sum), share| (count + 1, sum + share));
        (count > 0).then(|| sum / f64::from(count))
    }
}

#[cfg(test)]
pub(crate) mod tests;
