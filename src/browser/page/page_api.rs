//! What a host can do with the page and read from it, through a [`PageApi`](crate::browser::PageApi).

use super::Page;
use crate::browser::activity::Pending;
use crate::message::{ChangeSource, Chosen, Measures, Snapshot};
use crate::present::address_history::{Change, HistoryMode};
use crate::present::displayed_matrix::{self, DisplayedMatrix};
use crate::state::external_settings::{self, SettingInput};
use crate::state::request_builder::same_computation;
use crate::state::{Cell, Field, LinkWarning, State, Theme, Value, url};
use attention::analysis::Places;

impl Page {
    /// The state as a link.
    pub(crate) fn fragment(&self) -> String {
        url::to_fragment(&self.state)
    }

    /// The state.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Something begins that will change the page.
    pub(crate) fn begin(&self) -> Pending {
        self.root.activity().begin()
    }

    /// Takes settings from outside; the others stay.
    pub(crate) fn apply_settings(&mut self, settings: &[SettingInput]) -> Vec<LinkWarning> {
        let (state, notes) = external_settings::apply(&self.state, settings);
        self.set_from_outside(state);
        notes
    }

    /// The same with settings that are written like a link.
    pub(crate) fn give_written(&mut self, settings: &str) -> Vec<LinkWarning> {
        let (state, notes) = external_settings::apply_written(&self.state, settings);
        self.set_from_outside(state);
        notes
    }

    /// Takes a whole state from outside, as a link says it. What says how the page is laid out and who may set it stays.
    pub(crate) fn restore(&mut self, fragment: &str) -> Vec<LinkWarning> {
        let (state, notes) = url::parse(fragment);
        self.set_from_outside(external_settings::laid_out_as(state, &self.state));
        notes
    }

    /// Chooses a cell from outside, or none.
    pub(crate) fn choose_from_outside(&mut self, cell: Option<Cell>) -> Vec<LinkWarning> {
        let value = cell.map_or(Value::Absent, Value::Cell).to_param();
        self.apply_settings(&[SettingInput {
            key: Field::Cell.key().to_owned(),
            value: Some(value),
        }])
    }

    /// Says what was refused of what was set from outside, in place of what was said of that before.
    pub(crate) fn say_refused(&mut self, notes: &[LinkWarning]) {
        if self.noticed.is_some() && notes.is_empty() {
            return;
        }
        self.notices.change(self.language, |all| all.clear());
        self.noticed = None;
        self.note(notes);
    }

    /// Takes notice of the theme of the page around.
    pub(crate) fn follow(&mut self, theme: Option<Theme>) {
        self.environment.follow(theme);
        self.restyle();
    }

    /// A state that is there already changes nothing, so that who repeats what it hears hears nothing of it.
    fn set_from_outside(&mut self, state: State) {
        if self.state == state {
            return;
        }
        let before = self.state.clone();
        (self.preferred_head, self.auto_selection) = Default::default();
        self.set_state(state);
        self.record(&before, None, Change::Commit);
        self.address.write(
            &url::to_fragment(&self.state),
            Change::Commit,
            HistoryMode::Replace,
        );
    }

    /// Whether the numbers of the state are on screen.
    pub(crate) fn is_settled(&self) -> bool {
        let run = self.run.as_ref();
        self.is_marked
            && !self.stale.picture
            && run.is_some_and(|run| same_computation(&run.state, &self.state))
    }

    /// The settings of the numbers that are on screen; `None` before there are any.
    pub(crate) fn state_on_screen(&self) -> Option<State> {
        let run = self.run.as_ref().filter(|_| self.is_marked)?;
        Some(run.state.shown_as(&self.state))
    }

    /// Whose doing is what has happened since this was last asked.
    pub(crate) fn take_by(&mut self) -> ChangeSource {
        std::mem::take(&mut self.by)
    }

    /// What is on screen.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::from_state(&self.state);
        let Some(run) = self.run.as_ref().filter(|_| self.is_settled()) else {
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

    fn chosen(&self, Cell { query, key }: Cell) -> Option<Chosen> {
        let displayed = DisplayedMatrix::new(self.run.as_ref()?, self.shown(), self.head());
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
