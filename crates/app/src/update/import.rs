//! Import: the dialog that shows tensors before they are used, and the bar about imported numbers.

wasm_chunks::chunk!("more");

use super::{App, Effect, View};
use crate::effect::File;
use crate::i18n::file_messages::refusal_of_amount;
use crate::import::dialog::Stage;
use crate::import::{FileContents, FileSetting, SettingFile, refusal as refused, write_setting};
use crate::message::ImportAction;
use crate::present::address_history::{Change, HistoryMode};
use crate::present::model_panel::is_of_model;
use crate::present::panel::PanelEvent;
use crate::state::imported::cache;
use crate::state::{Action, AutoSelection, Field, ImportedData, Part, Value};
use crate::views::{Markup, import_dialog};
use formats::{Kind, sanitize};

impl App {
    /// Whether files may be dropped on the page.
    pub fn takes_files(&self) -> bool {
        self.state.is_shown(Part::Data) && !self.state.is_locked(Part::Data)
    }

    /// Content of the import dialog; `None` while it is closed.
    pub fn import_view(&self) -> Option<Markup> {
        let opened = self.import.opened.as_ref()?;
        Some(import_dialog::dialog(opened, self.language))
    }

    /// Layer of the imported numbers, and how to go to another one; empty where there is one only.
    pub fn imported_entry(&self) -> Markup {
        let imported = self.state.imported.as_ref();
        let entry = imported.and_then(|own| Some((own, own.source().1?)));
        entry.map_or_else(Markup::default, |(own, entry)| {
            let can_turn = self.import.can_turn(own) && !self.state.is_locked(Part::Data);
            import_dialog::entry(entry, can_turn, self.language)
        })
    }

    /// Handles what is done about the import.
    #[inline(never)]
    pub(super) fn import(&mut self, action: ImportAction) {
        match action {
            ImportAction::Begin(names, bytes) => self.begin_import(&names, bytes),
            ImportAction::Read(read, contents) => self.end_read(read, contents),
            ImportAction::Event(PanelEvent::Press(name)) => self.press_in_import(&name),
            ImportAction::Event(PanelEvent::Enter(field, value, change)) => {
                if field == "imported-entry" {
                    if let Ok(entry) = value.parse() {
                        self.turn_to_entry(entry, change);
                    }
                } else if change == Change::Commit || self.import.follows(&field, &value) {
                    self.import.enter(&field, &value);
                }
                self.show(View::Import);
            }
            ImportAction::Event(_) => {}
            ImportAction::Close => self.close_import(),
        }
    }

    /// Has files read, unless there are too many; those of a model are opened as one.
    fn begin_import(&mut self, names: &[String], bytes: f64) {
        if is_of_model(names) {
            return self.open_model_files();
        }
        let shown: Vec<String> = names.iter().map(|name| sanitize(name)).collect();
        let read = self.import.begin(shown.join(", "));
        match refusal_of_amount(self.language, names.len(), bytes) {
            Some(refusal) => self.end_read(read, Err(refusal)),
            None => self.effect(Effect::ReadFiles(read)),
        }
        self.show(View::Import);
        self.effect(Effect::OpenImport);
    }

    /// Shows what was read, unless the dialog was closed or another file requested before.
    fn end_read(&mut self, read: u32, contents: Result<FileContents, String>) {
        let Some(opened) = self.import.awaits(read) else {
            return;
        };
        match contents {
            Ok(FileContents::Setting(setting)) => return self.open_setting(setting),
            Ok(FileContents::Tensors(tensors)) => {
                opened.assign(tensors);
                self.show(View::Import);
                return self.effect(Effect::FocusImport);
            }
            Err(sentence) => opened.stage = Stage::Refused(sentence),
        }
        self.show(View::Import);
    }

    fn press_in_import(&mut self, button: &str) {
        match button {
            "take" => self.take_import(),
            "leave" => self.close_import(),
            "clear" => self.clear_import(),
            "save" => self.save_imported(),
            "entry-previous" => self.turn_by(|at| at.saturating_sub(1)),
            "entry-next" => self.turn_by(|at| at + 1),
            _ => {}
        }
    }

