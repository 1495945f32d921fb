//! The Save panel: pictures, numbers and text to save or copy.

wasm_chunks::chunk!("more");
// The first hears every click on the page.
wasm_chunks::chunk!("engine": listen, keep_in_place);

mod choices;
mod copying;
mod numbers;
mod picture;

pub(super) use copying::{Copying, TextGroup};
pub(super) use numbers::Numbers;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement, HtmlImageElement, Window};

use super::activity::Activity;
use super::dom::{self, Attribute, MissingPart, Root, Text};
use super::download::{Download, Link};
use super::event_listener::Listener;
use app::export::figures::{self, Choices, Format, NamedFigure, Subject};
use app::i18n::{Key, Language, text};
use app::scene::figure::png;
use app::scene::svg::{self, PER_MM, Unit};
use choices::Bound;

/// Kinds of files.
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";

/// Actions of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExportAction {
    /// It opened, or something was chosen in it.
    Changed,
    /// The picture is to be saved.
    Take,
    /// The numbers of the large map are to be saved.
    TakeNumbers,
}

/// The panel.
pub(super) struct ExportPanel {
    panel: HtmlElement,
    bound: Bound,
    preview: HtmlImageElement,
    alt: Attribute,
    shown: Option<(String, Link)>,
    size: Text,
    note: Text,
    take: Text,
    button: HtmlElement,
    said: Rc<RefCell<Text>>,
    download: Rc<Download>,
    activity: Activity,
    _listeners: Vec<Listener>,
}

impl ExportPanel {
    /// `act` is called with each action of the panel.
    pub(super) fn new(
        root: &Root,
        act: impl Fn(ExportAction) + 'static,
    ) -> Result<Self, MissingPart> {
        let panel: HtmlElement = root.find("#save-panel")?;
        let button: HtmlElement = root.find("#save-take")?;
        let preview: HtmlImageElement = root.find("#save-preview")?;
        let act: Rc<dyn Fn(ExportAction)> = Rc::new(act);
        let bound = Bound::new(root)?;
        Ok(Self {
            _listeners: listen(root, &panel, &button, &bound, &act)?,
            bound,
            alt: Attribute::new(preview.clone(), "alt"),
            preview,
            shown: None,
            size: Text::find(root, "#save-size")?,
            note: Text::find(root, "#save-note")?,
            take: Text::find(root, "#save-take")?,
            said: Rc::new(RefCell::new(Text::find(root, "#save-said")?)),
            download: Rc::new(Download::new(&panel)),
            activity: root.activity().clone(),
            panel,
            button,
        })
    }

    /// Whether the panel can be seen.
    pub(super) fn is_open(&self) -> bool {
        self.panel.matches(":popover-open").unwrap_or(false)
    }

    /// Returns the choices.
    pub(super) fn choices(&self) -> Choices {
        self.bound.read()
    }

    /// Shows the width that is used, where another was typed.
    pub(super) fn settle(&self) {
        self.bound.settle();
    }

    /// Offers these pictures, and no others.
    pub(super) fn offer(&self, is_there: impl Fn(Subject) -> bool) {
        self.bound.offer(is_there);
    }

    /// Shows a picture as it is going to be saved.
    pub(super) fn update(&mut self, composed: &NamedFigure, language: Language) {
        let (choices, figure) = (self.choices(), &composed.figure);
        let file = svg::write(figure, Unit::Px);
        if self.shown.as_ref().is_none_or(|(shown, _)| *shown != file)
            && let Some(link) = Link::new(file.as_bytes(), SVG)
        {
            self.preview.set_src(link.address());
            self.alt.set(&figure.title);
            self.shown = Some((file, link));
        }
        self.bound.suit(&choices);
        self.size
            .set_text(&figures::size(figure, &choices, language));
        let refusal = figures::refusal(figure, &choices, language);
        dom::set_flag(&self.button, "disabled", refusal.is_some());
        let note = refusal.unwrap_or_else(|| figures::note(figure, &choices, language));
        self.note.set_text(&note);
        let format = choices.format.name();
        self.take.set_text(&text::save_as(language, &format));
        set_message(&self.said, "");
    }

    /// Releases the preview: a browser keeps everything drawn in it in memory as long as it is in
    /// the document.
    pub(super) fn release_preview(&mut self) {
        if self.shown.take().is_some() {
            dom::set_flag(&self.preview, "src", false);
        }
    }

