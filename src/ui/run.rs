//! What came back from a computation, with the state that it belongs to.

use std::rc::Rc;

use crate::app::model::{self, Sides};
use crate::app::{State, url};
use crate::attention::At;
use crate::bindings::PageRun;
use crate::view::heatmap::{Grid, Hidden};

/// One computed picture and its numbers.
pub struct Run {
    /// What was computed.
    pub state: State,
    /// The same as a fragment: the name of the picture.
    pub fragment: String,
    /// Tokens of the rows.
    pub queries: Vec<String>,
    /// Tokens of the columns.
    pub keys: Vec<String>,
    /// Both texts as they were split.
    pub sides: Sides,
    /// The mask.
    pub seen: Rc<Seen>,
    /// The numbers.
    pub reply: PageRun,
    /// The largest weight of all heads.
    pub largest: f32,
}

/// Which cells a mask hides, and how many keys it leaves to each query.
pub struct Seen {
    pub hidden: Hidden,
    visible: Vec<usize>,
}

impl Seen {
    fn new(state: &State, queries: usize, keys: usize) -> Self {
        let mask = model::mask(state, keys);
        let is_hidden = |query, key| {
            !mask.visible(At {
                batch: 0,
                head: 0,
                query,
                key,
            })
        };
        let hidden = Hidden::new(queries, keys, is_hidden);
        let visible = |query| {
            (0..keys)
                .filter(|&key| !hidden.is_hidden(query, key))
                .count()
        };
        Self {
            visible: (0..queries).map(visible).collect(),
            hidden,
        }
    }
}

/// What the columns are called: the keys, or the numbers of Linformer's mixtures of them.
fn keys(state: &State, sides: &Sides) -> Vec<String> {
    if state.linformer {
        (1..=state.projected).map(|at| at.to_string()).collect()
    } else {
        sides.keys().words.clone()
    }
}

impl Run {
    /// Puts a reply and its state together. The mask is taken over from `before` where it is the same.
    ///
    /// `None` when the reply is not as large as the state says.
    pub fn new(state: State, reply: PageRun, before: Option<&Self>) -> Option<Self> {
        let sides = model::tokens(&state);
        let (queries, keys) = (sides.queries.words.clone(), keys(&state, &sides));
        if reply.weights.len() != state.heads * queries.len() * keys.len() {
            return None;
        }
        let seen = before.filter(|before| before.hides_as(&state, queries.len(), keys.len()));
        let seen = seen.map_or_else(
            || Rc::new(Seen::new(&state, queries.len(), keys.len())),
            |before| before.seen.clone(),
        );
        Some(Self {
            fragment: url::to_fragment(&state),
            sides,
            largest: reply.weights.iter().copied().fold(0.0, f32::max),
            queries,
            keys,
            seen,
            reply,
            state,
        })
    }

    fn hides_as(&self, state: &State, queries: usize, keys: usize) -> bool {
        (self.queries.len(), self.keys.len()) == (queries, keys)
            && model::mask(&self.state, keys) == model::mask(state, keys)
    }

    /// Number of heads.
    pub fn heads(&self) -> usize {
        self.state.heads
    }

    /// Which cells are hidden.
    pub fn hidden(&self) -> &Hidden {
        &self.seen.hidden
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

    /// The key that a query looks at most, with its weight; `None` where it sees nothing.
    ///
    /// In self-attention a token's look at itself does not count.
    pub fn most(&self, head: usize, query: usize) -> Option<(usize, f32)> {
        if self.state.second.is_none() {
            return self
                .reply
                .stats
                .get(head)?
                .most_attended_other
                .get(query)
                .copied()
                .flatten();
        }
        let row = self.row(head, query).iter().copied().enumerate();
        row.filter(|(_, weight)| *weight > 0.0)
            .reduce(|most, next| if next.1 > most.1 { next } else { most })
    }

    /// Mean over the rows of entropy over its maximum, `ln` of the keys that a row sees; rows that see fewer than
    /// two keys have no maximum to share and are left out. `None` where all are.
    pub fn entropy_share(&self, head: usize) -> Option<f64> {
        let entropies = &self.reply.stats.get(head)?.entropy_per_query;
        let pairs = entropies
            .iter()
            .zip(&self.seen.visible)
            .filter(|(_, visible)| **visible > 1);
        let shares = pairs.map(|(entropy, visible)| entropy / (*visible as f64).ln());
        let (count, sum) = shares.fold((0, 0.0), |(count, sum), share| (count + 1, sum + share));
        (count > 0).then(|| sum / f64::from(count))
    }
}
