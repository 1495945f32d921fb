//! Opening: what is opened, how far it is, and what stays where it fails.

use super::*;

#[test]
fn tensors_are_imported_and_models_opened() {
    for (names, is_model) in [
        (vec!["a.npz"], false),
        (vec!["model.safetensors"], false),
        (
            vec!["config.json", "tokenizer.json", "model.safetensors"],
            true,
        ),
        (vec!["Q4.GGUF"], true),
    ] {
        let mut page = Page::opened("v=1");
        page.compute_all();
        let names = names.into_iter().map(str::to_owned).collect();
        page.send(Message::Import(ImportAction::Begin(names, 10.0)));
        let opens = page.effects.contains(&Effect::KeepModelFiles);
        let reads = page
            .effects
            .iter()
            .any(|own| matches!(own, Effect::ReadFiles(_)));
        assert_eq!((opens, reads), (is_model, !is_model));
    }
}

#[test]
fn a_broken_file_leaves_the_page_as_it_was() {
    let mut own = WithModel::dropped("v=1&weights=random&text=one+two");
    let before = own.state().imported.clone();
    let (number, call) = own.waiting().expect("it is opened");
    assert!(matches!(call, ModelCall::Open(_)));
    own.answered = number;
    let refusal = Refusal {
        code: "unknown_option".to_owned(),
        field: "llama.gguf: version".to_owned(),
        value: "7".to_owned(),
        message: "llama.gguf: version: 7 must be 2 or 3".to_owned(),
    };
    own.page
        .event(PanelEvent::Model(number, ModelEvent::Refused(refusal)));
    own.answer_all();
    assert!(own.page.view().contains("must be 2 or 3"));
    assert_eq!(own.state().imported, before);
}

#[test]
fn opening_says_how_far_it_is_and_can_be_given_up() {
    let mut own = WithModel::dropped("v=1&weights=random&text=one+two");
    let (number, _) = own.waiting().expect("it is opened");
    own.page
        .event(PanelEvent::Model(number, ModelEvent::Read(25e6, 100e6)));
    let view = own.page.view();
    assert!(view.contains("25.0") && view.contains("100"), "{view}");
    own.page.event(PanelEvent::Press("cancel".to_owned()));
    let is_cancel = |effect: &Effect| matches!(effect, Effect::Model(_, ModelCall::Cancel));
    assert!(own.page.effects.iter().any(is_cancel));
    // What comes too late is passed over.
    own.page
        .event(PanelEvent::Model(number, ModelEvent::Read(100e6, 100e6)));
    assert!(
        own.page
            .app
            .model
            .as_ref()
            .is_some_and(|own| own.open.is_none())
    );
}

#[test]
fn a_closed_model_leaves_the_sentence() {
    let mut own = WithModel::opened("one+two");
    own.press("close");
    assert!(own.state().imported.is_none());
    assert!(own.page.view().contains("Choose files"));
}

#[test]
fn an_offer_of_the_site_is_opened_with_one_press() {
    let mut own = WithModel {
        page: Open::new(Panel::Model, "v=1&weights=random&text=one+two&open=model"),
        model: tiny(),
        answered: 0,
    };
    own.answer_all();
    let view = own.page.view();
    assert!(view.contains("Tiny") && view.contains("50.0") && view.contains("MIT"));
    own.page.event(PanelEvent::Press("offer-0".to_owned()));
    let (_, call) = own.waiting().expect("it is opened");
    assert_eq!(call, ModelCall::Open(ModelSource::Offer(0)));
    own.answer_all();
    assert!(own.open().is_shown(own.state()));
}

#[test]
fn a_model_stays_open_where_another_is_given_up_or_refused() {
    let mut own = WithModel::opened("one+two+three+one+two");
    let (heads, mut head) = (
        own.open().heads(),
        own.open().chosen(own.state()).expect("a head"),
    );
    for is_refused in [false, true] {
        let names = vec!["other.gguf".to_owned()];
        own.page
            .send(Message::Import(ImportAction::Begin(names, 5e4)));
        let (number, call) = own.waiting().expect("it is opened");
        assert!(matches!(call, ModelCall::Open(_)));
        own.answered = number;
        if is_refused {
            let refusal = ModelEvent::Refused(Refusal::default());
            own.page.event(PanelEvent::Model(number, refusal));
        } else {
            own.page.event(PanelEvent::Press("cancel".to_owned()));
        }
        head = (head + heads / 2 + 1) % heads;
        own.press(&format!("head-{head}"));
        assert_eq!(own.open().chosen(own.state()), Some(head), "{is_refused}");
        assert!(own.difference() < 1e-5);
    }
}

#[test]
fn what_was_opened_before_is_opened_again_and_forgotten() {
    let mut own = WithModel::opened("one+two");
    own.press("another");
    assert!(own.page.view().contains("data-do=\"again-0\"") && own.page.view().contains("Mine"));
    own.page.event(PanelEvent::Press("again-0".to_owned()));
    let (_, call) = own.waiting().expect("it is opened");
    assert_eq!(call, ModelCall::Open(ModelSource::Remembered(0)));
    own.answer_all();
    own.page.event(PanelEvent::Press("forget".to_owned()));
    let is_forget = |effect: &Effect| matches!(effect, Effect::Model(_, ModelCall::Forget));
    assert!(own.page.effects.iter().any(is_forget));
    assert!(!own.page.view().contains("again-0"));
}
