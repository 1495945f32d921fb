//! Messages from the host, and the snapshots reported to it.

wasm_chunks::chunk!("host");

use super::App;
use crate::message::HostMessage;
use crate::present::address_history::{Change, HistoryMode};
use crate::present::displayed_matrix::{self, DisplayedMatrix};
use crate::protocol::{Chosen, Measures, Snapshot};
use crate::state::external_settings::{self, SettingInput};
use crate::state::{Cell, Field, LinkWarning, State, Value, url};
use attention::analysis::Places;

impl App {
    /// Handles a message of the host; the answer lists rejected and adjusted settings.
    #[inline(never)]
    pub(super) fn host(&mut self, message: HostMessage) {
        self.answer = match message {
            HostMessage::Apply(settings) => {
                let (state, notes) = external_settings::apply_written(&self.state, &settings);
                self.set_from_host(state);
                notes
            }
            HostMessage::Settings(settings) => self.apply_settings(&settings),
            HostMessage::Restore(fragment) => {
                let (state, notes) = url::parse(&fragment);
                self.set_from_host(external_settings::laid_out_as(state, &self.state));
                notes
            }
            HostMessage::Select(cell) => {
                let value = cell.map_or(Value::Absent, Value::Cell).to_param();
                self.apply_settings(&[SettingInput {
                    key: Field::Cell.key().to_owned(),
                    value: Some(value),
                }])
            }
            HostMessage::Refused(notes) => {
                self.show_rejected(&notes);
                Vec::new()
            }
            HostMessage::Numbers(names, contents) => {
                let by = self.by;
                self.show_contents(names, contents);
                self.by = by;
                Vec::new()
            }
        };
    }

    /// State of the numbers on screen; `None` before there are any.
    pub fn state_on_screen(&self) -> Option<State> {
        let run = self.main.run.as_ref().filter(|_| self.is_marked)?;
        Some(run.state.shown_as(&self.state))
    }

    /// Returns a snapshot of the state on screen; the numbers are filled in once they are computed.
    #[inline(never)]
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::from_state(&self.state);
        let Some(run) = self.main.run.as_ref().filter(|_| self.is_settled()) else {
            return snapshot;
        };
        snapshot.is_computed = true;
        [snapshot.queries, snapshot.keys] = run.words().map(<[String]>::to_vec);
        snapshot.backend = Some(run.reply.ran.backend.name());
        snapshot.cell = self.state.cell.and_then(|cell| self.chosen(cell));
        snapshot.measures = run.reply.stats.get(self.head()).map(|stats| {
            let is_same = run.places() == Places::Same;
            Measures {
                entropy_mean: stats.entropy_mean,
                entropy_share: run.entropy_share(self.head()),
                diagonal_mean: is_same.then_some(stats.diagonal_mean),
                off_diagonal_mean: is_same.then_some(stats.off_diagonal_mean),
            }
        });
        snapshot
    }

    fn apply_settings(&mut self, settings: &[SettingInput]) -> Vec<LinkWarning> {
        let (state, notes) = external_settings::apply(&self.state, settings);
        self.set_from_host(state);
        notes
    }

    /// Replaces the notice about settings from outside that were rejected.
    fn show_rejected(&mut self, notes: &[LinkWarning]) {
        if self.has_noticed() && notes.is_empty() {
            return;
        }
        self.clear_notices();
        self.note(notes);
    }

    /// Ignores a state that is already set, so that a host that echoes events causes no further
    /// ones.
    fn set_from_host(&mut self, state: State) {
        if self.state == state {
            return;
        }
        let before = self.state.clone();
        self.forget_choices();
        let (state, _) = self.readable(state, Change::Commit);
        self.set_state(state);
        self.record(&before, None, Change::Commit);
        self.write(Change::Commit, HistoryMode::Replace);
    }

    fn chosen(&self, Cell { query, key }: Cell) -> Option<Chosen> {
        let displayed = DisplayedMatrix::new(self.main.run.as_ref()?, self.shown(), self.head());
        let entry = key.and_then(|key| displayed.entry(query, key));
        Some(Chosen {
            query,
            key,
            query_token: displayed.row_name(query, self.language),
            key_token: key.map(|key| displayed.column_name(key, self.language)),
            weight: match entry {
                Some(displayed_matrix::Entry::Value(value)) => Some(value),
                _ => None,
            },
            is_hidden: entry == Some(displayed_matrix::Entry::Hidden),
        })
    }
}
