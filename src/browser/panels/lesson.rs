//! The place of the lesson beside the map, what is done in it, and the screen of an audience.

wasm_chunks::chunk!("input");
wasm_chunks::chunk!("engine": impl LessonPanel, LessonPanel::show, watchers);

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::spawn_local;
use web_sys::{
    Document, Element, Event, File, HtmlElement, HtmlInputElement, HtmlTextAreaElement,
    KeyboardEvent, Window,
};

use crate::bindings::file_bytes;
use crate::browser::activity::Activity;
use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::mount_context::MountContext;
use crate::browser::observers::ResizeWatcher;
use crate::browser::sender::Sender;
use crate::browser::view::{View, nearest};
use app::message::LessonAction;
use app::share::Qr;
use app::state::LESSON_OWN;
use app::{App, Message};

/// From this width on a lesson stands beside the map, and below this height above all, as in `lesson.css`.
const WIDE: f64 = 1000.0;
const HIGH: f64 = 480.0;

/// Elements that handle arrow keys themselves.
const WITH_ARROWS: &str = "input, textarea, select, summary, [role=application], [role=toolbar], [role=grid], [role=radiogroup]";

/// The place of lessons on the page.
pub(crate) struct LessonPanel {
    place: HtmlElement,
    /// Around place and map.
    main: Element,
    view: View,
    paper: View,
    /// Button that opens the list.
    opener: HtmlElement,
    /// Element scrolled to the top of a narrow window when a lesson begins.
    plate: HtmlElement,
    window: Window,
    document: Document,
    activity: Activity,
    sender: Sender,
    _listeners: Vec<Listener>,
    _watchers: [Option<ResizeWatcher>; 2],
}

impl LessonPanel {
    pub(crate) fn new(
        root: &Root,
        sender: &Sender,
        place: &MountContext,
    ) -> Result<Self, MissingPart> {
        let missing = || MissingPart::new("window");
        let document = root.document().ok_or_else(missing)?;
        Ok(Self {
            place: root.find("#lesson")?,
            main: root.find("main")?,
            view: View::find(root, "#lesson")?,
            paper: View::find(root, "#print-lesson")?,
            opener: root.find("#open-lessons")?,
            plate: root.find(".plate")?,
            window: document.default_view().ok_or_else(missing)?,
            activity: root.activity().clone(),
            sender: sender.clone(),
            _listeners: listeners(root, &document, sender, place)?,
            _watchers: watchers(root)?,
            document,
        })
    }

    /// Writes the text of the lesson for print.
    pub(crate) fn print(&mut self, app: &App) {
        self.paper.update(app.lesson_on_paper());
    }

    /// Shows the lesson of the page.
    pub(crate) fn show(&mut self, app: &App) {
        let is_taken = !app.state.lesson.is_empty();
        dom::set_flag(&self.place, "hidden", !is_taken);
        dom::set_flag(&self.main, "data-lesson", is_taken && !app.state.embed);
        if is_taken {
            self.write(app);
        }
    }

    /// Moves the focus to the lesson, at its top.
    pub(crate) fn focus(&self) {
        self.scroll_to_top();
        // Refused by elements that are not there to be seen.
        let _ = self.place.focus();
    }

    pub(crate) fn scroll_to_top(&self) {
        self.place.set_scroll_top(0);
    }

    pub(crate) fn focus_opener(&self) {
        // Refused where the page has no such way in.
        let _ = self.opener.focus();
    }

    pub(crate) fn focus_text(&self) {
        if let Some(area) = self.find::<HtmlTextAreaElement>("#lesson-source") {
            let _ = area.focus();
        }
    }

    /// Scrolls the map to the top of the window, where the lesson is at its bottom.
    pub(crate) fn reveal_map(&self) {
        let sides = [self.window.inner_width(), self.window.inner_height()];
        let [width, height] = sides.map(|side| side.ok().and_then(|side| side.as_f64()));
        if width.is_some_and(|width| width < WIDE) && height.is_some_and(|height| height >= HIGH) {
            // Not into view, which keeps room for a map that is there already.
            let top = self.plate.get_bounding_client_rect().top();
            self.window.scroll_by_with_x_and_y(0.0, top);
        }
    }

