//! The comparison panel: what is done in it, and what it shows meanwhile.

use super::*;
use crate::i18n::Language;
use crate::present::colour_style::ColourStyle;
use crate::present::comparison::ComparedCanvas;
use crate::present::panel::PanelEvent;
use crate::scene::heatmap::HeatmapImage;
use crate::state::setting::ValueKind;
use crate::state::{Panel, comparison};
use crate::views::tests::between;

const LINK: &str = "v=1&text=a+b+c&heads=2&weights=random&open=compare";

fn compared(settings: &str) -> Page {
    let mut page = Page::opened(&format!("{LINK}{settings}"));
    compute(&mut page);
    page
}

/// Computes both, and shows them.
fn compute(page: &mut Page) {
    page.compute_all();
    if let Some(b) = page.compared.take() {
        let reply = numbers(&b).expect("it can be computed");
        page.send(Message::Ran(Lane::Side, Box::new(b), Ok(Box::new(reply))));
    }
    page.app.follow_compared(true);
}

fn view(page: &Page) -> String {
    page.app.compared_view(None).into_string()
}

/// What stands in the element with an id, up to the end of its kind.
fn inside(view: &str, id: &str) -> String {
    let (before, rest) = view.split_once(&format!(" id=\"{id}\"")).expect(id);
    let kind = before
        .rsplit('<')
        .next()
        .and_then(|tag| tag.split(' ').next());
    let end = format!("</{}>", kind.expect("a kind"));
    let (_, content) = rest.split_once('>').expect("a tag");
    content.split(&end).next().unwrap_or_default().to_owned()
}

fn event(page: &mut Page, event: PanelEvent) {
    page.send(Message::Panel(Panel::Compare, event));
}

fn press(page: &mut Page, name: &str) {
    event(page, PanelEvent::Press(name.to_owned()));
}

fn enter(page: &mut Page, name: &str, value: &str) {
    let entered = PanelEvent::Enter(name.to_owned(), value.to_owned(), Change::Commit);
    event(page, entered);
}

fn set(page: &mut Page, field: Field, typed: &str, change: Change) {
    event(page, PanelEvent::Set(field, typed.to_owned(), change));
}

#[test]
fn b_is_set_beside_a_taken_swapped_and_undone() {
    let mut page = compared("");
    assert!(inside(&view(&page), "versus-settings").contains("data-value=\"false\""));
    assert!(view(&page).contains("id=\"versus-swap\" data-do=\"swap\" disabled"));
    let fragment = page.app.fragment();
    enter(&mut page, "mask causal", "true");
    assert!(page.app.state.masks.is_empty(), "A stays");
    compute(&mut page);
    let shown = view(&page);
    let rows = between(&shown, "<tr data-setting=\"", "</tr>");
    assert!(
        rows[0].starts_with("mask\" class=\"is-other\""),
        "{}",
        rows[0]
    );
    assert!(rows[0].contains("<td class=\"a\">none</td>"), "{}", rows[0]);
    assert!(inside(&shown, "versus-numbers").contains("<td>causal</td>"));
    press(&mut page, "swap");
    assert!(!page.app.state.masks.is_empty());
    press(&mut page, "swap");
    press(&mut page, "take");
    assert!(page.app.state.overrides.is_empty() && !page.app.state.masks.is_empty());
    for _ in 0..4 {
        page.send(Message::Undo(UndoAction::Undo));
    }
    assert_eq!(page.app.fragment(), fragment);
}

#[test]
fn numbers_are_set_while_they_are_typed_where_they_can_be() {
    let mut page = compared("");
    let of_b = |page: &Page| page.app.wanted_in(Lane::Side);
    set(&mut page, Field::DK, "0", Change::Input);
    assert!(page.app.state.overrides.is_empty());
    set(&mut page, Field::DK, "5", Change::Input);
    assert_eq!(
        (of_b(&page).d_k, page.app.state.d_k),
        (5, State::default().d_k)
    );
    set(&mut page, Field::DK, "0", Change::Commit);
    assert_eq!(of_b(&page).d_k, 1, "the nearest one");
    assert!(!page.app.notices.shown().is_empty(), "it is told why");
    set(&mut page, Field::Linformer, "true", Change::Commit);
    assert!(of_b(&page).linformer && !page.app.state.linformer);
    let is_hidden =
        |page: &Page| view(page).contains("data-setting=\"projected\" class=\"\" hidden");
    assert!(!is_hidden(&page));
    set(&mut page, Field::Linformer, "false", Change::Commit);
    assert!(is_hidden(&page));
    press(&mut page, "same");
    assert!(page.app.state.overrides.is_empty());
}

