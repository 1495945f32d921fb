//! Readout of the hovered cell, and the chosen row as a line, as bars and among the others
//! (`data-row`).

use super::{Markup, cell, html, percent};
use crate::i18n::Language;
use crate::present::reading::{BAR, HEADLINE, Look, TopKey, look, unclear};
use crate::present::readout::Readout;
use crate::present::row_numbers::{NumberLine, RowNumbers};
use crate::present::run::Run;
use crate::scene::bars::Bar;
use crate::scene::layout::Side;

/// Elements of the values in [`Measures`](crate::present::reading::Measures), in their
/// order.
pub const MEASURES: [&str; 9] = [
    "#row-sum",
    "#self-weight",
    "#row-sums",
    "#weight-ends",
    "#entropy",
    "#entropy-share",
    "#diagonal",
    "#off-diagonal",
    "#mainly-itself",
];

/// The cell that is pointed at with its exact value.
pub fn readout(readout: &Readout) -> Markup {
    let value = readout.value.as_deref().unwrap_or_default();
    let parts = [&readout.row, readout.arrow(), &readout.column, value];
    cell(readout.sides, parts)
}

/// The row with its largest weight, or that it has none.
pub fn row(run: &Run, head: usize, row: usize, language: Language) -> Markup {
    let look = look(run, head, row);
    let weight;
    let parts = if let Look::At(key, value) = look {
        weight = HEADLINE.write(value);
        [run.query(row), "→", run.key(key), &weight]
    } else {
        [""; 4]
    };
    let rest = unclear(run, &look, row, language);
    headline(
        &[parts.as_slice(), &[&rest]].concat(),
        html! {
            (cell([Side::Queries, Side::Keys], parts))
            span class="rest" { (rest) }
        },
    )
}

/// A line that is set as large as its letters leave room for.
fn headline(parts: &[&str], line: Markup) -> Markup {
    let width = |letter: char| if letter.is_ascii() { 1 } else { 2 };
    let letters: usize = parts.iter().flat_map(|part| part.chars()).map(width).sum();
    html! { span class="line" data-letters=(letters) { (line) } }
}

/// A row of another step: its largest score or its length.
pub fn number_row(numbers: &RowNumbers) -> Markup {
    let (row, side) = &numbers.row;
    let (arrow, key) = match &numbers.key {
        Some(key) => ("→", key.as_str()),
        None => ("", ""),
    };
    let parts = [row.as_str(), arrow, key, &numbers.value];
    headline(&parts, cell([*side, Side::Keys], parts))
}

/// A bar for each of its largest numbers, the one in `column` pointed out.
pub fn number_bars(lines: &[NumberLine], column: Option<usize>) -> Markup {
    html! {
        @for line in lines {
            li class=[(column == Some(line.column)).then_some("is-column")] {
                span class="token" { (line.name) }
                span class=(if line.bar.is_below { "bar of-sign is-below" } else { "bar of-sign" }) data-share=(percent(line.bar.from)) data-weight=(percent(line.bar.length)) {}
                span class="value" { (line.value) }
            }
        }
    }
}

/// A bar for each key, the one in `column` pointed out.
pub fn bars(bars: &[Bar], run: &Run, column: Option<usize>) -> Markup {
    let class = |bar: &Bar| match (bar.hidden, column == Some(bar.key)) {
        (true, _) => "is-hidden",
        (false, true) => "is-column",
        (false, false) => "",
    };
    html! {
        @for bar in bars {
            li class=(class(bar)) {
                span class="token" { (run.key(bar.key)) }
                span class="bar" data-weight=(percent(bar.length.into())) {}
                span class="value" { @if bar.hidden { "–" } @else { (BAR.write(bar.weight)) } }
            }
        }
    }
}

