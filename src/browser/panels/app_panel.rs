//! Body of a panel whose state is the app's: shows its view, sends what is done in it, and ticks while it works.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl AppPanel);

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, HtmlSelectElement, Window};

use super::painting;
use crate::browser::activity::{Activity, Pending};
use crate::browser::dom::{MissingPart, Root};
use crate::browser::download::Download;
use crate::browser::event_listener::Listener;
use crate::browser::field_value;
use crate::browser::heatmap_view::Heatmaps;
use crate::browser::sender::Sender;
use crate::browser::timer::Timer;
use crate::browser::view::{View, nearest};
use app::i18n::Language;
use app::present::address_history::Change;
use app::present::colour_style::ColourStyle;
use app::present::panel::{PanelContext, PanelEvent};
use app::state::{Field, Panel};
use app::{App, File, Message};

/// The body.
pub(crate) struct AppPanel {
    panel: Panel,
    body: Root,
    window: Window,
    activity: Activity,
    sender: Sender,
    view: View,
    heatmaps: Heatmaps,
    download: Download,
    /// Language and colours of what is shown.
    shown: Option<(Language, ColourStyle)>,
    work: Option<(Timer, Pending)>,
    _listeners: Vec<Listener>,
}

impl AppPanel {
    pub(crate) fn new(root: &Root, panel: Panel, sender: &Sender) -> Result<Self, MissingPart> {
        let body: Element = root.find(&format!("#{}-body", panel.name()))?;
        let window = root.document().and_then(|document| document.default_view());
        Ok(Self {
            panel,
            window: window.ok_or_else(|| MissingPart::new("window"))?,
            activity: root.activity().clone(),
            sender: sender.clone(),
            view: View::new(body.clone()),
            heatmaps: Heatmaps::default(),
            download: Download::new(&body),
            shown: None,
            work: None,
            _listeners: listeners(&body, panel, sender),
            body: Root::new(body),
        })
    }

    /// Shows the panel as it is now.
    pub(crate) fn show(&mut self, app: &App, colours: &ColourStyle) {
        let room = self.room();
        self.write(app, colours, room);
        if room == 0.0 {
            // Its charts had no place before.
            self.write(app, colours, self.room());
        }
        let (panel, context) = (self.panel, context(app, colours, self.room()));
        self.heatmaps
            .paint(&self.view, &colours.palette, &mut |key, image| {
                app.paint_heatmap(panel, key, context, image)
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

    /// Fonts and colours have changed, or canvases were emptied.
    pub(crate) fn restyle(&mut self) {
        self.shown = None;
    }

    /// Sends ticks at an interval in milliseconds from now on; none without one.
    pub(crate) fn tick(&mut self, interval: Option<i32>) {
        let (sender, panel) = (self.sender.clone(), self.panel);
        let tick = move || sender.send(Message::Panel(panel, PanelEvent::Tick));
        let timer = interval.and_then(|interval| Timer::new(&self.window, interval, tick));
        // Begun before what was there ends, so that the page is not idle between them.
        self.work = timer.map(|timer| (timer, self.activity.begin()));
    }

    pub(crate) fn save(&self, file: File) {
        let is_saved = self.download.save_file(&file.name, file.kind, &file.bytes);
        let saved = PanelEvent::Saved(file.name, is_saved);
        self.sender.send(Message::Panel(self.panel, saved));
    }

    /// Moves the focus to a cell of the grid.
    pub(crate) fn focus_cell(&self, cell: usize) {
        let cell = format!("[{}=\"{cell}\"]", painting::CELL);
        if let Ok(cell) = self.body.find::<HtmlElement>(&cell) {
            // Fails only for elements that cannot have the focus.
            let _ = cell.focus();
        }
    }

    fn write(&mut self, app: &App, colours: &ColourStyle, room: f64) {
        if let Some(markup) = app.panel_view(self.panel, context(app, colours, room)) {
            self.view.update(markup);
        }
    }

    /// CSS pixels across for its charts; 0 before there is a place for them.
    fn room(&self) -> f64 {
        let charts = self.body.find::<Element>(".chart");
        charts.map_or(0.0, |charts| f64::from(charts.client_width()))
    }
}

fn context<'a>(app: &App, colours: &'a ColourStyle, room: f64) -> PanelContext<'a> {
    PanelContext {
        colours,
        room,
        language: app.language,
        is_motion_reduced: app.environment.is_motion_reduced,
    }
}

pub(super) fn listeners(body: &Element, panel: Panel, sender: &Sender) -> Vec<Listener> {
    let mut listeners = painting::listen_to_grid(body, panel, sender);
    let pressed = sender.clone();
    listeners.push(Listener::new(body, "click", move |event| {
        if let Some(name) = nearest(&event, "data-do") {
            pressed.send(Message::Panel(panel, PanelEvent::Press(name)));
        }
    }));
    for (kind, change) in [("input", Change::Input), ("change", Change::Commit)] {
        let sender = sender.clone();
        listeners.push(Listener::new(body, kind, move |event| {
            changed(&event, change, panel, &sender);
        }));
    }
    listeners
}

/// Sends the value of a field. Once it is committed, it is that of the view: what was refused goes.
fn changed(event: &Event, change: Change, panel: Panel, sender: &Sender) {
    let field = event.target().and_then(|target| target.dyn_into().ok());
    let Some(field): Option<Element> = field else {
        return;
    };
    // A choice is committed as soon as it is made.
    let is_choice = field.is_instance_of::<HtmlSelectElement>();
    let Some(value) = field_value::read(&field).filter(|_| change == Change::Commit || !is_choice)
    else {
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
    sender.send(Message::Panel(panel, event));
    if change == Change::Commit {
        field_value::write(&field);
    }
}
