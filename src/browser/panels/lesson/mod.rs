//! The lesson beside the map.

mod lecture;
mod taking;
mod writing;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Document, Element, Event, HtmlDialogElement, HtmlElement, Window};

use crate::bindings::load_chunk;
use crate::browser::activity::Activity;
use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::download::Download;
use crate::browser::event_listener::Listener;
use crate::browser::mount_context::MountContext;
use crate::browser::sender::Sender;
use crate::browser::storage;
use crate::browser::view::View;
use app::Message;
use app::i18n::Language;
use app::present::address_history::Change;
use app::present::lesson::{Draft, Editor, LessonWalk, Progress, files};
use app::present::run::Run;
use app::state::{Action, Field, LESSON_LIST, LESSON_OWN, State, Value};
use app::views::{self, Markup};
use lessons::Lesson;

/// Storage key of the progress in lessons.
const PROGRESS: &str = "attention-playground-lessons";

/// The lesson that is written, there as well.
const DRAFT: &str = "attention-playground-draft";

/// The place of lessons on the page.
pub(crate) struct LessonPanel {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<Listener>,
}

struct Inner {
    place: HtmlElement,
    /// Around place and map.
    main: Element,
    view: View,
    paper: View,
    /// Button that opens the list.
    opener: HtmlElement,
    /// Where the page is shared, and what leads from there to the writing of a lesson.
    share: HtmlDialogElement,
    writer: Element,
    /// Element scrolled to the top of a narrow window when a lesson begins.
    plate: HtmlElement,
    sender: Sender,
    activity: Activity,
    back: Weak<RefCell<Self>>,
    window: Window,
    /// Whether this is a page of its own, where progress and drafts are stored.
    has_memory: bool,
    /// Whether the address of the window is the page's, where links within the page lead.
    has_address: bool,
    /// All lessons of a language.
    all: Option<(Language, Rc<[NamedLesson]>)>,
    taken: Option<OpenLesson>,
    /// Text in the editor that was neither applied nor discarded.
    draft: Draft,
    /// Where it is written, while it is.
    editor: Option<Editor>,
    download: Download,
    is_folded: bool,
    is_lecture: bool,
    document: Document,
    arithmetic: Option<Markup>,
    /// Takes the focus when it is shown.
    is_called: bool,
    /// Hands the focus back once it is gone.
    is_left: bool,
    /// A lesson begins: the map is to be seen.
    is_new: bool,
    /// The page as it was shown last.
    state: State,
    language: Language,
    /// Chunks that are loaded or being loaded.
    loaded: Vec<&'static str>,
    is_loading: bool,
}