    /// Goes back to the sentence, and to the row that was chosen there; one that a person has chosen since stays.
    fn clear_import(&mut self) {
        if self.auto_selection.is_left_to_page() {
            self.state.cell = None;
        }
        self.act(Action::Set(Field::Data, Value::Absent), Change::Commit);
    }

    fn turn_by(&mut self, to: impl Fn(usize) -> usize) {
        let imported = self.state.imported.as_ref();
        if let Some((at, _)) = imported.and_then(|own| own.source().1) {
            self.turn_to_entry(to(at), Change::Commit);
        }
    }

    /// Shows another layer of the file that was taken, with head and cell where they are.
    fn turn_to_entry(&mut self, entry: usize, change: Change) {
        if change != Change::Commit {
            return;
        }
        match self.import.turn(entry) {
            Some(Ok(imported)) => {
                let (head, cell) = (self.state.head, self.state.cell);
                self.act(Action::Set(Field::Data, Value::Data(imported)), change);
                let own = [
                    (Field::Head, Value::Number(head as u32 + 1)),
                    (Field::Cell, cell.map_or(Value::Absent, Value::Cell)),
                ];
                let mut state = self.state.clone();
                // Refused only where this layer is smaller.
                own.into_iter()
                    .for_each(|(field, value)| drop(state.set(field, value)));
                self.set_state(state);
                self.write(change, HistoryMode::Replace);
            }
            Some(Err(refusal)) => {
                self.notices.add(&refused(self.language, &refusal));
                self.show(View::Notices);
            }
            None => {}
        }
    }

    /// Shows the numbers on the map.
    fn take_import(&mut self) {
        let Some((imported, settings)) = self.import.take() else {
            return;
        };
        let is_waited_for = self.waited_for(&imported).is_some();
        self.show_imported(imported, &settings);
        if !is_waited_for {
            self.effect(Effect::RevealImported);
        }
    }

    /// Shows the numbers of files that a host hands over, assigned as they are likeliest meant.
    pub(super) fn show_contents(&mut self, names: String, contents: FileContents) {
        match contents {
            FileContents::Setting(setting) => self.open_setting(setting),
            FileContents::Tensors(tensors) => {
                self.import.hand_over(sanitize(&names), tensors);
                if let Some((imported, settings)) = self.import.take() {
                    self.show_imported(imported, &settings);
                }
            }
        }
    }

    /// Why the numbers that were handed over last are not shown, where they are not.
    pub fn refusal_of_numbers(&mut self) -> Option<String> {
        let refusal = self.import.take_refusal()?;
        Some(refused(self.language, &refusal))
    }

    fn open_setting(&mut self, setting: SettingFile) {
        self.close_import();
        cache::insert(&setting.imported);
        self.take_link(&setting.fragment);
    }

    fn show_imported(&mut self, imported: ImportedData, settings: &[FileSetting]) {
        self.show(View::Import);
        match self.waited_for(&imported) {
            Some(fragment) => {
                cache::insert(&imported);
                self.take_link(&fragment);
            }
            None => {
                let settings = settings.iter().flat_map(FileSetting::values).collect();
                self.act(Action::Import(imported, settings), Change::Commit);
                let has_rows = |own: &ImportedData| own.lengths().is_some();
                if self.state.imported.as_ref().is_some_and(has_rows) {
                    self.auto_selection = AutoSelection::open(true);
                }
            }
        }
    }

    fn close_import(&mut self) {
        self.import.opened = None;
        self.show(View::Import);
    }

    /// Saves the setting with its numbers as a file.
    fn save_imported(&mut self) {
        if let Some(imported) = &self.state.imported {
            let file = File {
                name: "attention-setting.json".to_owned(),
                kind: Kind::Json.media_type(),
                bytes: write_setting(&self.fragment(), imported),
            };
            self.effect(Effect::Download(None, file));
        }
    }
}
