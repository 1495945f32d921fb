//! Everything that can happen to a page: acts of a person, messages of a host, results.

use crate::engine::{GpuStatus, PageRun};
use crate::import::{FileSetting, SettingFile};
use crate::present::address_history::Change;
use crate::present::steps::explain::CellRef;
use crate::scene::hit::{Move, Pointed, Target};
use crate::state::external_settings::SettingInput;
use crate::state::{Action, Cell, ImportedData, LinkWarning, State};

/// Something that has happened.
#[derive(Clone, Debug)]
pub enum Message {
    /// The state of the address is opened: at the start.
    Open(String),
    /// Something else has written the address: back, forward, a pasted link.
    Reopen(String),
    /// A control was used.
    Act(Action, Change),
    /// A head was chosen, counted on from the first layer to the last where a model has several.
    ChooseHead(usize),
    /// A row was chosen.
    ChooseRow(usize),
    /// A panel points something out.
    Highlight(Highlight),
    /// Something was done with the explanation of a cell.
    Inspect(InspectorAction),
    /// Something was done on the map.
    Map(MapEvent<Spot>),
    /// Something was done on a map of the comparison.
    Compared(MapEvent<Spot>),
    /// A word of a sentence is pointed at, or none any more; `true` for the second sentence.
    Word(bool, Option<usize>),
    /// A word of the first sentence was pressed.
    PressWord(usize),
    /// A notice was read.
    Dismiss(u32),
    /// A button of the brush was pressed.
    Brush(BrushAction),
    /// A button of the zoom was pressed.
    Zoom(ZoomAction),
    /// A step is undone, or done again.
    Undo(UndoAction),
    /// Data or settings were imported.
    Import(ImportAction),
    /// Both backends are to be compared on what is on screen.
    CompareBackends,
    /// Somebody comes to the sentence, and may exchange a word of it.
    Arrive,
    /// A host sets the page.
    Host(HostMessage),
    /// Numbers have come, or could not be computed.
    Ran(Box<State>, Result<Box<PageRun>, RunError>),
    /// Those of the comparison's other setting; without a sentence where they were overtaken.
    ComparedRan(Box<State>, Result<Box<PageRun>, Option<String>>),
    /// The WebGPU status has changed.
    Status(GpuStatus),
    /// A chunk of code has come, or could not be loaded.
    ChunkCame,
}

/// Messages from the host of a page.
#[derive(Clone, Debug)]
pub enum HostMessage {
    /// Settings as a link writes them; the others stay.
    Apply(String),
    /// Settings one by one; one without a value goes back to its default.
    Settings(Vec<SettingInput>),
    /// A whole state as a link says it.
    Restore(String),
    /// A cell of the map, or none.
    Select(Option<Cell>),
    /// Settings that were rejected.
    Refused(Vec<LinkWarning>),
}

/// Why there are no numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The code that computes them could not be loaded.
    Unloaded,
    /// They were refused, in a sentence that names field, rule and value.
    Refused(String),
}

/// Hit-test result for a point of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// A cell, or the label of a row or a column.
    pub target: Option<Target>,
    /// The nearest cell, row and column.
    pub nearest: Option<(usize, usize)>,
}

/// Event on a map at a position `P`: CSS pixels from its upper left corner, as the browser reports
/// it, or the hit-test result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MapEvent<P> {
    /// The pointer is here.
    Over(P),
    /// The pointer is elsewhere.
    Away,
    /// A click or a tap here.
    Click(P),
    /// A step with the keyboard.
    Step(Move),
    /// The pointer is pressed down here.
    Press(P),
    /// It is pressed down here while Shift is held.
    Frame(P),
    /// It is let go, wherever that is.
    Lift,
    /// Zooms by a factor about this place.
    ZoomAt(f64, P),
    /// Zooms by a factor about the chosen cell.
    Zoom(f64),
    /// Shows the whole map.
    Whole,
    /// Moves what is shown around this place of the whole map, in shares of its height and its width.
    Pan(f64, f64),
    /// Enter.
    Lock,
    /// The space bar.
    Space,
    /// Escape.
    Release,
}

impl<P> MapEvent<P> {
    /// The same with what `find` finds at its place.
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
    /// A query that is chosen.
    Row(usize),
    /// Nothing any more.
    Nothing,
}

/// Actions on the numbers of an explanation.
#[derive(Clone, Debug, PartialEq)]
pub enum InspectorAction {
    /// Numbers are pointed at that stand in these places; none when nothing is pointed at any more.
    Light(Vec<CellRef>),
    /// Another number is to be explained.
    Go(CellRef),
    /// Every term is to be shown, or the largest alone.
    Unfold,
    /// The cell is let go.
    Close,
}

/// Actions of the brush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrushAction {
    /// Takes it up, or lays it down.
    Toggle,
    /// Takes all paint away.
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

/// Actions of the history buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoAction {
    /// Back by a step.
    Undo,
    /// Forward again.
    Redo,
    /// To the standard settings, which is a step.
    Reset,
}

/// Data or settings that were imported.
#[derive(Clone, Debug)]
pub enum ImportAction {
    /// Numbers, and the settings that their file says.
    Numbers(ImportedData, Vec<FileSetting>),
    /// A whole setting.
    Setting(SettingFile),
    /// The sentence again.
    Sentence,
}
