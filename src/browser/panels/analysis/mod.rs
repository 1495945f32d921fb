//! The analysis panel: all heads as a table, and charts of the chosen one.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl Inner);

mod charts;
mod columns;
mod heads;
mod mini_map;
mod similar;

use web_sys::HtmlElement;

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::PanelView;
use crate::browser::sender::Sender;
use crate::browser::view::View;
use app::present::address_history::Change;
use app::present::head_patterns::caveat;
use app::present::similar_heads::SimilarHeads as Alike;
use app::state::{Action, Field, Value};
use app::views::analysis::reading;
use charts::Charts;
use heads::HeadTable;
use mini_map::SmallMap;
use similar::SimilarHeads;

/// The panel.
pub(crate) struct Analysis {
    note: HtmlElement,
    note_text: Text,
    table: HeadTable,
    reading: View,
    charts: Charts,
    similar: SimilarHeads,
    small: SmallMap,
}

impl Analysis {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let note: HtmlElement = root.find("#analysis-note")?;
        let choose = |sender: &Sender| {
            let sender = sender.clone();
            move |head: usize| {
                let number = Value::Number(head as u32 + 1);
                sender.act(Action::Set(Field::Head, number), Change::Commit);
            }
        };
        Ok(Self {
            note_text: Text::new(note.clone()),
            note,
            table: HeadTable::new(root, choose(sender))?,
            reading: View::find(root, "#analysis-reading")?,
            charts: Charts::new(root, sender)?,
            similar: SimilarHeads::new(root, choose(sender))?,
            small: SmallMap::new(root, sender)?,
        })
    }
}

impl PanelView for Analysis {
    fn update(&mut self, context: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            colours,
            language,
            ..
        } = *context;
        let findings = run.findings();
        let note = caveat(run, language);
        self.note_text.set_text(&note);
        dom::set_flag(&self.note, "hidden", note.is_empty());
        self.table.update(run, head, language);
        self.reading.update(reading(run, head, language));
        self.charts.update(run, findings, head, language);
        let (similarity, heads) = (&findings.similarity, (run.heads(), head));
        let similar = Alike::new(similarity, heads, &colours.lut, language);
        self.similar.update(similar);
        self.small.update(context);
    }

    fn point(&mut self, context: &ViewContext<'_>) {
        self.charts.point(context);
        self.small.point(context);
    }
}
