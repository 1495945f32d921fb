//! Messages to the app: user actions, messages of a host, results.

use crate::export::save_menu::SavedFile;
use crate::import::FileContents;
use crate::present::address_history::Change;
use crate::present::panel::PanelEvent;
use crate::present::steps::explain::CellRef;
use crate::scene::hit::{Move, Pointed, Target};
use crate::state::external_settings::SettingInput;
use crate::state::{Action, Cell, LinkWarning, Panel, State};
use crate::update::Sheet;
use engine::{GpuStatus, Lane, PageRun};

/// One message.
#[derive(Clone, Debug)]
pub enum Message {
    /// The page opens the state of its address.
    Open(String),
    /// The address has changed from outside: back, forward, a pasted link.
    Reopen(String),
    /// A control was used.
    Act(Action, Change),
    /// A head was chosen, counted on from the first layer to the last where a model has several.
    ChooseHead(usize),
    /// A row was chosen.
    ChooseRow(usize),
    /// A panel requests a highlight.
    Highlight(Highlight),
    /// An action on the explanation of a cell.
    Inspect(InspectorAction),
    /// An event on the map.
    Map(MapEvent<HitTest>),
    /// An event on a map of the comparison.
    Compared(MapEvent<HitTest>),
    /// A word of a sentence is hovered, or none any more; `true` for the second sentence.
    Word(bool, Option<usize>),
    /// A notice was dismissed.
    Dismiss(u32),
    /// A button of the brush was pressed.
    Brush(BrushAction),
    /// A button of the zoom was pressed.
    Zoom(ZoomAction),
    /// An action of the history buttons.
    Undo(UndoAction),
    /// Something was done about the import of files.
    Import(ImportAction),
    /// Both backends are to be compared on the state on screen.
    CompareBackends,
    /// The sentence is hovered or focused, so that a word of it may be exchanged next.
    Arrive,
    /// A message of the host.
    Host(HostMessage),
    /// Something was done about the model that has learned.
    Learning(LearningAction),
    /// A run has arrived, or an error.
    Ran(Lane, Box<State>, Result<Box<PageRun>, RunError>),
    /// The WebGPU status has changed.
    Status(GpuStatus),
    /// Something was done in the lesson beside the map, or leads to it.
    Lesson(LessonAction),
    /// An event in a panel whose state is the app's.
    Panel(Panel, PanelEvent),
    /// An event in the view of the map that shows the head as curves.
    Curves(PanelEvent),
    /// The Share dialog was used.
    Share(ShareEvent),
    /// The Save menu was used.
    Save(SaveEvent),
    /// The hint beside the sentence was used.
    Coach(CoachEvent),
    /// All settings are to be shown, or the few.
    AllSettings,
    /// A sheet is to be opened, or the map alone to be shown.
    Sheet(Option<Sheet>),
    /// A chunk of code has loaded, or has failed to.
    ChunkCame,
}

impl Message {
    /// Whether it is about the pointer, or a highlight in its place.
    pub const fn is_pointing(&self) -> bool {
        matches!(
            self,
            Self::Map(_)
                | Self::Compared(_)
                | Self::Word(..)
                | Self::Highlight(_)
                | Self::Panel(_, PanelEvent::Pointed)
                | Self::Curves(PanelEvent::Hover(_))
        )
    }
}

/// Messages from the host of a page.
#[derive(Clone, Debug)]
pub enum HostMessage {
    /// Settings in link syntax; the others stay.
    Apply(String),
    /// Settings one by one; one without a value goes back to its default.
    Settings(Vec<SettingInput>),
    /// A whole state in link syntax.
    Restore(String),
    /// A cell of the map, or none.
    Select(Option<Cell>),
    /// Settings that were rejected.
    Refused(Vec<LinkWarning>),
    /// What is in files of these names, to be shown without the dialog.
    Numbers(String, FileContents),
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The code for the run could not be loaded.
    Unloaded,
    /// A newer request has replaced it.
    Replaced,
    /// The request was rejected, with a sentence that names field, rule and value.
    Refused(String),
}

/// Hit-test result for a point of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HitTest {
    /// A cell, or the label of a row or a column.
    pub target: Option<Target>,
    /// The nearest cell, row and column.
    pub nearest: Option<(usize, usize)>,
}

/// Event on a map at a position `P`: CSS pixels from its upper left corner, as the browser reports
/// it, or the hit-test result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MapEvent<P> {
    /// The pointer moves here.
    Over(P),
    /// The pointer leaves.
    Away,
    /// A click or a tap here.
    Click(P),
    /// A step with the keyboard.
    Step(Move),
    /// The pointer goes down here.
    Press(P),
    /// The pointer goes down here while Shift is held.
    Frame(P),
    /// The pointer goes up, anywhere.
    Lift,
    /// Zooms by a factor about this place.
    ZoomAt(f64, P),
    /// Zooms by a factor about the chosen cell.
    Zoom(f64),
    /// Shows the whole map.
    Whole,
    /// Moves the visible part so that it is centred on this point of the whole map, in fractions of
    /// its height and width.
    Pan(f64, f64),
    /// Enter.
    Lock,
    /// The space bar.
    Space,
    /// Escape.
    Release,
}