/// Every row with its strongest link.
pub fn top_keys(lines: &[TopKey], chosen: usize) -> Markup {
    html! {
        @for line in lines {
            li {
                button type="button" aria-pressed=(line.row == chosen) data-row=(line.row) {
                    span class="is-query-text" { (line.query) }
                    span class="is-key-text" { (line.key) }
                    span class="value" { (line.weight) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::displayed_matrix::DisplayedMatrix;
    use crate::present::reading::{largest, top_keys as lines};
    use crate::present::run::tests::computed;
    use crate::state::{ColourScale, StepKind};

    #[test]
    fn a_row_is_a_line_with_its_largest_weight_or_why_there_is_none() {
        let said = |link| row(&computed(link), 0, 1, Language::En).0;
        let most = said("text=%3C+one&weights=random");
        assert!(
            most.contains("<span class=\"is-query-text\">one</span>"),
            "{most}"
        );
        assert!(most.contains("<span class=\"rest\"></span>"), "{most}");
        assert!(most.contains("→"), "{most}");
        let nothing = said("text=one+two&mask=padding&valid=0&hiding=out");
        assert!(nothing.contains(">two sees no key at all<"), "{nothing}");
        let even = said("text=one+two&mask=padding&valid=0&hiding=written");
        assert!(even.contains(">two should see no key"), "{even}");
        assert!(!even.contains("→") && !nothing.contains("→"));
    }

    #[test]
    fn hidden_keys_have_no_number_and_the_column_is_pointed_out() {
        let run = computed("text=a+b+c&mask=causal&weights=random");
        let list = largest(&run, 0, 1);
        let markup = bars(&list.bars, &run, Some(0)).0;
        assert_eq!(markup.matches("<li").count(), 3);
        let [column, hidden] = ["a", "c"].map(|token| format!(">{token}</span>"));
        assert!(markup.contains(&format!("\"is-column\"><span class=\"token\"{column}")));
        assert!(markup.contains(&format!("\"is-hidden\"><span class=\"token\"{hidden}")));
        assert!(markup.contains("data-weight=\"100.0%\""), "{markup}");
        assert!(markup.ends_with("<span class=\"value\">–</span></li>"));
    }

    #[test]
    fn a_row_of_another_step_is_read_by_its_numbers() {
        let run = computed("text=a+b&weights=random&d_k=4&open=steps");
        let queries = DisplayedMatrix::new(&run, StepKind::Queries, 0);
        let numbers = RowNumbers::new(&queries, 1, Language::En).expect("a row");
        let line = number_row(&numbers).0;
        assert!(line.contains(">b<") && line.contains("‖·‖"), "{line}");
        let bars = number_bars(&numbers.lines, Some(2)).0;
        assert_eq!(bars.matches("<li").count(), 4);
        let pointed = bars.split("<li").find(|item| item.contains("is-column"));
        assert!(
            pointed.is_some_and(|item| item.contains("component 3")),
            "{bars}"
        );
    }

    #[test]
    fn lines_around_the_chosen_row_are_shown_and_it_alone_is_pressed() {
        let text: Vec<String> = (0..40).map(|at| format!("w{at}")).collect();
        let run = computed(&format!("text={}&weights=random", text.join("+")));
        let markup = top_keys(&lines(&run, 0, 30, Language::En), 30).0;
        assert_eq!(markup.matches("<li>").count(), 32);
        assert!(markup.contains("data-row=\"8\"") && !markup.contains("data-row=\"7\""));
        assert_eq!(markup.matches("aria-pressed=\"true\"").count(), 1);
        assert!(
            markup.contains("aria-pressed=\"true\" data-row=\"30\""),
            "{markup}"
        );
    }

    #[test]
    fn a_cell_has_a_value_and_the_hues_of_what_it_stands_between() {
        let run = computed("text=a+b&weights=random&open=steps");
        let read = |step, at| {
            let how = (ColourScale::Linear, Language::En);
            let shown = Readout::new(&DisplayedMatrix::new(&run, step, 0), at, how);
            (readout(&shown).0, shown.spoken(Language::En))
        };
        let (pair, spoken) = read(StepKind::Weights, [Some(0), Some(1)]);
        assert!(
            pair.contains("\"is-key-text\">b<") && pair.contains("→"),
            "{pair}"
        );
        assert!(spoken.starts_with("query a, key b: 0."), "{spoken}");
        let (line, spoken) = read(StepKind::Weights, [Some(0), None]);
        assert!(line.ends_with("<span class=\"value\"></span>"), "{line}");
        assert_eq!(spoken, "query a, the whole row");
        let (entry, _) = read(StepKind::Queries, [Some(0), Some(1)]);
        assert!(
            entry.contains("·") && !entry.contains("is-key-text"),
            "{entry}"
        );
    }
}
