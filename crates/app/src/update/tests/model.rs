//! A model opened from files: its layers on the map, its measures, and what it says, answered by a real one.

mod opening;

use std::sync::Arc;

use checkpoint_reader::{FileInfo, Reader};
use interpret::Interpreter;

use super::panels::Open;
use super::*;
use crate::Refusal;
use crate::present::model_panel::{
    AboutModel, ModelCall, ModelEvent, ModelSource, Offer, OpenModel,
};
use crate::present::panel::PanelEvent;

const TEXT: &str = "one two three one two";

/// A page with the worker of its model.
struct WithModel {
    page: Open,
    model: Interpreter,
    /// Number of the call that was answered last.
    answered: u32,
}

/// The tiny Llama of the goldens.
fn tiny() -> Interpreter {
    interpreter(&["tests/golden/checkpoints/llama.gguf"])
}

/// A tiny BERT with its head for masked words.
fn masked() -> Interpreter {
    interpreter(&[
        "tests/golden/checkpoints/bert_masked/config.json",
        "tests/golden/checkpoints/bert_masked/model.safetensors",
        "crates/tokenizer/tests/golden/bert.tokenizer.json",
    ])
}

/// The model of some files.
fn interpreter(paths: &[&str]) -> Interpreter {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &&str| std::fs::read(root.join(path)).expect("a golden file");
    let files: Vec<Vec<u8>> = paths.iter().map(read).collect();
    let info = |(path, bytes): (&&str, &Vec<u8>)| FileInfo {
        // The tokenizers of the goldens stand side by side, each under the name of its family.
        name: path
            .rsplit('/')
            .next()
            .expect("a name")
            .replace("bert.", ""),
        bytes: bytes.len() as u64,
    };
    let infos = paths.iter().zip(&files).map(info).collect();
    let mut reader = Reader::new(infos, 1 << 24).expect("a model's files");
    while let Some(piece) = reader.wants() {
        let span = piece.span.start as usize..piece.span.end as usize;
        reader.take(&files[piece.file][span]).expect("its bytes");
    }
    let opened = reader.opened().expect("a whole model");
    Interpreter::new(opened.model, Arc::new(opened.tokenizer))
}

impl WithModel {
    /// A page on which the file of the model was dropped.
    fn dropped(fragment: &str) -> Self {
        let mut own = Self {
            page: Open::new(Panel::Model, fragment),
            model: tiny(),
            answered: 0,
        };
        own.page.compute_all();
        let names = vec!["llama.gguf".to_owned()];
        own.page
            .send(Message::Import(ImportAction::Begin(names, 5e4)));
        own
    }

    fn opened_masked(text: &str) -> Self {
        let mut own = Self {
            model: masked(),
            ..Self::dropped(&format!("v=1&weights=random&text={text}"))
        };
        own.answer_all();
        own
    }

    fn opened(text: &str) -> Self {
        let mut own = Self::dropped(&format!("v=1&weights=random&text={text}"));
        own.answer_all();
        own
    }

    /// The number and the call that wait for an answer.
    fn waiting(&self) -> Option<(u32, ModelCall)> {
        let mut effects = self.page.effects.iter().rev();
        let last = effects.find_map(|effect| match effect {
            Effect::Model(number, call) => Some((*number, call.clone())),
            _ => None,
        });
        last.filter(|(number, _)| *number > self.answered)
    }

    fn outcome(&mut self, call: &ModelCall) -> Option<ModelEvent> {
        let config = *self.model.model().config();
        Some(match call {
            ModelCall::Offers => ModelEvent::Offers(
                vec![Offer {
                    name: "Tiny".to_owned(),
                    bytes: 5e4,
                    licence: "MIT".to_owned(),
                }],
                vec!["Mine".to_owned()],
            ),
            ModelCall::Open(_) => ModelEvent::Opened(Box::new(AboutModel {
                name: "llama".to_owned(),
                family: "llama".to_owned(),
                bytes: 5e4,
                layers: config.layers,
                heads: config.heads,
                is_causal: config.causal,
                has_logits: config.logits,
            })),
            ModelCall::Ask(question) => match self.model.answer(question) {
                Ok(answer) => ModelEvent::Answered(Box::new(answer)),
                Err(error) => ModelEvent::Refused(error.into()),
            },
            ModelCall::Cancel | ModelCall::Close | ModelCall::Forget => return None,
        })
    }

