//! The analysis panel: its table and its charts, by pointer and by keys.

use super::panels::Open;
use super::*;
use crate::present::panel::PanelEvent;
use crate::state::Panel;
use crate::views::tests::between;

fn analysis(settings: &str) -> Open {
    Open::new(
        Panel::Analysis,
        &format!("v=1&open=analysis&heads=8{settings}"),
    )
}

/// Heads of the table, from the first line to the last.
fn lines(page: &Open) -> Vec<String> {
    let view = page.view();
    let table = view.split("id=\"analysis-heads\"").nth(1).expect("a table");
    let table = table.split("</table>").next().expect("its end").to_owned();
    let heads = between(&table, "<tr data-head=\"", "\"").into_iter();
    heads.map(str::to_owned).collect()
}

/// What a chart says of its bar.
fn said(page: &Open, chart: &str) -> String {
    let view = page.view();
    let figure = view
        .split(&format!("id=\"chart-{chart}\""))
        .nth(1)
        .expect("a chart");
    between(figure, "class=\"value\">", "<")[0].to_owned()
}

fn number(page: &Open, chart: &str) -> String {
    let view = page.view();
    let figure = view
        .split(&format!("id=\"chart-{chart}\""))
        .nth(1)
        .expect("a chart");
    between(figure, "aria-valuenow=\"", "\"")[0].to_owned()
}

/// The pointer on the middle of a bar.
fn point(page: &mut Open, chart: &str, bar: usize, bars: usize) {
    let place = ((bar as f64 + 0.5) / bars as f64, 0.5);
    page.event(PanelEvent::Point(chart.to_owned(), place));
    page.turn();
}

fn key(page: &mut Open, chart: &str, key: &str) {
    page.event(PanelEvent::Key(chart.to_owned(), key.to_owned()));
    page.turn();
}

#[test]
fn the_table_sorts_by_each_column_both_ways_and_says_what_it_means() {
    let mut page = analysis("");
    let of_heads = lines(&page);
    assert_eq!(of_heads, ["0", "1", "2", "3", "4", "5", "6", "7"]);
    let column = crate::present::head_table::Column::Entropy as usize;
    let press = |page: &mut Open| page.event(PanelEvent::Press(format!("sort {column}")));
    assert!(page.text("analysis-definition").contains("sort by it"));
    press(&mut page);
    let down = lines(&page);
    assert!(page.text("analysis-defined").contains("entropy"));
    press(&mut page);
    let up = lines(&page);
    assert!(down != of_heads && up != down);
    let entropy = |head: &String| {
        let run = page.app.main.run.as_ref().expect("numbers");
        run.reply.stats[head.parse::<usize>().expect("a head")].entropy_mean
    };
    assert!(up.is_sorted_by(|one, other| entropy(one) <= entropy(other)));
    assert!(down.is_sorted_by(|one, other| entropy(one) >= entropy(other)));
    // What a column means stays until another one is pointed at.
    let own = page.text("analysis-definition");
    page.event(PanelEvent::Hover(None));
    assert_eq!(page.text("analysis-definition"), own);
    page.event(PanelEvent::Hover(Some("column 0".to_owned())));
    assert_ne!(page.text("analysis-definition"), own);
    page.set(Field::Language, Value::Choice("zh"));
    page.rest();
    assert!(!page.text("analysis-definition").is_ascii());
}

