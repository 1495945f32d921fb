//! The most informative head and row of a run: what a new text opens with.

use super::run::Run;
use attention::analysis::Places;

/// The current choice is kept while its score is at least this share of the best, so that the map
/// rarely jumps while a text is typed.
const KEPT: f64 = 0.7;

/// Differences up to this may come from the backend, and decide nothing.
const ROUNDING: f64 = 1e-3;

/// The most informative head and its most informative row; `chosen` is kept if it is nearly as
/// good. Only `heads` are considered. `None` if no row has a choice.
pub fn most_informative(
    run: &Run,
    heads: std::ops::Range<usize>,
    chosen: (usize, Option<usize>),
) -> Option<(usize, usize)> {
    let told: Vec<(usize, Vec<f64>)> = heads.map(|head| (head, rows(run, head))).collect();
    let heads = (told.iter()).map(|(head, rows)| (*head, of_head(run, *head, rows)));
    let head = best(heads, Some(chosen.0))?;
    let (_, rows) = told.into_iter().find(|(own, _)| *own == head)?;
    let kept = chosen.1.filter(|_| head == chosen.0);
    Some((head, best(rows.into_iter().enumerate(), kept)?))
}

/// The row of a head with the lowest entropy, among those that see at least three keys; the first of those equal up to rounding.
pub fn clearest_row(run: &Run, head: usize) -> Option<usize> {
    let entropies = &run.reply.stats.get(head)?.entropy_per_query;
    let rows = entropies.iter().zip(run.seen.reachable()).enumerate();
    let telling = rows.filter(|(_, (_, keys))| **keys >= 3);
    best(telling.map(|(row, (entropy, _))| (row, -*entropy)), None)
}

/// Score of each row of a head: how far its entropy is below the maximum, as a share of the
/// maximum, times the weight on other tokens than itself. A row that attends only to itself says
/// nothing about a text.
fn rows(run: &Run, head: usize) -> Vec<f64> {
    let Some(stats) = run.reply.stats.get(head) else {
        return Vec::new();
    };
    let most = libm::log((run.keys.len().max(2)) as f64);
    let is_own = run.places() == Places::Same;
    let rows = stats.entropy_per_query.iter().zip(run.seen.reachable());
    let told = rows.enumerate().map(|(row, (entropy, keys))| {
        let spared = libm::log((*keys).max(1) as f64) - *entropy;
        let own = run.row(head, row).get(row).filter(|_| is_own);
        spared.max(0.0) / most * (1.0 - f64::from(own.copied().unwrap_or(0.0)))
    });
    told.collect()
}

/// Score of the best row of a head, discounted by positional attention: a head that always attends
/// to a neighbour, to itself or to the first token says nothing about this text.
fn of_head(run: &Run, head: usize, rows: &[f64]) -> f64 {
    let most = rows.iter().fold(0.0, |most: f64, row| most.max(*row));
    let at = |place: fn(usize) -> Option<usize>| {
        let weights =
            (0..rows.len()).filter_map(|row| run.row(head, row).get(place(row)?).copied());
        let (count, sum) = weights.fold((0, 0.0), |(count, sum), weight| (count + 1, sum + weight));
        f64::from(sum) / f64::from(count.max(1))
    };
    let places = [
        at(|row| row.checked_sub(1)),
        at(Some),
        at(|row| row.checked_add(1)),
        at(|_| Some(0)),
    ];
    most * (1.0 - places.into_iter().fold(0.0, f64::max))
}

/// The best candidate, the first of those equal up to rounding, or the current one if its score is
/// nearly as good.
fn best(of: impl Iterator<Item = (usize, f64)>, kept: Option<usize>) -> Option<usize> {
    let of: Vec<(usize, f64)> = of.collect();
    let better = |most: (usize, f64), next: (usize, f64)| {
        if next.1 > most.1 + ROUNDING {
            next
        } else {
            most
        }
    };
    let best = of.iter().copied().reduce(better)?;
    let is_as_good = |(own, told): &&(usize, f64)| Some(*own) == kept && *told >= KEPT * best.1;
    Some(of.iter().find(is_as_good).unwrap_or(&best).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    fn found(link: &str, chosen: (usize, Option<usize>)) -> Option<(usize, String)> {
        let run = computed(link);
        let (head, row) = most_informative(&run, 0..run.heads(), chosen)?;
        Some((head, run.query(row).to_owned()))
    }

    fn opened(link: &str) -> Option<(usize, String)> {
        found(link, (0, None))
    }

    #[test]
    fn a_text_opens_where_it_has_something_to_tell() {
        let it = |word: &str| Some((0, word.to_owned()));
        assert_eq!(opened(""), it("it"));
        assert_eq!(
            opened("text=The+dog+chased+the+ball+because+it+was+bored"),
            it("it")
        );
        assert_eq!(opened("text=小猫没有过街，因为它太累了。"), it("它"));
        let (head, _) = opened("text=a+rose+is+a+rose+is+a+rose").expect("repeated words");
        assert_eq!(head, 2);
    }

    #[test]
    fn a_row_that_looks_only_at_itself_or_has_no_choice_tells_nothing() {
        assert_eq!(opened("text="), None);
        let alone = computed("text=word");
        assert_eq!(rows(&alone, 0), [0.0]);
        let own = computed("text=one+two+three&heads=8");
        assert!(rows(&own, 6).iter().all(|told| *told < 0.2));
    }

    #[test]
    fn what_is_chosen_stays_where_it_is_nearly_as_good() {
        let of = |told: &[f64], kept| best(told.iter().copied().enumerate(), kept);
        assert_eq!(of(&[0.5, 0.5005, 0.4], None), Some(0));
        assert_eq!(of(&[0.5, 0.6, 0.4], None), Some(1));
        assert_eq!(of(&[0.5, 0.6, 0.45], Some(2)), Some(2));
        assert_eq!(of(&[0.5, 0.6, 0.4], Some(2)), Some(1));
        assert_eq!(of(&[0.5], Some(7)), Some(0));
        assert_eq!(of(&[], None), None);
    }
}
