//! Answers given in a lesson; undo and redo restore them with the state.

use crate::state::State;
use lessons::Expression;

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Said {
    Choice(usize),
    Number(f64),
}

/// An answer, between the state that it was given in and the state after it.
pub(super) struct Answered {
    pub step: usize,
    pub asked: State,
    pub after: State,
    pub said: Said,
    /// The answers to choose from.
    pub ready: Vec<Expression>,
}

/// The last answer of each step.
#[derive(Default)]
pub(super) struct Answers(Vec<Answered>);

impl Answers {
    /// Stores an answer, in place of the previous one.
    pub(super) fn keep(&mut self, own: Answered) {
        self.0.retain(|other| other.step != own.step);
        self.0.push(own);
    }

    /// The step that a state belongs to, and the answer given in it; `None` if the state belongs to
    /// no answer.
    pub(super) fn in_state(&self, state: &State) -> Option<(usize, Option<&Answered>)> {
        let after = self.0.iter().find(|own| own.after == *state);
        let asked = || self.0.iter().find(|own| own.asked == *state);
        let standing = after.map(|own| (own.step, Some(own)));
        standing.or_else(|| asked().map(|own| (own.step, None)))
    }
}

#[cfg(test)]
mod tests {
    use crate::present::lesson::{LessonWalk, Outcome};
    use crate::present::run::tests::computed;
    use crate::state::{State, url};
    use lessons::Lesson;

    const LESSON: &str = "---\ntitle: a\nminutes: 1\nopens: text=a+b\n---\n\
        ## predict: One\nthen: mask=causal\n\n- 1 {weight(1, 1) == 1}\n- less {weight(1, 1) < 1}\n\n\
        ## predict: Two\nnumber: weight(1, 1)\nwithin: 0.1\nthen: temperature=2\n";

    fn see(walk: &mut LessonWalk, state: &State) {
        walk.see(state, &computed(&url::to_fragment(state)));
    }

    /// State of the page, which includes the lesson's step.
    fn at(mut state: State, walk: &LessonWalk) -> State {
        state.lesson_step = walk.at() + 1;
        state
    }

    #[test]
    fn an_answer_is_taken_back_with_what_came_of_it_and_given_again() {
        let mut walk = LessonWalk::new(Lesson::parse(LESSON).expect("a lesson"));
        let opened = walk.opened(&State::default());
        let asked = at(opened, &walk);
        see(&mut walk, &asked);
        let after = walk.choose(0, &asked).expect("an answer");
        see(&mut walk, &after);
        let answered = walk.outcome().clone();
        assert!(matches!(answered, Outcome::Choice { is_right: true, .. }));

        walk.return_to(&url::parse("text=c&lesson_step=1").0);
        assert_eq!(walk.outcome(), &answered, "a state of no answer");

        walk.return_to(&asked);
        assert_eq!((walk.outcome(), walk.chosen()), (&Outcome::Open, None));
        see(&mut walk, &asked);
        walk.return_to(&after);
        assert_eq!(walk.chosen(), Some(0));
        see(&mut walk, &after);
        assert_eq!(walk.outcome(), &answered);

        // From the next step, whose own answer stays with it.
        let second = walk.go_to(1, &after);
        let second = at(second, &walk);
        see(&mut walk, &second);
        let guessed = walk.guess(0.5, &second).expect("an answer");
        walk.return_to(&after);
        see(&mut walk, &after);
        assert_eq!((walk.at(), walk.outcome()), (0, &answered));
        walk.return_to(&guessed);
        see(&mut walk, &guessed);
        assert_eq!(walk.at(), 1);
        assert!(matches!(walk.outcome(), Outcome::Number { .. }));

        // What is answered otherwise counts.
        walk.return_to(&asked);
        see(&mut walk, &asked);
        let after = walk.choose(1, &asked).expect("an answer");
        walk.return_to(&asked);
        walk.return_to(&after);
        assert_eq!(walk.chosen(), Some(1));
    }
    #[test]
    fn a_question_is_answered_from_numbers_that_say_more_than_is_shown() {
        let mut walk = LessonWalk::new(Lesson::parse(LESSON).expect("a lesson"));
        let asked = at(walk.opened(&State::default()), &walk);
        let more = format!("{}&step=scores", url::to_fragment(&asked));
        walk.see(&asked, &computed(&more));
        assert!(walk.choose(0, &asked).is_some());
    }
}
