//! Texts of the reading pane about the chosen row and its head.

use super::run::Run;
use super::weight_range::total;
use crate::i18n::number::CellStyle;
use crate::i18n::{Key, Language, text};
use crate::scene::bars::{self, Bars, Order};
use crate::scene::ties;
use attention::analysis::{HeadStats, Places};

/// Stands where there is no number.
const NONE: &str = "–";

/// Most bars; the rest is summed up below them.
const MOST_BARS: usize = 5;
/// Most lines; of a longer sentence, those around the chosen row.
const MOST_LINES: usize = 32;
/// How many of several equal keys are named; more are counted.
const MOST_NAMED: usize = 3;
/// How the weights of bars are written.
pub const BAR: CellStyle = CellStyle::THREE_DECIMALS;
/// How the headline writes a weight.
pub const HEADLINE: CellStyle = CellStyle::ALL[0];

/// Attention of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// At one key most, with this weight.
    At(usize, f32),
    /// At these keys alike and more than at any other, each with this weight.
    Tied(Vec<usize>, f32),
    /// At all keys alike, each with this weight.
    Evenly(f32),
    /// At none.
    Nowhere,
}

/// Classifies a row by its largest weights.
pub fn look(run: &Run, head: usize, row: usize) -> Look {
    let weights = run.row(head, row).iter().copied().enumerate();
    classify(weights.filter(|(key, _)| !run.hidden().is_hidden(row, *key)))
}

/// Classifies the visible keys of a row, each with its weight.
pub(super) fn classify(visible: impl Iterator<Item = (usize, f32)>) -> Look {
    let visible: Vec<_> = visible.collect();
    let Some(least) = visible.iter().map(|(_, weight)| *weight).reduce(f32::min) else {
        return Look::Nowhere;
    };
    let most = visible
        .iter()
        .fold(least, |most, (_, weight)| most.max(*weight));
    let is_most = |(_, weight): &&(usize, f32)| ties::is_tie(*weight, most);
    let keys: Vec<usize> = visible
        .iter()
        .filter(is_most)
        .map(|(key, _)| *key)
        .collect();
    match (visible.len(), keys.as_slice()) {
        (2.., _) if most <= ties::EVEN * least => Look::Evenly(most),
        (2.., alike) if alike.len() == visible.len() => Look::Evenly(most),
        (_, [key]) => Look::At(*key, most),
        _ => Look::Tied(keys, most),
    }
}

/// Describes a row without a single largest key; empty for one that has it.
pub fn unclear(run: &Run, look: &Look, row: usize, language: Language) -> String {
    let query = run.query(row);
    let sees = || run.seen.visible().get(row).is_none_or(|seen| *seen > 0);
    match look {
        Look::At(..) => String::new(),
        Look::Nowhere if query.is_empty() => String::new(),
        Look::Nowhere => text::story_empty(language, &query),
        Look::Tied(keys, weight) => {
            let keys = called(run, row, keys, language);
            text::story_tied(language, &query, &keys, &HEADLINE.write(*weight))
        }
        Look::Evenly(weight) if sees() => {
            text::story_even(language, &query, &HEADLINE.write(*weight))
        }
        Look::Evenly(_) => text::story_blind(language, &query),
    }
}

/// Names of equally large keys: a few by name, more by their number. In self-attention the query is
/// called itself.
fn called(run: &Run, row: usize, keys: &[usize], language: Language) -> String {
    if keys.len() > MOST_NAMED {
        return text::keys_counted(language, &keys.len());
    }
    let is_itself = |key: usize| key == row && run.places() == Places::Same;
    let name = |key: &usize| match is_itself(*key) {
        true => Key::LooksItself.text(language),
        false => run.key(*key),
    };
    let names: Vec<_> = keys.iter().map(name).collect();
    names.join(Key::ListComma.text(language))
}

