//! Every lesson, step by step, as a reader would take it.

use std::fs;
use std::path::{Path, PathBuf};

use app::present::lesson::RunFacts;
use app::present::run::Run;
use app::state::external_settings::apply_written;
use app::state::request_builder::{finished, request};
use app::state::{Field, Part, State, url};
use engine::{BackendChoice, PageRun, Reason, RunCost, RunInfo, RunResult, run};
use lessons::{Answer, Choice, Claim, Expression, Facts, Lesson, Step, Task};

use lab::ClaimFacts;

pub(crate) mod lab;
mod prose;

/// Problems, each with its location.
type Problems = Vec<String>;

fn facts(run: &Run) -> RunFacts<'_> {
    let state = &run.state;
    RunFacts { state, run }
}

/// The files of a language by their names. `LESSON=06` leaves only those whose names begin like this.
fn files(language: &str) -> Vec<PathBuf> {
    let folder = Path::new("content").join(language).join("lessons");
    let entries = fs::read_dir(&folder).expect("lessons of the language");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let wanted = std::env::var("LESSON").unwrap_or_default();
    let name = |file: &Path| {
        file.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    files.retain(|file| name(file).is_some_and(|name| name.starts_with(&wanted)));
    files
}

fn parsed(file: &Path) -> Result<Lesson, String> {
    let source = fs::read_to_string(file).expect("a text");
    Lesson::parse(&source).map_err(|problem| format!("{}:{problem}", file.display()))
}

/// A lesson that is taken.
struct Walk<'a> {
    file: &'a Path,
    state: State,
    problems: Problems,
}

impl Walk<'_> {
    fn object(&mut self, line: usize, said: impl std::fmt::Display) {
        let problem = format!("{}:{line}: {said}", self.file.display());
        self.problems.push(problem);
    }

    fn set(&mut self, line: usize, settings: &str) {
        let (state, notes) = apply_written(&self.state, settings);
        for note in notes {
            self.object(line, format!("{}={}: {}", note.key, note.value, note.rule));
        }
        self.state = state;
    }

    fn run(&mut self, line: usize) -> Option<Run> {
        let computed = match finished(&self.state) {
            Some(weights) => Ok(RunResult::of_weights(weights)),
            None => request(&self.state).and_then(|request| run(request, BackendChoice::Cpu)),
        };
        let result = match computed {
            Ok(result) => result,
            Err(error) => {
                self.object(line, error);
                return None;
            }
        };
        let ran = RunInfo::on_cpu(Reason::Checking);
        let head = self.state.head;
        let reply = PageRun::from_result(result, head, RunCost::NOTHING, ran, 0.0);
        Run::new(self.state.clone(), reply, None)
    }

    /// Whether a condition holds; one that comes to nothing is a problem.
    fn holds(&mut self, line: usize, condition: &Expression, run: &Run) -> bool {
        for name in condition.settings() {
            if Field::from_key(name).is_none() {
                self.object(line, format!("there is no setting {name}"));
            }
        }
        condition.holds(&facts(run)).unwrap_or_else(|fault| {
            self.object(line, fault);
            false
        })
    }

    fn take(&mut self, step: &Step) {
        self.set(step.line, &step.set);
        let Some(before) = self.run(step.line) else {
            return;
        };
        match &step.task {
            Task::Reach { reaches, .. } => self.set(step.line, reaches),
            Task::Predict { then, .. } => self.set(step.line, then),
            Task::Look | Task::Explain => {}
        }
        let Some(after) = self.run(step.line) else {
            return;
        };
        match &step.task {
            Task::Look => {}
            Task::Explain => {
                if self.state.cell.is_none_or(|cell| cell.key.is_none()) {
                    self.object(step.line, "there is no cell to explain");
                }
            }
            Task::Reach { goal, reaches } => {
                if self.holds(step.line, goal, &before) {
                    self.object(step.line, "the goal holds before anything was done");
                }
                if !self.holds(step.line, goal, &after) {
                    let seen = seen(goal, &facts(&after));
                    let said = format!("the goal does not hold with {reaches}{seen}");
                    self.object(step.line, said);
                }
            }
            Task::Predict { answer, .. } => self.answer(step.line, answer, [&before, &after]),
        }
        for claim in &step.claims {
            self.claim(claim, [&before, &after]);
        }
    }

    fn answer(&mut self, line: usize, answer: &Answer, [before, after]: [&Run; 2]) {
        match answer {
            Answer::Choices(choices) => self.choose(line, choices, [before, after]),
            Answer::Number { value, .. } => {
                let value = value.remembering(&facts(before));
                let number = value.and_then(|value| value.number(&facts(after)));
                if let Err(fault) = number {
                    self.object(line, fault);
                }
            }
        }
    }

    fn claim(&mut self, claim: &Claim, [before, after]: [&Run; 2]) {
        let [before, after] = [before, after].map(|run| ClaimFacts(facts(run)));
        let condition = claim.condition.remembering(&before);
        match condition.and_then(|condition| Ok((condition.holds(&after)?, condition))) {
            Ok((true, _)) => {}
            Ok((false, condition)) => {
                let seen = seen(&condition, &after);
                self.object(claim.line, format!("what is claimed is not so{seen}"));
            }
            Err(fault) => self.object(claim.line, fault),
        }
    }

    fn choose(&mut self, line: usize, choices: &[Choice], [before, after]: [&Run; 2]) {
        let mut right = 0;
        let mut all = String::new();
        for choice in choices {
            match choice.condition.remembering(&facts(before)) {
                Ok(condition) => {
                    right += usize::from(self.holds(choice.line, &condition, after));
                    all += &seen(&condition, &facts(after));
                }
                Err(fault) => self.object(choice.line, fault),
            }
        }
        if right != 1 {
            self.object(line, format!("{right} choices are true, not one{all}"));
        }
    }
}

