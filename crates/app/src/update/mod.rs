//! Owner of the page's state: [`App::update`] handles a [`Message`], changes the state and returns
//! [`Effect`]s for the runtime to carry out.

mod backend;
mod brush;
mod coach;
mod compared;
mod curves;
mod hosts;
mod import;
mod lane;
mod learning;
mod lesson;
mod lesson_taking;
mod lesson_writing;
mod map;
mod model;
mod numbers;
mod panels;
mod save;
mod set_up;
mod settings;
mod share;
mod sheet;
mod steps;
#[cfg(test)]
mod tests;
mod words;
mod zoom;

use std::collections::VecDeque;
use std::rc::Rc;

pub use lane::LaneState;
pub use sheet::Sheet;

use crate::export::codegen::panel::CodePanel;
use crate::export::save_menu::SaveMenu;
use crate::export::tensors::panel::DataPanel;
use crate::i18n::Language;
use crate::import::dialog::ImportDialog;
use crate::present::address_history::{Change, HistoryMode};
use crate::present::analysis_panel::AnalysisPanel;
use crate::present::announcement::Announcement;
use crate::present::coach::Coach;
use crate::present::comparison::ComparisonPanel;
use crate::present::cost::panel::CostPanel;
use crate::present::device_notice::{Event, LastNotified};
use crate::present::draw::panel::DrawPanel;
use crate::present::held_range::HeldRange;
use crate::present::model_panel::ModelPanel;
use crate::present::notices::Notices;
use crate::present::panel_scheduler::PanelScheduler;
use crate::present::run::Run;
use crate::present::steps::explain::CellRef;
use crate::present::streaming_panel::StreamingPanel;
use crate::present::token_curves::TokenCurves;
use crate::present::training_panel::TrainingPanel;
use crate::protocol::ChangeSource;
use crate::scene::hit::Pointed;
use crate::share::ShareDialog;
use crate::state::imported::url::PendingLink;
use crate::state::undo::UndoHistory;
use crate::state::{AutoSelection, Field, LinkWarning, Panel, PreferredHead, State, StepKind, url};
use crate::{Effect, Message, View, state};
use brush::Brush;
use engine::GpuStatus;
use learning::Learning;
use lesson::Lessons;
use steps::StepsPanel;
use zoom::Zoom;

/// Loading state of a chunk of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkState {
    /// It can be used.
    Loaded,
    /// It is being loaded.
    Coming,
    /// It could not be loaded.
    Missing,
}

/// Code that is loaded on first use.
pub trait Chunks {
    /// Loading state of a chunk; requests one that was not requested before.
    fn state(&self, name: &'static str) -> ChunkState;

    /// Whether a chunk is loaded; requests one that was not requested before.
    fn has(&self, name: &'static str) -> bool {
        self.state(name) == ChunkState::Loaded
    }
}

/// The chunk with the code of most panels.
pub const WITH_PANELS: &str = "more";

/// The panels, in the order in which they are updated.
pub const PANELS: [Panel; 10] = [
    Panel::Steps,
    Panel::Streaming,
    Panel::Training,
    Panel::Draw,
    Panel::Analysis,
    Panel::Cost,
    Panel::Code,
    Panel::Data,
    Panel::Model,
    Panel::Compare,
];

/// Reader's preferences and situation, as the browser tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnvironmentSnapshot {
    /// The language that the user chose on an earlier visit.
    pub remembered: Option<Language>,
    /// The language of the surrounding text, or the browser's.
    pub language: Language,
    /// Whether the browser may store preferences.
    pub has_memory: bool,
    /// Whether the user prefers reduced motion.
    pub is_motion_reduced: bool,
    /// Whether the page is being printed.
    pub is_printing: bool,
}

/// Parts of the map that have changed since the last paint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirtyMap {
    /// The picture.
    pub picture: bool,
    /// The highlighted cells.
    pub pointed: bool,
}

impl DirtyMap {
    /// Whether anything on the map is out of date.
    pub fn is_map(self) -> bool {
        self.picture || self.pointed
    }
}

/// Texts that the browser keeps for the next visit, each under a name.
pub trait Memory {
    /// The text that is kept.
    fn recall(&self, name: &str) -> Option<String>;

    /// Keeps a text, or forgets the one that is kept.
    fn remember(&self, name: &str, text: Option<&str>);
}

/// What the page asks of the browser and has an answer to at once.
pub struct Outside {
    /// Code that is loaded on first use.
    pub chunks: Rc<dyn Chunks>,
    /// Tells the time in milliseconds since an arbitrary origin.
    pub clock: Rc<dyn Fn() -> f64>,
    pub memory: Rc<dyn Memory>,
    /// Where the whole page can be opened, without a fragment; empty where that is not known.
    pub address: String,
}