#[test]
fn a_preset_is_pressed_as_long_as_it_holds() {
    let mut page = compared("");
    let chosen = |page: &Page| {
        between(&view(page), "data-field=\"preset\" data-value=\"", "\"")[0].to_owned()
    };
    assert_eq!(chosen(&page), "");
    enter(&mut page, "preset", "local");
    assert_eq!(chosen(&page), "local");
    press(&mut page, "same");
    assert_eq!(chosen(&page), "");
}

#[test]
fn every_setting_of_the_mechanism_has_a_line_with_a_control() {
    let page = compared("");
    let view = view(&page);
    let lines = between(&view, "data-setting=\"", "\"");
    let mechanism = crate::state::overrides::mechanism();
    let own = mechanism.filter(|field| !matches!(field.kind(), ValueKind::Painting));
    let own: Vec<&str> = own.map(Field::key).collect();
    let missing: Vec<_> = own.iter().filter(|key| !lines.contains(key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(own.len(), lines.len());
    assert_eq!(view.matches("versus-b-column\"").count(), 1 + lines.len());
}

#[test]
fn numbers_of_b_have_the_ends_and_steps_of_their_settings() {
    let page = compared("");
    let (view, b) = (
        view(&page),
        crate::state::comparison::variant(&page.app.state),
    );
    let mut count = 0;
    for field in crate::state::overrides::mechanism() {
        let (ValueKind::Number { min, max, .. } | ValueKind::Centi { min, max, .. }) = field.kind()
        else {
            continue;
        };
        count += 1;
        let tag = between(
            &view,
            &format!(" id=\"b-{}\" type=\"number\"", field.key()),
            ">",
        )[0];
        let attribute = |name: &str| between(tag, &format!(" {name}=\""), "\"")[0];
        let written = |amount| field.of_amount(amount).to_param();
        let (_, now) = b.limits(field).expect("a number");
        assert_eq!(attribute("min"), written(min), "{tag}");
        // Other settings bound some of them.
        let ends = [written(max), written(now)];
        assert!(ends.contains(&attribute("max").to_owned()), "{tag}");
        let is_whole = matches!(field.kind(), ValueKind::Number { .. });
        assert_eq!(attribute("step") == "1", is_whole, "{tag}");
    }
    assert_eq!(count, 12);
}

#[test]
fn maps_stay_until_both_have_come_and_a_refusal_is_told_in_the_language_of_the_page() {
    let mut page = compared("&against=mask%3Dcausal");
    let read = |page: &Page| inside(&view(page), "versus-numbers");
    let before = read(&page);
    assert!(!before.contains("<tbody></tbody>"));
    page.set(Field::DK, Value::Number(5));
    page.compute_all();
    page.app.follow_compared(true);
    assert_eq!(read(&page), before, "B is on its way");
    let b = page.compared.take().expect("asked for");
    page.app.language = Language::Zh;
    page.send(Message::Ran(
        Lane::Side,
        Box::new(b),
        Err(RunError::Unloaded),
    ));
    page.app.follow_compared(true);
    let shown = view(&page);
    assert!(shown.contains("id=\"versus-maps\" data-outdated"));
    let sentence = RunError::Unloaded.sentence(Language::Zh);
    assert_eq!(inside(&shown, "versus-summary"), sentence);
}

#[test]
fn a_cell_is_read_on_all_maps_and_announced_where_keys_lead() {
    let mut page = compared("&against=mask%3Dcausal");
    page.app.follow_compared(false);
    assert!(!inside(&view(&page), "versus-hint").is_empty());
    page.send(Message::Compared(MapEvent::Step(Move::Right)));
    page.app.follow_compared(false);
    let shown = view(&page);
    assert_eq!(inside(&shown, "versus-hint"), "");
    assert!(!inside(&shown, "versus-spoken").is_empty());
    assert!(inside(&shown, "versus-cell").contains("<span class=\"is-query-text\""));
}

#[test]
fn each_map_is_painted_as_wide_as_its_place_with_a_bar_below() {
    let page = compared("&against=mask%3Dcausal");
    let pair = page.app.pair().expect("both");
    let colours = ColourStyle::plain();
    let paint = |key: &str| {
        let mut image = HeatmapImage::default();
        let canvas = ComparedCanvas {
            image: &mut image,
            width: 200.0,
            dpr: 2.0,
            measure: &|text, size| text.chars().count() as f64 * size * 0.5,
        };
        pair.paint(key, &colours, canvas).then_some(image)
    };
    let [a, b] = ["a", "b"].map(|key| paint(key).expect("a map"));
    assert_ne!(a.pixels(), b.pixels());
    assert_eq!(a.layout(), b.layout());
    let bar = paint("bar").expect("a bar");
    assert_eq!(bar.css_size().map(|(width, _)| width), Some(200.0));
    assert!(!bar.still().is_empty() && paint("difference").is_some());
    assert!(paint("x").is_none());
}

#[test]
fn what_a_host_has_locked_says_why() {
    let page = compared("&lock=compare");
    let shown = view(&page);
    assert_eq!(shown.matches("data-locked disabled title=").count(), 2);
    let page = compared("");
    assert!(!view(&page).contains("data-locked"));
}

/// Cells of a row of the table: of A, of B and of both.
fn row(view: &str, name: &str) -> Vec<String> {
    let start = format!("<tr data-row=\"{name}\"");
    let line = view.split(&start).nth(1).expect(name);
    let line = line.split("</tr>").next().unwrap_or_default();
    let cells = between(line, "<td>", "</td>").into_iter();
    cells.map(str::to_owned).collect()
}

/// A number as it is written, with its sign and without its unit.
fn signed(written: &str) -> f64 {
    let plain = written.split([' ', '\u{202f}']).next().unwrap_or_default();
    let plain = plain.replace('−', "-").replace('+', "");
    plain.parse().expect("a number")
}

const MEASURES: [&str; 4] = ["visible", "entropy", "flops", "memory"];

#[test]
fn b_as_it_is_said_beside_a_is_what_is_said_of_it_alone() {
    for other in ["mask%3Dcausal", "kv_heads%3D1", "d_k%3D9"] {
        let mut page = compared(&format!("&against={other}"));
        let before = view(&page);
        press(&mut page, "take");
        compute(&mut page);
        let after = view(&page);
        for name in MEASURES {
            assert_eq!(row(&after, name)[0], row(&before, name)[1], "{other}");
            assert_eq!(signed(&row(&after, name)[2]), 0.0);
        }
        assert_eq!(row(&after, "largest")[2], "0");
        assert_eq!(row(&after, "cosine")[2], "1.00000");
    }
}

#[test]
fn swapped_both_change_places_and_their_difference_its_sign() {
    let mut page = compared("&against=mask%3Dcausal");
    let before = view(&page);
    press(&mut page, "swap");
    compute(&mut page);
    let after = view(&page);
    for name in MEASURES {
        let [one, other] = [&before, &after].map(|view| row(view, name));
        assert_eq!([&one[0], &one[1]], [&other[1], &other[0]], "{name}");
        assert_eq!(signed(&one[2]), -signed(&other[2]), "{name}");
    }
    for name in ["weights", "moved", "largest", "mean", "cosine"] {
        assert_eq!(row(&before, name), row(&after, name));
    }
    press(&mut page, "swap");
    compute(&mut page);
    assert_eq!(view(&page), before);
}

#[test]
fn what_is_written_over_hidden_scores_hides_the_same_cells() {
    let page = compared("&mask=causal&against=hiding%3Dwritten");
    let shown = view(&page);
    let [visible, entropy] = ["visible", "entropy"].map(|name| row(&shown, name));
    assert_eq!(visible, ["6", "6", "0"]);
    assert_eq!(entropy[0], entropy[1]);
    let said = inside(&shown, "versus-summary");
    assert!(said.contains("every output is the same"), "{said}");
}

#[test]
fn numbers_of_both_are_those_that_plain_loops_make_of_their_outputs() {
    let page = compared("&head=2&against=positions%3Dnone");
    let (shown, pair) = (view(&page), page.app.pair().expect("both"));
    let outputs = [pair.a, pair.b].map(|run| run.reply.output.clone().expect("wanted"));
    let [a, b] = &outputs;
    let apart = a.iter().zip(b).map(|(a, b)| f64::from(b - a).abs());
    let apart: Vec<f64> = apart.collect();
    let cosine = |(x, y): (&[f32], &[f32])| {
        let dot = |x: &[f32], y: &[f32]| {
            let pairs = x.iter().zip(y);
            pairs
                .map(|(x, y)| f64::from(*x) * f64::from(*y))
                .sum::<f64>()
        };
        dot(x, y) / (dot(x, x) * dot(y, y)).sqrt()
    };
    let width = a.len() / 3;
    let cosines = a.chunks(width).zip(b.chunks(width)).map(cosine);
    let cosines: Vec<f64> = cosines.collect();
    let changes = pair.a.head(1).iter().zip(pair.b.head(1).iter());
    let changes: Vec<f64> = changes.map(|(a, b)| f64::from(b - a).abs()).collect();
    let largest = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
    for (name, wanted) in [
        ("largest", largest(&apart)),
        ("mean", apart.iter().sum::<f64>() / apart.len() as f64),
        ("cosine", cosines.iter().sum::<f64>() / 3.0),
        ("cosine-least", cosines.iter().copied().fold(1.0, f64::min)),
        ("weights", largest(&changes)),
        ("moved", changes.iter().sum::<f64>() / 2.0 / 3.0),
    ] {
        let said = signed(&row(&shown, name)[2]);
        assert!(
            (said / wanted - 1.0).abs() < 1e-5,
            "{name}: {said}, {wanted}"
        );
    }
    let listed = inside(&shown, "versus-cosines");
    let said = between(&listed, "class=\"value\">", "<");
    let written: Vec<String> = cosines.iter().map(|one| format!("{one:.3}")).collect();
    assert_eq!(said, written);
}

#[test]
fn where_columns_are_mixtures_or_heads_are_fewer_it_is_said() {
    let mut page = compared("&head=2&against=linformer%3D1");
    let shown = view(&page);
    assert!(inside(&shown, "versus-instead").contains("A has 3, B has "));
    assert!(shown.contains("id=\"versus-difference-figure\" data-off"));
    assert!(!shown.contains("data-row=\"moved\""));
    set(&mut page, Field::Linformer, "false", Change::Commit);
    set(&mut page, Field::Heads, "1", Change::Commit);
    compute(&mut page);
    let shown = view(&page);
    let said = inside(&shown, "versus-notes");
    assert!(
        said.contains("head 2 of A stands beside head 1 of B"),
        "{said}"
    );
    assert_eq!(inside(&shown, "versus-instead"), "");
    assert!(!shown.contains("id=\"versus-difference-figure\" data-off"));
}

#[test]
fn the_panel_opens_with_a_causal_b_and_without_the_mask_where_a_has_it() {
    let open = Action::Include(Field::Panels, "compare", true);
    for (masks, b) in [
        ("", "causal"),
        ("&mask=causal", "none"),
        ("&mask=local", "causal,local"),
    ] {
        let mut page = Page::opened(&format!("v=1&text=a+b+c&weights=random{masks}"));
        page.compute_all();
        page.act(open.clone(), Change::Commit);
        let masks = comparison::variant(&page.app.state).get(Field::Masks);
        assert_eq!(masks.to_param(), b, "{masks:?}");
        assert!(page.app.undo_steps()[0]);
    }
    // One that a link brings stays, and what is locked stays closed to it.
    let mut page = Page::opened("v=1&text=a+b&against=scaled%3D0&lock=compare");
    let before = page.app.state.overrides.clone();
    page.act(open.clone(), Change::Commit);
    assert_eq!(page.app.state.overrides, before);
}

#[test]
fn a_comparison_leaves_nothing_of_the_one_before_in_a() {
    let mut page = compared("");
    let before = page.app.state.clone();
    enter(&mut page, "preset", "scaled");
    assert_eq!(page.app.state.d_k, 128);
    enter(&mut page, "preset", "causal");
    let now = &page.app.state;
    assert_eq!((now.d_k, now.origin), (before.d_k, before.origin));
    // What the user has changed since stays.
    enter(&mut page, "preset", "scaled");
    page.set(Field::DK, Value::Number(9));
    enter(&mut page, "preset", "causal");
    assert_eq!(page.app.state.d_k, 9);
}

#[test]
fn what_a_comparison_does_to_a_is_said_in_its_panel_and_undone_there() {
    let mut page = compared("");
    let before = page.app.state.clone();
    enter(&mut page, "preset", "causal");
    assert_eq!(inside(&view(&page), "versus-changed"), "");
    enter(&mut page, "preset", "scaled");
    let said = inside(&view(&page), "versus-changed");
    assert!(said.starts_with("This comparison changed A:"), "{said}");
    assert!(said.contains("data-do=\"undo\""), "{said}");
    assert!(
        page.app.notices.shown().is_empty(),
        "nothing lies over its buttons"
    );
    press(&mut page, "undo");
    assert_eq!(page.app.state.d_k, before.d_k);
    assert_eq!(inside(&view(&page), "versus-changed"), "");
    enter(&mut page, "preset", "scaled");
    page.set(Field::Seed, Value::Number(9));
    assert_eq!(inside(&view(&page), "versus-changed"), "");
}