    /// Answers the call that waits; `false` where none does.
    fn answer(&mut self) -> bool {
        let Some((number, call)) = self.waiting() else {
            return false;
        };
        self.answered = number;
        if let Some(event) = self.outcome(&call) {
            self.page.event(PanelEvent::Model(number, event));
            self.page.compute_all();
        }
        self.page.event(PanelEvent::Follow);
        true
    }

    fn answer_all(&mut self) {
        self.page.compute_all();
        self.page.event(PanelEvent::Follow);
        for _ in 0..200 {
            if !self.answer() {
                return;
            }
        }
        panic!("it asks without end: {:?}", self.waiting());
    }

    fn press(&mut self, name: &str) {
        self.page.event(PanelEvent::Press(name.to_owned()));
        self.answer_all();
    }

    fn open(&self) -> &OpenModel {
        let panel = self.page.app.model.as_ref().expect("its panel is open");
        panel.open.as_ref().expect("an open model")
    }

    fn state(&self) -> &State {
        &self.page.app.state
    }

    /// Layer and head on the map, from 0.
    fn shown(&self) -> (usize, usize) {
        let layer = self.open().layer_shown(self.state()).expect("a layer");
        (layer, self.state().head)
    }

    /// The largest difference between the weights on the map and those of the model's pass.
    fn difference(&self) -> f32 {
        let run = self.page.app.main.run.as_ref().expect("numbers");
        let (open, (layer, _)) = (self.open(), self.shown());
        let reading = open.reading.as_ref().expect("a text");
        let n = reading.tokens.len();
        assert_eq!((run.queries.len(), run.keys.len()), (n, n));
        let of_head = |head: usize| {
            let wanted = reading.map(layer * open.about.heads + head).expect("maps");
            let found = (0..n).flat_map(move |row| run.row(head, row));
            let far = found
                .zip(wanted)
                .map(|(found, wanted)| (found - wanted).abs());
            far.fold(0.0, f32::max)
        };
        (0..open.about.heads).map(of_head).fold(0.0, f32::max)
    }
}

#[test]
fn a_dropped_model_puts_a_layer_on_the_map() {
    let own = WithModel::opened("one+two+three+one+two");
    let state = own.state();
    assert!(state.panels.contains(Panel::Model));
    assert!(state.masks.contains(crate::state::MaskPart::Causal));
    assert!(own.difference() < 1e-5, "{}", own.difference());
    let view = own.page.view();
    let heads = own.open().heads();
    assert_eq!(view.matches("class=\"cell\"").count(), heads);
    assert!(view.contains(&format!("{heads} heads")));
    let open = own.open();
    assert!(open.next.is_some() && !open.lens.is_empty() && open.parts.is_some());
    assert_eq!(
        open.lens.get(&open.answer_place()).map(Vec::len),
        Some(open.about.layers + 1)
    );
    assert!(open.why(state).is_some());
}

#[test]
fn a_head_of_another_layer_comes_to_the_map_and_goes_with_undo() {
    let mut own = WithModel::opened("one+two+three+one+two");
    let heads = own.open().about.heads;
    let before = own.shown();
    let other = (before.0 + 1) % own.open().about.layers;
    own.press(&format!("head-{}", other * heads + heads - 1));
    assert_eq!(own.shown(), (other, heads - 1));
    assert!(own.difference() < 1e-5);
    own.page.send(Message::Undo(UndoAction::Undo));
    own.answer_all();
    assert_eq!(own.shown(), before);
    // A head of the same layer needs no other numbers.
    let asked = own.answered;
    let data = own.state().imported.clone();
    own.press(&format!(
        "head-{}",
        before.0 * heads + (before.1 + 1) % heads
    ));
    assert_eq!(own.shown(), (before.0, (before.1 + 1) % heads));
    assert_eq!(own.state().imported, data);
    assert!(
        own.answered <= asked + 1,
        "why it looks there alone is asked"
    );
}

