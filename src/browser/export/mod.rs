//! The Save menu: puts it beside its button, shows the picture that is chosen, and saves and copies.

wasm_chunks::chunk!("more");
// Hears every click on the page.
wasm_chunks::chunk!("engine": listen_to_openers);

pub(super) mod picture;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement, HtmlImageElement, HtmlTextAreaElement, Window};

use super::clipboard;
use super::dom::{self, MissingPart, Root};
use super::download::{Download, Link};
use super::event_listener::Listener;
use super::panels::listen;
use super::sender::Sender;
use super::text_measurer::TextMeasurer;
use super::view::View;
use app::export::figures::{Choices, Format, NamedFigure};
use app::export::save_menu::{SaveRequest, SavedFile};
use app::message::SaveEvent;
use app::present::panel::PanelEvent;
use app::scene::figure::palette::SANS;
use app::scene::figure::png;
use app::scene::svg::{self, PER_MM, Unit};
use app::{App, Message};
use formats::{Kind, Tensor};

/// Kinds of files.
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";

/// Least space between the menu and the edge of the window.
const EDGE: f64 = 8.0;

/// The button that opened it last.
type Opener = Rc<RefCell<Option<HtmlElement>>>;

/// The menu.
pub(super) struct SavePopover {
    panel: HtmlElement,
    root: Root,
    view: View,
    sender: Sender,
    opener: Opener,
    _opens: Listener,
    /// Made when it is first shown.
    shown: Option<Shown>,
}

struct Shown {
    pen: TextMeasurer,
    /// The file in the preview, and its address.
    preview: Option<(String, Link)>,
    download: Rc<Download>,
    /// Number of the file of numbers: only the last one is completed.
    asked: Rc<Cell<u32>>,
    _listeners: Vec<Listener>,
}

impl SavePopover {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let panel: HtmlElement = root.find("#save-panel")?;
        let opener = Opener::default();
        Ok(Self {
            _opens: listen_to_openers(root, &opener, sender),
            root: Root::mounted(panel.clone().into(), root.activity().clone()),
            view: View::new(panel.clone().into()),
            sender: sender.clone(),
            opener,
            panel,
            shown: None,
        })
    }

    /// Whether it can be seen.
    pub(super) fn is_open(&self) -> bool {
        is_open(&self.panel)
    }

    /// Shows the menu as it is now; a closed one holds nothing.
    #[inline(never)]
    pub(super) fn show(&mut self, app: &App) {
        let shown = self.shown.get_or_insert_with(|| Shown {
            pen: TextMeasurer::new(&self.panel, "600", SANS.to_owned()),
            preview: None,
            download: Rc::new(Download::new(&self.panel)),
            asked: Rc::default(),
            _listeners: listeners(&self.panel, &self.opener, &self.sender),
        });
        let is_open = app.save.as_ref().is_some_and(|save| save.is_open);
        let figure =
            is_open.then(|| app.chosen_figure(&|text, size| shown.pen.measure(text, size)));
        if let Some(figure) = &figure
            && let Some(markup) = app.save_view(figure.as_ref())
        {
            self.view.update(markup);
        }
        if let Ok(image) = self.root.find("#save-preview") {
            shown.preview(&image, figure.flatten());
        }
    }

    /// Does what the menu asks for, and tells it what became of that.
    pub(super) fn carry_out(&self, request: SaveRequest, app: &App) {
        match request {
            SaveRequest::Picture => self.save_picture(app),
            SaveRequest::Numbers { name, kind, tensor } => self.save_numbers(name, kind, tensor),
            SaveRequest::Copy(text) => {
                let sender = self.sender.clone();
                clipboard::copy(&self.root, &text, move |is_copied| {
                    let copied = SaveEvent::View(PanelEvent::Copied(is_copied));
                    sender.send(Message::Save(copied));
                });
            }
            SaveRequest::Select(text) => {
                if let Ok(field) = self.root.find::<HtmlTextAreaElement>("#text-written") {
                    field.set_value(&text);
                    field.select();
                }
            }
        }
    }

    fn save_picture(&self, app: &App) {
        let (Some(shown), Some(save)) = (&self.shown, &app.save) else {
            return;
        };
        let Some(named) = app.chosen_figure(&|text, size| shown.pen.measure(text, size)) else {
            return;
        };
        let (download, sender, panel) = (
            Rc::clone(&shown.download),
            self.sender.clone(),
            self.panel.clone(),
        );
        let (choices, pending) = (save.choices, self.root.activity().begin());
        spawn_local(async move {
            let saved = save_picture(&download, &panel, &named, &choices).await;
            sender.send(Message::Save(SaveEvent::Picture(saved)));
            drop(pending);
        });
    }

    fn save_numbers(&self, name: String, kind: Kind, tensor: Tensor) {
        let Some(shown) = &self.shown else { return };
        let number = shown.asked.get().wrapping_add(1);
        shown.asked.set(number);
        let (asked, download) = (Rc::downgrade(&shown.asked), Rc::clone(&shown.download));
        let (sender, pending) = (self.sender.clone(), self.root.activity().begin());
        spawn_local(async move {
            let is_wanted = || asked.upgrade().is_some_and(|asked| asked.get() == number);
            let size = download
                .save_tensors(&name, kind, &[tensor], is_wanted)
                .await;
            if let Some(size) = size {
                let is_saved = size.is_some();
                let saved = SavedFile { name, is_saved };
                sender.send(Message::Save(SaveEvent::Numbers(saved)));
            }
            drop(pending);
        });
    }
}