/// State of the page.
pub struct App {
    pub state: State,
    /// The language on screen.
    pub language: Language,
    pub environment: EnvironmentSnapshot,
    clock: Rc<dyn Fn() -> f64>,
    memory: Rc<dyn Memory>,
    /// Where the whole page can be opened.
    address: String,
    /// Runs of the state.
    pub main: LaneState,
    /// Runs of the comparison's B.
    side: LaneState,
    pub comparison: ComparisonPanel,
    /// A before the last comparison that was set up, and after.
    set_up_from: Option<(State, State)>,
    pub steps: StepsPanel,
    pub curves: TokenCurves,
    lesson: Lessons,
    pub learning: Learning,
    import: ImportDialog,
    /// The training panel, from its first turn on.
    training: Option<Box<TrainingPanel>>,
    /// The drawing panel, likewise.
    draw: Option<Box<DrawPanel>>,
    analysis: Option<Box<AnalysisPanel>>,
    cost: Option<Box<CostPanel>>,
    data: Option<Box<DataPanel>>,
    code: Option<Box<CodePanel>>,
    streaming: Option<Box<StreamingPanel>>,
    model: Option<Box<ModelPanel>>,
    /// The Share dialog, once it was opened.
    share: Option<Box<ShareDialog>>,
    /// The Save menu, likewise.
    pub save: Option<Box<SaveMenu>>,
    /// Decides when each panel is updated.
    pub scheduler: PanelScheduler,
    brush: Brush,
    pub coach: Coach,
    /// The set-up shows all settings.
    pub shows_all_settings: bool,
    /// What a phone shows over the lower half of its window.
    pub sheet: Option<Sheet>,
    pub zoom: Zoom,
    undo: UndoHistory,
    preferred_head: PreferredHead,
    auto_selection: AutoSelection,
    /// The last announcement.
    announced: Option<Announcement>,
    /// A paint has changed the picture since.
    pub has_news: bool,
    /// A link whose data have not arrived yet.
    wanted: Option<PendingLink>,
    pub notices: Notices,
    /// Warnings to show once the texts of the language are loaded.
    late_warnings: Vec<LinkWarning>,
    /// Field whose change caused the notices on screen.
    noticed: Option<Field>,
    /// The worker's last status of WebGPU.
    pub status: GpuStatus,
    /// The picture was requested again after that status, so no further request follows it.
    has_caught_up: bool,
    last_notified: LastNotified,
    /// The event in the notice about the graphics device, until it is dismissed.
    device: Option<Event>,
    pub held_range: HeldRange,
    pub hover: Option<Pointed>,
    /// The query last shown in the reading pane.
    pub read: usize,
    /// Highlighted cells, from which a number on the page is computed.
    pub lit: Vec<CellRef>,
    pub stale: DirtyMap,
    /// The texts of the page have been set to a language.
    is_named: bool,
    /// The first map was painted.
    pub is_marked: bool,
    chunks: Rc<dyn Chunks>,
    /// Who caused the changes since the host was last notified.
    by: ChangeSource,
    /// Rejected or adjusted settings of the host's last message.
    answer: Vec<LinkWarning>,
    effects: Vec<Effect>,
    /// Messages that follow from the one that is handled.
    later: VecDeque<Message>,
}

impl App {
    /// Page before its first state is opened.
    pub fn new(environment: EnvironmentSnapshot, outside: Outside) -> Self {
        let Outside {
            chunks,
            clock,
            memory,
            address,
        } = outside;
        Self {
            memory,
            address,
            state: State::default(),
            language: Language::En,
            environment,
            clock,
            main: LaneState::default(),
            side: LaneState::default(),
            comparison: ComparisonPanel::default(),
            set_up_from: None,
            steps: StepsPanel::default(),
            curves: TokenCurves::default(),
            lesson: Lessons::default(),
            learning: Learning::default(),
            import: ImportDialog::default(),
            training: None,
            draw: None,
            analysis: None,
            cost: None,
            data: None,
            code: None,
            streaming: None,
            model: None,
            share: None,
            save: None,
            scheduler: PanelScheduler::new(PANELS),
            brush: Brush::default(),
            coach: Coach::default(),
            shows_all_settings: false,
            sheet: None,
            zoom: Zoom::default(),
            undo: UndoHistory::default(),
            preferred_head: PreferredHead::default(),
            auto_selection: AutoSelection::default(),
            announced: None,
            has_news: false,
            wanted: None,
            notices: Notices::default(),
            late_warnings: Vec::new(),
            noticed: None,
            status: GpuStatus::default(),
            has_caught_up: false,
            last_notified: LastNotified::default(),
            device: None,
            held_range: HeldRange::default(),
            hover: None,
            read: 0,
            lit: Vec::new(),
            stale: DirtyMap::default(),
            is_named: false,
            is_marked: false,
            chunks,
            by: ChangeSource::Host,
            answer: Vec::new(),
            effects: Vec::new(),
            later: VecDeque::new(),
        }
    }