/// A query with its strongest link.
#[derive(Clone, Debug, PartialEq)]
pub struct TopKey {
    pub row: usize,
    pub query: String,
    /// "→ animal"; empty where no key has more weight than the others.
    pub key: String,
    /// The weight, or why there is none.
    pub weight: String,
}

/// A line for each query of a head; where there are too many, those around `chosen`.
pub fn top_keys(run: &Run, head: usize, chosen: usize, language: Language) -> Vec<TopKey> {
    let last = run.queries.len().saturating_sub(MOST_LINES);
    let first = chosen.saturating_sub(MOST_LINES / 2).min(last);
    (first..run.queries.len())
        .take(MOST_LINES)
        .map(|row| top_key(run, head, row, language))
        .collect()
}

fn top_key(run: &Run, head: usize, row: usize, language: Language) -> TopKey {
    let link = |keys: &[usize], weight| {
        let keys = called(run, row, keys, language);
        (format!("→ {keys}"), CellStyle::WEIGHT.write(weight))
    };
    let (key, weight) = match look(run, head, row) {
        Look::Nowhere => (String::new(), Key::LooksNowhere.text(language).to_owned()),
        Look::Evenly(weight) => {
            let weight = text::looks_evenly(language, &CellStyle::WEIGHT.write(weight));
            (String::new(), weight)
        }
        Look::At(key, weight) => link(&[key], weight),
        Look::Tied(keys, weight) => link(&keys, weight),
    };
    TopKey {
        row,
        query: run.query(row).to_owned(),
        key,
        weight,
    }
}

/// Heading of the reading pane: what the token of `row` attends to, or a general one where `row` is `None`, as for other numbers than weights,
/// and where the token is empty.
pub fn title(run: &Run, row: Option<usize>, language: Language) -> String {
    let token = row.map(|row| run.query(row));
    match token.filter(|token| !token.is_empty()) {
        Some(token) => text::reading_of(language, &token),
        None => Key::Reading.text(language).to_owned(),
    }
}

/// The largest weights of a row. Ties are written alike, and stand in the order of their words.
pub fn largest(run: &Run, head: usize, row: usize) -> Bars {
    let is_hidden = |key| run.hidden().is_hidden(row, key);
    let weights = run.row(head, row);
    let alike = ties::round_ties_alike(weights, ties::NEAR);
    let mut list = bars::bars(&alike, is_hidden, Order::Weight, MOST_BARS);
    let is_left_out = |key: usize| list.bars.iter().all(|bar| bar.key != key);
    let left_out = weights
        .iter()
        .enumerate()
        .filter(|(key, _)| is_left_out(*key));
    let sum: f64 = left_out.map(|(_, weight)| f64::from(*weight)).sum();
    if let Some(rest) = &mut list.rest {
        rest.weight = sum as f32;
    }
    list
}

/// Describes the keys that the bars omit, with their total weight.
pub fn left_out(list: &Bars, language: Language) -> String {
    list.rest.map_or_else(String::new, |rest| {
        text::bars_rest(language, &rest.keys, &BAR.write(rest.weight))
    })
}

/// Measures of a row and of its head, in the order of the page: sum of the row, its weight on
/// itself; the smallest and the largest row sum and weight, mean entropy, its share of the maximum,
/// the means on and off the diagonal, the number of tokens that attend most to themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures(pub [String; 9]);

