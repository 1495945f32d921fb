//! The import dialog: files that are read, looked at, assigned otherwise, and shown.

use super::*;
use crate::i18n::Language;
use crate::import::{FileContents, FileToRead, ReadTensors, read_setting};
use crate::present::panel::PanelEvent;
use crate::protocol::ChangeSource;
use crate::state::Part;
use crate::views::tests::between;

const MAP: &[u8] = b"[[0.75, 0.25], [0.5, 0.5]]";

/// Three tensors of whatever, of two heads or of one.
const ODD: &[u8] = br#"{"one": [[[1, 0, 0, 1], [0, 1, 0, 0]]], "two": [[[1, 0, 2, 0], [0, 2, 0, 1]]], "three": [[[1, 2, 3, 4], [5, 6, 7, 8]]], "four": [[1, 2]]}"#;

impl Page {
    fn import(&mut self, action: ImportAction) {
        self.send(Message::Import(action));
    }

    /// Chooses a file; returns the number of its read.
    fn choose(&mut self, name: &str) -> u32 {
        let names = vec![name.to_owned()];
        self.import(ImportAction::Begin(names, 100.0));
        self.last_read()
    }

    fn last_read(&self) -> u32 {
        let reads = self.effects.iter().rev();
        let numbers = reads.filter_map(|effect| match effect {
            Effect::ReadFiles(number) => Some(*number),
            _ => None,
        });
        numbers.into_iter().next().expect("a read")
    }

    /// Ends a read with the bytes of a file.
    fn end(&mut self, read: u32, name: &str, bytes: &[u8]) {
        let about = FileToRead {
            name,
            of: None,
            language: self.app.language,
        };
        let contents = match read_setting(bytes, name) {
            Some(setting) => Ok(FileContents::Setting(setting)),
            None => about.tensors(bytes).map(FileContents::Tensors),
        };
        self.import(ImportAction::Read(read, contents));
    }

    fn open_file(&mut self, name: &str, bytes: &[u8]) {
        let read = self.choose(name);
        self.end(read, name, bytes);
    }

    fn dialog(&self) -> String {
        self.app.import_view().expect("open").into_string()
    }

    fn is_importing(&self) -> bool {
        self.app.import_view().is_some()
    }

    /// The tag of an element of the dialog.
    fn tag_of(&self, id: &str) -> String {
        let view = self.dialog();
        let tag = view
            .split('<')
            .find(|tag| tag.contains(&format!("id=\"import-dialog-{id}\"")));
        let tag = tag.and_then(|tag| tag.split('>').next());
        tag.expect("an element").to_owned()
    }

    /// Text of an element of the dialog, without markup.
    fn text_of(&self, id: &str, element: &str) -> String {
        let view = self.dialog();
        let from = format!("id=\"import-dialog-{id}\"");
        let inside = between(&view, &from, &format!("</{element}>"))[0];
        let pieces = inside.split('>').skip(1);
        pieces.filter_map(|piece| piece.split('<').next()).collect()
    }

    fn title(&self) -> String {
        self.text_of("title", "h2")
    }

    fn refusal(&self) -> String {
        self.text_of("refusal", "p")
    }

    fn is_hidden(&self, id: &str) -> bool {
        self.tag_of(id).contains(" hidden")
    }

    fn press_import(&mut self, button: &str) {
        self.import(ImportAction::Event(PanelEvent::Press(button.to_owned())));
    }

    /// Presses a button that can be seen.
    fn press_in_dialog(&mut self, id: &str) {
        assert!(!self.is_hidden(id), "{id}");
        let tag = self.tag_of(id);
        self.press_import(between(&tag, "data-do=\"", "\"")[0]);
    }

    fn enter(&mut self, field: &str, value: &str) {
        assert!(self.dialog().contains(&format!("data-field=\"{field}\"")));
        for change in [Change::Input, Change::Commit] {
            let event = PanelEvent::Enter(field.to_owned(), value.to_owned(), change);
            self.import(ImportAction::Event(event));
        }
    }

