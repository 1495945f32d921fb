//! The open page: the app, and the elements that show it.

mod backend;
mod copying;
mod perform;
mod render;

use std::rc::Rc;

use web_sys::{Element, HtmlElement, Window};

use super::activity::Pending;
use super::chunk_loader::ChunkLoader;
use super::controls::{self, Control, Examples};
use super::dom::{Attribute, MissingPart, Root, Text, not_inlined};
use super::download::Download;
use super::engine::Engine;
use super::environment::{Environment, Stage};
use super::export::SavePopover;
use super::full_page_link::FullPageLink;
use super::history::History;
use super::import::ImportDialog;
use super::main_view::MainView;
use super::map::{Room, read_palette};
use super::models::Models;
use super::mount_context::MountContext;
use super::panels::registry::PanelRegistry;
use super::panels::{
    AllSettings, Backend, BrushButtons, CoachHint, ComparisonPanel, LessonPanel, Notices, Sheets,
    UndoButtons, ZoomButtons,
};
use super::sender::{Input, Sender, WordEvent};
use super::share::Share;
use super::storage::KeptTexts;
use super::timer;
use super::view::View;
use app::message::Highlight;
use app::present::address_history::Change;
use app::present::colour_style::ColourStyle;
use app::scene::colour::{Background, Lut};
use app::scene::scale::Scale;
use app::state::{Action, ColourMap, State, presets};
use app::{App, Message, Outside};

/// The page.
pub(super) struct Page {
    pub(super) app: App,
    root: Root,
    window: Window,
    environment: Environment,
    address: History,
    engine: Engine,
    controls: Vec<Box<dyn Control>>,
    examples: Examples,
    main_view: MainView,
    lesson: LessonPanel,
    panels: PanelRegistry,
    comparison: ComparisonPanel,
    zoom_buttons: ZoomButtons,
    share: Share,
    brush_buttons: BrushButtons,
    undo_buttons: UndoButtons,
    live_region: Text,
    save: SavePopover,
    /// Message about a copy from the map.
    map_said: Element,
    has_copied: bool,
    import_dialog: ImportDialog,
    models: Models,
    notices: Notices,
    whole: FullPageLink,
    /// Caption for print only.
    print_caption: View,
    /// How the page is laid out, for style sheets.
    layout: Attribute,
    /// Whose background it has.
    ground: Attribute,
    coach: CoachHint,
    all_settings: AllSettings,
    sheets: Sheets,
    backend: Backend,
    /// Kept while the worker opens a graphics device, or waits before it tries again.
    opening: Option<Pending>,
    element: HtmlElement,
    colours: ColourStyle,
    /// Colours and background that the colour table was built for.
    coloured: (ColourMap, Background),
    room: Room,
    chunks: ChunkLoader,
    download: Download,
    has_marks: bool,
}

impl Page {
    /// Binds everything under `root`. Nothing is shown or computed before it is opened.
    pub(super) fn new(
        root: Root,
        (window, place): (Window, MountContext),
        engine: Engine,
        sender: &Sender,
    ) -> Result<Self, MissingPart> {
        let environment = Environment::new(&window, &root, &place);
        let state = State::default();
        let ground = environment.ground(&state);
        let palette = read_palette(&root, &window, ground)?;
        let colours = ColourStyle {
            lut: Lut::new(state.colours, ground),
            scale: Scale::new(state.scale, 1.0),
            palette,
        };
        let element: HtmlElement = root.find("#map")?;
        let came = sender.clone();
        let on_chunk = Box::new(move || came.send(Message::ChunkCame));
        let chunks = ChunkLoader::new(root.activity().clone(), on_chunk);
        let compare = sender.clone();
        Ok(Self {
            app: {
                let clock = window.clone();
                let outside = Outside {
                    chunks: Rc::new(chunks.clone()),
                    clock: Rc::new(move || timer::now(&clock)),
                    memory: Rc::new(KeptTexts(window.clone())),
                    address: place.page_base(&window).unwrap_or_default(),
                };
                App::new(environment.snapshot(), outside)
            },
            address: History::new(window.clone(), place.clone(), root.activity().clone()),
            controls: not_inlined(|| controls::bind(&root, sender))?,
            examples: not_inlined(|| Examples::new(&root, sender))?,
            panels: not_inlined(|| PanelRegistry::new(&root, sender, engine.client()))?,
            comparison: not_inlined(|| ComparisonPanel::new(&root, sender))?,
            main_view: not_inlined(|| MainView::new(&root, sender))?,
            lesson: not_inlined(|| LessonPanel::new(&root, sender, &place))?,
            zoom_buttons: not_inlined(|| ZoomButtons::new(&root, sender.on(Message::Zoom)))?,
            share: not_inlined(|| Share::new(&root, sender))?,
            brush_buttons: not_inlined(|| BrushButtons::new(&root, sender.on(Message::Brush)))?,
            undo_buttons: not_inlined(|| UndoButtons::new(&root, sender.on(Message::Undo)))?,
            live_region: Text::find(&root, "#live-region")?,
            save: not_inlined(|| SavePopover::new(&root, sender))?,
            map_said: root.find("#map-said")?,
            has_copied: false,
            import_dialog: not_inlined(|| ImportDialog::new(&root, engine.client(), sender))?,
            models: {
                let base = place.page_base(&window).unwrap_or_default();
                let around = (&window, base, place.has_memory());
                Models::new(around, engine.client(), root.activity(), sender)
            },
            notices: not_inlined(|| {
                let (dismiss, undo) = (sender.on(Message::Dismiss), sender.on(Message::Undo));
                let own = sender.clone();
                let example = move |id: String| {
                    if let Some(preset) = presets::by_id(&id) {
                        own.act(Action::Preset(preset.id), Change::Commit);
                    }
                };
                Notices::new(&root, dismiss, undo, example)
            })?,
            whole: not_inlined(|| FullPageLink::new(&root, &window, &place))?,
            print_caption: View::find(&root, "#print-caption")?,
            layout: Attribute::new(root.element().clone(), "data-layout"),
            ground: Attribute::new(root.element().clone(), "data-ground"),
            coach: CoachHint::new(&root, sender)?,
            all_settings: {
                let sender = sender.clone();
                AllSettings::new(&root, move || sender.send(Message::AllSettings))?
            },
            sheets: not_inlined(|| Sheets::new(&root, &window, sender))?,
            backend: not_inlined(|| {
                Backend::new(&root, move || compare.send(Message::CompareBackends))
            })?,
            opening: Some(root.activity().begin()),
            room: environment.room(&element, &state, Stage::default()),
            coloured: (state.colours, ground),
            chunks,
            download: Download::new(root.element()),
            // The marks of somebody else's document are not ours.
            has_marks: place.has_address(),
            element,
            root,
            window,
            environment,
            engine,
            colours,
        })
    }

