//! Lessons: the list of all (`data-lesson-open`), and the step that is taken (`data-lesson-choice`, `data-lesson-do`).

use maud::PreEscaped;

use super::{Markup, html};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::present::lesson::{LessonWalk, Outcome};
use lessons::markup::{line_to_html, to_html};
use lessons::{Answer, Lesson, Step, Task};

/// The list of all lessons, each with its name.
pub fn list(all: &[(&'static str, Lesson)], language: Language) -> Markup {
    html! {
        (head(Key::Lessons.text(language), "", language))
        p class="note" { (Key::LessonAbout.text(language)) }
        ol class="lesson-list" {
            @for (name, lesson) in all {
                li {
                    button type="button" class="bare" data-lesson-open=(name) { (PreEscaped(line_to_html(&lesson.title))) }
                    " " span class="note" { (text::lesson_minutes(language, &lesson.minutes)) }
                }
            }
        }
    }
}

/// That there is no such lesson.
pub fn gone(name: &str, language: Language) -> Markup {
    html! {
        (head(Key::Lessons.text(language), "", language))
        p { (text::lesson_gone(language, &name)) }
        p { button type="button" class="plain" data-lesson-do="list" { (Key::LessonList.text(language)) } }
    }
}

/// The step of a lesson; `following` is the name and the title of the next lesson.
pub fn step(walk: &LessonWalk, following: Option<(&str, &str)>, language: Language) -> Markup {
    let (step, at) = (walk.step(), walk.at());
    let count = walk.lesson().steps.len();
    let is_last = at + 1 == count;
    html! {
        (head(&walk.lesson().title, &text::lesson_at(language, &(at + 1), &count), language))
        div class="lesson-step" {
            h3 { (PreEscaped(line_to_html(&step.title))) }
            (PreEscaped(to_html(&step.text)))
            (task(walk, language))
            div aria-live="polite" {
                (outcome(walk, language))
                @if is_done(walk.outcome()) { (PreEscaped(to_html(&step.rest))) }
            }
            @if is_last && is_done(walk.outcome()) { (end(walk.lesson(), following, language)) }
        }
        p class="lesson-tools" {
            button type="button" class="plain" data-lesson-do="previous" aria-disabled=[(at == 0).then_some("true")] { (Key::LessonPrevious.text(language)) }
            " "
            button type="button" class="plain" data-lesson-do="next" aria-disabled=[is_last.then_some("true")] { (Key::LessonNext.text(language)) }
            " "
            button type="button" class="bare" data-lesson-do="again" { (Key::LessonAgain.text(language)) }
        }
    }
}

fn head(title: &str, at: &str, language: Language) -> Markup {
    html! {
        div class="lesson-head" {
            h2 { (PreEscaped(line_to_html(title))) }
            span class="note" { (at) }
            @if !at.is_empty() {
                button type="button" class="bare" data-lesson-do="list" { (Key::LessonList.text(language)) }
            }
            button type="button" class="bare" data-lesson-do="close" { (Key::LessonClose.text(language)) }
        }
    }
}

fn is_done(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Open | Outcome::Waiting)
}

/// What is to be done.
fn task(walk: &LessonWalk, language: Language) -> Markup {
    match &walk.step().task {
        Task::Look | Task::Explain => Markup::default(),
        Task::Reach { .. } => html! {
            p class="lesson-goal" { (if is_done(walk.outcome()) { Key::LessonReached } else { Key::LessonOpen }.text(language)) }
        },
        Task::Predict {
            answer: Answer::Choices(choices),
            ..
        } => {
            let is_asked = *walk.outcome() == Outcome::Open;
            let right = match walk.outcome() {
                Outcome::Choice { right, .. } => *right,
                _ => None,
            };
            html! {
                ul class="lesson-choices" {
                    @for (at, choice) in choices.iter().enumerate() {
                        li {
                            button type="button" class=(if right == Some(at) { "plain is-right" } else { "plain" }) data-lesson-choice=(at)
                                aria-pressed=(walk.chosen() == Some(at)) aria-disabled=[(!is_asked).then_some("true")] { (PreEscaped(line_to_html(&choice.text))) }
                        }
                    }
                }
            }
        }
        Task::Predict { .. } => html! {
            p class="lesson-guess" {
                label { (Key::LessonGuess.text(language)) " " input class="number" id="lesson-guess" type="text" inputmode="decimal" autocomplete="off"; }
                " "
                button type="button" class="plain" data-lesson-do="check" { (Key::LessonCheck.text(language)) }
            }
        },
    }
}

fn outcome(walk: &LessonWalk, language: Language) -> Markup {
    let said = match walk.outcome() {
        Outcome::Open | Outcome::Done => return Markup::default(),
        Outcome::Waiting => Key::LessonWaiting.text(language).to_owned(),
        Outcome::Choice { is_right: true, .. } | Outcome::Number { is_right: true, .. } => {
            Key::LessonRight.text(language).to_owned()
        }
        Outcome::Choice { right, .. } => {
            let answer = right.map_or_else(String::new, |right| choice(walk.step(), right));
            text::lesson_wrong(language, &answer)
        }
        Outcome::Number { value, .. } => {
            text::lesson_wrong(language, &number::short(*value as f32))
        }
    };
    html! { p class="lesson-outcome" { (PreEscaped(line_to_html(&said))) } }
}

fn choice(step: &Step, at: usize) -> String {
    match &step.task {
        Task::Predict {
            answer: Answer::Choices(choices),
            ..
        } => choices
            .get(at)
            .map_or_else(String::new, |choice| choice.text.clone()),
        _ => String::new(),
    }
}

/// Questions, what to go on with, and the next lesson.
fn end(lesson: &Lesson, following: Option<(&str, &str)>, language: Language) -> Markup {
    html! {
        h3 { (Key::LessonQuestions.text(language)) }
        @for own in &lesson.questions {
            details {
                summary { (PreEscaped(line_to_html(&own.question))) }
                (PreEscaped(to_html(&own.answer)))
            }
        }
        h3 { (Key::LessonExperiment.text(language)) }
        (PreEscaped(to_html(&lesson.experiment)))
        @if let Some((name, title)) = following {
            p { button type="button" class="plain" data-lesson-open=(name) { (text::lesson_following(language, &title)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::lesson::files;
    use crate::views::patch::diff;

    #[test]
    fn every_step_of_every_lesson_is_markup_that_can_be_patched() {
        for language in Language::ALL {
            let all = files::all(language);
            let listed = list(&all, language).into_string();
            assert_eq!(listed.matches("data-lesson-open").count(), all.len());
            for (name, lesson) in all {
                let mut walk = LessonWalk::new(lesson);
                for at in 0..walk.lesson().steps.len() {
                    walk.go_to(at, &crate::state::State::default());
                    let markup = step(&walk, Some(("next", "Next")), language).into_string();
                    assert!(
                        diff(&listed, &markup).is_some(),
                        "{name}, step {at}: {markup}"
                    );
                    let choices = match &walk.step().task {
                        Task::Predict {
                            answer: Answer::Choices(choices),
                            ..
                        } => choices.len(),
                        _ => 0,
                    };
                    assert_eq!(markup.matches("data-lesson-choice").count(), choices);
                    assert!(!markup.contains("{weight"), "{name}: a condition is shown");
                }
            }
        }
    }
}
