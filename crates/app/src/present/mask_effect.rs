//! Visible cells of a run's mask, and the effect of hiding on the weights of a head.

use super::mask_summary::{count, empty_rows, hiding, leak, local_window, rule, sentences};
use super::mask_traps;
use super::rule_fault;
use super::run::Run;
use crate::i18n::Language;
use crate::state::Hiding;
use crate::state::request_builder::own_rule;
use crate::state::steps::has_mask;

/// Texts about the mask of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskEffect {
    pub rule: String,
    /// Why the rule in words hides nothing; empty where it is in order.
    pub fault: String,
    pub count: String,
    /// The rows that see nothing; empty where there are none.
    pub empty_rows: String,
    /// What surprises in it: leaks, how far a window reaches, padding in front; often empty.
    pub traps: String,
    /// Effect of hiding on the weights of the head.
    pub hiding: String,
    /// Whether anything is hidden.
    pub is_hiding: bool,
    /// Whether a mask is set. One that hides nothing counts too, and its count says so.
    pub is_mask: bool,
}

impl MaskEffect {
    pub fn new(run: &Run, head: usize, language: Language) -> Self {
        let (rows, columns, visible) = (run.queries.len(), run.keys.len(), run.seen.visible());
        let seen: usize = visible.iter().sum();
        let empty = (0..rows).filter(|row| visible[*row] == 0);
        let empty: Vec<&str> = empty.map(|row| run.query(row)).collect();
        let (hides_by_words, fault) = words(run, language);
        let way = run.state.hiding;
        let leak = match way {
            Hiding::LeftOut | Hiding::Written => None,
            Hiding::AfterSoftmax => leak(run.head(head), columns, visible),
            Hiding::Added => leak(&on_visible(run, head), columns, visible),
        };
        let leak = leak.map(|leak| (leak, run.query(leak.row)));
        let is_hiding = seen < rows * columns;
        Self {
            rule: rule(
                language,
                &run.state,
                columns,
                painted_cells(run),
                hides_by_words,
            ),
            fault,
            count: count(language, seen, rows * columns),
            hiding: hiding(language, way, !empty.is_empty(), leak),
            empty_rows: empty_rows(language, way, &empty),
            traps: traps(run, head, language),
            is_hiding,
            is_mask: is_hiding || (has_mask(&run.config) && rows * columns > 0),
        }
    }
}

/// The weights of a head on keys that the mask shows, and 0 on the others.
fn on_visible(run: &Run, head: usize) -> Vec<f32> {
    let (masked, columns) = (&run.seen.masked, run.keys.len().max(1));
    let own = run.head(head).iter().enumerate();
    own.map(
        |(at, weight)| match masked.is_hidden(at / columns, at % columns) {
            true => 0.0,
            false => *weight,
        },
    )
    .collect()
}

/// Whether the rule in words hides anything, and why it cannot; the latter is empty where it is in order.
fn words(run: &Run, language: Language) -> (bool, String) {
    if run.state.rule.is_empty() {
        return (false, String::new());
    }
    match own_rule(&run.state.rule, (run.queries.len(), run.keys.len())) {
        Ok(mask) => (!mask.is_full(), String::new()),
        Err(fault) => (false, rule_fault::sentence(language, &fault)),
    }
}

/// What surprises in the mask. The code for a rule in words and for paint is asked for only where there are any.
fn traps(run: &Run, head: usize, language: Language) -> String {
    let state = &run.state;
    if state.linformer {
        return String::new();
    }
    let own = local_window(language, state);
    if state.rule.is_empty() && state.paint.is_empty() {
        return own;
    }
    let others = mask_traps::said(run, head, language);
    let said = [own, others].into_iter().filter(|said| !said.is_empty());
    let joined = said.reduce(|one, other| sentences(language, &one, &other));
    joined.unwrap_or_default()
}

/// How many cells of the map are painted visible and hidden.
fn painted_cells(run: &Run) -> (usize, usize) {
    if run.state.linformer {
        return (0, 0);
    }
    let (rows, columns) = (run.queries.len(), run.keys.len());
    let on_map = run.state.paint.iter().filter(|(query, ..)| *query < rows);
    on_map.fold((0, 0), |(shown, hidden), (_, keys, is_visible)| {
        let cells = keys.end.min(columns).saturating_sub(keys.start);
        if is_visible {
            (shown + cells, hidden)
        } else {
            (shown, hidden + cells)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    fn effect(link: &str) -> MaskEffect {
        MaskEffect::new(&computed(link), 0, Language::En)
    }

    #[test]
    fn a_mask_that_hides_nothing_is_one_all_the_same() {
        let switches = |link| {
            let effect = effect(link);
            (effect.is_mask, effect.is_hiding)
        };
        assert_eq!(switches("text=a+b"), (false, false));
        assert_eq!(switches("text=a+b&mask=padding&valid=2"), (true, false));
        assert_eq!(switches("text=a+b&mask=causal"), (true, true));
        let added = "text=a+b&mask=padding&valid=2&hiding=added";
        assert_eq!(switches(added), (true, false));
    }

    #[test]
    fn a_lower_triangle_of_ones_that_is_added_hides_nothing() {
        let link = "text=a+a+a+a+a+a+a+a&weights=random&positions=none&mask=causal&hiding=added";
        let run = computed(link);
        let weights = [[0, 0], [0, 1], [1, 0], [1, 7], [7, 0]]
            .map(|[query, key]| run.head(0)[8 * query + key]);
        let wanted = [0.279_708, 0.102_899, 0.237_683, 0.087_439, 0.125];
        for (weight, wanted) in weights.iter().zip(wanted) {
            assert!((weight - wanted).abs() < 1e-6, "{weights:?}");
        }
        assert!(run.seen.reaches(0, 7) && !run.seen.hidden.is_hidden(0, 7));
        let said = MaskEffect::new(&run, 0, Language::En).hiding;
        assert!(
            said.contains("at worst 72.0\u{202F}% in the row “a”"),
            "{said}"
        );
    }

    #[test]
    fn rows_that_see_nothing_are_named() {
        let none = effect("text=a+b&mask=padding&valid=0");
        assert!(none.empty_rows.contains('a') && none.empty_rows.contains('b'));
        assert!(none.count.starts_with("0 of 4 "), "{}", none.count);
        assert_eq!(effect("text=a+b&mask=causal").empty_rows, "");
    }
}