type NamedLesson = (&'static str, Lesson);

/// The lesson that is taken.
struct OpenLesson {
    name: String,
    language: Language,
    /// Text of the user's own lesson.
    text: String,
    walk: LessonWalk,
    /// How many steps of it have been kept as done.
    kept: usize,
    /// Name and title of the next one.
    following: Option<(&'static str, String)>,
}

impl LessonPanel {
    pub(crate) fn new(
        root: &Root,
        sender: &Sender,
        place: &MountContext,
    ) -> Result<Self, MissingPart> {
        let missing = || MissingPart::new("window");
        let document = root.document().ok_or_else(missing)?;
        let inner = Rc::new(RefCell::new(Inner {
            place: root.find("#lesson")?,
            main: root.find("main")?,
            view: View::find(root, "#lesson")?,
            paper: View::find(root, "#print-lesson")?,
            opener: root.find("#open-lessons")?,
            share: root.find("#share")?,
            writer: root.find("#share-write")?,
            plate: root.find(".plate")?,
            sender: sender.clone(),
            activity: root.activity().clone(),
            back: Weak::new(),
            window: document.default_view().ok_or_else(missing)?,
            has_memory: place.has_memory(),
            has_address: place.has_address(),
            all: None,
            taken: None,
            draft: Draft::default(),
            editor: None,
            download: Download::new(root.element()),
            is_folded: false,
            is_lecture: false,
            document,
            arithmetic: None,
            is_called: false,
            is_left: false,
            is_new: false,
            state: State::default(),
            language: Language::En,
            loaded: Vec::new(),
            is_loading: false,
        }));
        let back = Rc::downgrade(&inner);
        inner.borrow_mut().back = Weak::clone(&back);
        let listeners = listeners(&inner.borrow(), &back);
        Ok(Self {
            inner,
            _listeners: listeners,
        })
    }

    /// Whether it is shown to an audience.
    pub(crate) fn is_lecture(&self) -> bool {
        let inner = self.inner.try_borrow();
        inner.is_ok_and(|inner| inner.is_lecture)
    }

    /// Writes the text of the lesson for print.
    pub(crate) fn print(&mut self) {
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            let markup = inner.taken.is_some().then(|| inner.on_paper());
            inner.paper.update(markup.unwrap_or_default());
        }
    }

    /// The page is taken back to a state, or on again.
    pub(crate) fn return_to(&mut self, state: &State) {
        let Ok(mut inner) = self.inner.try_borrow_mut() else {
            return;
        };
        if let Some(taken) = &mut inner.taken {
            taken.walk.return_to(state);
        }
    }

    /// Shows the lesson of the page, as far as `run` tells.
    pub(crate) fn update(&mut self, state: &State, run: Option<&Run>, language: Language) {
        let Ok(mut inner) = self.inner.try_borrow_mut() else {
            return;
        };
        let is_taken = !state.lesson.is_empty();
        dom::set_flag(&inner.place, "hidden", !is_taken);
        dom::set_flag(&inner.main, "data-lesson", is_taken && !state.embed);
        if !is_taken {
            inner.taken = None;
            if inner.editor.is_some() {
                // What drops it is loaded with lessons.
                inner.editor = None;
            }
            inner.lecture(false);
            if std::mem::take(&mut inner.is_left) {
                // Refused where the page has no such way in.
                let _ = inner.opener.focus();
            }
            return;
        }
        inner.state = state.clone();
        inner.language = language;
        if inner.has_come() {
            inner.show(run);
        } else {
            inner.load();
        }
    }
}

type Back = Weak<RefCell<Inner>>;

/// Does something in the panel; the state that comes of it is taken by the page once the panel is free.
fn with(back: &Back, act: impl FnOnce(&mut Inner) -> Option<State>) {
    let Some(inner) = back.upgrade() else { return };
    let Ok(mut own) = inner.try_borrow_mut() else {
        return;
    };
    let next = act(&mut own);
    let sender = own.sender.clone();
    drop(own);
    if let Some(next) = next {
        sender.act(Action::Replace(Box::new(next)), Change::Commit);
    }
}

/// Has the page show the list of lessons.
fn show_list(back: &Back) {
    let Some(inner) = back.upgrade() else { return };
    let sender = inner.try_borrow().map(|inner| inner.sender.clone());
    if let Ok(sender) = sender {
        let list = Value::Text(LESSON_LIST.to_owned());
        sender.act(Action::Set(Field::Lesson, list), Change::Commit);
    }
}

fn listeners(inner: &Inner, back: &Back) -> Vec<Listener> {
    let [
        of_opener,
        of_writer,
        of_list,
        of_choice,
        of_tools,
        of_links,
        of_keys,
        of_text,
        of_file,
    ] = [(); 9].map(|()| Weak::clone(back));
    let view = &inner.view;
    let mut listeners = lecture::listeners(inner, back);
    listeners.extend([
        Listener::new(&inner.opener, "click", move |_| {
            with(&of_opener, |inner| {
                inner.is_called = true;
                None
            });
            show_list(&of_opener);
        }),
        Listener::new(&inner.writer, "click", move |_| {
            let mut is_away = false;
            with(&of_writer, |inner| {
                // First of all: it hands the focus back.
                inner.share.close();
                is_away = inner.place.has_attribute("hidden");
                inner.begin_writing(is_away);
                None
            });
            if is_away {
                show_list(&of_writer);
            }
        }),
        view.on("click", "data-lesson-open", move |name: String| {
            with(&of_list, |inner| inner.open(&name));
        }),
        view.on("click", "data-lesson-choice", move |choice| {
            with(&of_choice, |inner| inner.choose(choice));
        }),
        view.on("click", "data-lesson-do", move |tool: String| {
            with(&of_tools, |inner| inner.press(&tool));
        }),
        Listener::new(&inner.place, "keydown", move |event| {
            if taking::is_answer(&event) {
                with(&of_keys, |inner| inner.press("check"));
            }
        }),
        Listener::new(&inner.place, "input", move |event| {
            if is_in(&event, "lesson-source") {
                with(&of_text, |inner| {
                    inner.typed();
                    None
                });
            }
        }),
        Listener::new(&inner.place, "change", move |event| {
            if is_in(&event, "lesson-file") {
                with(&of_file, |inner| {
                    inner.read_chosen();
                    None
                });
            }
        }),
    ]);
    if !inner.has_address {
        listeners.push(Listener::new(&inner.place, "click", move |event| {
            with(&of_links, |inner| inner.follow_link(&event));
        }));
    }
    listeners
}

/// Whether something has happened in the field with this id.
fn is_in(event: &Event, id: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into().ok());
    target.is_some_and(|target: Element| target.id() == id)
}

