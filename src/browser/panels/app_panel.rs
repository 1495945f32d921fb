//! Body of a panel whose state is the app's: shows its view, sends what is done in it, and ticks while it works.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl AppPanel);

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, HtmlElement, Window};

use super::{mask_file, painting, plots};
use crate::bindings::{BenchmarkRequest, Client, FullTrace};
use crate::browser::activity::Activity;
use crate::browser::clipboard;
use crate::browser::dom::{MissingPart, Root};
use crate::browser::download::Download;
use crate::browser::event_listener::Listener;
use crate::browser::field_value;
use crate::browser::heatmap_view::Heatmaps;
use crate::browser::observers::ResizeWatcher;
use crate::browser::sender::{Input, Sender};
use crate::browser::text_measurer::{self, TextMeasurer};
use crate::browser::timer::Ticks;
use crate::browser::view::{View, nearest};
use app::export::tensors::Name;
use app::i18n::Language;
use app::present::address_history::Change;
use app::present::colour_style::ColourStyle;
use app::present::panel::{Job, Outcome, PanelContext, PanelEvent};
use app::state::{Field, Panel};
use app::{App, Message, Refusal};

/// The body.
pub(crate) struct AppPanel {
    panel: Panel,
    root: Root,
    body: Root,
    window: Window,
    activity: Activity,
    sender: Sender,
    view: View,
    heatmaps: Heatmaps,
    download: Rc<Download>,
    /// Language and colours of what is shown.
    shown: Option<(Language, ColourStyle)>,
    /// CSS pixels across for its charts; 0 before there is a place for them.
    room: f64,
    /// Made when it is first shown, and again with other fonts.
    pen: Option<TextMeasurer>,
    pub(crate) ticks: Ticks,
    client: Client,
    /// Number of the job.
    job: Rc<Cell<Option<u32>>>,
    /// Its run in the worker.
    run: Option<u32>,
    _resized: Option<ResizeWatcher>,
    /// Set when it is first shown: its code has come then.
    listeners: Vec<Listener>,
}

impl AppPanel {
    pub(crate) fn new(
        root: &Root,
        panel: Panel,
        sender: &Sender,
        client: &Client,
    ) -> Result<Self, MissingPart> {
        let body: Element = root.find(&match panel {
            // Beside the controls of the import.
            Panel::Data => ".data-out".to_owned(),
            _ => format!("#{}-body", panel.name()),
        })?;
        let window = root.document().and_then(|document| document.default_view());
        let (sized, own) = (sender.clone(), body.clone());
        let resized = move || {
            // A closed one has no size.
            if own.client_width() > 0 {
                sized.send(Input::PanelResized(panel));
            }
        };
        Ok(Self {
            panel,
            root: root.clone(),
            window: window.ok_or_else(|| MissingPart::new("window"))?,
            activity: root.activity().clone(),
            sender: sender.clone(),
            view: View::new(body.clone()),
            heatmaps: Heatmaps::default(),
            download: Rc::new(Download::new(&body)),
            shown: None,
            room: 0.0,
            pen: None,
            ticks: Ticks::new(root, panel, sender)?,
            client: client.clone(),
            job: Rc::default(),
            run: None,
            _resized: ResizeWatcher::new(&body, resized),
            listeners: Vec::new(),
            body: Root::new(body),
        })
    }

    /// Shows the panel as it is now.
    pub(crate) fn show(&mut self, app: &App, colours: &ColourStyle) {
        if self.listeners.is_empty() {
            let body = self.body.element();
            self.listeners = listeners(body, self.panel, &self.sender);
            if self.panel == Panel::Code {
                let of_files = mask_file::listen(body, &self.activity, &self.sender);
                self.listeners.extend(of_files);
            }
        }
        self.write(app, colours);
        if self.room == 0.0 {
            // Its charts had no place before.
            self.room = self.width();
            self.write(app, colours);
        }
        let panel = self.panel;
        self.heatmaps
            .paint(&self.view, &colours.palette, &mut |key, image| {
                app.paint_heatmap(panel, key, colours, image)
            });
        self.shown = Some((app.language, colours.clone()));
    }

    /// Shows the panel where it was last shown in another language or other colours.
    pub(crate) fn refresh(&mut self, app: &App, colours: &ColourStyle) {
        let is_same =
            |(language, own): &(Language, ColourStyle)| *language == app.language && own == colours;
        if !self.shown.as_ref().is_some_and(is_same) {
            self.show(app, colours);
        }
    }

    /// Fonts and colours have changed, or canvases were emptied: all of it is shown anew at its next turn.
    pub(crate) fn restyle(&mut self) {
        (self.shown, self.pen) = (None, None);
    }

    /// Shows the panel in another size, if it is shown and its charts have another one.
    pub(crate) fn resize(&mut self, app: &App, colours: &ColourStyle) {
        if self.shown.is_some() {
            let room = self.width();
            if std::mem::replace(&mut self.room, room) != room && room > 0.0 {
                self.show(app, colours);
            }
        }
    }

    pub(crate) fn save(&self, file: app::File) {
        let is_saved = self.download.save_file(&file.name, file.kind, &file.bytes);
        let saved = PanelEvent::Saved(file.name, is_saved);
        self.sender.send(Message::Panel(self.panel, saved));
    }

