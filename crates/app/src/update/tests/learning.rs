//! A model that learns in sight.

use super::*;
use crate::state::learned;

/// A model that nothing else asks for, so that no other test has its layers.
const LINK: &str = "v=1&weights=learned&d_model=8&d_k=4&trained=25&cell=8&\
    text=The+animal+didn't+cross+the+street+because+it+was+too+tired.";

impl Page {
    /// Training steps of the model on the map.
    fn trained(&self) -> Option<usize> {
        self.app.main.run.as_ref().map(|run| run.state.trained)
    }

    /// The same after each run that is still to come.
    fn stages(&mut self) -> Vec<usize> {
        let mut seen = Vec::new();
        while self.compute() {
            seen.extend(self.trained());
        }
        seen
    }
}

fn opened(more: &str, is_motion_reduced: bool) -> Page {
    let mut page = Page::with_code(Code(&[]));
    page.app.environment.is_motion_reduced = is_motion_reduced;
    page.send(Message::Open(format!("{LINK}{more}")));
    page
}

#[test]
fn a_page_that_has_to_learn_shows_its_first_steps_at_once() {
    assert_eq!(opened("&seed=3001", false).stages(), [10, 20, 25]);
    assert_eq!(opened("&seed=3002", true).stages(), [10, 25]);
    // A layer that is there needs no way to it.
    let again = opened("&seed=3001", false);
    assert!(learned::cached_for(&again.app.state).is_some());
    assert_eq!(again.asked.front(), Some(&again.app.state));
}

#[test]
fn the_slider_runs_with_a_model_that_learns_anew_and_then_the_head_is_chosen_that_finds_the_answer()
{
    let mut page = opened("&seed=3003&head=1&layer=1", true);
    page.set(Field::DModel, Value::Number(32));
    page.set(Field::DK, Value::Number(8));
    page.set(Field::Trained, Value::Number(60));
    page.compute_all();
    page.send(Message::ChooseHead(0));
    page.app.environment.is_motion_reduced = false;
    let pushed = page.address.len();
    page.set(Field::Seed, Value::Number(373));
    let mut seen = Vec::new();
    while page.compute() {
        seen.push((page.app.trained(), page.app.state.layer));
    }
    // The last run is that of the layer that was chosen.
    let trained: Vec<_> = seen.iter().map(|own| own.0).collect();
    assert_eq!(trained, [10, 20, 30, 40, 50, 60, 60]);
    assert!(
        seen.iter()
            .all(|(trained, layer)| *layer == if *trained < 60 { 1 } else { 2 })
    );
    let run = page.app.main.run.as_ref().expect("numbers");
    let learned = run.learned().expect("a layer");
    let words = &run.sides.queries.words;
    let known = learned::grammar(&run.state.text).words();
    let answer = known[learned.answers(7)[0].word];
    let key = words
        .iter()
        .position(|word| word == answer)
        .expect("a noun of the sentence");
    let weights = [4, 5, 6, 7].map(|head| learned.map(head)[7 * words.len() + key]);
    let most = weights.iter().copied().fold(0.0, f32::max);
    assert_eq!(weights[page.app.state.head], most, "{weights:?}");
    // It is one step of the history, with the seed.
    let modes: Vec<_> = page.address[pushed..]
        .iter()
        .map(|(.., mode)| *mode)
        .collect();
    assert_eq!(modes, [HistoryMode::Push, HistoryMode::Replace]);
    page.send(Message::Undo(UndoAction::Undo));
    assert_eq!((page.app.state.seed, page.app.state.layer), (3003, 1));
    page.compute_all();
    assert_eq!(
        (page.app.state.head, page.app.state.layer),
        (0, 1),
        "what was chosen stays"
    );
}