    /// Begins or ends to fill the screen.
    pub(crate) fn lecture(&self, is_lecture: bool) {
        let root = self.document.document_element();
        if let Some(root) = &root {
            // For style sheets, which would look through all of the page with each change if they had to ask what is in it.
            dom::set_flag(root, "data-lecture", is_lecture);
        }
        if is_lecture {
            // Refused by some phones, which have no more room to give.
            let _ = root.map(|root| root.request_fullscreen());
        } else if self.document.fullscreen_element().is_some() {
            self.document.exit_fullscreen();
        }
    }

    /// Reads the file that was chosen; the same one can be chosen again after that.
    pub(crate) fn read_file(&self) {
        let Some(input) = self.find::<HtmlInputElement>("#lesson-file") else {
            return;
        };
        let Some(file) = chosen(&input) else { return };
        input.set_value("");
        let (sender, pending) = (self.sender.clone(), self.activity.begin());
        spawn_local(async move {
            let bytes = file_bytes(&file).await.ok();
            sender.send(Message::Lesson(LessonAction::Read(file.name(), bytes)));
            drop(pending);
        });
    }

    #[inline(never)]
    fn write(&mut self, app: &App) {
        let code = app.is_lecture().then(|| self.code(app)).flatten();
        if let Some(markup) = app.lesson_view(code.as_ref()) {
            self.view.update(markup);
        }
    }

    /// The code of a link to the lesson, at its beginning; there is none of a link that is too long.
    fn code(&self, app: &App) -> Option<Qr> {
        let location = self.window.location();
        let (origin, path) = (location.origin().ok()?, location.pathname().ok()?);
        let name = &app.state.lesson;
        let link = if name == LESSON_OWN {
            location.href().ok()?
        } else {
            format!("{origin}{path}#v=1&lesson={name}")
        };
        Qr::encode(&link).ok()
    }

    fn find<T: wasm_bindgen::JsCast>(&self, selector: &str) -> Option<T> {
        let found = self.place.query_selector(selector).ok().flatten();
        found?.dyn_into().ok()
    }
}

/// Space between the lesson and the row that is read below it.
const GAP: f64 = 16.0;

/// Keeps the row that is read below the lesson, as in `lesson.css`: what stands above the map, and the lesson itself, change their heights.
fn watchers(root: &Root) -> Result<[Option<ResizeWatcher>; 2], MissingPart> {
    let [lesson, above]: [Element; 2] = [root.find("#lesson")?, root.find(".sentences")?];
    let [main, plate]: [Element; 2] = [root.find("main")?, root.find(".plate")?];
    let plate: HtmlElement = plate.unchecked_into();
    let watched = [lesson.clone(), above];
    let keep = move || {
        if lesson.has_attribute("hidden") {
            return;
        }
        // Where it stands while the page is not scrolled.
        let [top, of_plate] = [&main, &*plate].map(|one| one.get_bounding_client_rect().top());
        let below = lesson.get_bounding_client_rect().height() + GAP - (of_plate - top);
        let below = format!("{}px", below.max(0.0).ceil());
        let _ = plate.style().set_property("--below-lesson", &below);
    };
    Ok(watched.map(|one| ResizeWatcher::new(&one, keep.clone())))
}

/// Reads an action from an event.
type Read = fn(&Event) -> Option<LessonAction>;

