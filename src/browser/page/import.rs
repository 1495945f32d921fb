//! Takes imported numbers into the state.

use super::Page;
use crate::browser::import::ImportAction;
use crate::import::FileSetting;
use crate::present::address_history::Change;
use crate::state::imported::{ImportedData, cache};
use crate::state::{Action, Field, Value, external_settings, url};

impl Page {
    /// Shows what was brought: the numbers that a link has waited for as that link says, others by themselves.
    pub(crate) fn import(&mut self, taken: ImportAction) {
        match taken {
            ImportAction::Sentence => {
                self.act(Action::Set(Field::Data, Value::Absent), Change::Commit);
            }
            ImportAction::Setting(setting) => {
                cache::insert(&setting.imported);
                self.take_link(&setting.fragment);
            }
            ImportAction::Numbers(imported, settings) => match self.waited_for(&imported) {
                Some(fragment) => {
                    cache::insert(&imported);
                    self.take_link(&fragment);
                }
                None => {
                    let settings = settings.iter().flat_map(FileSetting::values).collect();
                    self.act(Action::Import(imported, settings), Change::Commit);
                }
            },
        }
    }

    fn waited_for(&mut self, imported: &ImportedData) -> Option<String> {
        let wanted = self.wanted.take_if(|wanted| wanted.waits_for(imported));
        wanted.map(|wanted| wanted.fragment)
    }

    /// What a link says, in an entry of its own. What may be moved here, and by whom, stays.
    fn take_link(&mut self, fragment: &str) {
        let (state, notes) = url::parse(fragment);
        let state = external_settings::laid_out_as(state, &self.state);
        self.act(Action::Replace(Box::new(state)), Change::Commit);
        self.notices.change(self.language, |all| all.clear());
        self.note(&notes);
    }
}
