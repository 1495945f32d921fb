//! The panel of an opened model: what is open, what is asked of it next, and what it has answered.
//!
//! A layer of the model is shown as numbers of the page ([`ImportedTensors::Heads`](crate::state::imported::ImportedTensors::Heads)), so that map, steps,
//! masks, comparison and exports work on it as on any others. The panel keeps what belongs to the whole model: measures of all heads, the next
//! words, what each layer would say, what heads are needed for. One question runs at a time; the next one is chosen when its answer has
//! come, so that the newest text and head win.

wasm_chunks::chunk!("model");

mod call;
mod field;
mod intervention;
mod measures;
mod open_model;
mod opener;
mod questions;
mod shown;

use interpret::Question;

use super::address_history::Change;
use super::panel::{PageOfPanel, PanelEvent, PanelRequest, PanelState};
use crate::state::{Field, State, Value};

pub use call::{AboutModel, ModelCall, ModelEvent, ModelSource, Offer};
pub use field::HeadField;
pub(crate) use field::{LEFT, TOP};
pub use intervention::Intervention;
pub use measures::{Choice, Ranked};
pub use open_model::OpenModel;
pub use opener::Opener;

/// Whether files of these names are those of a model: a GGUF file, or a config with weights.
pub fn is_of_model(names: &[String]) -> bool {
    let ends = |ending: &str| {
        let mut names = names.iter();
        names.any(|name| name.to_lowercase().ends_with(ending))
    };
    ends(".gguf") || (ends("config.json") && ends(".safetensors"))
}

/// The highest temperature, in hundredths.
pub const WARMEST: u32 = 200;

/// The panel.
#[derive(Default)]
pub struct ModelPanel {
    pub opener: Opener,
    pub open: Option<Box<OpenModel>>,
    /// Number of the running call, and the question that it asks.
    running: Option<(u32, Option<Question>)>,
    last: u32,
    requests: Vec<PanelRequest>,
}

impl PanelState for ModelPanel {
    fn new(_: &PageOfPanel<'_>) -> Self {
        Self::default()
    }

    fn update(&mut self, event: PanelEvent, page: &PageOfPanel<'_>) -> Vec<PanelRequest> {
        match event {
            PanelEvent::Follow => self.with(|open| open.follow(page.state)),
            PanelEvent::Press(name) => self.press(&name, page),
            PanelEvent::Enter(field, value, change) => self.enter(&field, &value, change, page),
            PanelEvent::Point(_, place) if !self.point(Some(place)) => return Vec::new(),
            PanelEvent::Leave(_) if !self.point(None) => return Vec::new(),
            PanelEvent::Point(..) | PanelEvent::Leave(_) => {}
            PanelEvent::Click(_, place) => self.click(place, page.state),
            PanelEvent::Key(_, key) => self.key(&key, page.state),
            PanelEvent::Model(number, event) => self.came(number, event, page),
            _ => return Vec::new(),
        }
        self.go_on(page);
        self.requests.push(PanelRequest::Show);
        std::mem::take(&mut self.requests)
    }
}

impl ModelPanel {
    /// Starts a call in place of the one that runs, whose answer is then passed over.
    fn start(&mut self, call: ModelCall) {
        self.last += 1;
        self.running = match &call {
            ModelCall::Ask(question) => Some((self.last, Some(question.clone()))),
            ModelCall::Offers | ModelCall::Open(_) => Some((self.last, None)),
            ModelCall::Cancel | ModelCall::Close | ModelCall::Forget => None,
        };
        self.requests.push(PanelRequest::Model(self.last, call));
    }

    /// Asks what is to be known next.
    fn go_on(&mut self, page: &PageOfPanel<'_>) {
        if self.running.is_some() {
            return;
        }
        if !std::mem::replace(&mut self.opener.is_listed, true) {
            return self.start(ModelCall::Offers);
        }
        let question = self.open.as_ref().and_then(|open| open.question(page));
        if let Some(question) = question {
            self.start(ModelCall::Ask(question));
        }
    }

