//! Lessons: the list of all (`data-lesson-open`), and the step that is taken (`data-lesson-choice`, `data-lesson-do`).

wasm_chunks::chunk!("lessons");

pub mod writing;

use maud::PreEscaped;

use super::{Markup, html, inspector, said_around};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::present::displayed_matrix::DisplayedMatrix;
use crate::present::lesson::{LessonWalk, Outcome, Progress};
use crate::present::run::Run;
use crate::present::steps::explain::{CellRef, explain};
use crate::share::Qr;
use crate::state::{State, steps};
use lessons::{Answer, Lesson, Step, Task};

/// Context of a lesson's step.
#[derive(Clone, Copy, Default)]
pub struct Around<'a> {
    /// Name and title of the next lesson.
    pub following: Option<(&'a str, &'a str)>,
    /// There is nothing else to go to: the lesson is what the page is for.
    pub is_alone: bool,
    /// Only its first line is shown, as it is below the map.
    pub is_folded: bool,
    /// It is shown to an audience.
    pub is_lecture: bool,
    /// It can be.
    pub can_lecture: bool,
    /// A link to it, for the audience.
    pub code: Option<&'a Qr>,
    /// The user is writing a lesson.
    pub has_draft: bool,
    /// How the cell was computed that a step explains.
    pub arithmetic: Option<&'a Markup>,
}

/// Computation of the cell selected on the map, if its numbers have arrived.
pub fn arithmetic(state: &State, run: &Run, language: Language) -> Option<Markup> {
    let cell = state.cell?;
    let place = CellRef {
        step: steps::shown(state),
        row: cell.query,
        column: cell.key?,
    };
    let numbers = run.numbers(state.head)?;
    let explanation = explain(&numbers, &run.state, place)?;
    let side = DisplayedMatrix::new(run, place.step, state.head).sides()[0];
    Some(html! {
        p class="inspector-cell" translate="no" { (inspector::cell(&explanation, side, run, language)) }
        p { (inspector::sentence(&explanation, run, language)) }
        (inspector::formula(&explanation, &run.config))
    })
}