#[test]
fn a_head_is_chosen_in_the_table_and_by_its_row_of_pairs() {
    let mut page = analysis("");
    assert!(page.view().contains("data-do=\"head 3\""));
    page.event(PanelEvent::Press("head 3".to_owned()));
    page.rest();
    assert_eq!(page.app.state.head, 3);
    assert!(page.text("analysis-reading").starts_with("head 4"));
    let nearest = said(&page, "similar");
    assert!(nearest.starts_with("head 4 and head "), "{nearest}");
    page.event(PanelEvent::Hover(Some("pair 2 6".to_owned())));
    assert!(said(&page, "similar").starts_with("head 3 and head 7: 0.9"));
    page.event(PanelEvent::Hover(None));
    assert_eq!(said(&page, "similar"), nearest);
    // The keyboard goes from pair to pair, and its stop moves along.
    key(&mut page, "similar", "ArrowDown");
    key(&mut page, "similar", "End");
    let stop = "#chart-similar [tabindex=\"0\"]".to_owned();
    assert!(page.effects.contains(&Effect::Focus(Panel::Analysis, stop)));
    let view = page.view();
    let line = view.split("data-do=\"head 1\"").last().expect("a row");
    let line = line.split("</tr>").next().expect("its end");
    assert_eq!(line.matches("tabindex=\"0\"").count(), 1);
    assert!(
        line.rsplit("<td")
            .next()
            .is_some_and(|cell| cell.contains("tabindex=\"0\""))
    );
    key(&mut page, "similar", "Control+Home");
    assert!(
        page.view()
            .contains("data-hover=\"pair 0 0\" tabindex=\"0\"")
            || page.view().matches("tabindex=\"0\"").count() > 1
    );
}

#[test]
fn a_bar_points_out_its_row_on_the_map_and_the_map_its_bar() {
    let mut page = analysis("&head=7&cell=8");
    assert!(said(&page, "entropy").starts_with("it: "));
    assert_eq!(number(&page, "entropy"), "8");
    point(&mut page, "entropy", 1, 11);
    assert_eq!(
        page.app.pointed(),
        Pointed {
            query: Some(1),
            key: None
        }
    );
    assert!(
        said(&page, "entropy").starts_with("animal: ")
            && said(&page, "entropy").contains("nats of at most 2.40")
    );
    assert!(
        said(&page, "first").starts_with("animal: "),
        "the other charts follow"
    );
    point(&mut page, "itself", 4, 11);
    assert_eq!(
        page.app.pointed(),
        Pointed {
            query: Some(4),
            key: Some(4)
        }
    );
    point(&mut page, "first", 4, 11);
    assert_eq!(
        page.app.pointed(),
        Pointed {
            query: Some(4),
            key: Some(0)
        }
    );
    page.event(PanelEvent::Click("first".to_owned(), (4.5 / 11.0, 0.5)));
    assert_eq!(page.app.state.cell.map(|cell| cell.query), Some(4));
    page.event(PanelEvent::Leave("first".to_owned()));
    page.turn();
    assert_eq!(
        page.app.pointed(),
        Pointed {
            query: Some(4),
            key: None
        }
    );
    // From the map in miniature, and from the map itself.
    page.event(PanelEvent::Point(
        "map".to_owned(),
        (10.5 / 11.0, 2.5 / 11.0),
    ));
    page.turn();
    assert_eq!(
        page.app.pointed(),
        Pointed {
            query: Some(2),
            key: Some(10)
        }
    );
    assert!(said(&page, "map").starts_with("didn't → tired: "));
    assert!(said(&page, "itself").starts_with("didn't: "));
    page.event(PanelEvent::Leave("map".to_owned()));
    page.send(Message::Map(MapEvent::Over(at(9, 2))));
    page.turn();
    assert!(said(&page, "entropy").starts_with("too: ") && number(&page, "entropy") == "10");
    assert!(
        said(&page, "weights").starts_with("0.00 to 0.05: "),
        "the bin of the cell"
    );
    page.event(PanelEvent::Click("map".to_owned(), (0.5, 6.5 / 11.0)));
    assert_eq!(page.app.state.cell.map(|cell| cell.query), Some(6));
}

