//! The comparison: the cell that is pointed out, the table of differences, and the list of cosines.

wasm_chunks::chunk!("more");

use super::{Markup, html, share, symbols};
use crate::present::comparison::{Cosine, ReadCell, Row, RowKind};
use crate::scene::layout::Side;

/// The line that reads a cell of both.
pub fn cell(read: &ReadCell) -> Markup {
    super::cell(
        [Side::Queries, Side::Keys],
        read.each_ref().map(String::as_str),
    )
}

/// The lines of the table.
pub fn rows(rows: &[Row]) -> Markup {
    html! {
        @for row in rows {
            tr data-row=(row.name) class=(class(row.kind)) {
                th scope="row" { (symbols(&row.cells[0])) }
                @for cell in &row.cells[1..] { td { (cell) } }
            }
        }
    }
}

fn class(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Setting => "is-setting",
        RowKind::Measure => "is-measure",
        RowKind::Apart => "is-apart",
    }
}

/// A line for each token, with a bar.
pub fn cosines(lines: &[Cosine]) -> Markup {
    html! {
        @for line in lines {
            li {
                span class="is-query-text" translate="no" { (line.token) }
                i data-share=(share(line.share)) {}
                span class="value" { (line.value) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::present::colour_style::ColourStyle;
    use crate::present::comparison::{Numbers, Pair};
    use crate::present::run::Run;
    use crate::present::run::tests::computed;
    use crate::state::ColourRange;
    use crate::views::tests::between;

    const LINK: &str = "text=the+<cat>+sat&heads=2&weights=random&open=compare";

    fn runs(of_b: &str) -> [Run; 2] {
        [computed(LINK), computed(&format!("{LINK}{of_b}"))]
    }

    fn pair([a, b]: &[Run; 2]) -> Pair<'_> {
        Pair {
            a,
            b,
            head: 1,
            range: ColourRange::default(),
            language: Language::En,
        }
    }

    #[test]
    fn settings_stand_before_what_comes_of_them_with_a_before_b() {
        let runs = runs("&mask=causal");
        let markup = rows(&Numbers::new(&pair(&runs)).rows).into_string();
        let kinds = between(&markup, " class=\"is-", "\"");
        assert!(
            kinds.is_sorted_by_key(|kind| ["setting", "measure", "apart"]
                .iter()
                .position(|own| own == kind)),
            "{kinds:?}"
        );
        let lines = between(&markup, "<tr", "</tr>");
        let cells = |at: usize| between(lines[at], "<td>", "</td>");
        assert_eq!(cells(0), ["none", "causal", ""]);
        assert!(
            lines[1].starts_with(" data-row=\"visible\""),
            "{}",
            lines[1]
        );
        assert_eq!(cells(1), ["25", "15", "−10"]);
        // The first row of B sees one key, and what is hidden is no weight.
        let [a, b, difference] = &cells(2)[..] else {
            panic!("{}", lines[2])
        };
        let ends = |run: &Run, is_seen: fn((usize, usize)) -> bool| {
            let cells = (0..25).filter(|at| is_seen((at / 5, at % 5)));
            let weights = cells.map(|at| run.row(1, at / 5)[at % 5]);
            let (least, most) = weights.fold((1.0_f32, 0.0_f32), |(least, most), weight| {
                (least.min(weight), most.max(weight))
            });
            format!("{least:.3} … {most:.3}")
        };
        assert_eq!(*a, ends(&runs[0], |_| true));
        assert_eq!(*b, ends(&runs[1], |(query, key)| key <= query));
        assert!(b.ends_with(" 1.000") && difference.is_empty(), "{b}");
    }

    #[test]
    fn names_of_settings_have_their_symbols() {
        let runs = runs("&scaled=0");
        let markup = rows(&Numbers::new(&pair(&runs)).rows).into_string();
        assert!(
            markup.contains("<var>√d<span class=\"unseen\">_</span><sub>k</sub></var>"),
            "{markup}"
        );
    }

    #[test]
    fn what_random_matrices_cannot_show_is_said() {
        let said = |of_b: &str| pair(&runs(of_b)).notes(None);
        assert!(said("&linformer=1&projected=2").contains("E and F are random here"));
        assert!(said("&kv_heads=1").contains("not trained for sharing"));
        assert_eq!(said("&mask=causal"), "");
    }

    #[test]
    fn a_cell_is_read_with_the_weight_of_each_and_nothing_where_none_is_pointed_out() {
        let runs = runs("&mask=causal");
        let pair = pair(&runs);
        let markup = cell(&pair.read(Some(0), Some(2))).into_string();
        assert_eq!(between(&markup, "\">", "</span>")[..3], ["the", "→", "cat"]);
        let weight = crate::i18n::number::exact(runs[0].row(1, 0)[2]);
        let value = between(&markup, "class=\"value\">", "<")[0];
        assert!(
            value.contains(&weight) && value.contains("hidden"),
            "{value}"
        );
        let markup = cell(&pair.read(Some(0), None)).into_string();
        assert!(
            markup.ends_with("<span class=\"value\"></span>"),
            "{markup}"
        );
    }

    #[test]
    fn each_token_has_a_bar_of_its_cosine() {
        let runs = runs("");
        let markup = cosines(&Numbers::new(&pair(&runs)).cosines.lines).into_string();
        assert_eq!(
            between(&markup, "translate=\"no\">", "</span>"),
            ["the", "&lt;", "cat", "&gt;", "sat"]
        );
        assert_eq!(
            between(&markup, "<i data-share=\"", "\"></i>"),
            ["1.000"; 5]
        );
    }

    #[test]
    fn a_difference_is_on_a_scale_of_its_own_and_hides_what_neither_sees() {
        let runs = runs("&mask=causal");
        let pair = pair(&runs);
        let (values, hidden) = pair.difference().expect("the same columns");
        assert_eq!(values[2], runs[1].row(1, 0)[2] - runs[0].row(1, 0)[2]);
        assert!(!hidden.is_hidden(0, 2), "A sees it");
        let colours = ColourStyle::plain();
        let [weights, difference] = pair.styles(&colours, &values);
        assert_eq!(weights.scale.top(), 1.0, "of the larger one");
        let largest = values
            .iter()
            .fold(0.0_f32, |most, value| most.max(value.abs()));
        assert!(difference.scale.is_symmetric() && difference.scale.top() >= largest);
        let both = [
            computed(&format!("{LINK}&mask=causal")),
            computed(&format!("{LINK}&mask=causal")),
        ];
        let (_, hidden) = super::tests::pair(&both).difference().expect("the same");
        assert!(hidden.is_hidden(0, 2) && !hidden.is_hidden(2, 0));
        let short = self::runs("&linformer=1&projected=2");
        assert!(super::tests::pair(&short).difference().is_none());
    }
}