    /// Values of the fields of a name.
    fn values_of(&self, field: &str) -> Vec<String> {
        let view = self.dialog();
        let fields = between(&view, &format!("data-field=\"{field}\""), ">").into_iter();
        let values = fields.map(|field| between(field, "data-value=\"", "\"")[0].to_owned());
        values.collect()
    }
}

fn opened() -> Page {
    let mut page = Page::opened("v=1&text=a+b+c");
    page.compute_all();
    page
}

/// Where effects of the last messages stand, from one place on.
fn order(page: &Page, from: usize, wanted: &[Effect]) -> Vec<Option<usize>> {
    let place = |effect| page.effects[from..].iter().position(|own| own == effect);
    wanted.iter().map(place).collect()
}

#[test]
fn a_host_hands_numbers_over_without_the_dialog_and_learns_why_some_are_not_shown() {
    let mut page = Page::opened("text=one+two&heads=1");
    let hand_over = |page: &mut Page, bytes: &[u8]| {
        let about = FileToRead {
            name: "own.json",
            of: None,
            language: Language::En,
        };
        let contents = FileContents::Tensors(about.tensors(bytes).expect("tensors"));
        page.effects.clear();
        let numbers = HostMessage::Numbers("own.json".to_owned(), contents);
        page.send(Message::Host(numbers));
        page.app.refusal_of_numbers()
    };
    assert_eq!(hand_over(&mut page, MAP), None);
    assert!(page.app.state.imported.is_some() && !page.is_importing());
    // The host's page stays where its reader has scrolled it to.
    assert!(!page.effects.contains(&Effect::RevealImported));
    assert!(!page.effects.contains(&Effect::OpenImport));
    assert_eq!(page.app.take_by(), ChangeSource::Host);
    let before = page.app.state.clone();
    let refusal = hand_over(
        &mut page,
        br#"{"q": [[1, 2]], "k": [[1, 2, 3]], "v": [[1]]}"#,
    );
    assert!(refusal.is_some_and(|sentence| sentence.contains("3")));
    assert_eq!(page.app.state, before);
    assert!(!page.is_importing());
}

#[test]
fn a_file_is_read_looked_at_shown_and_undone() {
    let mut page = opened();
    let (before, map) = (page.app.state.clone(), page.map());
    assert!(!page.is_importing());
    let from = page.effects.len();
    let read = page.choose("<b>map.json");
    let (shown, open) = (Effect::Show(View::Import), Effect::OpenImport);
    let begun = order(&page, from, &[shown.clone(), open, Effect::ReadFiles(read)]);
    assert!(
        begun[0] < begun[1] && begun.iter().all(Option::is_some),
        "{begun:?}"
    );
    assert_eq!(page.title(), "What is in “&lt;b&gt;map.json”");
    assert_eq!(page.refusal(), "Reading …");
    assert!(
        ["take", "form", "entry-row", "heads-row"]
            .iter()
            .all(|id| page.is_hidden(id))
    );
    let from = page.effects.len();
    page.end(read, "map.json", MAP);
    let ended = order(&page, from, &[shown, Effect::FocusImport]);
    assert!(ended[0] < ended[1] && ended[0].is_some(), "{ended:?}");
    assert_eq!(
        page.title(),
        "What is in “&lt;b&gt;map.json”: a finished attention matrix"
    );
    assert!(
        page.text_of("why", "p")
            .starts_with("Every row sums to about 1")
    );
    assert!(
        page.text_of("parts", "ul")
            .contains("[1, 2, 2] = heads × queries × keys")
    );
    assert_eq!(
        (page.refusal(), page.text_of("leave", "button")),
        (String::new(), "Cancel".to_owned())
    );
    assert!(!page.is_hidden("form") && !page.tag_of("form").contains(" open"));
    // Until then nothing of it is on the map.
    assert_eq!((&page.app.state, page.map()), (&before, map.clone()));
    page.press_in_dialog("take");
    assert!(!page.is_importing());
    page.compute_all();
    assert_eq!(
        page.app.state.imported.as_ref().map(ImportedData::file),
        Some("<b>map.json")
    );
    let run = page.app.main.run.as_ref().expect("numbers");
    assert_eq!(run.head(0), [0.75, 0.25, 0.5, 0.5]);
    page.send(Message::Undo(UndoAction::Undo));
    page.compute_all();
    assert_eq!((page.app.state.clone(), page.map()), (before, map));
    page.send(Message::Undo(UndoAction::Redo));
    assert!(page.app.state.imported.is_some());
}