impl Measures {
    /// `None` for a head that there is not.
    pub fn new(run: &Run, head: usize, row: usize, language: Language) -> Option<Self> {
        let (stats, range) = (run.reply.stats.get(head)?, run.range(head)?);
        let or_none = |value: Option<f64>| value.map_or_else(|| NONE.to_owned(), fixed);
        let weights = Some(run.row(head, row)).filter(|row| !row.is_empty());
        let own = stats.self_weight.get(row).copied().map(f64::from);
        let ends = range.weights.map(|ends| from_to(ends.map(f64::from)));
        // What is no distribution has no entropy.
        let entropy = Some(stats.entropy_mean).filter(|_| range.are_distributions);
        let entropy = entropy.map(|mean| text::nats(language, &fixed(mean)));
        let share = run.entropy_share(head).filter(|_| entropy.is_some());
        let share = share.map(|share| format!("{:.0} %", 100.0 * share));
        let (itself, rows) = mainly_itself(stats);
        Some(Self([
            or_none(weights.map(total)),
            or_none(own),
            from_to(range.sums),
            ends.unwrap_or_else(|| NONE.to_owned()),
            entropy.unwrap_or_else(|| NONE.to_owned()),
            share.unwrap_or_else(|| NONE.to_owned()),
            fixed(stats.diagonal_mean),
            fixed(stats.off_diagonal_mean),
            text::count_of(language, &itself, &rows),
        ]))
    }
}

/// How many rows have more weight on themselves than on any other key, and how many rows there are.
fn mainly_itself(stats: &HeadStats) -> (usize, usize) {
    let pairs = stats.self_weight.iter().zip(&stats.most_attended_other);
    let is_main = |(own, other): &(&f32, &Option<(usize, f32)>)| {
        **own > other.map_or(0.0, |(_, weight)| weight)
    };
    (pairs.filter(is_main).count(), stats.self_weight.len())
}

/// "0.000 … 1.000", or one number where both ends are alike.
pub(super) fn from_to([least, most]: [f64; 2]) -> String {
    let [least, most] = [least, most].map(fixed);
    if least == most {
        most
    } else {
        format!("{least} … {most}")
    }
}