/// The list of all lessons, each with its name, and how far they have been taken.
pub fn list(
    all: &[(&'static str, Lesson)],
    progress: &Progress,
    has_draft: bool,
    language: Language,
) -> Markup {
    let write = if has_draft {
        Key::LessonGoOn
    } else {
        Key::LessonWriteOwn
    };
    let taken = |name: &str, lesson: &Lesson| match (progress.done(name), lesson.steps.len()) {
        (0, _) => String::new(),
        (done, count) if done >= count => Key::LessonDone.text(language).to_owned(),
        (done, count) => text::lesson_at(language, &(done + 1), &count),
    };
    html! {
        (head(Key::Lessons.text(language), close(language)))
        p { (Key::LessonAbout.text(language)) }
        ol class="lesson-list" start="0" {
            @for (name, lesson) in all {
                li {
                    button type="button" class="bare" data-lesson-open=(name) { (PreEscaped(&lesson.title)) }
                    " " span { (text::lesson_minutes(language, &lesson.minutes)) }
                    " " span class="lesson-taken" { (taken(name, lesson)) }
                }
            }
        }
        p { button type="button" class="plain" data-lesson-do="write" { (write.text(language)) } }
    }
}

/// Message that there is no such lesson.
pub fn gone(name: &str, language: Language) -> Markup {
    html! {
        (head(Key::Lessons.text(language), close(language)))
        p { (text::lesson_gone(language, &name)) }
        p { button type="button" class="plain" data-lesson-do="list" { (Key::LessonList.text(language)) } }
    }
}

/// The step of a lesson.
pub fn step(walk: &LessonWalk, around: Around<'_>, language: Language) -> Markup {
    let (step, at) = (walk.step(), walk.at());
    let count = walk.lesson().steps.len();
    let is_last = at + 1 == count;
    let place = text::lesson_at(language, &(at + 1), &count);
    let fold = if around.is_folded {
        Key::LessonUnfold
    } else {
        Key::LessonFold
    };
    let write = if around.has_draft {
        Key::LessonGoOn
    } else {
        Key::LessonWrite
    };
    html! {
        (head(&walk.lesson().title, html! {
            button type="button" class="bare lesson-fold" data-lesson-do="fold" aria-expanded=(!around.is_folded) { (fold.text(language)) }
            @if !around.is_alone {
                button type="button" class="bare" data-lesson-do="list" { (Key::LessonList.text(language)) }
                (close(language))
            }
        }))
        p class="lesson-at" role="status" { (place) span class="unseen" { ": " (PreEscaped(&step.title)) } }
        div class="lesson-step" {
            h3 { (PreEscaped(&step.title)) }
            (PreEscaped(&step.text))
            @if let Some(arithmetic) = around.arithmetic { div class="lesson-arithmetic" { (arithmetic) } }
            (task(walk, language))
            div aria-live="polite" {
                (outcome(walk, language))
                @if is_done(walk.outcome()) { (PreEscaped(&step.rest)) }
            }
            @if is_last && is_done(walk.outcome()) { (end(walk.lesson(), around.following, language)) }
        }
        p class="lesson-tools" {
            button type="button" class="plain" data-lesson-do="previous" aria-disabled=[(at == 0).then_some("true")] { (Key::LessonPrevious.text(language)) }
            " "
            button type="button" class="plain" data-lesson-do="next" aria-disabled=[is_last.then_some("true")] { (Key::LessonNext.text(language)) }
            " "
            button type="button" class="bare" data-lesson-do="again" { (Key::LessonAgain.text(language)) }
            @if around.can_lecture && !around.is_alone {
                " "
                button type="button" class="bare" data-lesson-do="lecture" aria-pressed=(around.is_lecture) { (Key::LessonLecture.text(language)) }
            }
            @if !around.is_alone && !around.is_lecture {
                " "
                button type="button" class="bare" data-lesson-do="write" { (write.text(language)) }
            }
        }
        @if let Some(Qr { side, path }) = around.code {
            svg class="lesson-code" viewBox={ "0 0 " (side) " " (side) } shape-rendering="crispEdges" aria-hidden="true" { path d=(path); }
        }
    }
}

/// The step of a lesson on paper, its questions without their answers, and what to go on with.
pub fn on_paper(walk: &LessonWalk, language: Language) -> Markup {
    let (lesson, step) = (walk.lesson(), walk.step());
    html! {
        h2 { (PreEscaped(&lesson.title)) }
        h3 { (PreEscaped(&step.title)) }
        (PreEscaped(&step.text))
        @if is_done(walk.outcome()) { (PreEscaped(&step.rest)) }
        h3 { (Key::LessonQuestions.text(language)) }
        ol {
            @for own in &lesson.questions { li { (PreEscaped(&own.question)) } }
        }
        h3 { (Key::LessonExperiment.text(language)) }
        (PreEscaped(&lesson.experiment))
    }
}

fn head(title: &str, tools: Markup) -> Markup {
    html! {
        div class="lesson-head" {
            h2 { (PreEscaped(title)) }
            div { (tools) }
        }
    }
}

fn close(language: Language) -> Markup {
    html! { button type="button" class="bare" data-lesson-do="close" { (Key::LessonClose.text(language)) } }
}

fn is_done(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Open | Outcome::Waiting)
}

/// Question or goal of the step.
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
                                aria-pressed=(walk.chosen() == Some(at)) aria-disabled=[(!is_asked).then_some("true")] { (PreEscaped(&choice.text)) }
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
        Outcome::Waiting => html! { (Key::LessonWaiting.text(language)) },
        Outcome::Choice { is_right: true, .. } | Outcome::Number { is_right: true, .. } => {
            html! { (Key::LessonRight.text(language)) }
        }
        Outcome::Choice { right, .. } => {
            let answer = right.map_or_else(String::new, |right| choice(walk.step(), right));
            said_around(|answer| text::lesson_wrong(language, answer), &answer)
        }
        Outcome::Number { value, .. } => {
            html! { (text::lesson_wrong(language, &number::short(*value as f32))) }
        }
    };
    html! { p class="lesson-outcome" { (said) } }
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
                summary { (PreEscaped(&own.question)) }
                (PreEscaped(&own.answer))
            }
        }
        h3 { (Key::LessonExperiment.text(language)) }
        (PreEscaped(&lesson.experiment))
        @if let Some((name, title)) = following {
            p { button type="button" class="plain" data-lesson-open=(name) { (said_around(|title| text::lesson_following(language, title), title)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::lesson::files;
    use crate::present::run::tests::computed;
    use crate::views::patch::diff;

    #[test]
    fn every_step_of_every_lesson_is_markup_that_can_be_patched() {
        for language in Language::ALL {
            let all = files::all(language);
            let listed = list(&all, &Progress::default(), false, language).into_string();
            assert_eq!(listed.matches("data-lesson-open").count(), all.len());
            let around = Around {
                following: Some(("next", "Next")),
                ..Around::default()
            };
            for (name, lesson) in all {
                let mut walk = LessonWalk::new(lesson);
                for at in 0..walk.lesson().steps.len() {
                    walk.go_to(at, &State::default());
                    let markup = step(&walk, around, language).into_string();
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

    #[test]
    fn the_list_says_how_far_lessons_have_been_taken() {
        let all = files::all(Language::En);
        let progress = Progress::parse("00-show-me=99 06-masks=2");
        let listed = list(&all, &progress, false, Language::En).into_string();
        let begun = format!("Step 3 of {}", all[6].1.steps.len());
        assert_eq!(
            (
                listed.matches(">done<").count(),
                listed.matches(&begun).count()
            ),
            (1, 1)
        );
    }

    #[test]
    fn a_lesson_that_is_alone_leads_nowhere_else() {
        let lesson = files::lesson("06-masks", Language::En).expect("a lesson");
        let walk = LessonWalk::new(lesson);
        for (is_alone, ways) in [(true, 0), (false, 2)] {
            let around = Around {
                is_alone,
                ..Around::default()
            };
            let markup = step(&walk, around, Language::En).into_string();
            let list = markup.matches("data-lesson-do=\"list\"").count();
            let close = markup.matches("data-lesson-do=\"close\"").count();
            assert_eq!(list + close, ways);
        }
    }

    #[test]
    fn the_arithmetic_of_a_cell_has_its_numbers() {
        let run = computed("text=a+b&heads=2&head=2&cell=2,1&step=scores&weights=random");
        let shown = arithmetic(&run.state, &run, Language::En)
            .expect("a cell")
            .into_string();
        assert!(shown.contains("<math") && shown.contains("→"), "{shown}");
        let without = State {
            cell: None,
            ..run.state.clone()
        };
        assert!(arithmetic(&without, &run, Language::En).is_none());
    }

    #[test]
    fn paper_has_questions_without_answers() {
        let lesson = files::lesson("06-masks", Language::En).expect("a lesson");
        let walk = LessonWalk::new(lesson.clone());
        let paper = on_paper(&walk, Language::En).into_string();
        for own in &lesson.questions {
            assert!(paper.contains(&own.question) && !paper.contains(&own.answer));
        }
        assert!(paper.contains(&lesson.title) && paper.contains(&lesson.experiment));
    }
}