#[test]
fn the_sentence_comes_back_and_what_was_imported_is_saved_and_opened_again() {
    let mut page = opened();
    let before = page.app.state.clone();
    page.open_file("map.json", MAP);
    page.press_in_dialog("take");
    let imported = page.app.state.clone();
    page.press_import("save");
    let Some(Effect::Download(None, file)) = page.effects.last().cloned() else {
        panic!("a file")
    };
    assert_eq!(
        (&*file.name, file.kind),
        ("attention-setting.json", "application/json")
    );
    page.press_import("clear");
    assert_eq!(page.app.state, before);
    let saved = page.effects.len();
    page.press_import("save");
    assert_eq!(page.effects.len(), saved, "there is nothing to save");
    // Elsewhere: its numbers and its settings, without a question.
    let mut other = Page::opened("v=1&text=x&embed&show=map,data");
    other.compute_all();
    other.open_file(&file.name, &file.bytes);
    assert!(!other.is_importing());
    let shown = &other.app.state;
    assert_eq!(
        (&shown.imported, &shown.text),
        (&imported.imported, &imported.text)
    );
    assert!(shown.embed && shown.is_shown(Part::Data));
}

#[test]
fn the_newest_read_wins_and_a_closed_dialog_stays_closed() {
    let mut page = opened();
    let slow = page.choose("slow.json");
    page.import(ImportAction::Close);
    page.end(slow, "slow.json", MAP);
    assert!(!page.is_importing());
    let quick = page.choose("quick.json");
    page.end(slow, "slow.json", MAP);
    assert_eq!(page.refusal(), "Reading …");
    page.end(quick, "quick.json", MAP);
    assert!(page.title().starts_with("What is in “quick.json”: "));
    page.end(slow, "slow.json", b"[[1, 2]]");
    page.end(quick, "quick.json", b"[[1, 2]]");
    assert_eq!(
        page.title(),
        "What is in “quick.json”: a finished attention matrix"
    );
    // The last of two is not the one that is read first.
    let first = page.choose("first.json");
    let second = page.choose("second.json");
    page.end(second, "second.json", MAP);
    page.end(first, "first.json", MAP);
    assert!(page.title().starts_with("What is in “second.json”: "));
    assert_eq!(page.last_read(), second);
    page.press_in_dialog("leave");
    assert!(!page.is_importing() && page.app.state.imported.is_none());
    page.press_import("take");
    assert!(page.app.state.imported.is_none());
}

#[test]
fn what_is_refused_says_why_and_nothing_is_lost() {
    let mut page = opened();
    let before = page.app.state.clone();
    page.open_file("k.json", b"[[0.5, NaN], [1, 0]]");
    assert_eq!(page.title(), "“k.json” could not be read");
    assert_eq!(page.refusal(), "k[0, 1]: “NaN” is not a finite number.");
    assert!(["take", "form"].iter().all(|id| page.is_hidden(id)));
    assert_eq!(page.text_of("leave", "button"), "Close");
    // The same button says what it does to the next file.
    page.open_file("map.json", MAP);
    assert_eq!(page.text_of("leave", "button"), "Cancel");
    // Before any byte is read.
    let reads = |page: &Page| {
        page.effects
            .iter()
            .filter(|own| matches!(own, Effect::ReadFiles(_)))
            .count()
    };
    let begun = reads(&page);
    let begin = |names: &[&str], bytes| {
        ImportAction::Begin(names.iter().map(|name| (*name).to_owned()).collect(), bytes)
    };
    page.import(begin(&["large.npy"], 65.0 * 1_048_576.0));
    assert_eq!(
        page.refusal(),
        "That is 65 MB; up to 64 MB are read. Save fewer heads or fewer layers."
    );
    assert_eq!(page.effects.last(), Some(&Effect::OpenImport));
    page.import(begin(&["q.csv"; 17], 1.0));
    assert!(page.refusal().contains("17"), "{}", page.refusal());
    assert_eq!(reads(&page), begun);
    // A pasted text has no name.
    page.import(begin(&[], 0.0));
    assert_eq!(page.title(), "What is in the pasted text");
    let read = page.last_read();
    page.end(read, "pasted", b"");
    assert_eq!(page.title(), "The pasted text could not be read");
    page.import(begin(&["a\u{202e}.csv", "b.csv"], 1.0));
    assert_eq!(page.title(), "What is in “a.csv, b.csv”");
    assert_eq!(page.app.state, before);
}

