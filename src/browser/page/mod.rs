//! The open page: its state, the newest run, and what needs painting.

mod announcing;
mod backend;
mod brush;
mod chunks;
mod comparison;
mod copying;
mod import;
mod inspecting;
mod map_input;
mod page_api;
mod render;
mod saving;
mod sentence_input;
mod sharing;
mod undo;
mod update;
mod zoom;

use std::rc::Rc;

use web_sys::{Element, HtmlElement, Window};

use brush::Brush;
pub(super) use brush::BrushAction;

use super::chunk_loader::ChunkLoader;
use super::controls::{self, Act, Control, Examples};
use super::dom::{Attribute, MissingPart, Root, Text, not_inlined};
use super::engine::Engine;
use super::environment::Environment;
use super::export::{self, TextGroup};
use super::full_page_link::FullPageLink;
use super::history::History;
use super::import::{ImportAction, ImportDialog};
use super::main_view::MainView;
use super::map::{ColourStyle, Palette, Pointed, Room};
use super::panels::registry::{Hints, PanelRegistry};
use super::panels::{
    Backend, BrushButtons, Inspected, LessonPanel, Notices, UndoAction, UndoButtons, ZoomAction,
    ZoomButtons,
};
use super::share::{self, Share};
use super::view::View;
use crate::bindings::GpuStatus;
use crate::browser::activity::Pending;
use crate::i18n::Language;
use crate::message::ChangeSource;
use crate::present::announcement::Announcement;
use crate::present::device_notice::{Event, LastNotified};
use crate::present::held_range::HeldRange;
use crate::present::run::Run;
use crate::present::steps::explain::CellRef;
use crate::scene::colour::{Background, Lut};
use crate::scene::scale::Scale;
use crate::state::ColourMap;
use crate::state::imported::url::PendingLink;
use crate::state::learned::Progress;
use crate::state::undo::UndoHistory;
use crate::state::{AutoSelection, Field, LinkWarning, PreferredHead, State, StepKind, steps};
use comparison::ComparisonLane;
use saving::Saving;
pub(super) use sentence_input::WordEvent;
use zoom::Zoom;

/// The page.
pub(super) struct Page {
    root: Root,
    window: Window,
    environment: Environment,
    state: State,
    language: Language,
    address: History,
    engine: Engine,
    /// How far a model that learns has come.
    progress: Progress,
    run: Option<Run>,
    controls: Vec<Box<dyn Control>>,
    examples: Examples,
    main_view: MainView,
    lesson: LessonPanel,
    panels: PanelRegistry,
    beside: ComparisonLane,
    brush: Brush,
    zoom: Zoom,
    zoom_buttons: ZoomButtons,
    share: Share,
    brush_buttons: BrushButtons,
    undo: UndoHistory,
    undo_buttons: UndoButtons,
    preferred_head: PreferredHead,
    auto_selection: AutoSelection,
    /// What was announced last, and the live region for it.
    announced: Option<Announcement>,
    live_region: Text,
    /// Something was painted since.
    has_news: bool,
    saving: Saving,
    text: TextGroup,
    /// Says what was copied from the map.
    map_said: Element,
    has_copied: bool,
    import_dialog: ImportDialog,
    /// A link whose numbers have not come yet.
    wanted: Option<PendingLink>,
    notices: Notices,
    whole: FullPageLink,
    /// What only paper says.
    print_caption: View,
    /// How the page is laid out, for style sheets.
    layout: Attribute,
    /// Whose background it has.
    ground: Attribute,
    /// What the notices have to say once there are texts for it.
    unsaid: Vec<LinkWarning>,
    /// The field whose change gave the notices that are shown.
    noticed: Option<Field>,
    invitation: HtmlElement,
    backend: Backend,
    /// The worker's last status of WebGPU.
    status: GpuStatus,
    /// The picture was requested again after that status.
    has_caught_up: bool,
    /// Kept while the worker opens a graphics device, or waits before it tries again.
    opening: Option<Pending>,
    told: LastNotified,
    /// The event in the notice about the graphics device, until it is dismissed.
    device: Option<Event>,
    element: HtmlElement,
    colours: ColourStyle,
    held_range: HeldRange,
    /// What the colour table was made for.
    coloured: (ColourMap, Background),
    room: Room,
    hover: Option<Pointed>,
    /// The query that was read last.
    read: usize,
    /// Cells that something on the page is made of.
    lit: Vec<CellRef>,
    stale: DirtyMap,
    /// The words of the markup have been put into a language.
    is_named: bool,
    /// The first map was marked.
    is_marked: bool,
    chunks: ChunkLoader,
    /// Who caused the changes since the host was last notified.
    by: ChangeSource,
    has_marks: bool,
}

/// What has changed since the last paint.
#[derive(Clone, Copy, Default)]
struct DirtyMap {
    picture: bool,
    pointed: bool,
}

/// Whom the page calls when something is done with it.
pub(super) struct PageCallbacks {
    pub act: Act,
    pub choose_head: Box<dyn Fn(usize)>,
    pub choose_row: Box<dyn Fn(usize)>,
    pub hint: Hints,
    pub inspect: Box<dyn Fn(Inspected)>,
    pub dismiss: Box<dyn Fn(u32)>,
    pub compare: Box<dyn Fn()>,
    pub brush: Box<dyn Fn(BrushAction)>,
    pub zoom: Box<dyn Fn(ZoomAction)>,
    pub undo: Rc<dyn Fn(UndoAction)>,
    pub save: Box<dyn Fn(export::ExportAction)>,
    pub copy: Box<dyn Fn(export::Copying)>,
    pub share: Box<dyn Fn(share::ShareAction)>,
    pub import: Box<dyn Fn(ImportAction)>,
    pub on_chunk: Box<dyn Fn()>,
}

