//! Effects that the runtime carries out after a message.

use crate::i18n::Language;
use crate::present::address_history::{Change, HistoryMode};
use crate::scene::hit::Pointed;
use crate::state::{Field, State};

/// One effect. Effects are carried out in the order in which they were requested.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Computes a state for the map; replaces a request that waits.
    Ask(Box<State>),
    /// Computes the comparison's setting B; replaces a request that waits.
    AskCompared(Box<State>),
    /// Computes one state on both backends.
    CompareBackends(Box<State>),
    /// Trains the model of a state in advance, for the user's next action.
    Train(Box<State>),
    /// Writes a fragment to the address.
    Write {
        /// The fragment to write.
        fragment: String,
        /// Whether the change is still in progress, as during a drag.
        change: Change,
        /// Whether it gets a history entry of its own.
        mode: HistoryMode,
    },
    /// Stores a user preference for the next visit.
    Remember(Field),
    /// Updates a part of the page from the state.
    Show(View),
    /// Announces a sentence to screen readers.
    Announce(String),
    /// Announces a cell of the map.
    Speak(Pointed),
    /// Announces a cell of the comparison's maps.
    SpeakCompared(Pointed),
    /// Moves the focus to the map.
    FocusMap,
    /// Moves the focus to the explanation of a cell.
    FocusInspector,
    /// Fills the screen with the map, or leaves it.
    ToggleFullScreen,
    /// Moves the lesson to the step of the state, as after *undo*.
    ReturnLesson,
    /// Discards the "copied" message.
    ForgetCopy,
    /// Reports that the texts of the requested language are not there.
    TellMissingTexts(Language),
}

/// Part of the page to update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Language, theme and colours.
    Style,
    /// The texts of the page, in another language.
    Words,
    /// Size of the map.
    Room,
    /// Controls of settings.
    Controls,
    /// Texts in their fields.
    Texts,
    /// Which panels are open.
    Panels,
    /// The brush.
    Brush,
    /// Buttons of the zoom.
    Zoom,
    /// Buttons of the history.
    Undo,
    /// Notices.
    Notices,
    /// Backend badge.
    Backend,
    /// The lesson beside the map.
    Lesson,
    /// Settings of the comparison.
    Compared,
    /// The invitation, which disappears with the first action.
    Invitation,
}
