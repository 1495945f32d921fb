//! Panels whose state is the app's.

wasm_chunks::chunk!("more");

use super::App;
use crate::effect::File;
use crate::export::codegen::model::{opening, training};
use crate::i18n::Key;
use crate::present::address_history::Change;
use crate::present::draw::panel::DrawPanel;
use crate::present::model_export::{ExportedRun, ModelFile};
use crate::present::panel::{PanelContext, PanelEvent, PanelRequest};
use crate::present::training::colour_index;
use crate::present::training_panel::TrainingPanel;
use crate::scene::colour::Lut;
use crate::scene::heatmap::HeatmapImage;
use crate::state::{Action, Field, LabTask, Panel, State, Value};
use crate::views::{self, Markup};
use crate::{Effect, View};

/// What a panel asks for, and its interval before and after.
type Updated = (Vec<PanelRequest>, [Option<i32>; 2]);

impl App {
    /// Body of a panel whose state is here; `None` before its first turn.
    pub fn panel_view(&self, panel: Panel, context: PanelContext<'_>) -> Option<Markup> {
        Some(match panel {
            Panel::Training => {
                views::training::panel(self.training.as_deref()?, &self.state, context)
            }
            Panel::Draw => views::draw::panel(self.draw.as_deref()?, context),
            _ => return None,
        })
    }

    /// Paints the heatmap of a key in such a panel; `false` if there is none.
    pub fn paint_heatmap(
        &self,
        panel: Panel,
        key: &str,
        context: PanelContext<'_>,
        image: &mut HeatmapImage,
    ) -> bool {
        let painted = match panel {
            Panel::Training => self.paint_head(key, &context.colours.lut, image),
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

    /// Handles an event in a panel.
    #[inline(never)]
    pub(super) fn panel(&mut self, panel: Panel, event: PanelEvent) {
        if panel == Panel::Compare {
            return self.change_compared(event);
        }
        if let PanelEvent::Set(field, value, change) = &event {
            self.set_in_panel(*field, value, *change);
        }
        let (requests, intervals) = match panel {
            Panel::Training => self.update_training(event),
            Panel::Draw => self.update_draw(event),
            _ => return,
        };
        if intervals[0] != intervals[1] {
            self.effect(Effect::Tick(panel, intervals[1]));
        }
        for request in requests {
            self.carry_out(panel, request);
        }
    }

    fn update_training(&mut self, event: PanelEvent) -> Updated {
        let (state, clock) = (&self.state, &*self.clock);
        let make = || Box::new(TrainingPanel::new(state));
        let panel = self.training.get_or_insert_with(make);
        let before = panel.interval();
        let requests = panel.update(event, state, clock);
        (requests, [before, panel.interval()])
    }

    fn update_draw(&mut self, event: PanelEvent) -> Updated {
        let (run, clock) = (self.main.run.as_ref(), &*self.clock);
        let tokens = run.map_or(&[][..], |run| run.words()[0]);
        let is_motion_reduced = self.environment.is_motion_reduced;
        let make = || Box::new(DrawPanel::new(tokens));
        let panel = self.draw.get_or_insert_with(make);
        let before = panel.interval();
        let requests = panel.update(event, tokens, is_motion_reduced, clock);
        (requests, [before, panel.interval()])
    }

    fn carry_out(&mut self, panel: Panel, request: PanelRequest) {
        match request {
            PanelRequest::Show => self.show(View::Panel(panel)),
            PanelRequest::Set(field, value) => self.act(Action::Set(field, value), Change::Commit),
            PanelRequest::Layer(layer) => {
                self.act(Action::Layer(layer), Change::Commit);
                self.effect(Effect::RevealImported);
            }
            PanelRequest::Save(run, file) => self.save_model(panel, run, file),
            PanelRequest::Focus(cell) => self.effect(Effect::FocusCell(panel, cell)),
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
