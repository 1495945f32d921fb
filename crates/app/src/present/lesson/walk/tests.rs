use super::*;
use crate::i18n::Language;
use crate::present::lesson::files;
use crate::present::run::tests::computed;

fn run(state: &State) -> Run {
    computed(&url::to_fragment(state))
}

#[test]
fn a_lesson_is_taken_from_its_first_step_to_its_goal() {
    let lesson = files::lesson("06-masks", Language::En).expect("a lesson");
    let mut walk = LessonWalk::new(lesson);
    let reader = url::parse("text=a+b&theme=dark&heads=2&lang=zh&origins=https://example.org").0;
    let mut state = walk.opened(&reader);
    assert_eq!(
        (state.theme, state.language),
        (reader.theme, reader.language)
    );
    assert_ne!(state.text, reader.text);
    assert_eq!(state.origins, reader.origins);
    let shown = state.show.expect("parts");
    assert!(
        shown.contains(Part::Mask) && shown.contains(Part::Share) && !shown.contains(Part::Cost)
    );
    for lock in &walk.lesson().locks {
        let part = Part::from_name(lock).expect("a part");
        assert!(state.is_locked(part), "{lock}");
    }
    let steps = walk.lesson().steps.clone();
    for (at, step) in steps.iter().enumerate() {
        state = walk.go_to(at, &state);
        walk.see(&state, &run(&state));
        match &step.task {
            Task::Look | Task::Explain => assert_eq!(walk.outcome(), &Outcome::Done),
            Task::Predict {
                answer: Answer::Choices(_),
                ..
            } => {
                assert_eq!(walk.chosen(), None);
                let before = run(&state);
                assert_eq!(walk.choose(9, &state), None, "no such choice");
                state = walk.choose(1, &state).expect("an answer");
                assert_eq!(walk.choose(0, &state), None, "answered");
                if !same_anywhere(&state, &before.state) {
                    walk.see(&state, &before);
                    assert_eq!(walk.outcome(), &Outcome::Waiting, "not computed yet");
                }
                walk.see(&state, &run(&state));
                let Outcome::Choice {
                    right: Some(right),
                    is_right,
                } = *walk.outcome()
                else {
                    panic!("step {at}: {:?}", walk.outcome());
                };
                assert_eq!((walk.chosen(), is_right), (Some(1), right == 1));
            }
            Task::Predict { .. } => panic!("this lesson asks for no number"),
            Task::Reach { reaches, .. } => {
                assert_eq!(walk.outcome(), &Outcome::Open);
                state = apply_written(&state, reaches).0;
                walk.see(&state, &run(&state));
                assert_eq!(walk.outcome(), &Outcome::Done);
            }
        }
    }
    walk.go_to(99, &state);
    assert_eq!(walk.at(), steps.len() - 1);
}

#[test]
fn a_number_is_right_within_what_the_lesson_allows() {
    for (said, is_right) in [(0.5, false), (1.0, true), (1.05, true), (f64::NAN, false)] {
        let lesson = "---\ntitle: a\nminutes: 1\nopens: text=a+b\n---\n## predict:\nnumber: sum(1)\nwithin: 0.1\n";
        let mut walk = LessonWalk::new(Lesson::parse(lesson).expect("a lesson"));
        let state = walk.opened(&State::default());
        assert_eq!(walk.guess(said, &state), None, "nothing is computed yet");
        walk.see(&state, &run(&state));
        let answered = walk.guess(said, &state);
        assert_eq!(answered.is_some(), said.is_finite());
        walk.see(&state, &run(&state));
        let found = matches!(walk.outcome(), Outcome::Number { is_right: true, .. });
        assert_eq!(found, is_right, "{said}");
    }
}

#[test]
fn a_step_is_set_up_as_if_all_before_it_had_been_done() {
    let lesson = files::lesson("01-what-attention-is", Language::En).expect("a lesson");
    let (mut done, mut walk) = (LessonWalk::new(lesson.clone()), LessonWalk::new(lesson));
    let mut state = done.opened(&State::default());
    for at in 0..walk.lesson().steps.len() {
        state = done.go_to(at, &state);
        assert_eq!(
            walk.set_up(at, &url::parse("source=x&heads=7").0),
            state,
            "{at}"
        );
        assert_eq!(walk.at(), at);
        let then = match &done.step().task {
            Task::Predict { then, .. } => then.clone(),
            Task::Reach { reaches, .. } => reaches.clone(),
            _ => String::new(),
        };
        state = apply_written(&state, &then).0;
    }
}

#[test]
fn an_embedded_lesson_shows_its_own_parts_alone() {
    let lesson = files::lesson("06-masks", Language::En).expect("a lesson");
    let opened = LessonWalk::new(lesson).opened(&url::parse("embed=1").0);
    let shown = opened.show.expect("parts");
    assert!(opened.embed && shown.contains(Part::Mask) && !shown.contains(Part::Share));
}

#[test]
fn every_language_has_its_lessons() {
    for language in Language::ALL {
        let all = files::all(language);
        assert_eq!(all.len(), 19);
        assert_eq!(all[0].0, "00-show-me");
    }
    assert_eq!(files::lesson("99-none", Language::En), None);
}

#[test]
fn what_somebody_has_written_goes_along_wherever_the_lesson_is_set_up() {
    let text = "---\ntitle: a\nminutes: 1\nopens: text=a+b\n---\n## look: One\n\n## look: Two\n";
    let mut walk = LessonWalk::new(Lesson::parse(text).expect("a lesson"));
    let state = State {
        lesson_text: text.to_owned(),
        ..State::default()
    };
    assert_eq!(walk.opened(&state).lesson_text, text);
    assert_eq!(walk.set_up(1, &state).lesson_text, text);
}
