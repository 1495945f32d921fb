//! Numbers that come in from outside.

use super::Page;
use crate::browser::history::Change;
use crate::browser::import::Taken;
use crate::state::imported::url::Missing;
use crate::state::imported::{Brought, cache};
use crate::state::{Action, Field, Rule, UrlNote, Value, external_settings, url};

/// A link whose numbers have not come yet.
pub struct Wanted {
    missing: Missing,
    fragment: String,
}

impl Wanted {
    /// What of `fragment` is missing, by the notes about it.
    pub fn of(fragment: &str, notes: &[UrlNote]) -> Option<Self> {
        let missing = notes.iter().find_map(|note| match &note.rule {
            Rule::DataMissing(missing) => Some(missing.clone()),
            _ => None,
        })?;
        let fragment = fragment.to_owned();
        Some(Self { missing, fragment })
    }
}

impl Page {
    /// Shows what was brought: the numbers that a link has waited for as that link says, others by themselves.
    pub fn bring(&mut self, taken: Taken) {
        match taken {
            Taken::Sentence => self.put(Value::Absent),
            Taken::Setting(setting) => {
                cache::keep(&setting.brought);
                self.take_link(&setting.fragment);
            }
            Taken::Numbers(brought) => match self.waited_for(&brought) {
                Some(fragment) => {
                    cache::keep(&brought);
                    self.take_link(&fragment);
                }
                None => self.put(Value::Data(brought)),
            },
        }
    }

    fn put(&mut self, data: Value) {
        self.act(Action::Set(Field::Data, data), Change::Done);
    }

    fn waited_for(&mut self, brought: &Brought) -> Option<String> {
        let wanted = self
            .wanted
            .take_if(|wanted| wanted.missing.hash == brought.hash());
        wanted.map(|wanted| wanted.fragment)
    }

    /// What a link says, in an entry of its own. What may be moved here, and by whom, stays.
    fn take_link(&mut self, fragment: &str) {
        let (state, notes) = url::parse(fragment);
        let state = external_settings::laid_out_as(state, &self.state);
        self.act(Action::Replace(Box::new(state)), Change::Done);
        self.notices.clear();
        self.note(&notes);
    }
}
