//! The head as curves: tokens that are pointed at and chosen.

use super::*;
use crate::present::panel::PanelEvent;
use crate::views::curves::curves;
use crate::views::tests::between;

fn opened() -> Page {
    let mut page = Page::opened("v=1&view=curves&text=a+b+c&source=d+e&heads=2&weights=random");
    page.compute_all();
    page.app.follow_curves(Some(400.0));
    page
}

impl Page {
    fn curves(&mut self, event: PanelEvent) {
        self.send(Message::Curves(event));
        self.compute_all();
        self.app.follow_curves(None);
    }

    fn hover(&mut self, token: Option<&str>) {
        self.curves(PanelEvent::Hover(token.map(str::to_owned)));
    }

    fn curves_view(&self) -> String {
        curves(&self.app.curves, self.app.language).into_string()
    }

    /// What is written beside the tokens of a side.
    fn values(&self, side: &str) -> Vec<String> {
        let view = self.curves_view();
        let list = between(&view, &format!("id=\"curves-{side}\""), "</ul>")[0];
        let values = between(list, "class=\"value\">", "<");
        values.into_iter().map(str::to_owned).collect()
    }

    /// What the tokens with an attribute do.
    fn tokens(&self, attribute: &str) -> Vec<String> {
        let view = self.curves_view();
        let buttons = between(&view, "<button", ">").into_iter();
        let found = buttons.filter(|button| button.contains(attribute));
        let names = found.map(|button| between(button, "data-do=\"", "\"")[0].to_owned());
        names.collect()
    }

    fn weight(&self, query: usize, key: usize) -> String {
        let run = self.app.main.run.as_ref().expect("numbers");
        format!("{:.2}", run.head(self.app.head())[2 * query + key]).replace("0.", ".")
    }
}

#[test]
fn the_weights_are_those_of_the_row_or_of_the_token_that_is_pointed_at() {
    let mut page = opened();
    let of_query = |page: &Page, query| [0, 1].map(|key| page.weight(query, key));
    assert_eq!(page.values("keys"), of_query(&page, 0));
    assert_eq!(page.values("queries"), [""; 3]);
    page.hover(Some("query 2"));
    assert_eq!(page.values("keys"), of_query(&page, 2));
    assert!(page.curves_view().contains(" data-isolated"));
    // The map points the same out.
    assert_eq!(page.app.pointed().query, Some(2));
    page.hover(Some("key 1"));
    assert_eq!(
        page.values("queries"),
        [0, 1, 2].map(|query| page.weight(query, 1))
    );
    page.hover(None);
    assert_eq!(page.values("keys"), of_query(&page, 0));
    assert!(!page.curves_view().contains(" data-isolated"));
    // A token that is no more is not held.
    page.hover(Some("query 2"));
    page.set(Field::Text, text("a b"));
    page.compute_all();
    page.app.follow_curves(Some(400.0));
    assert_eq!(page.values("queries").len(), 2);
    assert!(!page.curves_view().contains(" data-isolated"));
}

#[test]
fn a_query_is_chosen_as_the_row_and_a_key_as_the_cell_of_it() {
    let mut page = opened();
    page.curves(PanelEvent::Press("query 1".to_owned()));
    let cell = |query, key| Some(Cell { query, key });
    assert_eq!(page.app.state.cell, cell(1, None));
    assert_eq!(page.tokens("aria-pressed=\"true\""), ["query 1"]);
    assert_eq!(page.tokens("tabindex=\"0\""), ["query 1", "key 0"]);
    page.curves(PanelEvent::Press("key 1".to_owned()));
    assert_eq!(page.app.state.cell, cell(1, Some(1)));
    assert_eq!(page.tokens("aria-pressed=\"true\""), ["query 1", "key 1"]);
    page.send(Message::ChooseRow(2));
    page.app.follow_curves(None);
    assert_eq!(page.tokens("aria-pressed=\"true\""), ["query 2"]);
    page.curves(PanelEvent::Press("no token".to_owned()));
    assert_eq!(page.app.state.cell, cell(2, None));
}

#[test]
fn the_view_is_in_the_language_of_the_page_and_says_why_nothing_is_drawn() {
    let mut page = opened();
    assert!(page.curves_view().contains(">queries</span>"));
    page.set(Field::Language, Value::Choice("zh"));
    page.app.follow_curves(Some(400.0));
    assert!(!page.curves_view().contains("queries</span>"));
    page.set(Field::Text, text(""));
    page.compute_all();
    page.app.follow_curves(Some(400.0));
    let view = page.curves_view();
    assert!(between(&view, "id=\"curves\"", ">")[0].contains(" hidden"));
    assert!(!between(&view, "id=\"curves-note\">", "<")[0].is_empty());
}

#[test]
fn they_wait_for_their_code_and_leave_with_another_step() {
    let mut page = Page::with_code(Code(&[WITH_PANELS]));
    page.send(Message::Open("v=1&view=curves&text=a+b".to_owned()));
    assert!(!page.app.shows_curves());
    let mut page = opened();
    assert!(page.app.shows_curves());
    page.set(Field::Step, Value::Choice("context"));
    assert!(!page.app.shows_curves());
}