impl<P> MapEvent<P> {
    /// Maps the position to the result of `find`.
    pub fn at<Q>(self, find: impl FnOnce(P) -> Q) -> MapEvent<Q> {
        match self {
            Self::Over(place) => MapEvent::Over(find(place)),
            Self::Away => MapEvent::Away,
            Self::Click(place) => MapEvent::Click(find(place)),
            Self::Step(step) => MapEvent::Step(step),
            Self::Press(place) => MapEvent::Press(find(place)),
            Self::Frame(place) => MapEvent::Frame(find(place)),
            Self::Lift => MapEvent::Lift,
            Self::ZoomAt(factor, place) => MapEvent::ZoomAt(factor, find(place)),
            Self::Zoom(factor) => MapEvent::Zoom(factor),
            Self::Whole => MapEvent::Whole,
            Self::Pan(down, across) => MapEvent::Pan(down, across),
            Self::Lock => MapEvent::Lock,
            Self::Space => MapEvent::Space,
            Self::Release => MapEvent::Release,
        }
    }
}

/// Highlight that a panel requests on the map while its own element is hovered or focused. The map
/// ignores parts that it does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Highlight {
    /// A query, or a query and a key, as if the pointer were there.
    At(Pointed),
    /// Pairs of a query and a key that are outlined.
    Cells(Vec<(usize, usize)>),
    /// A query to select.
    Row(usize),
    /// None any more.
    Nothing,
}

/// Actions on the numbers of an explanation.
#[derive(Clone, Debug, PartialEq)]
pub enum InspectorAction {
    /// Numbers that are computed from these cells are hovered; empty when none is any more.
    Light(Vec<CellRef>),
    /// Explains another number.
    Go(CellRef),
    /// Shows all terms, or only the largest.
    Unfold,
    /// Closes the explanation.
    Close,
}

/// Actions of the brush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrushAction {
    /// Enables or disables it.
    Toggle,
    /// Clears all painted cells.
    Clear,
}

/// Actions of the zoom buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoomAction {
    /// The next drag draws a frame to zoom into.
    Frame,
    /// Shows the whole map.
    Whole,
    /// Fills the screen with the map, or leaves it.
    FullScreen,
}

/// Actions about the model that has learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearningAction {
    /// Plays the training from its beginning, or stops.
    Watch,
    /// The timer's, while it plays.
    Tick,
    /// Shows the model in the training lab.
    OpenLab,
    /// Switches the chosen head off, or on again.
    SwitchHead,
}

/// Actions of the history buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoAction {
    /// Undoes a step.
    Undo,
    /// Redoes a step.
    Redo,
    /// Resets to the standard settings, which is a step of its own.
    Reset,
}

/// Actions in the lesson beside the map.
#[derive(Clone, Debug, PartialEq)]
pub enum LessonAction {
    /// Shows the list of lessons.
    List,
    /// Writes a lesson of what the page is set to.
    Write,
    /// Opens the lesson of a name where it was left.
    Open(String),
    /// Answers with a choice.
    Choose(usize),
    /// Answers with a number, as it was typed.
    Check(String),
    /// A button with `data-lesson-do` of this value was pressed.
    Press(String),
    /// The text in the editor was changed to this one.
    Type(String),
    /// A file of so many bytes was chosen for the editor.
    File(f64),
    /// The chosen file: its name, and what is in it where it can be read.
    Read(String, Option<Vec<u8>>),
    /// Follows a link within the page, where the address belongs to the host.
    Link(String),
    /// The screen is no longer filled with the page.
    EndLecture,
    /// Other numbers are on screen.
    Painted,
}

/// Events of the hint beside the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoachEvent {
    /// Its words were pressed.
    Act,
    /// It is to go.
    Leave,
    /// It is to come again.
    Again,
}

impl CoachEvent {
    /// The event of a button, by what it says in `data-coach`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "act" => Self::Act,
            "leave" => Self::Leave,
            "again" => Self::Again,
            _ => return None,
        })
    }
}

/// Events of the Share dialog.
#[derive(Clone, Debug, PartialEq)]
pub enum ShareEvent {
    /// It is opened.
    Open,
    /// It was closed, or, if `true`, the large QR code above it.
    Closed(bool),
    /// An event in its view.
    View(PanelEvent),
    /// A preview that is opened has so many CSS pixels across.
    Room(f64),
    /// The page in the frame has reported its height, in CSS pixels.
    Height(f64),
    /// The page was saved as a file, or could not be.
    Saved(bool),
}

/// Events of the Save menu.
#[derive(Clone, Debug, PartialEq)]
pub enum SaveEvent {
    /// It is opened on the picture of a name.
    Open(String),
    /// It was opened or closed, by whatever means.
    Toggled(bool),
    /// An event in its view.
    View(PanelEvent),
    /// The picture was saved, or could not be.
    Picture(SavedFile),
    /// The file of numbers was saved, or could not be.
    Numbers(SavedFile),
    /// The map was painted anew.
    Painted,
}

/// Actions of the import.
#[derive(Clone, Debug)]
pub enum ImportAction {
    /// Files of these names, with so many bytes, were chosen or dropped; or a text was pasted, which has no name.
    Begin(Vec<String>, f64),
    /// The read of this number has ended: with the contents, or with a sentence that says why there are none.
    Read(u32, Result<FileContents, String>),
    /// An event in the dialog, or in the bar about imported numbers.
    Event(PanelEvent),
    /// The dialog was closed, as by Escape.
    Close,
}