    /// Handles one input event.
    pub(super) fn handle(&mut self, input: Input) {
        match input {
            Input::Open => self.open(),
            Input::App(message) => self.update(message),
            Input::Map(event) => {
                let event = event.at(|place| self.main_view.map.spot(place));
                self.update(Message::Map(event));
            }
            Input::Compared(map, event) => {
                let event = event.at(|place| self.comparison.target(&map, place));
                self.update(Message::Compared(event));
            }
            Input::Word(is_second, event) => self.point_word(is_second, event),
            Input::Address => self.reopen(),
            Input::CopyPointed => self.copy_pointed(),
            Input::Import(source) => {
                let message = self.import_dialog.keep(source);
                self.update(message);
            }
            Input::BackendsCompared(state, reply) => self.compared(*state, reply),
            Input::LoadAgain => self.load_again(),
            Input::InSight(panels) => {
                for (panel, is_in_sight) in panels {
                    self.app.scheduler.set_in_sight(panel, is_in_sight);
                }
            }
            Input::ThemeAround(theme) => {
                self.environment.follow(theme);
                self.restyle();
            }
            Input::Resized => self.resized(),
            Input::Grown => self.grown(),
            Input::PanelResized(panel) => {
                if let Some(body) = self.panels.of_app(panel) {
                    body.resize(&self.app, &self.colours);
                }
            }
            Input::Restored => self.restored(),
            Input::BeginPrint => self.begin_print(),
            Input::EndPrint => self.end_print(),
            Input::PaintWaiting => self.paint_waiting(),
            Input::Table => self.show_table(),
        }
    }

    /// Opens the state of the address, as a page does first of all.
    fn open(&mut self) {
        let fragment = self.address.fragment();
        self.update(Message::Open(fragment));
    }

    /// Passes a message to the app, and carries out its effects.
    pub(super) fn update(&mut self, message: Message) {
        // Comes with each movement of the pointer, and needs none of it.
        if !message.is_pointing() {
            self.app.environment = self.environment.snapshot();
        }
        for effect in self.app.update(message) {
            self.perform(effect);
        }
    }

    /// The element that the map is drawn on.
    pub(super) fn map_element(&self) -> &HtmlElement {
        &self.element
    }

    /// How much higher the map would be without a frame around it.
    pub(super) fn map_surplus(&self) -> f64 {
        self.main_view.map.surplus()
    }

    /// Returns the environment of the map, whose changes of theme concern the page.
    pub(super) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Opens the address again if something else wrote it: back, forward, a pasted link.
    #[inline(never)]
    fn reopen(&mut self) {
        if self.address.is_foreign() {
            let fragment = self.address.fragment();
            self.update(Message::Reopen(fragment));
        }
    }

    /// Handles an event on the first sentence, whose words are rows, or on the second, whose words
    /// are columns.
    #[inline(never)]
    fn point_word(&mut self, is_second: bool, event: WordEvent) {
        let word = match event {
            WordEvent::Away => None,
            WordEvent::Over(x, y) | WordEvent::Press(x, y) => {
                let word = self.main_view.word_at(usize::from(is_second), x, y);
                word.and_then(|word| self.app.word_of_map(is_second, word))
            }
        };
        match (event, word) {
            (WordEvent::Press(..), Some(query)) if !is_second => {
                self.update(Message::Highlight(Highlight::Row(query)));
            }
            (WordEvent::Press(..), _) => {}
            (_, word) => self.update(Message::Word(is_second, word)),
        }
    }

    /// Retries failed loads.
    #[inline(never)]
    fn load_again(&mut self) {
        if self.chunks.forget_missing() {
            self.update(Message::ChunkCame);
        }
    }
}
