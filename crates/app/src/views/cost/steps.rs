//! Costs of each step, and their sums. The exact count is the `title` of a rounded
//! one.

use crate::i18n::Key;
use crate::present::cost::{Amount, StepTable};
use crate::views::{Markup, columns, html, scrolled};

/// Names of the columns.
const COLUMNS: [Key; 8] = [
    Key::CostStep,
    Key::CostMultiplyAdds,
    Key::CostOther,
    Key::CostFlops,
    Key::CostFlopsSparse,
    Key::CostMade,
    Key::CostBytes,
    Key::CostShare,
];

pub(super) fn steps(table: &StepTable) -> Markup {
    let text = |key: Key| key.text(table.language);
    html! {
        div class="cost-now" {
            div {
                h3 { (text(Key::CostSteps)) }
                (scrolled(text(Key::CostSteps), html! {
                    table class="cost-table" {
                        thead { tr { (columns(COLUMNS.map(text))) } }
                        tbody id="cost-steps" { (lines(table)) }
                        tfoot id="cost-all" { (all(table)) }
                    }
                }))
                p class="note" { (text(Key::CostStepsNote)) }
            }
            div class="cost-totals" id="cost-totals" { (totals(table)) }
        }
    }
}

/// The lines of the table.
fn lines(table: &StepTable) -> Markup {
    html! {
        @for step in &table.steps {
            tr {
                th scope="row" { (step.name) }
                @for amount in &step.counts { (cell(amount)) }
                (cell(&step.made))
                (cell(&step.moved))
                td class="portion" {
                    i data-share=(format_args!("{:.2}%", step.percent)) {}
                    span { (step.share) }
                }
            }
        }
    }
}

/// The names of the sums in the last line.
const SUMS: [&str; 4] = ["multiply-adds", "other", "flops", "sparse"];

/// The last line.
fn all(table: &StepTable) -> Markup {
    let sum = |name: &str, Amount { text, exact }: &Amount| {
        html! { td id={ "cost-all-" (name) } title=(exact) { (text) } }
    };
    html! {
        tr {
            th scope="row" { (Key::CostTotal.text(table.language)) }
            @for (name, amount) in SUMS.iter().zip(&table.all) { (sum(name, amount)) }
            td {}
            (sum("bytes", &table.moved))
            td {}
        }
    }
}

/// Work and memory beside the table.
fn totals(table: &StepTable) -> Markup {
    let text = |key: Key| key.text(table.language);
    html! {
        h3 { (text(Key::CostWork)) }
        dl class="measures" {
            @for own in &table.work { (sum(own, table)) }
            dt { (text(Key::CostVisible)) }
            dd id="cost-visible" { (table.visible) }
        }
        p class="note" id="cost-dense-note" { (table.note) }
        h3 { (text(Key::CostMemory)) }
        dl class="measures" { @for own in &table.memory { (sum(own, table)) } }
        p class="note" { (text(Key::CostMemoryNote)) }
    }
}

fn sum((key, amount): &(Key, Amount), table: &StepTable) -> Markup {
    html! {
        dt { (key.text(table.language)) }
        dd id=(key.name()) title=(amount.exact) { (amount.text) }
    }
}

fn cell(amount: &Amount) -> Markup {
    html! { td title=(amount.exact) { (amount.text) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::present::cost::CostSetting;
    use crate::state::{Hiding, url};
    use crate::views::tests::between;

    fn table(link: &str) -> StepTable {
        let (state, _) = url::parse(link);
        StepTable::new(
            &CostSetting::from_state(&state, 5, 5),
            Hiding::LeftOut,
            Language::En,
        )
    }

    /// The exact counts of each line.
    fn counts(markup: &Markup) -> Vec<Vec<u64>> {
        let lines = between(&markup.0, "<tr>", "</tr>").into_iter();
        let count = |title: &str| title.parse().expect("a count");
        lines
            .map(|line| {
                between(line, "title=\"", "\"")
                    .into_iter()
                    .map(count)
                    .collect()
            })
            .collect()
    }

    #[test]
    fn the_last_line_is_the_sum_of_all_but_what_results_hold() {
        let table = table("heads=2&mask=causal");
        let lines = counts(&super::lines(&table));
        let sum = |column: usize| lines.iter().map(|line| line[column]).sum::<u64>();
        assert_eq!(counts(&all(&table)), [[0, 1, 2, 3, 5].map(sum).to_vec()]);
        assert!(sum(3) < sum(2), "hidden cells cost something");
    }

    #[test]
    fn bars_are_shares_of_one_whole() {
        let markup = super::lines(&table("heads=2")).0;
        let shares = between(&markup, "data-share=\"", "%\"").into_iter();
        let all: f64 = shares
            .map(|share| share.parse::<f64>().expect("a share"))
            .sum();
        assert!((all - 100.0).abs() < 0.1, "{all}");
    }

    #[test]
    fn sums_stand_under_their_names() {
        let table = table("heads=2&mask=causal");
        let markup = totals(&table).0;
        let exact =
            |id: &str| between(&markup, &format!("<dd id=\"{id}\" title=\""), "\"")[0].to_owned();
        let work = &counts(&all(&table))[0];
        assert_eq!(
            (exact("cost-dense"), exact("cost-sparse")),
            (work[2].to_string(), work[3].to_string())
        );
        // The scores of two heads, five by five, four bytes each.
        assert_eq!(exact("cost-matrix"), "200");
        assert!(
            markup.contains("<dt>visible cells</dt><dd id=\"cost-visible\">30 of 50</dd>"),
            "{markup}"
        );
    }
}
