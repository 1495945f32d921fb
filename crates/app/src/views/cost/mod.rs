//! The cost panel: costs of each step, kinds of layers, and measured times.

wasm_chunks::chunk!("more");

mod growth;
mod layers;
mod measured;
mod steps;

use super::{Markup, columns, html, scrolled};
use crate::i18n::Key;
use crate::present::cost::StepTable;
use crate::present::cost::panel::CostPanel;
use crate::present::panel::PanelContext;
use crate::state::State;

/// The body of the panel, once it shows a setting.
pub fn panel(panel: &CostPanel, state: &State, context: PanelContext<'_>) -> Option<Markup> {
    let language = context.language;
    let source = panel.source(language)?;
    let table = StepTable::new(source.setting, panel.hiding(), language);
    Some(html! {
        p class="note when-finished" { (Key::FinishedNothing.text(language)) }
        p class="cost-summary" id="cost-summary" { (table.summary) }
        (steps::steps(&table))
        (growth::growth(panel, &source, state, context))
        (measured::measured(panel, language))
    })
}
