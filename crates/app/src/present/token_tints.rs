//! How strongly the words of both texts are tinted: by their weights in the chosen row.

use super::reading::{Look, look};
use super::run::Run;
use crate::state::request_builder;

/// Tint of each word of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tints<'a> {
    /// Weight of each token, 0…1; empty where this text gives no keys.
    pub weights: &'a [f32],
    /// The token that asks, where this text gives the queries.
    pub query: Option<usize>,
}

/// The tints of both texts.
pub fn tints(run: &Run, head: usize, row: usize) -> [Tints<'_>; 2] {
    if !request_builder::rows_are_tokens(&run.state) {
        return [Tints::default(); 2];
    }
    // With Linformer a column is a mixture: no word has its weight.
    let weights: &[f32] = if run.state.linformer {
        &[]
    } else {
        run.row(head, row)
    };
    let (query, none) = (Some(row), Tints::default());
    match run.state.second {
        Some(_) => [Tints { query, ..none }, Tints { weights, ..none }],
        None => [Tints { weights, query }, none],
    }
}

/// What the row's word looks at most in its own sentence, and with which weight; `None` where the
/// words of the sentence are no rows and columns, or no single key has the largest weight.
pub fn link(run: &Run, head: usize, row: usize) -> Option<(usize, f32)> {
    let state = &run.state;
    if state.second.is_some() || state.linformer || !request_builder::rows_are_tokens(state) {
        return None;
    }
    match look(run, head, row) {
        Look::At(key, weight) => Some((key, weight)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    #[test]
    fn weights_lie_behind_the_text_that_gives_the_keys() {
        let one = computed("text=a+b+c");
        let [own, none] = tints(&one, 0, 1);
        assert_eq!((own.weights, own.query), (one.row(0, 1), Some(1)));
        let random = computed("text=a+b+c&weights=random");
        let (key, weight) = link(&random, 0, 1).expect("a largest weight");
        let row = random.row(0, 1);
        let most = row.iter().copied().fold(0.0, f32::max);
        assert_eq!((row[key], weight), (most, most));
        assert_eq!(none, Tints::default());
        let two = computed("text=a+b&source=c+d+e");
        let [queries, keys] = tints(&two, 0, 1);
        assert_eq!((queries.weights.len(), queries.query), (0, Some(1)));
        assert_eq!((keys.weights, keys.query), (two.row(0, 1), None));
        let mixed = computed("text=a+b+c&linformer=1&projected=2");
        assert_eq!(tints(&mixed, 0, 1)[0].weights, [0.0; 0]);
        assert_eq!(
            [link(&two, 0, 1), link(&mixed, 0, 1)],
            [None, None],
            "not within one sentence"
        );
    }
}
