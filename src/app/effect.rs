//! Effects that the runtime carries out after a message.

use crate::present::address_history::{Change, HistoryMode};
use crate::scene::hit::Pointed;
use crate::state::{Field, State};

/// Something that is to be done, in the order in which it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Computes the numbers of a state for the map, in place of any that wait.
    Ask(Box<State>),
    /// Computes those of the comparison's other setting, in place of any that were asked for before.
    AskCompared(Box<State>),
    /// Computes one state on both backends.
    CompareBackends(Box<State>),
    /// Trains the model of a state for what its reader may do next.
    Train(Box<State>),
    /// Writes a fragment to the address.
    Write {
        /// The fragment to write.
        fragment: String,
        /// Whether the change goes on.
        change: Change,
        /// Whether it gets an entry of its own.
        mode: HistoryMode,
    },
    /// Keeps a setting of the reader for the next visit.
    Remember(Field),
    /// Puts a part of the page in line with the state.
    Show(View),
    /// Says a sentence to those who do not see the page.
    Announce(String),
    /// Speaks of a cell of the map.
    Speak(Pointed),
    /// Speaks of a cell of the comparison's maps.
    SpeakCompared(Pointed),
    /// Moves the focus to the map.
    FocusMap,
    /// Moves the focus to the explanation of a cell.
    FocusInspector,
    /// Fills the screen with the map, or leaves it.
    ToggleFullScreen,
    /// The lesson goes to where the state says, as after *undo*.
    ReturnLesson,
    /// Discards the "copied" message.
    ForgetCopy,
}

/// A part of the page that is shown anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Language, theme and colours.
    Style,
    /// The words of the page, in another language.
    Words,
    /// The room that the map has.
    Room,
    /// Controls of settings.
    Controls,
    /// Texts behind their fields.
    Texts,
    /// Which panels are open.
    Panels,
    /// The brush.
    Brush,
    /// Buttons of the zoom.
    Zoom,
    /// Buttons of the history.
    Undo,
    /// Sentences about what was done.
    Notices,
    /// Where the picture was computed.
    Backend,
    /// The lesson beside the map.
    Lesson,
    /// Settings of the comparison.
    Compared,
    /// The invitation goes once something was done.
    Invitation,
}