#[test]
fn another_text_is_read_as_a_part_of_the_step_that_typed_it() {
    let mut own = WithModel::opened("one+two+three+one+two");
    let (before, shown) = (own.state().clone(), own.shown());
    own.page.set(Field::Text, text("two one"));
    own.answer_all();
    assert_eq!(own.shown(), shown);
    assert!(own.difference() < 1e-5);
    assert_ne!(own.state().imported, before.imported);
    own.page.send(Message::Undo(UndoAction::Undo));
    own.answer_all();
    assert_eq!(own.state().text, before.text);
    assert_eq!(own.state().imported, before.imported);
    assert!(own.difference() < 1e-5);
}

#[test]
fn the_newest_text_wins() {
    let mut own = WithModel::opened("one+two+three+one+two");
    own.page.set(Field::Text, text("three"));
    own.page.event(PanelEvent::Follow);
    own.page.set(Field::Text, text("three two one"));
    own.answer_all();
    let reading = own.open().reading.as_ref().expect("a text");
    let names = reading.tokens.iter().skip(1).map(|own| own.name.as_str());
    let spelled = names.collect::<String>().replace(['·', '␣'], "");
    assert_eq!(spelled, "threetwoone");
    assert!(own.difference() < 1e-5);
}

#[test]
fn a_head_that_is_switched_off_changes_the_answer() {
    let mut own = WithModel::opened("one+two+three+one+two");
    assert!(own.open().changed(own.state()).is_none());
    own.press("off");
    let (layer, head) = own.shown();
    assert_eq!(own.open().off, [(layer, head)]);
    let changed = own.open().changed(own.state()).expect("an answer").clone();
    let base = own.open().answer_share().expect("an answer");
    assert!((changed.asked.expect("asked for") - base).abs() > 1e-9);
    let view = own.page.view();
    let name = format!("Without layer {} · head {}", layer + 1, head + 1);
    assert!(view.contains(&name), "{view}");
    own.press("off");
    assert!(own.open().off.is_empty());
    assert!(!own.page.view().contains("Without layer"));
}

#[test]
fn every_head_is_tried_where_that_is_wanted() {
    let mut own = WithModel::opened("one+two+three+one+two");
    let need = crate::present::model_panel::Choice::Need;
    assert!(own.open().values(need).iter().all(Option::is_none));
    own.press("need");
    let values = own.open().values(need);
    assert!(values.iter().all(Option::is_some));
    let ranked = own.open().ranked(need, 3);
    assert!(ranked[0].value >= ranked[1].value && ranked[1].value >= ranked[2].value);
    assert_eq!(Some(ranked[0].value), values[ranked[0].head]);
}

#[test]
fn a_cell_that_is_painted_out_changes_the_answer() {
    let mut own = WithModel::opened("one+two+three+one+two");
    let paint = Action::Paint {
        from: (4, 0),
        to: (4, 0),
        is_visible: false,
    };
    own.page.act(paint, Change::Commit);
    own.answer_all();
    assert!(own.open().hides_cells(own.state()));
    assert!(own.open().changed(own.state()).is_some());
    assert!(own.page.view().contains("With cells of this layer hidden"));
}

/// The program that is saved last.
fn saved(own: &WithModel) -> String {
    let file = own
        .page
        .effects
        .iter()
        .rev()
        .find_map(|effect| match effect {
            Effect::Download(Some(Panel::Model), file) => Some(file),
            _ => None,
        });
    let file = file.expect("a file");
    assert_eq!(
        (&*file.name, file.kind),
        ("intervention.py", "text/x-python")
    );
    String::from_utf8(file.bytes.clone()).expect("a text")
}