    /// Starts a job, whose outcome is sent with its number.
    pub(crate) fn start(&mut self, number: u32, job: Job) {
        let (sender, panel, pending) = (self.sender.clone(), self.panel, self.activity.begin());
        let ended = move |outcome: Result<Outcome, Refusal>| {
            sender.send(Message::Panel(panel, PanelEvent::Ended(number, outcome)));
            drop(pending);
        };
        self.job.set(Some(number));
        match job {
            Job::Time { state, n, backend } => {
                let state = &*state;
                let (run, taken) = self.client.measure(&BenchmarkRequest { state, n, backend });
                self.run = Some(run);
                spawn_local(async move { ended(taken.await.map(Outcome::Time)) });
            }
            Job::Results {
                state,
                backend,
                names,
            } => {
                let names = names.into_iter().filter_map(Name::from_name);
                let (state, names) = (&*state, &names.collect::<Vec<_>>()[..]);
                let (run, taken) = self.client.trace(&FullTrace {
                    state,
                    backend,
                    names,
                });
                self.run = Some(run);
                spawn_local(async move { ended(taken.await.map(Outcome::Results)) });
            }
            Job::File {
                name,
                kind,
                tensors,
            } => {
                let (job, download) = (Rc::downgrade(&self.job), Rc::clone(&self.download));
                spawn_local(async move {
                    let now = || job.upgrade().and_then(|job| job.get());
                    let is_wanted = || now() == Some(number);
                    let saved = download.save_tensors(&name, kind, &tensors, is_wanted);
                    if let Some(size) = saved.await {
                        ended(Ok(Outcome::File(size)));
                    }
                });
            }
        }
    }

    /// Stops the job.
    pub(crate) fn stop(&mut self) {
        self.job.take();
        if let Some(run) = self.run.take() {
            self.client.stop(run);
        }
    }

    /// Copies a text, and tells the panel whether it was.
    pub(crate) fn copy(&self, text: &str) {
        let (sender, panel) = (self.sender.clone(), self.panel);
        clipboard::copy(&self.root, text, move |is_copied| {
            sender.send(Message::Panel(panel, PanelEvent::Copied(is_copied)));
        });
    }

    /// Selects what is in the element with an id.
    pub(crate) fn select(&self, id: &str) {
        let selection = self.window.get_selection().ok().flatten();
        if let (Some(selection), Ok(element)) =
            (selection, self.body.find::<Element>(&format!("#{id}")))
        {
            // Refused only for nodes that are gone.
            let _ = selection.select_all_children(&element);
        }
    }

    /// Shows the panel as it is now, but for its heatmaps.
    pub(crate) fn write(&mut self, app: &App, colours: &ColourStyle) {
        let element = self.body.element();
        let pen = self.pen.get_or_insert_with(|| {
            TextMeasurer::new(element, "400", text_measurer::family_of(element))
        });
        let context = PanelContext {
            colours,
            room: self.room,
            measure: &|text, size| pen.measure(text, size),
            language: app.language,
            is_motion_reduced: app.environment.is_motion_reduced,
        };
        if let Some(markup) = app.panel_view(self.panel, context) {
            let focused = self.body.find::<Element>("[data-next-focus]:focus");
            self.view.update(markup);
            let gone = focused.ok().filter(|button| button.has_attribute("hidden"));
            if let Some(next) = gone.and_then(|button| button.get_attribute("data-next-focus")) {
                self.focus(&format!("#{next}"));
            }
        }
    }

    /// Moves the focus to the element that matches a selector.
    pub(crate) fn focus(&self, selector: &str) {
        if let Ok(element) = self.body.find::<HtmlElement>(selector) {
            // Fails only for elements that cannot have the focus.
            let _ = element.focus();
        }
    }

    fn width(&self) -> f64 {
        let charts = self.body.find::<Element>(".chart");
        charts.map_or(0.0, |charts| f64::from(charts.client_width()))
    }
}

pub(super) fn listeners(body: &Element, panel: Panel, sender: &Sender) -> Vec<Listener> {
    let mut listeners = match panel {
        Panel::Training | Panel::Draw => painting::listen_to_grid(body, panel, sender),
        _ => Vec::new(),
    };
    let own = sender.clone();
    listeners.extend(listen(body, move |event| {
        own.send(Message::Panel(panel, event));
    }));
    listeners.extend(plots::listen(body, panel, sender));
    listeners
}

/// Sends what is done with buttons and fields of a view.
pub(crate) fn listen(body: &Element, send: impl Fn(PanelEvent) + Clone + 'static) -> Vec<Listener> {
    let pressed = send.clone();
    let click = Listener::new(body, "click", move |event| {
        if let Some(name) = nearest(&event, "data-do") {
            pressed(PanelEvent::Press(name));
        }
    });
    let mut listeners = vec![click];
    for (kind, change) in [
        ("input", Change::Input),
        ("change", Change::Commit),
        ("toggle", Change::Commit),
    ] {
        let send = send.clone();
        listeners.push(Listener::capturing(body, kind, move |event| {
            changed(&event, change, &send);
        }));
    }
    listeners
}

/// Sends the value of a field. Once it is committed, it is that of the view: what was refused goes.
fn changed(event: &Event, change: Change, send: &dyn Fn(PanelEvent)) {
    let field = event.target().and_then(|target| target.dyn_into().ok());
    let Some(field): Option<Element> = field else {
        return;
    };
    // A choice is committed as soon as it is made.
    let is_read = change == Change::Commit || !field_value::is_choice(&field);
    let Some(value) = field_value::read(&field).filter(|_| is_read) else {
        return;
    };
    let set = field
        .get_attribute("data-sets")
        .and_then(|key| Field::from_key(&key));
    let own = || field.get_attribute("data-field");
    let event = match set {
        Some(set) => PanelEvent::Set(set, value, change),
        None => match own() {
            Some(name) => PanelEvent::Enter(name, value, change),
            None => return,
        },
    };
    send(event);
    if change == Change::Commit {
        field_value::write(&field);
    }
}
