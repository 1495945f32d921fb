//! The growth chart in words and numbers.

use crate::i18n::{Key, Language};
use crate::present::cost::{GrowthChart, GrowthTable, crossing};
use crate::views::{Markup, html};

/// Where curves cross, or that none do.
pub fn crossings(chart: &GrowthChart, language: Language) -> Markup {
    html! {
        @for (one, other, at) in &chart.crossings { li { (crossing(language, *one, *other, at)) } }
        @if chart.crossings.is_empty() { li { (Key::CostNoCrossing.text(language)) } }
    }
}

/// The curves as a table.
pub fn growth_table(table: &GrowthTable) -> Markup {
    html! {
        table class="cost-table" {
            thead { tr {
                th scope="col" { "n" }
                @for name in &table.names { th scope="col" { (name) } }
            } }
            tbody {
                @for (n, values) in &table.rows {
                    tr { th scope="row" { (n) } @for value in values { td { (value) } } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::tests::between;

    #[test]
    fn each_length_has_a_value_below_each_curve() {
        let table = GrowthTable {
            names: vec!["full", "local"],
            rows: vec![
                (64.0, vec!["1".to_owned(), "2".to_owned()]),
                (128.0, vec!["3".to_owned(), "4".to_owned()]),
            ],
        };
        let markup = growth_table(&table).0;
        assert_eq!(
            between(&markup, "<th scope=\"col\">", "<"),
            ["n", "full", "local"]
        );
        let lines = between(&markup, "<th scope=\"row\">", "</tr>");
        assert_eq!(
            lines,
            [
                "64</th><td>1</td><td>2</td>",
                "128</th><td>3</td><td>4</td>"
            ]
        );
    }
}