#[test]
fn what_is_changed_is_saved_as_a_program() {
    let mut own = WithModel::opened("one+two+three+one+two");
    let is_offered = |own: &WithModel| own.page.view().contains("data-do=\"program\"");
    assert!(!is_offered(&own));
    own.press("program");
    assert!(
        !own.page
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Download(..)))
    );
    own.press("off");
    assert!(is_offered(&own));
    own.press("program");
    let (layer, head) = own.shown();
    let text = saved(&own);
    let after = own.open().changed(own.state()).expect("an answer").asked;
    for line in [
        "text = \"one two three one two\"\n".to_owned(),
        format!("off = {{{layer}: [{head}]}}\n"),
        format!(
            "page: {:.6}\nbefore",
            own.open().answer_share().expect("an answer")
        ),
        format!("page: {:.6}\nafter", after.expect("asked for")),
    ] {
        assert!(text.contains(&line), "{line} is not in\n{text}");
    }
    own.press("off");
    assert!(!is_offered(&own));
    let paint = Action::Paint {
        from: (4, 0),
        to: (4, 1),
        is_visible: false,
    };
    own.page.act(paint, Change::Commit);
    own.answer_all();
    own.press("program");
    let hidden = format!("    ({layer}, [0, 1, 2, 3], {{\n        4: [0, 1],\n    }}),\n");
    let text = saved(&own);
    assert!(text.contains(&hidden) && !text.contains("off = "), "{text}");
}

#[test]
fn it_writes_on_word_by_word() {
    let mut own = WithModel::opened("one+two");
    let before = own.state().text.clone();
    own.press("write");
    let after = own.state().text.clone();
    assert!(
        after.starts_with(&before) && after.len() > before.len(),
        "{after}"
    );
    assert_eq!(own.open().writing, 0);
    assert!(own.difference() < 1e-5);
}

#[test]
fn what_is_refused_is_said_and_not_asked_again() {
    let mut own = WithModel::opened("one+two");
    own.page.set(Field::Text, text(&"one ".repeat(400)));
    own.answer_all();
    let refusal = own
        .open()
        .refusal
        .as_ref()
        .expect("a text that is too long");
    assert_eq!(refusal.field, "text");
    assert!(own.page.view().contains(&refusal.message));
    own.page.set(Field::Text, text("two"));
    own.answer_all();
    assert!(own.open().refusal.is_none());
    assert!(own.difference() < 1e-5);
}

#[test]
fn numbers_of_ones_own_hide_the_model_until_it_is_wanted_again() {
    let mut own = WithModel::opened("one+two");
    own.page.set(Field::Data, Value::Absent);
    own.answer_all();
    assert!(!own.open().is_shown(own.state()));
    assert!(!own.page.view().contains("class=\"cell\""));
    own.press("show");
    assert!(own.open().is_shown(own.state()));
    assert!(own.difference() < 1e-5);
}

#[test]
fn the_field_is_walked_by_keys_and_pressed() {
    let mut own = WithModel::opened("one+two+three+one+two");
    let heads = own.open().about.heads;
    let key = |own: &mut WithModel, key: &str| {
        let event = PanelEvent::Key("heads".to_owned(), key.to_owned());
        own.page.event(event);
        own.answer_all();
    };
    key(&mut own, "Home");
    for _ in 0..own.open().about.layers {
        key(&mut own, "ArrowUp");
    }
    assert_eq!(own.open().pointed, Some(0));
    key(&mut own, "ArrowDown");
    key(&mut own, "End");
    assert_eq!(own.open().pointed, Some(2 * heads - 1));
    key(&mut own, "Enter");
    assert_eq!((own.shown(), own.open().pointed), ((1, heads - 1), None));
}

/// The strongest part of a score is a link to its head, and says where that had looked.
#[test]
fn why_a_head_looks_there_adds_up() {
    let own = WithModel::opened("one+two+three+one+two");
    let (_, why) = own.open().why(own.state()).expect("a cell");
    for split in [&why.by_key, &why.by_query] {
        let sum: f64 = split.parts.iter().map(|part| part.value).sum();
        let largest = split
            .parts
            .iter()
            .map(|part| part.value.abs())
            .fold(0.0, f64::max);
        assert!(
            (sum - split.score).abs() <= 1e-5 * largest,
            "{sum} {}",
            split.score
        );
    }
    let view = own.page.view();
    assert!(view.contains("score before the softmax") && view.contains("others together"));
}