#[test]
fn tensors_are_assigned_otherwise_and_what_does_not_fit_is_told() {
    let mut page = opened();
    page.open_file("odd.json", ODD);
    assert!(page.title().ends_with(": a finished attention matrix"));
    page.enter("form", "true");
    assert!(page.tag_of("form").contains(" open"));
    page.enter("kind", "heads");
    assert_eq!(page.values_of("kind"), ["heads"; 4]);
    assert!(page.title().ends_with(": queries, keys and values"));
    let roles = |page: &Page| ["q", "k", "v"].map(|role| page.values_of(role)[0].clone());
    assert_eq!(roles(&page), ["0", "1", "2"]);
    assert!(!page.is_hidden("heads-row"));
    page.enter("heads", "3");
    assert_eq!(
        page.refusal(),
        "3 heads do not divide the 4 columns of “one”."
    );
    assert!(page.is_hidden("take"));
    page.press_import("take");
    assert!(page.is_importing() && page.app.state.imported.is_none());
    // What is no number is no answer.
    page.enter("heads", "x");
    assert_eq!(page.values_of("heads"), ["3"]);
    page.enter("heads", "2");
    page.enter("v", "3");
    assert!(
        page.refusal().contains("“four” has the shape"),
        "{}",
        page.refusal()
    );
    page.enter("v", "");
    assert!(
        page.refusal().starts_with("V is missing"),
        "{}",
        page.refusal()
    );
    page.enter("v", "99");
    assert_eq!(page.values_of("v"), [""]);
    page.enter("v", "2");
    assert_eq!(
        (page.refusal(), page.is_hidden("take")),
        (String::new(), false)
    );
    assert!(page.tag_of("form").contains(" open"), "it stays unfolded");
    page.press_in_dialog("take");
    page.compute_all();
    assert_eq!(
        (page.app.state.heads, page.map().contains("2 × 2")),
        (2, true)
    );
}

