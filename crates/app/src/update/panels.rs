//! Panels whose state is the app's.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("models": save_model);

use super::App;
use crate::effect::File;
use crate::export::codegen::model::{opening, training};
use crate::i18n::Key;
use crate::present::address_history::Change;
use crate::present::colour_style::ColourStyle;
use crate::present::cost::GrowthSource;
use crate::present::model_export::{ExportedRun, ModelFile};
use crate::present::panel::{PageOfPanel, PanelContext, PanelEvent, PanelRequest, PanelState};
use crate::present::training::colour_index;
use crate::scene::colour::Lut;
use crate::scene::heatmap::HeatmapImage;
use crate::state::{Action, Field, LabTask, Panel, State, Value};
use crate::views::{self, Markup};
use crate::{Effect, View};

/// Cells per side of the map in miniature above which several are drawn as one.
const MOST_PIXELS: u32 = 264;

/// What a panel asks for, and its interval before and after.
type Updated = (Vec<PanelRequest>, [Option<i32>; 2]);

/// Handles an event in a panel. It is not known which, so that no panel's code becomes part of this function: some load on their own.
#[inline(never)]
fn updated(panel: &mut dyn PanelState, event: PanelEvent, page: &PageOfPanel<'_>) -> Updated {
    let before = panel.interval();
    let requests = panel.update(event, page);
    (requests, [before, panel.interval()])
}

impl App {
    /// Body of a panel whose state is here; `None` before its first turn.
    pub fn panel_view(&self, panel: Panel, context: PanelContext<'_>) -> Option<Markup> {
        Some(match panel {
            Panel::Training => {
                views::training::panel(self.training.as_deref()?, &self.state, context)
            }
            Panel::Draw => views::draw::panel(self.draw.as_deref()?, context),
            Panel::Analysis => {
                let page = self.page_of_panel();
                views::analysis::panel(self.analysis.as_deref()?, &page, context)?
            }
            Panel::Cost => views::cost::panel(self.cost.as_deref()?, &self.state, context)?,
            Panel::Data => views::data::panel(self.data.as_deref()?, context.language)?,
            Panel::Code => views::code::panel(self.code.as_deref()?, &self.state, context),
            Panel::Streaming => views::streaming::panel(self.streaming.as_deref()?, context),
            Panel::Model => views::model::panel(self.model.as_deref()?, &self.state, context),
            _ => return None,
        })
    }

    /// Paints the heatmap of a key in such a panel; `false` if there is none.
    pub fn paint_heatmap(
        &self,
        panel: Panel,
        key: &str,
        colours: &ColourStyle,
        image: &mut HeatmapImage,
    ) -> bool {
        let painted = match panel {
            Panel::Training => self.paint_head(key, &colours.lut, image),
            Panel::Analysis => self.paint_miniature(colours, image),
            Panel::Model => self.paint_model_head(key, &colours.lut, image),
            _ => None,
        };
        painted.is_some()
    }

    /// Paints the head of a number in the training panel.
    fn paint_head(&self, head: &str, lut: &Lut, image: &mut HeatmapImage) -> Option<()> {
        let lab = self.training.as_ref()?.lab()?;
        let (reading, head) = lab.all_heads().nth(head.parse().ok()?)?;
        let weights = reading.weights(head).iter();
        let colours = weights.map(|weight| lut.colour(colour_index(*weight)));
        image.set_colours(reading.words.len() as u32, colours);
        Some(())
    }

    /// Paints the weights of the chosen head.
    fn paint_miniature(&self, colours: &ColourStyle, image: &mut HeatmapImage) -> Option<()> {
        let run = self.main.run.as_ref()?;
        let is_empty = run.queries.is_empty() || run.keys.is_empty();
        match run.grid(self.head()).filter(|_| !is_empty) {
            Some(grid) => {
                let hatch = colours.hatch(1.0);
                image.paint_small(&grid, MOST_PIXELS, &colours.of_small(&hatch));
            }
            None => image.clear(),
        }
        Some(())
    }