impl Inner {
    /// The chunks that the page's lesson, or what is written, needs.
    fn needed(&self) -> Vec<&'static str> {
        let is_written = self.editor.is_some() || self.state.lesson == LESSON_OWN;
        files::chunks(self.language)
            .into_iter()
            .chain(is_written.then_some("lesson_writing"))
            .collect()
    }

    fn has_come(&self) -> bool {
        let mut needed = self.needed().into_iter();
        needed.all(|chunk| self.loaded.contains(&chunk))
    }

    /// Loads the chunks that are needed, and then shows the lesson.
    fn load(&mut self) {
        if std::mem::replace(&mut self.is_loading, true) {
            return;
        }
        let needed = self.needed();
        let (back, pending) = (Weak::clone(&self.back), self.activity.begin());
        spawn_local(async move {
            let mut come = Vec::new();
            for chunk in needed {
                if load_chunk(chunk).await {
                    come.push(chunk);
                }
            }
            with(&back, |inner| {
                inner.is_loading = false;
                let is_more = come.iter().any(|chunk| !inner.loaded.contains(chunk));
                inner.loaded.extend(come);
                match (inner.has_come(), inner.state.lesson.is_empty()) {
                    (_, true) => {}
                    (true, false) => inner.show(None),
                    // The language may have changed in between.
                    (false, false) if is_more => inner.load(),
                    (false, false) => inner.show_missing(),
                }
                None
            });
            drop(pending);
        });
    }

    /// Shows that lessons could not be loaded, with a button to retry.
    fn show_missing(&mut self) {
        self.view.update(views::lesson_missing(self.language));
    }

    /// Has the page take a state, once it has shown this one.
    fn take_later(&self, state: State) {
        let state = Action::Replace(Box::new(state));
        self.sender.post(Message::Act(state, Change::Commit));
    }

    fn progress(&self) -> Progress {
        let kept = self
            .has_memory
            .then(|| storage::recall(&self.window, PROGRESS));
        Progress::parse(&kept.flatten().unwrap_or_default())
    }

    /// Keeps that so many steps of a lesson have been done.
    fn keep(&self, name: &str, steps: usize) {
        let mut progress = self.progress();
        if self.has_memory && progress.take(name, steps) {
            storage::remember(&self.window, PROGRESS, Some(&progress.write()));
        }
    }
}
