//! Hints beside the sentence.

wasm_chunks::chunk!("input");

use super::{App, View};
use crate::Message;
use crate::message::{CoachEvent, LearningAction, LessonAction};
use crate::present::address_history::Change;
use crate::present::coach::{CoachAct, shown_again};

impl App {
    /// Handles the buttons of the hint.
    #[inline(never)]
    pub(super) fn use_coach(&mut self, event: CoachEvent) {
        match event {
            CoachEvent::Act => match self.coach.act(&self.state) {
                Some(CoachAct::Set(action)) => self.act(action, Change::Commit),
                Some(CoachAct::Watch) => {
                    self.act(shown_again(), Change::Commit);
                    self.later
                        .push_back(Message::Learning(LearningAction::Watch));
                }
                Some(CoachAct::Lessons) => {
                    self.later.push_back(Message::Lesson(LessonAction::List))
                }
                None => {}
            },
            CoachEvent::Leave => self.coach.leave(),
            CoachEvent::Again => {
                self.coach.begin();
                self.coach.follow(&self.state, &self.state);
            }
        }
        self.show(View::Coach);
    }
}