/// A mean in 0 … 1 or in nats, or a weight, which of imported ones may be below 0.
pub(super) fn fixed(value: f64) -> String {
    // A mean of a few nothings may come out below zero by a rounding error, which has no sign then.
    CellStyle::THREE_DECIMALS.write(value as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::{computed, reply};

    /// A run whose one head has these weights.
    fn with_weights(link: &str, weights: &[f32]) -> Run {
        let (state, mut reply) = reply(&format!("{link}&heads=1"));
        reply.weights = weights.to_vec();
        Run::new(state, reply, None).expect("as many weights as cells")
    }

    fn lines(run: &Run) -> Vec<String> {
        let lines = top_keys(run, 0, 0, Language::En).into_iter();
        let line = |line: TopKey| format!("{} {} {}", line.query, line.key, line.weight);
        lines.map(line).collect()
    }

    #[test]
    fn the_strongest_link_of_a_token_may_be_that_to_itself() {
        let weights = [0.9, 0.1, 0.0, 0.3, 0.2, 0.5, 0.01, 0.01, 0.98];
        let own = with_weights("text=a+b+c", &weights);
        assert_eq!(
            lines(&own),
            ["a → itself .90", "b → c .50", "c → itself .98"]
        );
        let other = with_weights("text=a+b+c&source=x+y+z", &weights);
        assert_eq!(lines(&other)[0], "a → x .90");
        let causal = computed("text=a+b&mask=causal&heads=1");
        assert_eq!(lines(&causal)[0], "a → itself 1.0", "it sees itself");
    }

    #[test]
    fn the_heading_names_the_token_that_attends() {
        let run = computed("text=a+b");
        assert_eq!(title(&run, Some(1), Language::En), "What “b” attends to");
        assert_eq!(title(&run, None, Language::En), "The chosen row");
        assert_eq!(
            title(&computed("text="), Some(0), Language::En),
            "The chosen row"
        );
    }

    #[test]
    fn equal_keys_are_told_as_equal() {
        let tied = |weights: &[f32]| with_weights("text=a+b&source=v+w+x+y+z", weights);
        let rest = [1.0, 0.0, 0.0, 0.0, 0.0];
        let row = |row: [f32; 5]| tied(&[row, rest].concat());
        let nearly = row([0.225, 0.225_01, 0.1, 0.225, 0.224_99]);
        assert_eq!(lines(&nearly)[0], "a → 4 keys .23");
        let two = row([0.4, 0.05, 0.400_001, 0.05, 0.1]);
        assert_eq!(lines(&two)[0], "a → v, x .40");
        let said = |run: &Run| unclear(run, &look(run, 0, 0), 0, Language::En);
        assert_eq!(said(&nearly), "a: 4 keys alike, 0.23 each");
        assert_eq!(said(&two), "a: v, x alike, 0.40 each");
        let even = row([0.2; 5]);
        assert_eq!(lines(&even)[0], "a  even · .20");
        assert!(said(&even).ends_with("0.20 each"), "{}", said(&even));
        // What two digits do not tell apart is told as alike.
        let close = row([0.3, 0.299, 0.2, 0.1, 0.101]);
        assert_eq!(look(&close, 0, 0), Look::Tied(vec![0, 1], 0.3));
        assert_eq!(lines(&close)[0], "a → v, w .30");
        assert_eq!(
            look(&row([0.306, 0.3, 0.2, 0.1, 0.094]), 0, 0),
            Look::At(0, 0.306)
        );
        let thirds = with_weights("text=a&source=v+w+x", &[0.333, 0.332, 0.335]);
        assert_eq!(look(&thirds, 0, 0), Look::Evenly(0.335));
    }

    #[test]
    fn bars_of_equal_keys_have_one_number() {
        let row = [0.124_999_9, 0.125_000_1, 0.5, 0.125_05, 0.124_95];
        let run = with_weights("text=a&source=v+w+x+y+z", &row);
        let list = largest(&run, 0, 0);
        let written: Vec<_> = list.bars.iter().map(|bar| BAR.write(bar.weight)).collect();
        assert_eq!(written, ["0.500", "0.125", "0.125", "0.125", "0.125"]);
    }

    #[test]
    fn sums_and_ends_are_those_of_the_map() {
        let after = computed("text=a+b+c&mask=causal&hiding=after&heads=1&weights=random");
        let Measures([sum, own, sums, ends, ..]) =
            Measures::new(&after, 0, 1, Language::En).expect("a head");
        let total = f64::from(after.row(0, 1)[0]) + f64::from(after.row(0, 1)[1]);
        assert_eq!((sum, own), (fixed(total), fixed(after.row(0, 1)[1].into())));
        assert!(total < 0.999 && sums.ends_with(" … 1.000"), "{sums}");
        assert_ne!(ends, "0.000 … 1.000", "hidden cells do not count");
        let below = with_weights("text=a+b", &[0.5, 0.5, -0.4, 1.4]);
        let below = Measures::new(&below, 0, 1, Language::En).expect("a head");
        assert_eq!(below.0[2..6], ["1.000", "−0.400 … 1.400", NONE, NONE]);
        let whole = Measures::new(&computed("text=a+b"), 0, 0, Language::En).expect("a head");
        assert_eq!([&whole.0[0], &whole.0[2]], ["1.000", "1.000"]);
        let none = Measures::new(&computed("text="), 0, 0, Language::En).expect("a head");
        assert_eq!([&none.0[0], &none.0[3]], ["–", "–"]);
    }

    #[test]
    fn tokens_that_look_at_themselves_most_are_counted() {
        let count = |link| {
            let measures = Measures::new(&computed(link), 0, 0, Language::En);
            measures.expect("a head").0[8].clone()
        };
        assert_eq!(count("text=a+b+c&mask=local&window=0&heads=1"), "3 of 3");
        assert_eq!(count("text=a+b+c&mask=padding&valid=0&heads=1"), "0 of 3");
    }

    #[test]
    fn ties_among_the_bars_stand_in_the_order_of_their_words() {
        let run = computed("head=1&cell=8");
        let keys: Vec<_> = largest(&run, 0, 7).bars.iter().map(|bar| bar.key).collect();
        assert_eq!(keys, [1, 5, 0, 2, 3]);
    }
}