#[test]
fn a_head_is_taken_from_another_text_of_as_many_tokens() {
    let mut own = WithModel::opened("one+two+three+one+two");
    let enter = |own: &mut WithModel, text: &str| {
        let event = PanelEvent::Enter("patch".to_owned(), text.to_owned(), Change::Commit);
        own.page.event(event);
        own.answer_all();
    };
    // The text itself changes nothing.
    enter(&mut own, TEXT);
    let base = own.open().answer_share().expect("an answer");
    let same = own.open().changed(own.state()).expect("an answer").asked;
    assert!((same.expect("asked for") - base).abs() < 1e-9);
    enter(&mut own, "one three two one two");
    let other = own.open().changed(own.state()).expect("an answer").asked;
    assert!((other.expect("asked for") - base).abs() > 1e-9);
    assert!(own.page.view().contains("from “one three two one two”"));
    enter(&mut own, "one");
    let refusal = own
        .open()
        .refusal
        .as_ref()
        .expect("another number of tokens");
    assert_eq!(refusal.field, "patch");
    assert!(own.open().patch.is_none());
    assert!(own.difference() < 1e-5, "the map goes on");
}

/// A later token is hidden: there is no score to be split, and all else goes on.
#[test]
fn a_cell_that_is_not_seen_has_no_reasons() {
    let mut own = WithModel::opened("one+two+three+one+two");
    let cell = |key| {
        Value::Cell(Cell {
            query: 1,
            key: Some(key),
        })
    };
    own.page.set(Field::Cell, cell(3));
    own.answer_all();
    assert!(own.open().why(own.state()).is_none());
    own.press("off");
    assert!(own.open().refusal.is_none() && own.open().changed(own.state()).is_some());
    own.page.set(Field::Cell, cell(0));
    own.answer_all();
    assert!(own.open().why(own.state()).is_some());
}

/// The pointer comes with every movement: only another head is shown.
#[test]
fn the_field_is_shown_anew_for_another_head_alone() {
    let mut own = WithModel::opened("one+two");
    let mut shows = |place: (f64, f64)| {
        let from = own.page.effects.len();
        own.page.event(PanelEvent::Point("heads".to_owned(), place));
        own.page.effects.len() > from
    };
    assert!(shows((0.5, 0.5)) && !shows((0.5, 0.5)) && shows((0.0, 0.0)) && !shows((0.0, 0.0)));
}

#[test]
fn an_encoder_says_what_was_masked() {
    let mut own = WithModel::opened_masked("the+[MASK]+is+here");
    let open = own.open();
    let names = |open: &OpenModel| -> Vec<String> {
        let tokens = &open.reading.as_ref().expect("read").tokens;
        tokens.iter().map(|own| own.name.clone()).collect()
    };
    assert_eq!(names(open)[open.answer_place()], "[MASK]");
    assert_eq!(
        open.next.as_ref().map(|next| next.likeliest.len()),
        Some(10)
    );
    assert!(open.parts.is_none() && open.refusal.is_none());
    assert!(own.page.view().contains("class=\"model-write\" hidden"));
    // Without a mask, at the last word; a head is tried all the same.
    own.page.set(Field::Text, Value::Text("the end".to_owned()));
    own.answer_all();
    let open = own.open();
    assert_eq!(
        open.answer_place() + 2,
        names(open).len(),
        "{:?}",
        names(open)
    );
    own.press("off");
    assert!(own.open().changed(own.state()).is_some());
}

#[test]
fn every_layer_is_read_at_every_token() {
    let mut own = WithModel::opened("one+two+three");
    let n = own.open().reading.as_ref().expect("read").tokens.len();
    assert_eq!(own.open().lens.len(), 1);
    own.press("layers");
    let (open, view) = (own.open(), own.page.view());
    assert!(open.lens.keys().copied().eq(0..n));
    let rows = open.about.layers + 1;
    assert_eq!(view.matches("<td data-weight=").count(), rows * n);
    own.press("place-0");
    assert_eq!(own.open().answer_place(), 0);
    // They stay for the place, and go with the text.
    assert_eq!(own.open().lens.len(), n);
    own.press("layers");
    own.page.set(Field::Text, Value::Text("two one".to_owned()));
    own.answer_all();
    assert_eq!(own.open().lens.len(), 1);
}
