//! Pages driven without a browser: the worker computes when a test says so.

mod analysis;
mod code;
mod comparison;
mod cost;
mod curves;
mod data;
mod draw;
mod first_view;
mod import;
mod kept;
mod learning;
mod lesson;
mod model;
mod panels;
mod random;
mod save;
mod share;
mod sheets;
mod steps;
mod streaming;
mod training;
mod words;
mod zoom;

use std::collections::VecDeque;

use super::*;
use crate::message::{
    BrushAction, HitTest, HostMessage, ImportAction, LearningAction, LessonAction, MapEvent,
    RunError, UndoAction,
};
use crate::present::address_history::{Change, HistoryMode};
use crate::present::displayed_matrix::DisplayedMatrix;
use crate::present::map_text;
use crate::present::run::tests::numbers;
use crate::scene::hit::{Move, Target};
use crate::state::{Action, Cell, Field, ImportedData, Value, initial};
use engine::Lane;
use kept::Kept;

/// All code has loaded, except for these chunks.
struct Code(&'static [&'static str]);

impl Chunks for Code {
    fn state(&self, name: &'static str) -> ChunkState {
        if self.0.contains(&name) {
            ChunkState::Coming
        } else {
            ChunkState::Loaded
        }
    }
}

/// A page with its worker, its address and its clock.
struct Page {
    app: App,
    /// States to compute for the map: the running one, then the newest one waiting.
    asked: VecDeque<State>,
    compared: Option<State>,
    address: Vec<(String, Change, HistoryMode)>,
    said: Vec<String>,
    effects: Vec<Effect>,
    now: Rc<std::cell::Cell<f64>>,
    kept: Rc<Kept>,
}

impl Page {
    fn with_code(chunks: impl Chunks + 'static) -> Self {
        let environment = EnvironmentSnapshot {
            remembered: None,
            language: Language::En,
            has_memory: true,
            is_motion_reduced: true,
            is_printing: false,
        };
        let now = Rc::new(std::cell::Cell::new(0.0));
        // Each look at the clock takes as long as a step of training.
        let clock = {
            let now = Rc::clone(&now);
            move || now.replace(now.get() + 2.0)
        };
        let kept: Rc<Kept> = Rc::default();
        Self {
            app: App::new(
                environment,
                Outside {
                    chunks: Rc::new(chunks),
                    clock: Rc::new(clock),
                    memory: Rc::<Kept>::clone(&kept),
                    address: "https://page.example/".to_owned(),
                },
            ),
            asked: VecDeque::new(),
            compared: None,
            address: Vec::new(),
            said: Vec::new(),
            effects: Vec::new(),
            now,
            kept,
        }
    }

    fn opened(fragment: &str) -> Self {
        let mut page = Self::with_code(Code(&[]));
        page.send(Message::Open(fragment.to_owned()));
        page
    }

    fn send(&mut self, message: Message) {
        self.now.set(self.now.get() + 10_000.0);
        for effect in self.app.update(message) {
            match &effect {
                Effect::Ask(Lane::Main, state) => {
                    self.asked.truncate(1);
                    self.asked.push_back((**state).clone());
                }
                Effect::Ask(Lane::Side, state) => self.compared = Some((**state).clone()),
                Effect::Write {
                    fragment,
                    change,
                    mode,
                } => self.address.push((fragment.clone(), *change, *mode)),
                Effect::Announce(sentence) => self.said.push(sentence.clone()),
                _ => {}
            }
            self.effects.push(effect);
        }
    }

    fn act(&mut self, action: Action, change: Change) {
        self.send(Message::Act(action, change));
    }

    fn set(&mut self, field: Field, value: Value) {
        self.act(Action::Set(field, value), Change::Commit);
    }

    /// Finishes the running job; returns whether there was one.
    fn compute(&mut self) -> bool {
        let Some(state) = self.asked.pop_front() else {
            return false;
        };
        let reply = numbers(&state).map(Box::new);
        let reply = reply.map_err(|error| RunError::Refused(error.to_string()));
        self.send(Message::Ran(Lane::Main, Box::new(state), reply));
        self.paint();
        if !self.app.state.lesson.is_empty() {
            self.send(Message::Lesson(LessonAction::Painted));
        }
        true
    }

    fn compute_all(&mut self) {
        while self.compute() {}
    }

    /// Marks everything as painted, as a frame does.
    fn paint(&mut self) {
        let stale = std::mem::take(&mut self.app.stale);
        if stale.is_map() {
            self.app.scheduler.outdate(stale.picture);
        }
        self.app.is_marked |= self.app.main.run.is_some();
        self.app.read = self.app.row();
    }

