//! Sentences that the learned model can read, and those that it cannot.

use super::*;
use crate::i18n::Language;
use crate::present::learned::is_readable;
use crate::present::notices::NoticeKind;
use crate::state::{LabTask, Origin, presets};

const OWN: &str = "My dog chased the ball because it was fast";

/// The opening of a page in English, with its numbers.
fn opening() -> Page {
    let mut page = Page::opened("");
    page.compute_all();
    page
}

fn type_all(page: &mut Page, texts: &[&str]) {
    for own in texts {
        page.act(Action::Set(Field::Text, text(own)), Change::Input);
    }
}

/// Notices on screen.
fn told(page: &Page) -> Vec<String> {
    let shown = page.app.notices.shown().iter();
    shown.map(|notice| notice.sentence.clone()).collect()
}

fn shown(page: &Page) -> (&str, Origin) {
    let run = page.app.main.run.as_ref().expect("numbers");
    (&run.state.text, run.state.origin)
}

#[test]
fn a_sentence_that_the_model_cannot_read_is_read_by_hand_built_heads_at_once() {
    let mut page = opening();
    page.set(Field::Text, text(OWN));
    page.compute_all();
    assert_eq!(shown(&page), (OWN, Origin::Teaching));
    // The sizes that these heads were made for.
    let state = &page.app.state;
    assert_eq!((state.d_model, state.d_k, state.seed), (64, 16, 42));
    assert_eq!(told(&page).len(), 1);
    assert!(told(&page)[0].contains("“my”"), "{:?}", told(&page));
    let NoticeKind::WithExample(id) = page.app.notices.shown()[0].kind else {
        panic!("no way back to the model");
    };
    // Undo brings sentence and model.
    page.send(Message::Undo(UndoAction::Undo));
    assert_eq!(page.app.state, *initial::standard(Language::En));
    page.send(Message::Undo(UndoAction::Redo));
    assert_eq!(page.app.state.text, OWN);
    // The model comes back with its own sentence, which is said; the other one is an undo away.
    page.act(Action::Preset(id), Change::Commit);
    page.compute_all();
    let own = presets::opening(Language::En).text;
    assert_eq!(shown(&page), (own, Origin::Learned));
    let notice = &page.app.notices.shown()[0];
    assert_eq!(notice.kind, NoticeKind::Undoable);
    assert!(notice.sentence.contains("own sentence"), "{notice:?}");
    page.send(Message::Undo(UndoAction::Undo));
    page.compute_all();
    assert_eq!(shown(&page), (OWN, Origin::Teaching));
}

#[test]
fn a_word_that_is_being_typed_may_still_become_one_that_the_model_knows() {
    let mut page = opening();
    let with = |word: &str| format!("The {word} didn't cross the street because it was too tired.");
    for word in ["anim", "d", "do"] {
        type_all(&mut page, &[&with(word)]);
        assert_eq!(page.app.state.origin, Origin::Learned, "{word}");
    }
    assert!(!is_readable(&page.app.state) && page.asked.is_empty());
    type_all(&mut page, &[&with("dog")]);
    page.compute_all();
    assert_eq!(shown(&page), (&*with("dog"), Origin::Learned));
    assert_eq!(told(&page), [""; 0]);
    // The first letter with which no word begins decides, and nothing changes to and fro after it.
    type_all(&mut page, &[&with("z"), &with("ze"), &with("zebra")]);
    page.compute_all();
    assert_eq!(shown(&page), (&*with("zebra"), Origin::Teaching));
    type_all(&mut page, &[&with("dog")]);
    page.compute_all();
    assert_eq!(page.app.state.origin, Origin::Teaching);
    assert_eq!(told(&page).len(), 1, "{:?}", told(&page));
}

#[test]
fn a_word_that_is_left_unfinished_is_none_of_the_model_s() {
    let mut page = opening();
    let unfinished = "The do didn't cross the street.";
    type_all(&mut page, &[unfinished]);
    assert_eq!(page.app.state.origin, Origin::Learned);
    page.set(Field::Text, text(unfinished));
    page.compute_all();
    assert_eq!(shown(&page), (unfinished, Origin::Teaching));
    // The model is not to be had for this sentence.
    page.set(Field::Origin, Value::Choice(Origin::Learned.name()));
    assert_eq!(page.app.state.origin, Origin::Teaching);
    assert!(told(&page)[0].contains("“do”"), "{:?}", told(&page));
}