/// Numbers of a condition that does not come out, for whoever writes it.
fn seen(condition: &Expression, facts: &dyn Facts) -> String {
    let parts = condition.parts().into_iter().map(|part| {
        let value = part.value(facts);
        value.map_or_else(|fault| fault.to_string(), |value| value.to_string())
    });
    format!(" [{}]", parts.collect::<Vec<_>>().join(" | "))
}

fn problems(file: &Path, lesson: &Lesson) -> Problems {
    let (state, notes) = url::parse(&lesson.opens);
    let mut walk = Walk {
        file,
        state,
        problems: Vec::new(),
    };
    for note in notes {
        walk.object(
            5,
            format!("opens: {}={}: {}", note.key, note.value, note.rule),
        );
    }
    for part in lesson.shows.iter().chain(&lesson.locks) {
        if Part::from_name(part).is_none() {
            walk.object(1, format!("there is no part {part}"));
        }
    }
    for step in &lesson.steps {
        walk.take(step);
    }
    for (kind, least) in [("predict", 1), ("reach", 1)] {
        if lesson
            .steps
            .iter()
            .filter(|step| kind_of(step) == kind)
            .count()
            < least
        {
            walk.object(1, format!("no step is to {kind}"));
        }
    }
    if !matches!(
        lesson.steps[0].task,
        Task::Predict { .. } | Task::Reach { .. }
    ) {
        walk.object(
            1,
            "a lesson begins with a guess or an act, not with a page to read",
        );
    }
    if lesson.questions.len() != 3 || lesson.experiment.is_empty() {
        walk.object(1, "three questions and an experiment belong to a lesson");
    }
    walk.problems
}

fn kind_of(step: &Step) -> &'static str {
    match step.task {
        Task::Look => "look",
        Task::Explain => "explain",
        Task::Predict { .. } => "predict",
        Task::Reach { .. } => "reach",
    }
}

/// Structures of a step's claims, without numbers and words.
fn claims(step: &Step) -> Vec<String> {
    let claims = step.claims.iter();
    claims.map(|claim| claim.condition.shape()).collect()
}

#[test]
fn every_step_of_every_lesson_comes_out() {
    let mut all = Problems::new();
    for file in ["en", "zh"].into_iter().flat_map(files) {
        match parsed(&file) {
            Ok(lesson) => all.extend(problems(&file, &lesson)),
            Err(problem) => all.push(problem),
        }
    }
    assert!(all.is_empty(), "\n{}\n", all.join("\n"));
}

#[test]
fn both_languages_have_the_same_lessons() {
    let lessons = |language: &str| -> Vec<_> {
        let lesson = |file: PathBuf| {
            let name = file.file_name().map(std::ffi::OsStr::to_owned);
            let lesson = parsed(&file).unwrap_or_else(|problem| panic!("{problem}"));
            let kinds: Vec<_> = lesson.steps.iter().map(kind_of).collect();
            let claims: Vec<_> = lesson.steps.iter().map(claims).collect();
            (name, lesson.minutes, lesson.after, kinds, claims)
        };
        files(language).into_iter().map(lesson).collect()
    };
    let [english, chinese] = ["en", "zh"].map(lessons);
    for (english, chinese) in english.iter().zip(&chinese) {
        assert_eq!(english, chinese);
    }
    assert_eq!(english.len(), chinese.len());
    let names: Vec<_> = english
        .iter()
        .filter_map(|(name, ..)| name.as_deref()?.to_str())
        .collect();
    for (_, _, after, ..) in &english {
        for name in after {
            let file = format!("{name}.md");
            let is_there = names.contains(&file.as_str()) || std::env::var("LESSON").is_ok();
            assert!(is_there, "there is no lesson {name}");
        }
    }
}
