//! The table of all heads. A header sorts, a line chooses its head.

use super::{Markup, html, share};
use crate::present::head_table::{ColumnHeader, HeadRow, HeadTable};

/// Head and body of the table.
pub fn head_table(table: &HeadTable) -> Markup {
    html! {
        thead { tr { @for header in &table.columns { (column_header(header)) } } }
        tbody { @for row in &table.rows { (line(row)) } }
    }
}

fn column_header(header: &ColumnHeader) -> Markup {
    let sorted = match header.sort.map(|sort| sort.is_descending) {
        None => "none",
        Some(false) => "ascending",
        Some(true) => "descending",
    };
    html! {
        th scope="col" aria-sort=(sorted) data-hover={ "column " (header.column as usize) } data-do={ "sort " (header.column as usize) } {
            button type="button" { (header.title) }
            span class="range" { (header.range) }
        }
    }
}

fn line(row: &HeadRow) -> Markup {
    html! {
        tr data-head=(row.head) data-do={ "head " (row.head) } {
            th scope="row" {
                button type="button" aria-pressed=(row.is_chosen) { (row.name) }
            }
            @for cell in row.cells.iter().skip(1) {
                td data-share=(share(cell.share)) { span { (cell.text) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::present::head_table::{Column, SortOrder};
    use crate::present::run::tests::computed;
    use crate::views::tests::between;

    fn written(link: &str, chosen: usize, sort: SortOrder) -> String {
        let run = computed(link);
        head_table(&HeadTable::new(&run, chosen, sort, Language::En)).into_string()
    }

    #[test]
    fn lines_stand_in_the_order_that_is_asked_for_and_headers_say_which() {
        let link = "text=the+cat+sat&heads=3&weights=random";
        let by_head = written(link, 1, SortOrder::default());
        assert_eq!(between(&by_head, "data-head=\"", "\""), ["0", "1", "2"]);
        let sort = SortOrder::default().pressed(Column::Entropy);
        let by_entropy = written(link, 1, sort);
        let heads = between(&by_entropy, "data-head=\"", "\"");
        let run = computed(link);
        let entropy =
            |head: &&str| run.reply.stats[head.parse::<usize>().expect("a head")].entropy_mean;
        assert!(
            heads.is_sorted_by(|one, other| entropy(one) >= entropy(other)),
            "{heads:?}"
        );
        assert_eq!(between(&by_entropy, "aria-sort=\"", "\"")[4], "descending");
        assert_eq!(between(&by_head, "aria-sort=\"", "\"")[0], "ascending");
        let again = written(link, 1, sort.pressed(Column::Entropy));
        assert_eq!(between(&again, "aria-sort=\"", "\"")[4], "ascending");
    }

    #[test]
    fn the_chosen_head_alone_is_pressed() {
        let markup = written(
            "text=the+cat&heads=2&weights=random",
            1,
            SortOrder::default(),
        );
        assert_eq!(between(&markup, "aria-pressed=\"", "\""), ["false", "true"]);
    }

    #[test]
    fn columns_that_say_nothing_of_another_text_are_left_out() {
        let own = written("text=a+b&heads=1", 0, SortOrder::default());
        let other = written("text=a+b&source=c+d+e&heads=1", 0, SortOrder::default());
        assert_eq!(between(&own, "<th scope=\"col\"", ">").len(), 11);
        assert_eq!(between(&other, "<th scope=\"col\"", ">").len(), 6);
        assert_eq!(between(&other, "<td ", ">").len(), 5);
    }
}