    /// Saves the figure as a file.
    pub(super) fn download_figure(&self, composed: NamedFigure, language: Language) {
        let choices = self.choices();
        let (said, download) = (Rc::clone(&self.said), Rc::clone(&self.download));
        let name = format!("{}.{}", composed.stem, choices.format.ending());
        let beside: Element = self.panel.clone().unchecked_into();
        if choices.format == Format::Svg {
            let file = svg::write(&composed.figure, choices.unit);
            let is_saved = download.save_file(&name, SVG, file.as_bytes());
            return show_saved(&said, is_saved, &name, language);
        }
        let pending = self.activity.begin();
        spawn_local(async move {
            let drawn = picture::draw(&beside, &composed.figure, choices.scale).await;
            let per_metre = (f64::from(choices.scale) * PER_MM * 1000.0).round() as u32;
            let is_saved = drawn.is_some_and(|file| {
                download.save_file(&name, PNG, &png::with_density(&file, per_metre))
            });
            show_saved(&said, is_saved, &name, language);
            drop(pending);
        });
    }
}

fn show_saved(said: &RefCell<Text>, is_saved: bool, name: &str, language: Language) {
    let sentence = if is_saved {
        text::save_saved(language, &name)
    } else {
        Key::SaveFailed.text(language).to_owned()
    };
    set_message(said, &sentence);
}

fn set_message(text: &RefCell<Text>, sentence: &str) {
    if let Ok(mut text) = text.try_borrow_mut() {
        text.set_text(sentence);
    }
}

fn listen(
    root: &Root,
    panel: &HtmlElement,
    button: &HtmlElement,
    bound: &Bound,
    act: &Rc<dyn Fn(ExportAction)>,
) -> Result<Vec<Listener>, MissingPart> {
    let group: HtmlElement = root.find("#save-picture")?;
    let on = |target: &HtmlElement, event, action| {
        let act = Rc::clone(act);
        Listener::new(target, event, move |_| act(action))
    };
    let mut listeners = vec![
        on(button, "click", ExportAction::Take),
        on(&group, "change", ExportAction::Changed),
        // Also after it was closed: what it holds goes with it.
        on(panel, "toggle", ExportAction::Changed),
    ];
    // Not by `autofocus`, which asks for the focus as soon as the page is there, and is refused in a frame aloud.
    let (first, own) = (bound.subject(), panel.clone());
    listeners.push(Listener::new(panel, "toggle", move |_| {
        if own.matches(":popover-open").unwrap_or(false) {
            first.focus().ok();
        }
    }));
    let opened = Rc::new(RefCell::new(None));
    let (subject, opener) = (bound.subject(), Rc::clone(&opened));
    // Views write some of the buttons that open it.
    listeners.push(Listener::new(root.element(), "click", move |event| {
        let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
        let button = target.and_then(|target| target.closest("[popovertarget=save-panel]").ok()?);
        if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
            subject.set_value(&button.get_attribute("data-picture").unwrap_or_default());
            opener.replace(Some(button));
        }
    }));
    let preview = root.find("#save-preview")?;
    listeners.extend(
        keep_in_place(panel, &preview, &opened)
            .into_iter()
            .flatten(),
    );
    Ok(listeners)
}

/// Puts the panel beside the button that opened it, inside the window, as often as one of them changes.
fn keep_in_place(
    panel: &HtmlElement,
    preview: &HtmlImageElement,
    opened: &Rc<RefCell<Option<HtmlElement>>>,
) -> Option<[Listener; 3]> {
    let window = panel.owner_document()?.default_view()?;
    let place = {
        let (panel, opened, window) = (panel.clone(), Rc::clone(opened), window.clone());
        Rc::new(move || {
            if let Some(opener) = opened.borrow().as_ref() {
                position_panel(&panel, opener, &window);
            }
        })
    };
    let on = |target: &web_sys::EventTarget, event| {
        let place = Rc::clone(&place);
        Listener::new(target, event, move |_| place())
    };
    // A picture that has come may make the panel higher.
    Some([
        on(panel, "toggle"),
        on(preview, "load"),
        on(&window, "resize"),
    ])
}

fn position_panel(panel: &HtmlElement, opener: &HtmlElement, window: &Window) {
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

/// Least space between the panel and the edge of the window.
const EDGE: f64 = 8.0;
