//! The comparison of both backends.

use super::Page;
use crate::browser::panels::Compared;
use app::present::backend_comparison::Comparison;
use app::state::State;
use app::state::request_builder::same_anywhere;

impl Page {
    /// Shows a comparison, or the error text. A comparison of an outdated picture is dropped.
    #[inline(never)]
    pub(super) fn compared(&mut self, state: State, reply: Result<Comparison, String>) {
        let (language, compare) = (self.app.language, &mut self.backend.compare);
        compare.end(language);
        match (reply, &self.app.main.run) {
            (Ok(comparison), Some(run)) if same_anywhere(&state, &run.state) => {
                let tokens = [run.query(comparison.row), run.key(comparison.column)];
                let compared = Compared {
                    state,
                    comparison,
                    tokens: tokens.map(str::to_owned),
                };
                compare.update(compared, language);
            }
            (Ok(_), _) => {}
            (Err(cause), _) => compare.refuse(&cause, language),
        }
    }
}