#[test]
fn a_slider_that_is_dragged_stands_where_the_hand_is() {
    let mut page = opened("&seed=3004", false);
    page.compute_all();
    for trained in [0, 24] {
        let drag = Action::Set(Field::Trained, Value::Number(trained));
        page.act(drag, Change::Input);
        assert_eq!(page.app.trained(), trained as usize);
    }
}

impl Page {
    fn learn(&mut self, action: LearningAction) {
        // The clock of these tests goes on by ten seconds with each message.
        let now = self.now.get();
        self.send(Message::Learning(action));
        self.now.set(now);
    }

    /// Presses *Watch it learn*; the steps of the pictures that follow, 50 ms apart.
    fn watch(&mut self) -> Vec<usize> {
        self.learn(LearningAction::Watch);
        let mut seen = Vec::new();
        while self.app.learning.is_watched() {
            let now = self.now.get();
            self.compute_all();
            seen.extend(self.trained());
            self.now.set(now + 50.0);
            self.learn(LearningAction::Tick);
        }
        seen
    }

    fn is_head_off(&self) -> bool {
        let run = self.app.main.run.as_ref().expect("numbers");
        self.app.learning.is_head_off(run)
    }

    fn history(&self) -> &[engine::learned::LearnedStep] {
        let run = self.app.main.run.as_ref().expect("numbers");
        self.app.learning.history(run)
    }

    fn interval(&self) -> Option<i32> {
        let last = self.effects.iter().rev().find_map(|effect| match effect {
            Effect::Watch(interval) => Some(*interval),
            _ => None,
        });
        last.flatten()
    }
}

#[test]
fn a_training_plays_from_its_beginning_to_its_end_and_is_one_step_to_undo() {
    let mut page = opened("&seed=3005&head=2", false);
    page.compute_all();
    let (before, written) = (page.app.state.clone(), page.address.len());
    let seen = page.watch();
    assert_eq!((seen[0], seen.last()), (0, Some(&150)));
    let steps: Vec<_> = seen.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (4..=6).contains(step)), "{seen:?}");
    assert_eq!((page.app.state.trained, page.interval()), (150, None));
    assert_eq!(page.history().len(), 150);
    assert_eq!(page.address.len(), written + 1);
    assert_eq!(
        page.address.last().map(|own| own.2),
        Some(HistoryMode::Push)
    );
    page.send(Message::Undo(UndoAction::Undo));
    assert_eq!(page.app.state, before);
}

/// What a lesson asks about the model that has learned is answered before one's eyes.
#[test]
fn an_answer_in_a_lesson_plays_the_training_that_it_is_about() {
    let mut page = Page::opened("v=1&lesson=00-show-me");
    page.app.environment.is_motion_reduced = false;
    page.compute_all();
    let asked = page.app.state.clone();
    let said = |page: &Page| {
        let markup = page.app.lesson_view(None).expect("a lesson");
        markup
            .into_string()
            .contains("Right: that is what the page computes.")
    };
    let now = page.now.get();
    page.send(Message::Lesson(LessonAction::Choose(0)));
    page.now.set(now);
    assert!(page.app.learning.is_watched() && page.app.state.trained == 0);
    let mut seen = Vec::new();
    while page.app.learning.is_watched() {
        page.compute_all();
        assert!(!said(&page), "{}", page.app.state.trained);
        seen.extend(page.trained());
        page.now.set(page.now.get() + 50.0);
        page.learn(LearningAction::Tick);
    }
    assert!(seen.len() > 15 && seen.last() == Some(&150), "{seen:?}");
    assert!(said(&page));
    page.send(Message::Undo(UndoAction::Undo));
    page.compute_all();
    assert_eq!((&page.app.state, said(&page)), (&asked, false));
    page.send(Message::Undo(UndoAction::Redo));
    page.compute_all();
    assert!(page.app.state.trained == 150 && said(&page));
}

