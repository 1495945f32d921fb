//! What is done with the buttons, the fields and the map of the panel.

use super::work::Work;
use super::{Problem, TrainingPanel};
use crate::present::address_history::Change;
use crate::present::model_export::{ExportedRun, ModelFile};
use crate::present::painted_grid::{GridChange, GridEvent, place_of};
use crate::present::panel::PanelRequest;
use engine::variant::Variant;

impl TrainingPanel {
    pub(super) fn press(&mut self, name: &str) {
        let (name, number) = name.split_once(' ').unwrap_or((name, ""));
        let work = match name {
            "play" => Some(Work::Playing),
            "at-once" => Some(Work::Silent),
            "measure" => Some(Work::Measuring),
            _ => None,
        };
        self.show();
        if let Some(work) = work {
            return self.start_or_stop(work);
        }
        let Some(lab) = &mut self.lab else { return };
        match name {
            "previous" => {
                self.work = None;
                lab.look_at(lab.step().saturating_sub(1));
            }
            "next" => {
                self.work = None;
                let next = lab.step() + 1;
                if next > lab.run().history().len() {
                    self.take_step();
                }
                self.look_at(next);
            }
            "reset" => self.begin(),
            "another" => {
                self.typed = lab.another();
                return self.read_typed();
            }
            "unmask" => return lab.show_all_cells(),
            "on-map" => return self.show_on_map(),
            "head" => return lab.head = number.parse().unwrap_or(lab.head),
            "row" => return lab.row = number.parse().unwrap_or(lab.row),
            "file" => return self.save(ModelFile::Numbers, number),
            "open" => return self.save(ModelFile::Opening, number),
            "train" => return self.save(ModelFile::Training, number),
            _ => return,
        }
        self.end_move();
    }

    pub(super) fn enter(&mut self, name: &str, value: String, change: Change) {
        match name {
            "variant" => {
                self.variant = Variant::from_name(&value);
                self.begin();
                self.write_step();
            }
            "speed" => {
                self.pace = value.parse().ok().filter(|pace| *pace > 0);
            }
            "step" if change == Change::Input => {
                self.work = None;
                self.look_at(value.parse().unwrap_or(0));
            }
            "step" => self.end_move(),
            "text" => {
                self.typed = value;
                return match change {
                    Change::Input => self.read_known(),
                    Change::Commit => {
                        self.show();
                        self.read_typed();
                    }
                };
            }
            _ => return,
        }
        self.show();
    }

    /// Reads the text while it is typed, where the model knows all its words.
    fn read_known(&mut self) {
        let Some(lab) = &mut self.lab else { return };
        if lab.read(&self.typed).is_ok() {
            self.problem = None;
            self.show();
        }
    }

    /// Reads the text; the previous one stays if the model does not know a word.
    fn read_typed(&mut self) {
        let Some(lab) = &mut self.lab else { return };
        let is_read = lab.read(&self.typed).is_ok();
        self.problem = (!is_read).then_some(Problem::Text);
        self.end_move();
    }

    /// Hides cells from the chosen head or shows them, and measures once a stroke has ended.
    pub(super) fn paint(&mut self, event: GridEvent) {
        let Some(lab) = &mut self.lab else { return };
        let change = lab.paint(event);
        let is_key = matches!(event, GridEvent::Key(..));
        if change != GridChange::Nothing {
            self.requests.push(PanelRequest::Show);
        }
        match change {
            GridChange::Painted if is_key => self.start(Work::Masks),
            GridChange::Released => self.start(Work::Masks),
            GridChange::Painted => self.work = None,
            GridChange::Moved => {
                if let Some(grid) = lab.masks().of(lab.head) {
                    self.requests
                        .push(PanelRequest::Focus(place_of(grid.place())));
                }
            }
            GridChange::Nothing | GridChange::Focused => {}
        }
    }

    /// Shows the layer of the chosen head on the map.
    fn show_on_map(&mut self) {
        if let Some(layer) = self.lab.as_ref().and_then(|lab| lab.layer().ok()) {
            self.work = None;
            self.requests.push(PanelRequest::Layer(Box::new(layer)));
        }
    }

    fn save(&mut self, file: ModelFile, which: &str) {
        let run = match which {
            "other" => ExportedRun::Other,
            _ => ExportedRun::Own,
        };
        self.requests.push(PanelRequest::Save(run, file));
    }
}
