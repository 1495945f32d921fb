//! Events of a panel whose state the app holds, and what such a panel asks of the app.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl PanelEvent);

use super::address_history::Change;
use super::colour_style::ColourStyle;
use super::displayed_matrix::DisplayedMatrix;
use super::model_export::{ExportedRun, ModelFile};
use super::model_panel::{ModelCall, ModelEvent};
use super::painted_grid::GridEvent;
use super::pasted_mask::file::MaskFile;
use super::run::Run;
use super::steps::explain::CellRef;
use crate::Refusal;
use crate::effect::File;
use crate::i18n::Language;
use crate::message::Highlight;
use crate::scene::hit::Pointed;
use crate::state::{Field, LayerOfModel, State, StepKind, Value};
use engine::{Backend, GpuStatus};
use formats::{Kind, Tensor};

/// An event in a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum PanelEvent {
    /// The panel is to follow the state of the page.
    Follow,
    /// Something else is pointed out on the map.
    Pointed,
    /// The panel was closed.
    Close,
    /// An element with `data-do` of this value was pressed.
    Press(String),
    /// The value of an element with `data-field` of this name was changed.
    Enter(String, String, Change),
    /// The same of one with `data-sets` of the name of a field of the state.
    Set(Field, String, Change),
    /// A file of this name was chosen for a mask, or dropped there.
    File(String, MaskFile),
    /// An event of the grid.
    Paint(GridEvent),
    /// An element with `data-hover` of this value is pointed at, or none any more.
    Hover(Option<String>),
    /// The pointer is on an element with `data-plot` of this name, at this place in shares of its width and height.
    Point(String, (f64, f64)),
    /// It was clicked there.
    Click(String, (f64, f64)),
    /// Pointer or focus have left it.
    Leave(String),
    /// A key of `data-keys` was pressed on such an element.
    Key(String, String),
    /// Time for a share of the work.
    Tick,
    /// A file of this name was saved, or could not be.
    Saved(String, bool),
    /// A text was copied, or could not be.
    Copied(bool),
    /// What comes back from the call of this number to the opened model.
    Model(u32, ModelEvent),
    /// The outcome of the job of this number.
    Ended(u32, Result<Outcome, Refusal>),
}

/// Something that a panel asks of the app.
#[derive(Debug)]
pub enum PanelRequest {
    /// Chooses a head, counted on from the first layer to the last where a model has several.
    Head(usize),
    /// Shows the panel.
    Show,
    /// Shows the panel, whose heatmaps stay.
    ShowMarks,
    /// Requests a highlight on the map.
    Highlight(Highlight),
    /// Sets a field of the state.
    Set(Field, Value),
    /// Shows a layer on the map.
    Layer(Box<LayerOfModel>),
    /// Shows the numbers of a layer on the map in place of those before, which is no step of its own.
    Renew(Box<LayerOfModel>),
    /// Saves what is changed in the opened model as a program.
    Intervention,
    /// Starts a call of this number to the opened model.
    Model(u32, ModelCall),
    /// Saves a file of a model.
    Save(ExportedRun, ModelFile),
    /// Saves a file.
    Download(File),
    /// Copies a text.
    Copy(String),
    /// Selects what is in the element with this id, for the user to copy.
    Select(&'static str),
    /// Moves the focus to the element that matches a selector.
    Focus(String),
    /// Starts a job of this number in place of the one before.
    Start(u32, Job),
    /// Stops the job.
    Stop,
}

impl PanelRequest {
    /// Sets the text of the page to one that goes on.
    pub(super) fn go_on_with(text: &str, more: &str) -> Self {
        Self::Set(Field::Text, Value::Text(format!("{text}{more}")))
    }
}

/// A job that takes time.
#[derive(Clone, Debug, PartialEq)]
pub enum Job {
    /// Measures how long a run takes.
    Time {
        /// The setting.
        state: Box<State>,
        /// Number of queries and keys, which are random.
        n: usize,
        /// Where it runs.
        backend: Backend,
    },
    /// Computes results of a setting once more, with all heads.
    Results {
        /// The setting.
        state: Box<State>,
        /// Where its numbers were computed: those shall be the same.
        backend: Backend,
        /// Names of the results.
        names: Vec<&'static str>,
    },
    /// Saves a file, written in pieces.
    File {
        /// Its name.
        name: String,
        /// Its format.
        kind: Kind,
        /// What is in it.
        tensors: Vec<Tensor>,
    },
}

/// The outcome of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// How many milliseconds a run took.
    Time(f64),
    /// Numbers of each result.
    Results(Vec<Vec<f32>>),
    /// Bytes of the file; `None` where the browser has no room for them.
    File(Option<u64>),
}

/// A panel whose state the app holds.
pub trait PanelState {
    /// The panel before its first event.
    fn new(page: &PageOfPanel<'_>) -> Self
    where
        Self: Sized;

    /// Handles an event; returns what is asked of the app.
    fn update(&mut self, event: PanelEvent, page: &PageOfPanel<'_>) -> Vec<PanelRequest>;

    /// Milliseconds from one tick to the next; `None` while there is no work.
    fn interval(&self) -> Option<i32> {
        None
    }
}

/// What a panel sees of its page.
pub struct PageOfPanel<'a> {
    pub state: &'a State,
    /// The latest run.
    pub run: Option<&'a Run>,
    /// The step on the map, and the head and the row that are looked at.
    pub step: StepKind,
    pub head: usize,
    pub row: usize,
    pub pointed: Pointed,
    /// Highlighted cells.
    pub lit: &'a [CellRef],
    pub language: Language,
    /// Status of WebGPU.
    pub status: &'a GpuStatus,
    /// Whether the user prefers reduced motion.
    pub is_motion_reduced: bool,
    pub clock: Clock<'a>,
}

impl PageOfPanel<'_> {
    /// Whether cells of the map are pairs of a query and a key.
    pub fn shows_pairs(&self) -> bool {
        let run = self.run;
        run.is_some_and(|run| DisplayedMatrix::new(run, self.step, self.head).is_pairs())
    }
}

/// What a panel is shown with: colours, width and language of the page.
#[derive(Clone, Copy)]
pub struct PanelContext<'a> {
    pub colours: &'a ColourStyle,
    /// Width for its charts, in CSS pixels.
    pub room: f64,
    /// Width of a text in a size, both in CSS pixels.
    pub measure: &'a dyn Fn(&str, f64) -> f64,
    pub language: Language,
    /// Whether the user prefers reduced motion.
    pub is_motion_reduced: bool,
}

/// The time in milliseconds, as often as it is asked for.
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// Time between two shares of work.
pub const FRAME_MS: i32 = 16;