impl Shown {
    /// Shows a figure as it is going to be saved. Without one the preview holds nothing: a browser keeps everything drawn in it in
    /// memory as long as it is in the document.
    fn preview(&mut self, image: &HtmlImageElement, figure: Option<NamedFigure>) {
        let Some(named) = figure else {
            if self.preview.take().is_some() {
                dom::set_flag(image, "src", false);
            }
            return;
        };
        let file = svg::write(&named.figure, Unit::Px);
        if self
            .preview
            .as_ref()
            .is_none_or(|(shown, _)| *shown != file)
            && let Some(link) = Link::new(file.as_bytes(), SVG)
        {
            image.set_src(link.address());
            self.preview = Some((file, link));
        }
    }
}

/// Saves a figure as a file.
async fn save_picture(
    download: &Download,
    beside: &Element,
    named: &NamedFigure,
    choices: &Choices,
) -> SavedFile {
    let (figure, format) = (&named.figure, choices.format);
    let name = format!("{}.{}", named.stem, format.name());
    let is_saved = match format {
        Format::Svg => {
            let file = svg::write(figure, choices.unit);
            download.save_file(&name, SVG, file.as_bytes())
        }
        Format::Png => {
            let drawn = picture::draw(beside, figure, choices.scale).await;
            let per_metre = (f64::from(choices.scale) * PER_MM * 1000.0).round() as u32;
            drawn.is_some_and(|file| {
                download.save_file(&name, PNG, &png::with_density(&file, per_metre))
            })
        }
    };
    SavedFile { name, is_saved }
}

fn is_open(panel: &Element) -> bool {
    panel.matches(":popover-open").unwrap_or(false)
}

/// Listens for buttons that open the menu. Views write some of them.
fn listen_to_openers(root: &Root, opener: &Opener, sender: &Sender) -> Listener {
    let (opener, sender) = (Rc::clone(opener), sender.clone());
    Listener::new(root.element(), "click", move |event| {
        let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
        let button = target.and_then(|target| target.closest("[data-picture]").ok()?);
        if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
            let picture = button.get_attribute("data-picture").unwrap_or_default();
            opener.replace(Some(button));
            sender.send(Message::Save(SaveEvent::Open(picture)));
        }
    })
}

fn listeners(panel: &HtmlElement, opener: &Opener, sender: &Sender) -> Vec<Listener> {
    let [does, toggles] = [(); 2].map(|()| sender.clone());
    let mut listeners = listen(panel, move |event| {
        does.send(Message::Save(SaveEvent::View(event)));
    });
    let own = panel.clone();
    listeners.push(Listener::new(panel, "toggle", move |_| {
        let is_open = is_open(&own);
        toggles.send(Message::Save(SaveEvent::Toggled(is_open)));
        // Not by `autofocus`, which asks for the focus as soon as the page is there, and is refused in a frame aloud.
        if let Ok(Some(first)) = own.query_selector("#save-subject")
            && is_open
        {
            first.unchecked_into::<HtmlElement>().focus().ok();
        }
    }));
    let Some(window) = panel.owner_document().and_then(|page| page.default_view()) else {
        return listeners;
    };
    let place = {
        let (panel, opener, window) = (panel.clone(), Rc::clone(opener), window.clone());
        Rc::new(move || {
            if let Some(opener) = opener.borrow().as_ref() {
                position(&panel, opener, &window);
            }
        })
    };
    let [toggled, loaded, resized] = [(); 3].map(|()| {
        let place = Rc::clone(&place);
        move |_| place()
    });
    listeners.extend([
        Listener::new(panel, "toggle", toggled),
        // A picture that has come may make the menu higher.
        Listener::capturing(panel, "load", loaded),
        Listener::new(&window, "resize", resized),
    ]);
    listeners
}

/// Puts the menu beside the button that opened it, inside the window.
fn position(panel: &HtmlElement, opener: &HtmlElement, window: &Window) {
    let inner = |side: Result<JsValue, _>| side.ok().and_then(|side| side.as_f64());
    let (wide, high) = (inner(window.inner_width()), inner(window.inner_height()));
    let (at, size) = (
        opener.get_bounding_client_rect(),
        panel.get_bounding_client_rect(),
    );
    let inside = |wanted: f64, own: f64, room: Option<f64>| {
        wanted.min(room.unwrap_or(0.0) - own - EDGE).max(EDGE)
    };
    let left = inside(at.right() - size.width(), size.width(), wide);
    let top = inside(at.bottom() + 4.0, size.height(), high);
    let zoom = dom::zoom(panel);
    for (name, place) in [("left", left), ("top", top)] {
        // Refused only for properties that no browser knows.
        let _ = panel
            .style()
            .set_property(name, &format!("{}px", place / zoom));
    }
}