#[test]
fn a_layer_of_a_stack_is_chosen_and_a_number_beyond_is_the_last() {
    let mut page = opened();
    page.open_file(
        "stack.json",
        br#"{"attn": [[[[1, 0], [0, 1]]], [[[0, 1], [1, 0]]], [[[0.5, 0.5], [0.25, 0.75]]]]}"#,
    );
    assert!(!page.is_hidden("entry-row"));
    assert_eq!(page.values_of("entry"), ["1"]);
    for (typed, kept) in [("2", "2"), ("9", "3"), ("0", "1"), ("x", "1"), ("3", "3")] {
        page.enter("entry", typed);
        assert_eq!(page.values_of("entry"), [kept], "{typed}");
    }
    page.press_in_dialog("take");
    page.compute_all();
    let run = page.app.main.run.as_ref().expect("numbers");
    assert_eq!(run.head(0), [0.5, 0.5, 0.25, 0.75]);
    // The next file begins anew, and is asked what it leaves open.
    page.open_file("columns.json", br#"{"attn": [[0.75, 0.5], [0.25, 0.5]]}"#);
    assert!(page.is_hidden("entry-row") && !page.is_hidden("transposed-row"));
    page.enter("transposed", "true");
    page.press_in_dialog("take");
    page.compute_all();
    let run = page.app.main.run.as_ref().expect("numbers");
    assert_eq!(run.head(0), [0.75, 0.25, 0.5, 0.5]);
}

#[test]
fn an_open_dialog_speaks_the_language_of_the_page() {
    let mut page = opened();
    page.open_file("map.json", MAP);
    let from = page.effects.len();
    page.set(Field::Language, Value::Choice("zh"));
    assert!(order(&page, from, &[Effect::Show(View::Import)])[0].is_some());
    assert_eq!(page.text_of("leave", "button"), "取消");
    assert!(page.title().contains("注意力矩阵"), "{}", page.title());
    page.press_in_dialog("leave");
    let from = page.effects.len();
    page.set(Field::Language, Value::Choice("en"));
    assert_eq!(order(&page, from, &[Effect::Show(View::Import)]), [None]);
}

#[test]
fn files_are_taken_where_the_data_panel_is_there_and_not_locked() {
    for (settings, takes_files) in [
        ("", true),
        ("&lock=data", false),
        ("&embed&show=map", false),
    ] {
        let page = Page::opened(&format!("v=1&text=a+b{settings}"));
        assert_eq!(page.app.takes_files(), takes_files, "{settings}");
    }
}

#[test]
fn notes_of_several_files_are_told_once() {
    let read = |name, bytes| {
        let of = None;
        let about = FileToRead {
            name,
            of,
            language: Language::En,
        };
        about.tensors(bytes).expect("tensors")
    };
    let mut all = ReadTensors::default();
    for name in ["q.txt", "k.txt"] {
        all.add(read(name, b"[[0.7 0.3]]"));
    }
    all.add(read("v.csv", b"a;b\n0,7;0,3\n"));
    let names: Vec<&str> = all.tensors.iter().map(|tensor| &*tensor.name).collect();
    assert_eq!((names, all.notes.len()), (vec!["q", "k", "v"], 2));
}

#[test]
fn symbols_are_mathematics_and_names_are_not() {
    let mut page = opened();
    let layer = br#"{"w_q": [[1, 0], [0, 1]], "w_k": [[1, 0], [0, 1]], "w_v": [[1, 0], [0, 1]], "l_n": [1, 2, 3]}"#;
    page.open_file("w_q.json", layer);
    let below = |letter| format!("<sub>{letter}</sub>");
    let inside = |page: &Page, id, element| {
        let view = page.dialog();
        let from = format!("id=\"import-dialog-{id}\"");
        between(&view, &from, &format!("</{element}>"))[0].to_owned()
    };
    let parts = inside(&page, "parts", "ul");
    let lines = between(&parts, "<li>", "</li>");
    assert!(lines[0].contains(&below("Q")) && lines[0].contains("“w_q” [2, 2]"));
    assert!(lines[0].contains(&below("model")) && lines[0].contains(&below("k")));
    assert!(lines[3].contains("“l_n”") && !lines[3].contains("<sub>"));
    page.enter("w_v", "");
    assert_eq!(page.refusal(), "W_V is missing: choose a tensor for it.");
    assert!(inside(&page, "refusal", "p").contains(&below("V")));
    let read = page.choose("q_a.csv");
    let refusal = "q_a.csv: row 1".to_owned();
    page.import(ImportAction::Read(read, Err(refusal.clone())));
    assert!(inside(&page, "refusal", "p").ends_with(&refusal));
}

#[test]
fn what_is_being_typed_changes_nothing_and_notes_stand_before_the_reason() {
    let mut page = opened();
    page.open_file("q.txt", b"[[0.7 0.3]\n [0.4 0.6]]");
    let why = page.text_of("why", "p");
    assert!(why.starts_with("Read as a printed array"), "{why}");
    assert!(why.contains(". Every row sums to about 1"), "{why}");
    page.enter("kind", "heads");
    let before = page.dialog();
    let typed = PanelEvent::Enter("heads".to_owned(), "2".to_owned(), Change::Input);
    page.import(ImportAction::Event(typed));
    assert_eq!(page.dialog(), before);
}

/// Three layers of one head; row 2 of 4 is the one that looks at one key alone.
const LAYERS: &[u8] = br#"{"attn": [
    [[[1, 0, 0, 0], [0.3, 0.7, 0, 0], [0.1, 0.9, 0, 0], [0.25, 0.25, 0.25, 0.25]]],
    [[[1, 0, 0, 0], [0.4, 0.6, 0, 0], [0.3, 0.6, 0.1, 0], [0.25, 0.25, 0.25, 0.25]]],
    [[[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.2, 0.7, 0.1, 0], [0.25, 0.25, 0.25, 0.25]]]]}"#;

