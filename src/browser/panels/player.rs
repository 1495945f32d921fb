//! A walk through the steps for one query token.

wasm_chunks::chunk!("more": Player);

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, KeyboardEvent};

use super::stepper::{StepNavigation, Stepper};
use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::sender::Sender;
use crate::browser::view::View;
use app::i18n::Language;
use app::present::address_history::Change;
use app::present::steps::walk;
use app::state::steps::shown;
use app::state::{Action, Field, StepKind, Value};
use app::views::symbols;

/// Time of a step while playing: enough to read its sentence.
const PACE_MS: i32 = 2600;

/// The buttons and the sentence of the step.
pub(crate) struct Player {
    inner: Rc<RefCell<Inner>>,
    _listener: Listener,
}

struct Inner {
    stepper: Stepper,
    says: View,
    steps: Vec<StepKind>,
    step: StepKind,
    language: Language,
}

impl Player {
    /// A step that is gone to becomes the large map.
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let later: Rc<RefCell<Weak<RefCell<Inner>>>> = Rc::default();
        let go: Rc<dyn Fn(StepNavigation)> = {
            let (later, sender) = (Rc::clone(&later), sender.clone());
            Rc::new(move |to| {
                let there = later.borrow().upgrade().and_then(|inner| {
                    let mut inner = inner.try_borrow_mut().ok()?;
                    let there = inner.go(to);
                    inner.update();
                    there
                });
                if let Some(step) = there {
                    let choice = Value::Choice(step.name());
                    sender.act(Action::Set(Field::Step, choice), Change::Commit);
                }
            })
        };
        let walk: Element = root.find("#walk")?;
        let inner = Inner {
            stepper: Stepper::new(root, "player", PACE_MS, Rc::clone(&go))?,
            says: View::find(root, "#player-says")?,
            steps: Vec::new(),
            step: StepKind::Weights,
            language: Language::En,
        };
        let inner = Rc::new(RefCell::new(inner));
        later.replace(Rc::downgrade(&inner));
        Ok(Self {
            inner,
            _listener: Listener::new(&walk, "keydown", move |event| {
                if is_shortcut(&event) {
                    go(StepNavigation::Play);
                }
            }),
        })
    }

    /// Shows the step on the map, and its effect on the chosen query.
    pub(crate) fn update(&mut self, context: &ViewContext<'_>) {
        let Ok(mut inner) = self.inner.try_borrow_mut() else {
            return;
        };
        inner.steps.clone_from(&context.run.steps);
        inner.step = shown(context.state);
        let said = walk(context.run, inner.step, context.row, context.language);
        inner.says.update(symbols(&said));
        inner.language = context.language;
        inner.update();
    }
}

impl Inner {
    fn update(&mut self) {
        let at = self.steps.iter().position(|step| *step == self.step);
        let at = at.map_or(0, |at| at + 1);
        self.stepper.update(at, 1, self.steps.len(), self.language);
    }

    /// Where `to` leads; `None` where there is no such step.
    fn go(&mut self, to: StepNavigation) -> Option<StepKind> {
        let last = self.steps.len().checked_sub(1)?;
        let at = self.steps.iter().position(|step| *step == self.step);
        if to == StepNavigation::Play && !self.stepper.is_playing() {
            self.stepper.play();
            // It goes on from where it stands, or begins anew where it has ended.
            let next = at.filter(|at| *at < last).map_or(0, |at| at + 1);
            return self.steps.get(next).copied();
        }
        let is_over = at.is_none_or(|at| at + 1 >= last);
        if to != StepNavigation::Tick || is_over {
            self.stepper.pause();
        }
        let next = match to {
            StepNavigation::Previous => at?.checked_sub(1)?,
            StepNavigation::Next | StepNavigation::Tick => at? + 1,
            StepNavigation::Play => return None,
        };
        self.steps.get(next).copied()
    }
}

/// Whether a key that is pressed among the steps plays or pauses.
fn is_shortcut(event: &Event) -> bool {
    event.dyn_ref::<KeyboardEvent>().is_some_and(|press| {
        let is_plain = !(press.ctrl_key() || press.meta_key() || press.alt_key());
        is_plain && press.key().eq_ignore_ascii_case("p")
    })
}
