//! The opened model on the page.

wasm_chunks::chunk!("model");

use super::{App, Effect};
use crate::effect::File;
use crate::export::codegen::intervention::{FILE, program};
use crate::present::address_history::{Change, HistoryMode};
use crate::present::panel::PanelEvent;
use crate::present::training::colour_index;
use crate::scene::colour::Lut;
use crate::scene::heatmap::HeatmapImage;
use crate::state::{Action, Field, LayerOfModel, Panel, Value};

impl App {
    /// Opens the model of files that were chosen or dropped.
    pub(super) fn open_model_files(&mut self) {
        let panel = Action::Include(Field::Panels, Panel::Model.name(), true);
        self.act(panel, Change::Commit);
        self.effect(Effect::KeepModelFiles);
        self.panel(Panel::Model, PanelEvent::Press("files".to_owned()));
    }

    /// Shows a layer for another text: a part of the step that has changed the text, with head and row where they are.
    pub(super) fn renew_layer(&mut self, layer: LayerOfModel) {
        let mut state = self.state.clone();
        let own = [
            (Field::Data, Value::Data(layer.data)),
            (Field::Head, Value::Number(layer.head as u32 + 1)),
            (Field::Cell, Value::Cell(layer.cell)),
        ];
        for (field, value) in own {
            if state.set(field, value).is_err() {
                return;
            }
        }
        self.set_state(state);
        self.write(Change::Commit, HistoryMode::Replace);
    }

    /// Saves what is changed in the model as a program.
    pub(super) fn save_intervention(&mut self) {
        let open = self.model.as_ref().and_then(|model| model.open.as_ref());
        let own = open.and_then(|open| open.intervention(&self.state));
        let Some(program) = own.and_then(|own| program(&own, self.language)) else {
            return;
        };
        let file = File {
            name: FILE.to_owned(),
            kind: "text/x-python",
            bytes: program.text().into_bytes(),
        };
        self.effect(Effect::Download(Some(Panel::Model), file));
    }

    /// Paints the map of the head that is pointed at in the field of heads.
    pub(super) fn paint_model_head(
        &self,
        key: &str,
        lut: &Lut,
        image: &mut HeatmapImage,
    ) -> Option<()> {
        let open = self.model.as_ref()?.open.as_ref()?;
        let reading = open.reading.as_ref()?;
        let weights = reading.map(key.parse().ok()?)?.iter();
        let colours = weights.map(|weight| lut.colour(colour_index(*weight)));
        image.set_colours(reading.tokens.len() as u32, colours);
        Some(())
    }
}
