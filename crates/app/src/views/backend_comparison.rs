//! How far both backends are apart, and where most.

use super::{Markup, html};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::present::backend_comparison::Comparison;
use crate::present::backend_status::{apart, verdict};

/// The verdict, and a line for each backend; `tokens` are the query and the key where they are furthest apart.
pub fn backend_comparison(of: &Comparison, tokens: &[String; 2], language: Language) -> Markup {
    let weights = apart([of.cpu, of.webgpu], of.difference);
    let names = [Key::BackendProcessor, Key::BackendGraphics];
    let lines = names.iter().zip(&weights).zip([of.cpu_ms, of.webgpu_ms]);
    html! {
        p id="comparison-verdict" { (verdict(language, of.difference, of.allowed)) }
        table {
            thead {
                tr {
                    td {
                        (text::comparison_where(language, &(of.head + 1))) " "
                        span class="is-query-text" translate="no" { (tokens[0]) } " "
                        span class="arrow" { "→" } " "
                        span class="is-key-text" translate="no" { (tokens[1]) }
                    }
                    th scope="col" { (Key::ComparisonWeight.text(language)) }
                    th scope="col" { (Key::ComparisonTime.text(language)) }
                }
            }
            tbody {
                @for ((name, weight), time) in lines {
                    tr {
                        th scope="row" { (name.text(language)) }
                        td { (weight) }
                        td { (number::milliseconds(time)) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_differ_have_the_digits_to_show_it() {
        let of = Comparison {
            difference: 1e-6,
            allowed: 1e-5,
            head: 1,
            row: 0,
            column: 1,
            cpu: 0.25,
            webgpu: 0.250_001,
            cpu_ms: 1.5,
            webgpu_ms: 3.0,
        };
        let tokens = ["it", "<b>"].map(str::to_owned);
        let markup = backend_comparison(&of, &tokens, Language::En).0;
        assert!(markup.contains(">&lt;b&gt;</span></td>"), "{markup}");
        let cells: Vec<&str> = markup.split("<td>").skip(2).collect();
        let [cpu, webgpu] = [cells[0], cells[2]].map(|cell| cell.split('<').next());
        assert_ne!(cpu, webgpu, "{markup}");
        assert!(cells[1].starts_with(&number::milliseconds(1.5)), "{markup}");
    }
}
