//! Random messages, and runs that arrive between them.

use proptest::prelude::*;

use super::*;
use crate::message::{CoachEvent, Highlight, SaveEvent, ShareEvent, ZoomAction};
use crate::present::learned::is_readable;
use crate::present::panel::PanelEvent;
use crate::present::token_curves::Token;
use crate::update::Sheet;

/// Random user action while the page is computing.
fn message(kind: u8, a: usize, b: usize, is_on: bool) -> Option<Message> {
    let number = |field, number: usize| {
        Message::Act(
            Action::Set(field, Value::Number(number as u32)),
            if is_on { Change::Commit } else { Change::Input },
        )
    };
    let words = ["", "a", "a b c", "the cat sat on the mat", "it is it"];
    let spot = at(a, b);
    Some(match kind {
        0 => Message::Act(Action::Set(Field::Text, text(words[a % 5])), Change::Input),
        1 => number(Field::DK, a * b),
        2 => number(Field::Heads, a),
        3 => Message::Act(
            Action::Include(Field::Masks, "causal", is_on),
            Change::Commit,
        ),
        4 => Message::Act(Action::Cross(is_on), Change::Commit),
        5 => Message::Act(
            Action::Set(Field::Linformer, Value::Switch(is_on)),
            Change::Commit,
        ),
        6 => Message::Act(Action::NewSeed, Change::Commit),
        7 => Message::Map(MapEvent::Over(spot)),
        8 => Message::Map(MapEvent::Click(spot)),
        9 => Message::Map(MapEvent::Press(spot)),
        10 => Message::Map(MapEvent::Lift),
        11 => Message::Map(MapEvent::Step([Move::Down, Move::Right, Move::Last][a % 3])),
        12 => Message::Map(MapEvent::Release),
        13 => Message::Brush(if is_on {
            BrushAction::Toggle
        } else {
            BrushAction::Clear
        }),
        14 => Message::Zoom(if is_on {
            ZoomAction::Frame
        } else {
            ZoomAction::Whole
        }),
        15 => Message::Undo([UndoAction::Undo, UndoAction::Redo][a % 2]),
        16 => Message::ChooseHead(a),
        17 => Message::ChooseRow(b),
        18 => Message::Highlight(Highlight::Cells(vec![(a, b)])),
        19 => Message::Host(HostMessage::Apply(format!("d_k={a}&heads={b}"))),
        20 => Message::Word(is_on, Some(a)),
        21 => Message::Act(
            Action::Set(Field::Step, Value::Choice(StepKind::ALL[a % 12].name())),
            Change::Commit,
        ),
        22 => Message::Map(MapEvent::Space),
        23 => Message::Map(MapEvent::ZoomAt(1.0 + a as f64, spot)),
        24 => Message::Reopen(format!("v=1&text=a+b+c&d_k={}", 1 + a)),
        25 => Message::ChunkCame,
        26 => Message::Panel(Panel::Steps, {
            let names = ["play", "previous", "next", "q", "context"];
            let event = |name: &&str| PanelEvent::Press((*name).to_owned());
            names.get(a).map_or(PanelEvent::Tick, event)
        }),
        27 => {
            let token = [Token::Query, Token::Key][b % 2](a).name();
            Message::Curves(match is_on {
                true => PanelEvent::Press(token),
                false => PanelEvent::Hover(Some(token)),
            })
        }
        28 => Message::Share(match a {
            0 => ShareEvent::Open,
            1 => ShareEvent::Closed(is_on),
            2 => ShareEvent::Height(100.0 * b as f64),
            3 => ShareEvent::View(PanelEvent::Press(["copy", "enlarge"][b % 2].to_owned())),
            _ => {
                let (field, value) = [
                    ("form", "iframe"),
                    ("form", "link"),
                    ("extent", "map"),
                    ("preview", "true"),
                    ("locked mask", "true"),
                ][b % 5];
                ShareEvent::View(entered(field, value))
            }
        }),
        29 => Message::Save(match a {
            0 => SaveEvent::Open(["map", "heads", "similar", "cost"][b % 4].to_owned()),
            1 => SaveEvent::Toggled(is_on),
            2 => SaveEvent::Painted,
            3 => {
                let name = ["picture", "numbers", "copy"][b % 3];
                SaveEvent::View(PanelEvent::Press(name.to_owned()))
            }
            _ => {
                let (field, value) = [
                    ("save-format", "png"),
                    ("save-width", "-1"),
                    ("save-unit", "px"),
                    ("text-extent", "cell"),
                    ("text-form", "latex"),
                ][b % 5];
                SaveEvent::View(entered(field, value))
            }
        }),
        30 => Message::Coach([CoachEvent::Act, CoachEvent::Leave, CoachEvent::Again][a % 3]),
        31 => Message::AllSettings,
        32 => Message::Sheet(
            [
                None,
                Some(Sheet::Row),
                Some(Sheet::SetUp),
                Some(Sheet::Panels),
            ][a % 4],
        ),
        _ => return None,
    })
}

fn entered(field: &str, value: &str) -> PanelEvent {
    PanelEvent::Enter(field.to_owned(), value.to_owned(), Change::Commit)
}

/// A message, or the arrival of a run.
type Random = (u8, usize, usize, bool);

fn driven(steps: &[Random]) -> (Page, State) {
    let mut page = Page::opened("v=1&text=the+cat+sat&weights=random&heads=2");
    page.compute_all();
    let first = page.app.state.clone();
    for (kind, a, b, is_on) in steps {
        match message(*kind, *a, *b, *is_on) {
            Some(message) => page.send(message),
            None => {
                page.compute();
            }
        }
    }
    (page, first)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var_os("SOAK").is_some() { 20_000 } else { 600 }))]

    /// Some 12,000 messages in 600 pages.
    #[test]
    fn whatever_happens_the_state_is_valid_and_the_newest_numbers_are_shown(
        steps in proptest::collection::vec((0..36_u8, 0..9_usize, 0..9_usize, any::<bool>()), 1..40),
    ) {
        let (mut page, first) = driven(&steps);
        // A link says it all, and opens without a word.
        let fragment = page.app.fragment();
        let (state, notes) = url::parse(&fragment);
        prop_assert_eq!(notes, []);
        prop_assert_eq!(url::to_fragment(&state), fragment);
        page.compute_all();
        page.paint();
        prop_assert!(page.app.is_settled() || !is_readable(&page.app.state));
        let run = page.app.main.run.as_ref().expect("numbers");
        prop_assert!(page.app.head() < run.heads());
        prop_assert!(page.app.row() <= run.queries.len());
        // The same messages give the same page.
        let (other, _) = driven(&steps);
        prop_assert_eq!(&other.effects[..], &page.effects[..other.effects.len()]);
        // Undoing all of it leads to where it began, unless more was done than is kept, or links were opened between.
        while page.app.undo_steps()[0] {
            page.send(Message::Undo(UndoAction::Undo));
        }
        let looked = |state: &State| State { cell: None, head: 0, ..state.clone() };
        prop_assert_eq!(looked(&page.app.state), looked(&first));
    }
}