    fn press(&mut self, name: &str, page: &PageOfPanel<'_>) {
        let numbered = |prefix: &str| name.strip_prefix(prefix)?.parse::<usize>().ok();
        if let Some(offer) = numbered("offer-") {
            self.begin(ModelSource::Offer(offer));
        } else if let Some(at) = numbered("again-") {
            self.begin(ModelSource::Remembered(at));
        } else if let Some(head) = numbered("head-") {
            self.choose(head, page.state);
        } else if let Some(place) = numbered("place-") {
            self.with(|open| open.look_at(place));
        } else if let Some(choice) = name.strip_prefix("by-").and_then(Choice::named) {
            self.with(|open| open.choice = choice);
        } else {
            self.press_named(name, page);
        }
    }

    fn press_named(&mut self, name: &str, page: &PageOfPanel<'_>) {
        match name {
            "files" => self.begin(ModelSource::Files),
            "another" => self.opener.is_wanted = !self.opener.is_wanted,
            "cancel" => {
                self.opener.opening = None;
                self.start(ModelCall::Cancel);
            }
            "close" => self.close(page.state),
            "forget" => {
                self.opener.remembered.clear();
                self.start(ModelCall::Forget);
            }
            "show" => self.with(OpenModel::show_again),
            "off" => self.with(|open| open.switch(page)),
            "layers" => self.with(|open| open.wants_table = !open.wants_table),
            "need" => self.with(OpenModel::ask_needs),
            "write" => self.with(OpenModel::write),
            "program" => self.requests.push(PanelRequest::Intervention),
            _ => {}
        }
    }

    fn with(&mut self, act: impl FnOnce(&mut OpenModel)) {
        if let Some(open) = &mut self.open {
            act(open);
        }
    }

    fn enter(&mut self, field: &str, value: &str, change: Change, page: &PageOfPanel<'_>) {
        if field == "patch" {
            if let (Some(open), Change::Commit) = (&mut self.open, change) {
                open.patch_from(value, page.state);
            }
            return;
        }
        let (Some(open), Ok(number)) = (&mut self.open, value.parse::<u32>()) else {
            return;
        };
        match field {
            "place" => open.look_at(number as usize),
            "temperature" => open.temperature = number.min(WARMEST),
            _ => {}
        }
    }

    /// Opens a model, in place of what is being opened.
    fn begin(&mut self, source: ModelSource) {
        self.opener.begin();
        self.start(ModelCall::Open(source));
    }

    fn close(&mut self, state: &State) {
        let is_shown = self.open.take().is_some_and(|open| open.is_shown(state));
        self.opener.is_wanted = true;
        if is_shown {
            self.requests
                .push(PanelRequest::Set(Field::Data, Value::Absent));
        }
        self.start(ModelCall::Close);
    }

    /// Chooses a head, counted on through the layers.
    fn choose(&mut self, head: usize, state: &State) {
        let request = self.open.as_mut().and_then(|open| open.choose(head, state));
        self.requests.extend(request);
    }

    fn came(&mut self, number: u32, event: ModelEvent, page: &PageOfPanel<'_>) {
        let Some((_, question)) = self.running.take_if(|(own, _)| *own == number) else {
            return;
        };
        if let ModelEvent::Read(read, total) = event {
            self.running = Some((number, question));
            return self.opener.progress(read, total, (page.clock)());
        }
        match event {
            ModelEvent::Offers(offered, remembered) => {
                (self.opener.offered, self.opener.remembered) = (offered, remembered);
            }
            ModelEvent::Opened(about) => {
                self.opener.opened();
                self.open = Some(Box::new(OpenModel::new(*about)));
            }
            ModelEvent::Answered(answer) => {
                let (Some(open), Some(question)) = (&mut self.open, question) else {
                    return;
                };
                let shown = open.answered(question, *answer, page);
                self.requests.extend(shown);
            }
            ModelEvent::Refused(refusal) => match &mut self.open {
                Some(open) if !self.opener.is_opening() => open.refused(refusal, page.state),
                _ => self.opener.refused(refusal),
            },
            ModelEvent::Read(..) => {}
        }
    }
}