#[test]
fn it_waits_for_the_picture_of_a_step_before_it_goes_on() {
    let mut page = opened("&seed=3005&head=2", false);
    page.compute_all();
    page.learn(LearningAction::Watch);
    assert_eq!((page.app.state.trained, page.interval()), (0, Some(33)));
    for _ in 0..3 {
        page.now.set(page.now.get() + 50.0);
        page.learn(LearningAction::Tick);
        assert_eq!(page.app.state.trained, 0);
    }
    page.compute_all();
    page.learn(LearningAction::Tick);
    assert_eq!(page.app.state.trained, 10, "no more at once");
    // Pressed again it stands still; what was known of later steps stays known.
    page.compute_all();
    page.learn(LearningAction::Watch);
    assert_eq!((page.app.state.trained, page.interval()), (10, None));
    assert_eq!(page.history().len(), 25);
    page.learn(LearningAction::Tick);
    assert_eq!(page.app.state.trained, 10);
}

#[test]
fn whatever_else_is_done_finds_the_model_with_all_its_steps() {
    let mut page = opened("&seed=3005&head=2", false);
    page.compute_all();
    page.learn(LearningAction::Watch);
    page.compute_all();
    page.send(Message::ChooseHead(1));
    assert_eq!((page.app.state.trained, page.app.state.head), (150, 1));
    assert!(!page.app.learning.is_watched() && page.interval().is_none());
    // A slider that is dragged meanwhile has the last word, and another address is another page.
    page.learn(LearningAction::Watch);
    page.act(Action::Set(Field::Trained, Value::Number(7)), Change::Input);
    assert_eq!(
        (page.app.state.trained, page.app.learning.is_watched()),
        (7, false)
    );
    page.learn(LearningAction::Watch);
    page.send(Message::Reopen("v=1&text=a+b".to_owned()));
    assert!(!page.app.learning.is_watched() && page.interval().is_none());
    page.learn(LearningAction::Watch);
    assert!(
        !page.app.learning.is_watched(),
        "hand-built heads have learned nothing"
    );
}

#[test]
fn where_motion_is_reduced_there_are_a_few_still_pictures() {
    let mut page = opened("&seed=3005&head=2", true);
    page.compute_all();
    assert_eq!(page.watch(), [0, 30, 60, 90, 120, 150]);
    assert!(page.effects.contains(&Effect::Watch(Some(600))));
}

#[test]
fn the_lab_opens_with_the_model_and_step_that_are_on_the_map() {
    let mut page = opened("&seed=3005&head=2", true);
    page.learn(LearningAction::OpenLab);
    let state = &page.app.state;
    assert!(state.panels.contains(Panel::Training));
    assert_eq!(
        (state.task.name(), state.task_seed, state.task_step),
        ("pronoun", 3005, 25)
    );
}

#[test]
fn a_head_is_switched_off_until_it_is_pressed_again_or_another_is_looked_at() {
    let mut page = opened("&seed=3006&head=2", true);
    page.compute_all();
    let written = page.address.len();
    let switch = |page: &mut Page| {
        page.send(Message::Learning(LearningAction::SwitchHead));
        assert!(page.app.stale.pointed);
        page.is_head_off()
    };
    assert!(switch(&mut page));
    let said = page.said.last().expect("the answer");
    assert!(
        said.starts_with("What the model answers for “it” without head 2: "),
        "{said}"
    );
    assert!(!switch(&mut page) && switch(&mut page));
    assert_eq!(page.address.len(), written, "no link says it");
    // What is done to the layer leaves it off.
    page.set(Field::Temperature, Value::Centi(200));
    page.set(Field::Trained, Value::Number(10));
    page.compute_all();
    assert!(page.is_head_off());
    page.send(Message::ChooseHead(6));
    assert!(!page.is_head_off());
    page.send(Message::ChooseHead(5));
    assert!(!page.is_head_off(), "it is on again");
    assert!(switch(&mut page));
    page.act(Action::NewSeed, Change::Commit);
    page.compute_all();
    assert!(!page.is_head_off());
}
