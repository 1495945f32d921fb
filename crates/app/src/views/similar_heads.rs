//! How alike every two heads are, as a grid with one stop for the keyboard. A row chooses its head.

wasm_chunks::chunk!("more");

use super::{Markup, html};
use crate::present::similar_heads::{HeadPair, SimilarHeads};

/// The grid; the keyboard stops at the cell of these two heads.
pub fn similar_heads(shown: &SimilarHeads, stop: (usize, usize)) -> Markup {
    html! {
        thead { tr { td {} @for head in 1..=shown.heads { th scope="col" { (head) } } } }
        tbody {
            @for (head, pairs) in shown.cells.chunks(shown.heads.max(1)).enumerate() {
                tr data-head=(head) data-do={ "head " (head) } class=[(head == shown.chosen).then_some("is-chosen")] {
                    th scope="row" { (head + 1) }
                    @for (other, pair) in pairs.iter().enumerate() { (cell(pair, (head, other), (head, other) == stop)) }
                }
            }
        }
    }
}

fn cell(pair: &HeadPair, (one, other): (usize, usize), is_stop: bool) -> Markup {
    let [ground, ink] = &pair.colours;
    let stop = if is_stop { "0" } else { "-1" };
    html! {
        td aria-label=(pair.label) data-ground=(ground) data-ink=(ink) data-hover={ "pair " (one) " " (other) } tabindex=(stop) { span { (pair.value) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::present::run::tests::computed;
    use crate::scene::colour::{Background, Lut};

    #[test]
    fn the_grid_has_a_cell_for_each_pair_and_one_stop() {
        let run = computed("text=a+b+c&heads=3&weights=random");
        let similarity = &run.findings().similarity;
        let lut = Lut::mask(Background::Light);
        let shown = SimilarHeads::new(similarity, (3, 1), &lut, Language::En);
        let markup = similar_heads(&shown, (2, 0)).0;
        let stop = markup
            .split("<tr")
            .nth(4)
            .and_then(|row| row.split("<td").nth(1));
        assert!(
            stop.is_some_and(|cell| cell.contains("tabindex=\"0\"")),
            "{markup}"
        );
        assert_eq!(markup.matches("tabindex=\"0\"").count(), 1);
        assert_eq!(markup.matches("tabindex=\"-1\"").count(), 8);
        assert!(
            markup.contains("data-head=\"1\" data-do=\"head 1\" class=\"is-chosen\""),
            "{markup}"
        );
        // A head is as it is itself.
        assert_eq!(markup.matches("head 2 and head 2: 1.00").count(), 1);
        assert!(
            shown.nearest.starts_with("head 2 and head "),
            "{}",
            shown.nearest
        );
    }
}
