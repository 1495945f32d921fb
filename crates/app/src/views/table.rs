//! The large map as a table, for screen readers and copying.

use super::{Markup, html};
use crate::i18n::{Language, text};
use crate::present::displayed_matrix::DisplayedMatrix;

/// Tokens per side up to which a table is of use.
const MOST: usize = 64;

/// The table of a matrix, or why there is none.
pub fn table(displayed: &DisplayedMatrix<'_>, language: Language) -> Markup {
    let (rows, columns) = displayed.size();
    if rows.max(columns) > MOST {
        return html! { p { (text::table_too_large(language, &MOST, &rows, &columns)) } };
    }
    html! {
        table {
            thead {
                tr {
                    th scope="col" { (displayed.titles(language).join(" ")) }
                    @for column in displayed.columns.iter() { th scope="col" { (column) } }
                }
            }
            tbody {
                @for (at, row) in displayed.rows.iter().enumerate() {
                    tr {
                        th scope="row" { (row) }
                        @for column in 0..columns { td { (displayed.entry_text(at, column, language)) } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use crate::state::StepKind;
    use crate::views::tests::between;

    fn written(link: &str, step: StepKind) -> String {
        let run = computed(link);
        table(&DisplayedMatrix::new(&run, step, 0), Language::En).0
    }

    #[test]
    fn rows_and_columns_are_named_and_hidden_cells_are_said() {
        let markup = written("text=a+<b>&heads=1&mask=causal", StepKind::Weights);
        let names = ["a", "&lt;", "b", "&gt;"];
        assert_eq!(between(&markup, "<th scope=\"row\">", "</th>"), names);
        assert_eq!(between(&markup, "<th scope=\"col\">", "</th>")[1..], names);
        let first = between(&markup, "<tr><th scope=\"row\">", "</tr>")[0];
        assert_eq!(
            between(first, "<td>", "</td>"),
            ["1.000", "hidden", "hidden", "hidden"]
        );
    }

    #[test]
    fn a_table_that_is_too_large_is_a_sentence() {
        let link = format!("text={}&heads=1", ["a"; 65].join("+"));
        let markup = written(&link, StepKind::Weights);
        assert!(
            markup.starts_with("<p>") && markup.contains("65") && !markup.contains("<table"),
            "{markup}"
        );
    }
}
