//! Findings that the analysis panel shows about every head of one run.

use super::weight_range::are_distributions;
use attention::analysis::{
    HeadStats, PatternMatch, Places, Rows, Similarity, Visible, Words, entropy_limit, heaviest_key,
    mean_distance, read, shifted_share,
};
use attention::sort;
use attention::text::tagger::tag;

/// Findings about the weights of one run, beyond the measures that came with them.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// One for each head.
    pub heads: Vec<Found>,
    /// How alike they are.
    pub similarity: Similarity,
    /// Which cells can be seen.
    pub visible: Visible,
    /// Relation between key positions and query positions.
    pub places: Places,
}

/// Findings for one head.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Its pattern.
    pub reading: PatternMatch,
    /// Mean entropy of the rows; `None` where they are no distributions.
    pub entropy: Option<f64>,
    /// Mean over the rows of entropy over [`entropy_limit`].
    pub entropy_share: Option<f64>,
    /// [`heaviest_key`]; `None` where keys are no tokens.
    pub sink: Option<(usize, f64)>,
    /// [`shifted_share`] to the previous token, in self-attention.
    pub previous: Option<f64>,
    /// [`shifted_share`] to the next token, in self-attention.
    pub next: Option<f64>,
    /// [`mean_distance`], in self-attention.
    pub distance: Option<f64>,
}

impl Findings {
    /// Computes the findings from `weights`, `[heads, n, keys]`, of the tokens of both sides;
    /// `stats` are the measures that came with them, one for each head.
    pub fn new(
        weights: &[f32],
        stats: &[HeadStats],
        visible: Visible,
        places: Places,
        tokens: [&[String]; 2],
    ) -> Self {
        let [queries, keys] = meanings(tokens);
        let words = Words {
            queries: &queries,
            keys: &keys,
        };
        let cells = weights.len().checked_div(stats.len()).unwrap_or(0);
        let of_head = |(head, stats): (usize, &HeadStats)| {
            let weights = &weights[head * cells..(head + 1) * cells];
            let rows = Rows::new(weights, &visible).with_entropies(&stats.entropy_per_query);
            let mut found = Found::new(&rows, places, words);
            if are_distributions(weights, visible.keys()) {
                found.entropy = Some(stats.entropy_mean);
            } else {
                found.entropy_share = None;
            }
            found
        };
        Self {
            heads: stats.iter().enumerate().map(of_head).collect(),
            similarity: Similarity::from_weights(weights, stats.len(), visible.keys()),
            visible,
            places,
        }
    }

    /// The largest entropy that any row could have, in nats.
    pub fn largest_entropy(&self) -> f64 {
        let most = (0..self.visible.queries()).map(|query| self.visible.count(query));
        entropy_limit(most.max().unwrap_or(0))
    }
}

impl Found {
    fn new(rows: &Rows<'_>, places: Places, words: Words<'_>) -> Self {
        let is_same = places == Places::Same;
        let in_order = |measure: Option<f64>| measure.filter(|_| is_same);
        Self {
            reading: read(rows, places, words),
            entropy: None,
            entropy_share: mean_entropy_share(rows),
            sink: heaviest_key(rows).filter(|_| places != Places::None),
            previous: in_order(shifted_share(rows, -1)),
            next: in_order(shifted_share(rows, 1)),
            distance: in_order(mean_distance(rows)),
        }
    }
}

/// Mean of a row's entropy over [`entropy_limit`], over the rows that see at least two keys.
fn mean_entropy_share(rows: &Rows<'_>) -> Option<f64> {
    let limits =
        (0..rows.queries()).map(|query| (query, entropy_limit(rows.visible().count(query))));
    let shares = limits
        .filter(|(_, limit)| *limit > 0.0)
        .map(|(query, limit)| rows.entropy(query) / limit);
    let (count, sum) = shares.fold((0, 0.0), |(count, sum), share| (count + 1, sum + share));
    (count > 0).then(|| sum / f64::from(count))
}

/// Numbers for the tokens of both sides, equal where words mean the same to the lexicon.
pub fn meanings(tokens: [&[String]; 2]) -> [Vec<u32>; 2] {
    let concepts = tokens.map(|side| {
        let concepts = tag(side).into_iter().map(|entry| entry.concept);
        concepts.collect::<Vec<_>>()
    });
    let mut known: Vec<&String> = concepts.iter().flatten().collect();
    sort::sort(&mut known, Ord::cmp);
    known.dedup();
    let number = |concept: &String| known.binary_search(&concept).unwrap_or(0) as u32;
    [0, 1].map(|side: usize| concepts[side].iter().map(number).collect())
}