#[test]
fn a_layer_is_named_and_another_one_can_be_chosen_afterwards() {
    let mut page = Page::opened("");
    page.compute_all();
    page.open_file("attn.json", LAYERS);
    // The line about the tensor follows what is typed.
    let typed = PanelEvent::Enter("entry".to_owned(), "2".to_owned(), Change::Input);
    page.import(ImportAction::Event(typed));
    assert!(page.dialog().contains("number 2 of 3"), "{}", page.dialog());
    for typed in ["", "9"] {
        let typed = PanelEvent::Enter("entry".to_owned(), typed.to_owned(), Change::Input);
        page.import(ImportAction::Event(typed));
        assert!(page.dialog().contains("number 2 of 3"), "followed");
    }
    page.press_in_dialog("take");
    assert!(page.effects.contains(&Effect::RevealImported));
    page.compute_all();
    let entry = |page: &Page| page.app.state.imported.as_ref().map(|own| own.source().1);
    assert_eq!(entry(&page), Some(Some((2, 3))));
    // The row with the lowest entropy among those that see three keys.
    assert_eq!(page.app.state.cell.map(|cell| cell.query), Some(2));
    let run = page.app.main.run.as_ref().expect("numbers");
    let name = crate::present::names::head(run, 0, Language::En);
    assert_eq!(name, "layer 2, head 1");
    let caption = crate::export::figures::mechanism(Language::En, &page.app.state);
    assert!(caption.ends_with(", layer 2 of 3"), "{caption}");
    let strip = page.app.imported_entry().into_string();
    assert!(
        strip.contains("data-value=\"2\"") && strip.contains("of 3"),
        "{strip}"
    );
    // By buttons and by number; the row stays.
    page.press_import("entry-next");
    page.compute_all();
    assert_eq!(entry(&page), Some(Some((3, 3))));
    assert!(page.app.imported_entry().into_string().contains("disabled"));
    let typed = PanelEvent::Enter("imported-entry".to_owned(), "1".to_owned(), Change::Commit);
    page.import(ImportAction::Event(typed));
    page.compute_all();
    assert_eq!(entry(&page), Some(Some((1, 3))));
    assert_eq!(page.app.state.cell.map(|cell| cell.query), Some(2));
    let weights = page.app.main.run.as_ref().map(|run| run.row(0, 2).to_vec());
    assert_eq!(weights, Some(vec![0.1, 0.9, 0.0, 0.0]));
    page.send(Message::Undo(UndoAction::Undo));
    assert_eq!(entry(&page), Some(Some((3, 3))));
    // The sentence comes back with the row that was chosen there.
    page.press_import("clear");
    assert_eq!(page.app.state, *initial::standard(Language::En));
    let mut page = Page::opened("v=1&text=one+two+three+four");
    page.open_file("attn.json", LAYERS);
    page.press_in_dialog("take");
    page.compute_all();
    assert!(page.app.state.cell.is_some());
    page.press_import("clear");
    assert_eq!(page.app.state.cell, None);
    // A link says which layer it was.
    let named = "v=1&data=1h.0123456789abcdef.matrix.1x4x4.attn.json%3A2%2F3";
    let told = Page::opened(named);
    assert!(
        told.app.notices.shown()[0]
            .sentence
            .contains("attn.json:2/3")
    );
}