    /// Handles a message, and returns the effects to carry out.
    ///
    /// Code that opening a page does not need is not inlined, so that the release build can load it
    /// later.
    pub fn update(&mut self, message: Message) -> Vec<Effect> {
        self.handle(message);
        while let Some(message) = self.later.pop_front() {
            self.handle(message);
        }
        std::mem::take(&mut self.effects)
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Open(fragment) => self.open(&fragment),
            Message::Reopen(fragment) => self.reopen(&fragment),
            Message::Act(action, change) => self.act(action, change),
            Message::ChooseHead(head) => self.choose_head(head),
            Message::ChooseRow(row) => self.choose_row(row),
            Message::Highlight(highlight) => self.highlight(highlight),
            Message::Inspect(action) => self.inspect(action),
            Message::Map(event) => self.point(event),
            Message::Compared(event) => self.point_compared(event),
            Message::Word(is_second, word) => self.point_word(is_second, word),
            Message::Dismiss(notice) => self.dismiss(notice),
            Message::Brush(action) => self.use_brush(action),
            Message::Zoom(action) => self.use_zoom(action),
            Message::Undo(action) => self.undo(action),
            Message::Import(action) => self.import(action),
            Message::CompareBackends => self.compare_backends(),
            Message::Arrive => self.train_opening(),
            Message::Learning(action) => self.learn(action),
            Message::Host(message) => self.host(message),
            Message::Ran(lane, state, reply) => self.ran(lane, *state, reply),
            Message::Status(status) => self.on_status(status),
            Message::Lesson(action) => self.use_lesson(action),
            Message::Panel(Panel::Steps, event) => self.steps(event),
            Message::Curves(event) => self.use_curves(event),
            Message::Panel(panel, event) => self.panel(panel, event),
            Message::Share(event) => self.use_share(event),
            Message::Save(event) => self.use_save(event),
            Message::Coach(event) => self.use_coach(event),
            Message::AllSettings => self.toggle_all_settings(),
            Message::Sheet(sheet) => self.open_sheet(sheet),
            Message::ChunkCame => self.chunk_came(),
        }
    }

    /// Takes the rejected or adjusted settings of the host's last message.
    pub fn take_answer(&mut self) -> Vec<LinkWarning> {
        std::mem::take(&mut self.answer)
    }

    /// Takes the source of the changes since the last call.
    pub fn take_by(&mut self) -> ChangeSource {
        std::mem::take(&mut self.by)
    }

    /// The state as a link.
    pub fn fragment(&self) -> String {
        url::to_fragment(&self.state)
    }

    /// Language for the page: the state's, the remembered one, or that of the environment.
    pub fn wanted_language(&self, state: &State) -> Language {
        let chosen = state.language.or(self.environment.remembered);
        chosen.unwrap_or(self.environment.language)
    }

    /// The head on screen: while another number of heads is being computed, the nearest one, and
    /// while the chosen head's matrices are missing, the one whose matrices are there.
    pub fn head(&self) -> usize {
        let Some(run) = &self.main.run else { return 0 };
        let of_parts = run.reply.parts.as_ref().map(|parts| parts.head);
        match self.shown() {
            StepKind::Weights | StepKind::Mask => None,
            _ => of_parts,
        }
        .unwrap_or(self.state.head)
        .min(run.heads().saturating_sub(1))
    }

    /// The step on screen: the weights where the chosen step is unavailable, or not computed yet.
    pub fn shown(&self) -> StepKind {
        let is_there = |run: &Run, step| {
            run.steps.contains(&step) && (run.reply.parts.is_some() || step == StepKind::Mask)
        };
        let (run, step) = (self.main.run.as_ref(), state::steps::asked(&self.state));
        run.filter(|run| is_there(run, step))
            .map_or(StepKind::Weights, |_| step)
    }

    /// Returns the changes since the last announcement, after a paint; `None` if there are none.
    pub fn announce(&mut self) -> Option<String> {
        let run = self.main.run.as_ref().filter(|_| self.has_news)?;
        self.has_news = false;
        let row = self.state.cell.map_or(0, |cell| cell.query);
        let mut now = Announcement::new(run, self.head(), row, self.state.cell, self.language);
        let step = self.shown();
        if let Some(scale) = self.held_range.last(step) {
            now = now.coloured(step, scale);
        }
        let news = (self.announced.as_ref()).map_or_else(String::new, |before| now.since(before));
        self.announced = Some(now);
        (!news.is_empty()).then_some(news)
    }

    /// Reads what the browser keeps under a name, if it may.
    fn recall(&self, name: &str) -> Option<String> {
        let has_memory = self.environment.has_memory;
        has_memory.then(|| self.memory.recall(name)).flatten()
    }

    /// Keeps a text for the next visit, or forgets it, if the browser may.
    fn keep(&self, name: &str, text: Option<&str>) {
        if self.environment.has_memory {
            self.memory.remember(name, text);
        }
    }

    fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Requests an update of a part of the page, at most once per message.
    fn show(&mut self, view: View) {
        let effect = Effect::Show(view);
        if !self.effects.contains(&effect) {
            self.effects.push(effect);
        }
    }

    /// Writes the state to the address.
    fn write(&mut self, change: Change, mode: HistoryMode) {
        let fragment = self.fragment();
        self.effect(Effect::Write {
            fragment,
            change,
            mode,
        });
    }
}
