//! The code panel: a program that follows the page, and is taken along.

use super::panels::Open;
use super::*;
use crate::effect::File;
use crate::present::panel::PanelEvent;
use crate::state::Panel;

fn code(settings: &str) -> Open {
    Open::new(Panel::Code, &format!("v=1&open=code{settings}"))
}

/// The file that is saved last.
fn saved(page: &Open) -> &File {
    let file = page.effects.iter().rev().find_map(|effect| match effect {
        Effect::Download(Some(Panel::Code), file) => Some(file),
        _ => None,
    });
    file.expect("a file")
}

fn settled(page: &mut Open) {
    page.compute_all();
    page.turn();
}

#[test]
fn the_program_follows_the_page() {
    let mut page = code("&code=pytorch");
    let text = |page: &Open| page.text("code-text");
    assert!(text(&page).contains("torch.softmax(S, -1)") && !text(&page).contains("j &lt;= i"));
    let masks = Action::Include(Field::Masks, "causal", true);
    page.act(masks, Change::Commit);
    settled(&mut page);
    assert!(text(&page).contains("M = j &lt;= i"));
    page.set(Field::Heads, Value::Number(2));
    settled(&mut page);
    assert!(text(&page).contains("h = 2"));
    // The library is a setting: it is in the link, and can be undone.
    let choose =
        |library: &str| PanelEvent::Set(Field::Library, library.to_owned(), Change::Commit);
    page.event(choose("jax"));
    page.rest();
    assert!(text(&page).contains("import jax") && page.app.fragment().contains("code=jax"));
    let view = page.view();
    assert_eq!(view.matches("data-value=").count(), 1);
    assert!(view.contains("value=\"jax\" data-sets=\"code\" data-value=\"jax\""));
    page.send(Message::Undo(UndoAction::Undo));
    page.rest();
    assert!(text(&page).contains("import torch"));
    page.set(Field::Language, Value::Choice("zh"));
    page.rest();
    assert!(text(&page).contains("# 缩放"));
    page.set(Field::Text, super::text(""));
    settled(&mut page);
    assert!(page.text("code-about").contains("没有词元"));
    assert!(page.has("code-text", "hidden") && page.has("code-deeds", "hidden"));
}

#[test]
fn what_is_copied_saved_and_written_as_a_notebook_is_the_program() {
    let mut page = code("&text=say+%22hi%22+%5C+猫&weights=random");
    page.press("code-copy");
    let copied = page.effects.iter().rev().find_map(|effect| match effect {
        Effect::CopyText(Panel::Code, text) => Some(text.clone()),
        _ => None,
    });
    let program = copied.expect("a text");
    assert!(program.contains("猫"));
    assert_eq!(page.text("code-said"), "");
    page.event(PanelEvent::Copied(true));
    assert_eq!(page.text("code-said"), "The program is copied.");
    page.event(PanelEvent::Copied(false));
    assert!(page.text("code-said").contains("press Ctrl+C"));
    let selected = Effect::SelectText(Panel::Code, "code-text");
    assert!(page.effects.contains(&selected));
    page.press("code-save");
    let file = saved(&page);
    assert_eq!(
        (&*file.name, &file.bytes[..]),
        ("attention.py", program.as_bytes())
    );
    page.event(PanelEvent::Saved("attention.py".to_owned(), true));
    assert_eq!(page.text("code-said"), "Saved: attention.py");
    page.press("code-notebook");
    let file = saved(&page);
    let notebook: serde_json::Value = serde_json::from_slice(&file.bytes).expect("a notebook");
    let cells = notebook["cells"].as_array().expect("cells").iter();
    let source: String = cells
        .map(|cell| cell["source"].as_str().expect("a text").to_owned())
        .collect();
    let bare = |text: &str| -> String { text.split_whitespace().collect() };
    assert_eq!(
        (&*file.name, bare(&source)),
        ("attention.ipynb", bare(&program))
    );
    page.event(PanelEvent::Saved("attention.ipynb".to_owned(), false));
    assert!(page.text("code-said").contains("attention") || !page.text("code-said").is_empty());
    // What was said of another program goes.
    page.set(Field::DK, Value::Number(5));
    settled(&mut page);
    assert_eq!(page.text("code-said"), "");
}

#[test]
fn many_numbers_come_in_a_file_beside_it() {
    let mut page = code("&d_model=256&d_k=64&weights=random");
    assert!(page.text("code-about").contains("attention.npz"));
    assert!(page.text("code-text").len() < 5000 && !page.has("code-numbers", "hidden"));
    page.press("code-numbers");
    assert_eq!(saved(&page).name, "attention.npz");
    page.set(Field::DModel, Value::Number(16));
    settled(&mut page);
    assert!(page.has("code-numbers", "hidden"));
}
