//! Import: the dialog that shows tensors before they are used, and the bar about imported numbers.

wasm_chunks::chunk!("more");

use super::{App, Effect, View};
use crate::effect::File;
use crate::import::dialog::Stage;
use crate::import::file_messages::refusal_of_amount;
use crate::import::{FileContents, FileSetting, write_setting};
use crate::message::ImportAction;
use crate::present::address_history::Change;
use crate::present::panel::PanelEvent;
use crate::state::imported::cache;
use crate::state::{Action, Field, Part, Value};
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

    /// Handles what is done about the import.
    #[inline(never)]
    pub(super) fn import(&mut self, action: ImportAction) {
        match action {
            ImportAction::Begin(names, bytes) => self.begin_import(&names, bytes),
            ImportAction::Read(read, contents) => self.end_read(read, contents),
            ImportAction::Event(PanelEvent::Press(name)) => self.press_in_import(&name),
            ImportAction::Event(PanelEvent::Enter(field, value, Change::Commit)) => {
                self.import.enter(&field, &value);
                self.show(View::Import);
            }
            ImportAction::Event(_) => {}
            ImportAction::Close => self.close_import(),
        }
    }

    /// Has files read, unless there are too many.
    fn begin_import(&mut self, names: &[String], bytes: f64) {
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
            Ok(FileContents::Setting(setting)) => {
                self.close_import();
                cache::insert(&setting.imported);
                return self.take_link(&setting.fragment);
            }
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
            "clear" => self.act(Action::Set(Field::Data, Value::Absent), Change::Commit),
            "save" => self.save_imported(),
            _ => {}
        }
    }

    /// Shows the numbers on the map.
    fn take_import(&mut self) {
        let Some((imported, settings)) = self.import.take() else {
            return;
        };
        self.show(View::Import);
        match self.waited_for(&imported) {
            Some(fragment) => {
                cache::insert(&imported);
                self.take_link(&fragment);
            }
            None => {
                let settings = settings.iter().flat_map(FileSetting::values).collect();
                self.act(Action::Import(imported, settings), Change::Commit);
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