    /// Returns the accessible description of the map's numbers.
    fn map(&self) -> String {
        let run = self.app.main.run.as_ref().expect("numbers");
        let displayed = DisplayedMatrix::new(run, self.app.shown(), self.app.head());
        map_text::numbers(run, displayed.size(), self.app.language)
    }
}

/// The pointer on a cell.
fn at(query: usize, key: usize) -> HitTest {
    HitTest {
        target: Some(Target::Cell { query, key }),
        nearest: Some((query, key)),
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

#[test]
fn a_page_is_opened_typed_into_dragged_and_undone() {
    let mut page = Page::opened("v=1&text=the+cat+sat&heads=2&weights=random");
    assert!(page.app.main.run.is_none() && page.asked.len() == 1);
    page.compute_all();
    assert!(page.app.is_settled());
    let first = (page.app.state.clone(), page.map());
    assert!(first.1.contains('3'), "{}", first.1);
    // Numbers of before stay until those of the new text are there.
    page.set(Field::Text, text("the cat sat down"));
    assert!(!page.app.is_settled());
    assert_eq!(page.map(), first.1);
    page.compute_all();
    assert!(page.app.is_settled() && page.map().contains('4'));
    // A slider: every place is a state, one step of the history for all.
    for d_k in [17, 18, 19] {
        let action = Action::Set(Field::DK, Value::Number(d_k));
        page.act(action, Change::Input);
    }
    page.set(Field::DK, Value::Number(19));
    page.compute_all();
    assert_eq!(
        page.app.main.run.as_ref().map(|run| run.state.d_k),
        Some(19)
    );
    assert_eq!(page.app.undo_steps(), [true, false, true]);
    page.send(Message::Undo(UndoAction::Undo));
    assert_eq!(
        (page.app.state.d_k, &*page.app.state.text),
        (16, "the cat sat down")
    );
    page.send(Message::Undo(UndoAction::Undo));
    page.compute_all();
    assert_eq!((page.app.state.clone(), page.map()), first);
    assert_eq!(page.app.undo_steps()[..2], [false, true]);
    // Going back is a step of the browser's own history.
    let (fragment, change, mode) = page.address.last().expect("written");
    assert_eq!((*change, *mode), (Change::Commit, HistoryMode::Push));
    assert_eq!(*fragment, page.app.fragment());
    // The standard settings are a step as well.
    page.send(Message::Undo(UndoAction::Reset));
    let standard = State {
        panels: first.0.panels,
        ..initial::standard(Language::En).clone()
    };
    assert_eq!(page.app.state, standard);
    assert_eq!(page.app.undo_steps(), [true, false, false]);
    page.send(Message::Undo(UndoAction::Undo));
    assert_eq!(page.app.state, first.0);
}

#[test]
fn the_newest_numbers_win_and_others_are_not_computed() {
    let mut page = Page::opened("v=1&text=a+b&weights=random");
    for words in ["a b c", "a b c d", "a b c d e"] {
        page.set(Field::Text, text(words));
    }
    // One is under way, and only the newest waits.
    assert_eq!(page.asked.len(), 2);
    assert!(page.compute() && !page.app.is_settled());
    assert!(page.compute() && page.app.is_settled());
    assert_eq!(
        page.app.main.run.as_ref().map(|run| run.queries.len()),
        Some(5)
    );
}

#[test]
fn a_cell_is_pointed_out_locked_and_let_go() {
    let mut page = Page::opened("v=1&text=a+b+c&weights=random");
    page.compute_all();
    page.send(Message::Map(MapEvent::Over(at(1, 2))));
    assert_eq!(
        page.app.pointed(),
        Pointed {
            query: Some(1),
            key: Some(2)
        }
    );
    page.send(Message::Map(MapEvent::Click(at(1, 2))));
    assert_eq!(
        page.app.state.cell,
        Some(Cell {
            query: 1,
            key: Some(2)
        })
    );
    // A locked cell stays, wherever the pointer goes, and moves by keys.
    page.send(Message::Map(MapEvent::Over(at(0, 0))));
    page.send(Message::Map(MapEvent::Step(Move::Down)));
    assert_eq!(
        page.app.state.cell,
        Some(Cell {
            query: 2,
            key: Some(2)
        })
    );
    assert!(matches!(page.effects.last(), Some(Effect::Speak(_))));
    page.send(Message::Map(MapEvent::Release));
    assert_eq!(
        page.app.state.cell,
        Some(Cell {
            query: 2,
            key: None
        })
    );
    // The keyboard alone: a chosen cell is no step of its own in the browser's history.
    assert!(
        page.address
            .iter()
            .all(|(.., mode)| *mode == HistoryMode::Replace)
    );
}

#[test]
fn the_brush_paints_a_stroke_that_is_one_step() {
    let mut page = Page::opened("v=1&text=a+b+c&weights=random");
    page.compute_all();
    page.send(Message::Map(MapEvent::Press(at(0, 0))));
    assert!(page.app.state.paint.is_empty(), "the brush is not up");
    page.send(Message::Brush(BrushAction::Toggle));
    page.send(Message::Map(MapEvent::Press(at(0, 0))));
    page.send(Message::Map(MapEvent::Over(at(0, 2))));
    page.send(Message::Map(MapEvent::Lift));
    page.compute_all();
    assert_eq!(
        page.app
            .main
            .run
            .as_ref()
            .map(|run| (0..3).any(|key| run.seen.reaches(0, key))),
        Some(false)
    );
    page.send(Message::Undo(UndoAction::Undo));
    assert!(page.app.state.paint.is_empty());
}

#[test]
fn a_host_is_answered_and_changes_of_its_own_are_not_those_of_a_person() {
    let mut page = Page::opened("v=1&text=a+b");
    page.compute_all();
    page.send(Message::Host(HostMessage::Apply(
        "d_k=7&heads=99".to_owned(),
    )));
    assert_eq!((page.app.state.d_k, page.app.take_answer().len()), (7, 1));
    assert_eq!(page.app.take_by(), ChangeSource::Host);
    page.set(Field::DK, Value::Number(8));
    assert_eq!(page.app.take_by(), ChangeSource::Person);
    let snapshot = page.app.snapshot();
    assert!(!snapshot.is_computed);
    page.compute_all();
    assert!(page.app.snapshot().is_computed);
}

#[test]
fn both_settings_of_a_comparison_are_computed_and_b_follows_a() {
    let mut page = Page::opened("v=1&text=a+b+c&weights=random&open=compare&against=mask%3Dcausal");
    page.compute_all();
    let b = page
        .compared
        .take()
        .expect("B is asked for once A is there");
    let reply = numbers(&b).expect("it can be computed");
    assert!(page.app.pair().is_none());
    let ran = |state: &State, reply| Message::Ran(Lane::Side, Box::new(state.clone()), reply);
    page.send(ran(&b, Ok(Box::new(reply))));
    let pair = page.app.pair().expect("both");
    assert!(pair.a.seen.reaches(0, 2) && !pair.b.seen.reaches(0, 2));
    // Another setting of A is one of B too; until B has come no pair is shown.
    page.set(Field::DK, Value::Number(5));
    page.compute_all();
    assert!(page.app.pair().is_none());
    let newer = page.compared.take().expect("asked for again");
    assert_eq!(newer.d_k, 5);
    let refused = RunError::Refused("no".to_owned());
    page.send(ran(&newer, Err(refused.clone())));
    let wanted = page.app.wanted_in(Lane::Side);
    assert_eq!(page.app.side.refusal(&wanted), Some(&refused));
    assert!(page.app.notices.shown().is_empty(), "the panel says it");
    page.app.ask_compared();
    assert!(
        page.compared.is_none(),
        "what was refused is not asked for again"
    );
    // What has come too late is not shown.
    let late = numbers(&b).expect("it can be computed");
    page.send(ran(&b, Ok(Box::new(late))));
    assert!(page.app.pair().is_none());
}

#[test]
fn what_is_said_of_a_link_waits_for_the_texts_of_its_language() {
    let mut page = Page::with_code(Code(&["zh"]));
    page.send(Message::Open("v=1&lang=zh&heads=999".to_owned()));
    assert_eq!(page.app.language, Language::En);
    assert!(page.app.notices.shown().is_empty());
    page.app.chunks = Rc::new(Code(&[]));
    page.send(Message::ChunkCame);
    assert_eq!(page.app.language, Language::Zh);
    assert_eq!(page.app.notices.shown().len(), 1);
}

#[test]
fn numbers_that_were_refused_are_told_and_the_state_stays() {
    let mut page = Page::opened("v=1&text=a+b");
    let state = page.app.state.clone();
    let refused = RunError::Refused("too large".to_owned());
    page.send(Message::Ran(
        Lane::Main,
        Box::new(state.clone()),
        Err(refused),
    ));
    assert_eq!(page.app.state, state);
    let said = page.app.notices.shown();
    assert!(said[0].sentence.contains("too large"), "{said:?}");
    let number = said[0].id;
    page.send(Message::Dismiss(number));
    assert!(page.app.notices.shown().is_empty());
}