fn listeners(
    root: &Root,
    document: &Document,
    sender: &Sender,
    place: &MountContext,
) -> Result<Vec<Listener>, MissingPart> {
    let lesson: Element = root.find("#lesson")?;
    let opener: Element = root.find("#open-lessons")?;
    let on = |target: &Element, event, read: Read| {
        let sender = sender.clone();
        Listener::new(target, event, move |event| {
            if let Some(action) = read(&event) {
                sender.send(Message::Lesson(action));
            }
        })
    };
    let mut listeners = vec![
        on(&opener, "click", |_| Some(LessonAction::List)),
        on(&lesson, "click", pressed),
        on(&lesson, "keydown", |event| {
            let is_enter = event.dyn_ref::<KeyboardEvent>()?.key() == "Enter";
            answer(&field(event, "lesson-guess").filter(|_| is_enter)?)
        }),
        on(&lesson, "input", |event| {
            let area: HtmlTextAreaElement = field(event, "lesson-source")?.dyn_into().ok()?;
            Some(LessonAction::Type(area.value()))
        }),
        on(&lesson, "change", chosen_size),
    ];
    if !place.has_address() {
        listeners.push(on(&lesson, "click", followed));
    }
    listeners.extend(of_audience(document, sender));
    Ok(listeners)
}

/// Listens to a presenter's keys, and to the end of the full screen.
fn of_audience(document: &Document, sender: &Sender) -> [Listener; 2] {
    let is_lecture = |sender: &Sender| sender.read(|page| page.app.is_lecture()) == Some(true);
    let [of_keys, of_screen] = [(); 2].map(|()| sender.clone());
    let screen = document.clone();
    [
        Listener::new(document, "keydown", move |event| {
            if let Some(tool) = tool_of(&event).filter(|_| is_lecture(&of_keys)) {
                event.prevent_default();
                let tool = LessonAction::Press(tool.to_owned());
                of_keys.send(Message::Lesson(tool));
            }
        }),
        Listener::new(document, "fullscreenchange", move |_| {
            if screen.fullscreen_element().is_none() && is_lecture(&of_screen) {
                of_screen.send(Message::Lesson(LessonAction::EndLecture));
            }
        }),
    ]
}

/// Returns the tool for a key; presentation remotes send Page Up and Page Down.
fn tool_of(event: &Event) -> Option<&'static str> {
    let event: &KeyboardEvent = event.dyn_ref()?;
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    let has_arrows =
        target.is_some_and(|target| target.closest(WITH_ARROWS).ok().flatten().is_some());
    match event.key().as_str() {
        "PageDown" => Some("next"),
        "PageUp" => Some("previous"),
        "ArrowRight" if !has_arrows => Some("next"),
        "ArrowLeft" if !has_arrows => Some("previous"),
        "Escape" => Some("lecture"),
        _ => None,
    }
}

fn pressed(event: &Event) -> Option<LessonAction> {
    if let Some(name) = nearest(event, "data-lesson-open") {
        return Some(LessonAction::Open(name));
    }
    if let Some(choice) = nearest(event, "data-lesson-choice") {
        return Some(LessonAction::Choose(choice));
    }
    let tool: String = nearest(event, "data-lesson-do")?;
    match tool.as_str() {
        "check" => {
            let target: Element = event.target()?.dyn_into().ok()?;
            let around = target.closest(".lesson-guess").ok()??;
            answer(&around.query_selector("#lesson-guess").ok()??)
        }
        _ => Some(LessonAction::Press(tool)),
    }
}

fn answer(guess: &Element) -> Option<LessonAction> {
    let guess: &HtmlInputElement = guess.dyn_ref()?;
    Some(LessonAction::Check(guess.value()))
}

fn chosen_size(event: &Event) -> Option<LessonAction> {
    let input: HtmlInputElement = field(event, "lesson-file")?.dyn_into().ok()?;
    let size = chosen(&input)?.size();
    Some(LessonAction::File(size))
}

fn chosen(input: &HtmlInputElement) -> Option<File> {
    input.files()?.get(0)
}

fn followed(event: &Event) -> Option<LessonAction> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let link = target.closest("a[href^=\"#\"]").ok()??;
    event.prevent_default();
    link.get_attribute("href").map(LessonAction::Link)
}

/// The field of this id, if something has happened in it.
fn field(event: &Event, id: &str) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    (target.id() == id).then_some(target)
}