#[test]
fn charts_are_read_and_rows_chosen_with_the_keyboard() {
    let mut page = analysis("&head=7&cell=8");
    let keys = |page: &Open| {
        let view = page.view();
        between(&view, "data-plot=\"entropy\" data-keys=\"", "\"")[0].to_owned()
    };
    assert!(!keys(&page).contains("Escape"));
    key(&mut page, "entropy", "ArrowRight");
    assert!(said(&page, "entropy").starts_with("was: ") && keys(&page).contains("Escape"));
    key(&mut page, "entropy", "Home");
    key(&mut page, "entropy", "ArrowLeft");
    assert!(said(&page, "entropy").starts_with("The: "));
    key(&mut page, "entropy", "PageUp");
    assert_eq!(number(&page, "entropy"), "2");
    key(&mut page, "entropy", "End");
    assert_eq!(number(&page, "entropy"), "11");
    key(&mut page, "entropy", "Enter");
    assert_eq!(page.app.state.cell.map(|cell| cell.query), Some(10));
    key(&mut page, "entropy", "ArrowLeft");
    assert_eq!(page.app.pointed().query, Some(9));
    key(&mut page, "entropy", "Escape");
    assert_eq!(page.app.pointed().query, Some(10));
    assert!(!keys(&page).contains("Escape"));
}

#[test]
fn a_bin_outlines_exactly_its_cells() {
    let mut page = analysis("&head=6&cell=8");
    point(&mut page, "weights", 8, 20);
    let said = said(&page, "weights");
    assert!(
        said.starts_with("0.40 to 0.45: ") && said.ends_with(" of 121 cells"),
        "{said}"
    );
    let run = page.app.main.run.as_ref().expect("numbers");
    let weights = run.head(5).iter();
    let inside = weights
        .filter(|weight| (0.4..0.45).contains(*weight))
        .count();
    assert!(inside > 0 && said.contains(&format!(": {inside} of")));
    assert_eq!(page.app.lit.len(), inside);
    let view = page.view();
    let lit = between(&view, "class=\"lit\" d=\"", "\"")[0];
    assert_eq!(lit.matches('M').count(), inside);
    // Choosing a bin does what pointing at it does.
    page.event(PanelEvent::Leave("weights".to_owned()));
    assert!(page.app.lit.is_empty());
    key(&mut page, "weights", "Home");
    key(&mut page, "weights", "Enter");
    assert!(page.app.lit.len() > inside);
}

#[test]
fn charts_that_say_nothing_of_another_text_are_hidden() {
    let page = analysis("&source=x+y+z&text=a+b");
    assert!(page.has("chart-itself", "hidden") && !page.has("chart-first", "hidden"));
    let none = analysis("&text=");
    assert!(none.view().contains("data-rows=\"1\" data-columns=\"1\""));
}

#[test]
fn where_the_large_map_shows_another_step_charts_point_out_the_row_it_has() {
    let mut page = analysis("&head=7&cell=8&step=q");
    point(&mut page, "first", 1, 11);
    assert_eq!(page.app.pointed().query, Some(1));
    let view = page.view();
    assert!(between(&view, "class=\"row-of\" d=\"", "\"")[0].starts_with("M0 1h"));
}

#[test]
fn between_two_texts_nothing_is_said_of_a_diagonal() {
    let mut page =
        analysis("&head=3&text=J'adore+l'apprentissage+automatique&source=I+love+machine+learning");
    let view = page.view();
    let table = view.split("id=\"analysis-heads\"").nth(1).expect("a table");
    let table = table.split("</table>").next().expect("its end");
    let head = table.split("</thead>").next().expect("columns");
    let shown = between(head, "<th ", "</th>");
    let shown = shown.iter().filter(|column| !column.contains(" hidden"));
    assert_eq!(shown.count(), 6);
    let lines = between(table, "<tr data-head=\"2\"", "</tr>");
    assert!(lines[0].contains("same word"), "{}", lines[0]);
    for pattern in ["itself", "previous", "next"] {
        assert!(!lines.concat().contains(pattern));
    }
    assert!(!page.has("analysis-note", "hidden"));
    page.act(Action::Cross(false), Change::Commit);
    page.compute_all();
    page.rest();
    assert!(!page.has("chart-itself", "hidden") && page.has("analysis-note", "hidden"));
}