#[test]
fn letters_of_an_input_method_are_no_word_yet() {
    let mut page = Page::opened("lang=zh");
    page.compute_all();
    type_all(&mut page, &["那只g没有过马路，因为它太累了。"]);
    assert_eq!(page.app.state.origin, Origin::Learned);
    type_all(&mut page, &["那只狗没有过马路，因为它太累了。"]);
    page.compute_all();
    assert_eq!(page.app.state.origin, Origin::Learned);
    assert!(page.app.has_numbers());
}

#[test]
fn links_and_hosts_cannot_ask_a_model_what_it_cannot_read() {
    let page = Page::opened("weights=learned&text=the+elephant");
    assert_eq!(page.app.state.origin, Origin::Teaching);
    assert!(told(&page)[0].contains("“elephant”"), "{:?}", told(&page));
    let mut page = opening();
    page.send(Message::Host(HostMessage::Apply("text=one".to_owned())));
    assert_eq!(page.app.state.origin, Origin::Teaching);
    // Locked parameters stay, and the page says why there is no map.
    let mut page = Page::opened("weights=learned&text=the+dog&lock=weights");
    page.set(Field::Text, text("the elephant"));
    assert_eq!(page.app.state.origin, Origin::Learned);
    let said = crate::present::learned::lasting_problem(&page.app.state, Language::En);
    assert!(said.is_some_and(|said| said.contains("“elephant”")));
}

#[test]
fn another_language_brings_its_own_sentence_in_the_place_of_the_standard_one() {
    let speak = |page: &mut Page, language: Language| {
        // As the control does.
        let chosen = Action::Enter(Field::Language, language.code().to_owned());
        page.act(chosen, Change::Commit);
    };
    let mut page = opening();
    speak(&mut page, Language::Zh);
    page.compute_all();
    let chinese = presets::opening(Language::Zh);
    assert_eq!(shown(&page), (chinese.text, Origin::Learned));
    assert_eq!(page.app.state.task, LabTask::PronounZh);
    let standard = initial::standard(Language::Zh);
    assert_eq!(
        (page.app.state.seed, page.app.state.cell),
        (standard.seed, standard.cell)
    );
    speak(&mut page, Language::En);
    let language = page.app.state.language;
    let english = State {
        language,
        ..initial::standard(Language::En).clone()
    };
    assert_eq!(page.app.state, english);
    let hint = page
        .app
        .coach
        .line(&page.app.state, language.unwrap_or_default());
    assert!(
        hint.is_some_and(|hint| hint.act == "wide"),
        "the hints begin with the sentence"
    );
    // What was changed stays, and so does a sentence of one's own.
    page.set(Field::Seed, Value::Number(7));
    speak(&mut page, Language::Zh);
    assert_eq!(
        (page.app.state.seed, &*page.app.state.text),
        (7, chinese.text)
    );
    page.set(Field::Text, text(OWN));
    speak(&mut page, Language::En);
    assert_eq!(page.app.state.text, OWN);
    let mut page = Page::opened("weights=teaching");
    speak(&mut page, Language::Zh);
    assert_eq!(page.app.state.text, presets::hand_built(Language::Zh).text);
}

#[test]
fn an_example_is_named_once_and_also_where_its_words_are_exchanged() {
    let name = |link: &str| presets::shown(&Page::opened(link).app.state).map(|own| own.id);
    assert_eq!(name(""), Some("learned"));
    let mut page = opening();
    let exchanged = "The fox didn't cross the river because it was too wide.";
    page.set(Field::Text, text(exchanged));
    assert_eq!(
        presets::shown(&page.app.state).map(|own| own.id),
        Some("learned")
    );
    page.set(Field::Text, text(OWN));
    assert_eq!(presets::shown(&page.app.state), None);
    assert_eq!(name("v=1"), Some("animal"));
    assert_eq!(name("v=1&text=a+b"), None);
}