impl Page {
    /// Binds everything under `root`. Nothing is shown or computed before [`open`](Self::open).
    pub(super) fn new(
        root: Root,
        (window, place): (Window, super::mount_context::MountContext),
        engine: Engine,
        calls: PageCallbacks,
    ) -> Result<Self, MissingPart> {
        let environment = Environment::new(&window, &root, &place);
        let state = State::default();
        let ground = environment.ground(&state);
        let palette = Palette::read(&root, &window, ground)?;
        let colours = ColourStyle {
            lut: Lut::new(state.colours, ground),
            scale: Scale::new(state.scale, 1.0),
            palette,
        };
        let element: HtmlElement = root.find("#map")?;
        Ok(Self {
            address: History::new(window.clone(), place.clone(), root.activity().clone()),
            controls: not_inlined(|| controls::bind(&root, &calls.act))?,
            examples: not_inlined(|| Examples::new(&root, &calls.act))?,
            panels: not_inlined(|| {
                PanelRegistry::new(&root, &calls.act, &calls.hint, engine.client())
            })?,
            beside: not_inlined(|| ComparisonLane::new(&root, &calls.act))?,
            main_view: not_inlined(|| {
                MainView::new(
                    &root,
                    calls.choose_head,
                    calls.choose_row,
                    calls.inspect,
                    &calls.act,
                    &calls.hint,
                )
            })?,
            lesson: not_inlined(|| LessonPanel::new(&root, &calls.act, &place))?,
            brush: Brush::default(),
            zoom: Zoom::default(),
            zoom_buttons: not_inlined(|| ZoomButtons::new(&root, calls.zoom))?,
            share: not_inlined(|| Share::new(&root, calls.share))?,
            brush_buttons: not_inlined(|| BrushButtons::new(&root, calls.brush))?,
            undo: UndoHistory::default(),
            undo_buttons: not_inlined(|| {
                UndoButtons::new(&root, {
                    let undo = Rc::clone(&calls.undo);
                    move |action| undo(action)
                })
            })?,
            preferred_head: PreferredHead::default(),
            auto_selection: AutoSelection::default(),
            announced: None,
            live_region: Text::find(&root, "#live-region")?,
            has_news: false,
            saving: not_inlined(|| Saving::new(&root, calls.save))?,
            text: not_inlined(|| TextGroup::new(&root, calls.copy))?,
            map_said: root.find("#map-said")?,
            has_copied: false,
            import_dialog: not_inlined(|| ImportDialog::new(&root, engine.client(), calls.import))?,
            wanted: None,
            notices: not_inlined(|| Notices::new(&root, calls.dismiss, calls.undo))?,
            whole: not_inlined(|| FullPageLink::new(&root, &window, &place))?,
            print_caption: View::find(&root, "#print-caption")?,
            layout: Attribute::new(root.element().clone(), "data-layout"),
            ground: Attribute::new(root.element().clone(), "data-ground"),
            invitation: root.find("#invitation")?,
            backend: not_inlined(|| Backend::new(&root, calls.compare))?,
            status: GpuStatus::default(),
            has_caught_up: false,
            opening: Some(root.activity().begin()),
            told: LastNotified::default(),
            device: None,
            room: environment.room(&element, &state, false),
            coloured: (state.colours, ground),
            held_range: HeldRange::default(),
            language: Language::En,
            progress: Progress::default(),
            run: None,
            unsaid: Vec::new(),
            noticed: None,
            hover: None,
            read: 0,
            lit: Vec::new(),
            stale: DirtyMap::default(),
            is_named: false,
            is_marked: false,
            chunks: ChunkLoader::new(root.activity().clone(), calls.on_chunk),
            by: ChangeSource::Host,
            // The marks of somebody else's document are not ours.
            has_marks: place.has_address(),
            element,
            root,
            window,
            environment,
            state,
            engine,
            colours,
        })
    }

    /// The element that the map is drawn on.
    pub(super) fn map_element(&self) -> &HtmlElement {
        &self.element
    }

    /// How much higher the map would be without a frame around it.
    pub(super) fn map_surplus(&self) -> f64 {
        self.main_view.map.surplus
    }

    /// The map's surroundings, whose changes of theme concern the page.
    pub(super) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The chosen head of what is on screen: while another number of heads is being computed, the nearest there is, and
    /// while the chosen one's own matrices are, the one whose are there.
    fn head(&self) -> usize {
        let Some(run) = &self.run else { return 0 };
        let of_parts = run.reply.parts.as_ref().map(|parts| parts.head);
        match self.shown() {
            StepKind::Weights | StepKind::Mask => None,
            _ => of_parts,
        }
        .unwrap_or(self.state.head)
        .min(run.heads().saturating_sub(1))
    }

    /// The step whose matrix is on screen: the weights where the chosen one is not there, or not yet.
    fn shown(&self) -> StepKind {
        let is_there = |run: &Run, step| {
            run.steps.contains(&step) && (run.reply.parts.is_some() || step == StepKind::Mask)
        };
        let (run, step) = (self.run.as_ref(), steps::asked(&self.state));
        run.filter(|run| is_there(run, step))
            .map_or(StepKind::Weights, |_| step)
    }
}
