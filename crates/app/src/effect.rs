//! Effects that the runtime carries out after a message.

use crate::export::save_menu::SaveRequest;
use crate::i18n::Language;
use crate::present::address_history::{Change, HistoryMode};
use crate::present::model_panel::ModelCall;
use crate::present::panel::Job;
use crate::scene::hit::Pointed;
use crate::share::OneFile;
use crate::state::{Field, Panel, State};
use crate::update::Sheet;
use engine::Lane;

/// One effect. Effects are carried out in the order in which they were requested.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Computes a state for the map, or for the comparison's B; replaces a request that waits.
    Ask(Lane, Box<State>),
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
    /// Sends [`PanelEvent::Tick`](crate::present::panel::PanelEvent::Tick) to a panel at this interval in milliseconds, in place of
    /// the one before; `None` ends it.
    Tick(Panel, Option<i32>),
    /// Sends [`LearningAction::Tick`](crate::message::LearningAction::Tick) at this interval in milliseconds, in place of the one before;
    /// `None` ends it.
    Watch(Option<i32>),
    /// Scrolls the card that matches a selector into view in the strip of steps, once the strip is shown.
    RevealStep(&'static str),
    /// Saves a file, for a panel that is told whether it was.
    Download(Option<Panel>, File),
    /// Copies a text for a panel, which is told whether it was.
    CopyText(Panel, String),
    /// Selects what is in the element of a panel with this id.
    SelectText(Panel, &'static str),
    /// Copies the text of the Share dialog, which is told whether it was.
    CopyShared(String),
    /// Selects the text in the Share dialog.
    SelectShared,
    /// Saves the page as a file; the Share dialog is told whether it could be.
    SaveOneFile(OneFile),
    /// Saves or copies what is chosen in the Save menu.
    Save(SaveRequest),
    /// Moves the focus to the element of a panel that matches a selector.
    Focus(Panel, String),
    /// Starts a job of a panel in place of the one before; its outcome is sent with this number.
    Start(Panel, u32, Job),
    /// Stops the job of a panel.
    Stop(Panel),
    /// Calls the opened model; what comes back is sent with this number.
    Model(u32, ModelCall),
    /// Keeps the files of the import for the model that is opened next.
    KeepModelFiles,
    /// Reads the files, or the text, of the import; what is in them is sent with this number.
    ReadFiles(u32),
    /// Opens the import dialog.
    OpenImport,
    /// Moves the focus to what shows the numbers of the import dialog.
    FocusImport,
    /// Scrolls what says of imported numbers into view.
    RevealImported,
    /// Moves the focus to the map.
    FocusMap,
    /// Moves the focus to a sheet, or without one to the map.
    FocusSheet(Option<Sheet>),
    /// Moves the focus to the explanation of a cell.
    FocusInspector,
    /// Fills the screen with the map, or leaves it.
    ToggleFullScreen,
    /// Moves the focus to the lesson, at its top.
    FocusLesson,
    /// Scrolls the lesson to its top.
    ScrollLesson,
    /// Moves the focus to what opens the list of lessons.
    FocusLessonOpener,
    /// Moves the focus to the text of a lesson that is written.
    FocusLessonText,
    /// Reads the file that was chosen for the lesson's text.
    ReadLessonFile,
    /// Begins or ends to fill the screen for an audience.
    Lecture(bool),
    /// Scrolls the map to the top of the window, where a lesson stands below it.
    RevealMap,
    /// Discards the "copied" message.
    ForgetCopy,
    /// Reports that the texts of the requested language are not there.
    TellMissingTexts(Language),
}

/// A file to save.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub kind: &'static str,
    pub bytes: Vec<u8>,
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
    /// The walk through the steps beside the map.
    Walk,
    /// Whether *Watch it learn* plays.
    Learning,
    /// The lesson beside the map.
    Lesson,
    /// The import dialog.
    Import,
    /// A panel whose state is the app's.
    Panel(Panel),
    /// The same panel, whose heatmaps stay.
    PanelMarks(Panel),
    /// The Share dialog.
    Share,
    /// The Save menu.
    Save,
    /// The hint beside the sentence.
    Coach,
    /// The sheet over the lower half of a phone's window.
    Sheet,
}