    /// The growth chart of the cost panel, if it is open and shown.
    pub fn growth(&self) -> Option<GrowthSource<'_>> {
        let cost = self.cost.as_deref();
        let open = cost.filter(|_| self.scheduler.is_open(Panel::Cost));
        open?.source(self.language)
    }

    /// Handles an event in a panel.
    #[inline(never)]
    pub(super) fn panel(&mut self, panel: Panel, event: PanelEvent) {
        if panel == Panel::Compare {
            return self.change_compared(event);
        }
        if let PanelEvent::Set(field, value, change) = &event {
            self.set_in_panel(*field, value, *change);
        }
        // A panel begins with its first event.
        macro_rules! updated {
            ($panel:ident) => {{
                let begun = self.$panel.take();
                let page = self.page_of_panel();
                let mut panel = begun.unwrap_or_else(|| Box::new(PanelState::new(&page)));
                let updated = updated(&mut *panel, event, &page);
                self.$panel = Some(panel);
                updated
            }};
        }
        let (requests, intervals) = match panel {
            Panel::Streaming => updated!(streaming),
            Panel::Training => updated!(training),
            Panel::Draw => updated!(draw),
            Panel::Analysis => updated!(analysis),
            Panel::Cost => updated!(cost),
            Panel::Code => updated!(code),
            Panel::Data => updated!(data),
            Panel::Model => updated!(model),
            _ => return,
        };
        if intervals[0] != intervals[1] {
            self.effect(Effect::Tick(panel, intervals[1]));
        }
        for request in requests {
            self.carry_out(panel, request);
        }
    }

    fn page_of_panel(&self) -> PageOfPanel<'_> {
        PageOfPanel {
            state: &self.state,
            run: self.main.run.as_ref(),
            step: self.shown(),
            head: self.head(),
            row: self.row(),
            pointed: self.pointed(),
            lit: &self.lit,
            language: self.language,
            status: &self.status,
            is_motion_reduced: self.environment.is_motion_reduced,
            clock: &*self.clock,
        }
    }

    fn carry_out(&mut self, panel: Panel, request: PanelRequest) {
        match request {
            PanelRequest::Show => self.show(View::Panel(panel)),
            PanelRequest::ShowMarks => self.show(View::PanelMarks(panel)),
            PanelRequest::Highlight(highlight) => self.highlight(highlight),
            PanelRequest::Set(field, value) => self.act(Action::Set(field, value), Change::Commit),
            PanelRequest::Head(head) => self.choose_head(head),
            PanelRequest::Layer(layer) => {
                self.act(Action::Layer(layer), Change::Commit);
                if panel != Panel::Model {
                    self.effect(Effect::RevealImported);
                }
            }
            PanelRequest::Renew(layer) => self.renew_layer(*layer),
            PanelRequest::Intervention => self.save_intervention(),
            PanelRequest::Model(number, call) => self.effect(Effect::Model(number, call)),
            PanelRequest::Save(run, file) => self.save_model(panel, run, file),
            PanelRequest::Download(file) => self.effect(Effect::Download(Some(panel), file)),
            PanelRequest::Copy(text) => self.effect(Effect::CopyText(panel, text)),
            PanelRequest::Select(id) => self.effect(Effect::SelectText(panel, id)),
            PanelRequest::Focus(place) => self.effect(Effect::Focus(panel, place)),
            PanelRequest::Start(number, job) => {
                self.effect(Effect::Start(panel, number, job));
            }
            PanelRequest::Stop => self.effect(Effect::Stop(panel)),
        }
    }

    /// Sets a field of the state to what was typed.
    fn set_in_panel(&mut self, field: Field, typed: &str, change: Change) {
        let Some(action) = setting(&self.state, field, typed, change) else {
            return;
        };
        self.act(action, change);
        if field == Field::Task {
            self.choose_own_text();
        }
    }

    /// Replaces the default training text by the one in the page's language when the task with the
    /// user's own text is chosen: a link then contains it.
    fn choose_own_text(&mut self) {
        let is_first = self.state.task_text == State::default().task_text;
        let own = Key::TrainingOwnDefault.text(self.language);
        if self.state.task == LabTask::Text && is_first && own != self.state.task_text {
            let own = Value::Text(own.to_owned());
            self.act(Action::Set(Field::TaskText, own), Change::Commit);
        }
    }

    fn save_model(&mut self, panel: Panel, run: ExportedRun, file: ModelFile) {
        let lab = self.training.as_ref().and_then(|panel| panel.lab());
        let export = lab.and_then(|lab| lab.export(run).ok()).flatten();
        let Some(export) = export else { return };
        let python = |program: String| ("text/x-python", program.into_bytes());
        let (name, (kind, bytes)) = match file {
            ModelFile::Numbers => (
                format!("{}.safetensors", export.name()),
                ("application/octet-stream", export.file()),
            ),
            ModelFile::Opening => {
                let program = opening(&export, self.language).text();
                (format!("{}.py", export.name()), python(program))
            }
            ModelFile::Training => {
                let program = training(&export, self.language).text();
                (format!("{}.py", export.training_name()), python(program))
            }
        };
        self.effect(Effect::Download(Some(panel), File { name, kind, bytes }));
    }
}

/// Sets a field of a state to what was typed: while it is being typed, only where it can be as it
/// is, as the first digit of a larger number often cannot.
pub(super) fn setting(state: &State, field: Field, typed: &str, change: Change) -> Option<Action> {
    let is_possible = |value: &Value| {
        let mut tried = state.clone();
        tried.set(field, value.clone()).is_ok()
    };
    Some(match (change, state.get(field)) {
        (_, Value::Text(_)) => Action::Set(field, Value::Text(typed.to_owned())),
        (_, Value::Switch(_)) => Action::Set(field, Value::Switch(typed == "true")),
        (Change::Commit, _) => Action::Enter(field, typed.to_owned()),
        (Change::Input, _) => {
            let value = field.parse(typed.trim()).ok().filter(is_possible)?;
            Action::Set(field, value)
        }
    })
}
