//! The analysis panel: all heads as a table, and charts of the chosen one.

mod charts;
mod columns;
mod heads;
mod mini_map;
mod similar;

use std::rc::Rc;

use web_sys::HtmlElement;

use crate::browser::controls::Act;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::{Hints, PanelView};
use crate::i18n::{Key, Language, text};
use crate::present::address_history::Change;
use crate::present::head_patterns::{Scene, label, why};
use crate::present::names;
use crate::present::run::Run;
use crate::state::{Action, Field, Hiding, Value};
use attention::analysis::Places;
use charts::Charts;
use heads::HeadTable;
use mini_map::SmallMap;
use similar::SimilarHeads;

/// The panel.
pub(crate) struct Analysis {
    note: HtmlElement,
    note_text: Text,
    table: HeadTable,
    name: Text,
    reading: Text,
    why: Text,
    charts: Charts,
    similar: SimilarHeads,
    small: SmallMap,
}

impl Analysis {
    /// What is chosen in the panel goes through `act`, what is pointed at to `hints`.
    pub(crate) fn new(root: &Root, act: &Act, hints: &Hints) -> Result<Self, MissingPart> {
        let note: HtmlElement = root.find("#analysis-note")?;
        let choose = |act: &Act| {
            let act = Rc::clone(act);
            move |head: usize| {
                let number = Value::Number(head as u32 + 1);
                act(Action::Set(Field::Head, number), Change::Commit);
            }
        };
        Ok(Self {
            note_text: Text::new(note.clone()),
            note,
            table: HeadTable::new(root, choose(act))?,
            name: Text::find(root, "#analysis-reading b")?,
            reading: Text::find(root, "#analysis-reading strong")?,
            why: Text::find(root, "#analysis-reading span")?,
            charts: Charts::new(root, hints)?,
            similar: SimilarHeads::new(root, choose(act))?,
            small: SmallMap::new(root, hints)?,
        })
    }

    fn say_note(&mut self, run: &Run, places: Places, language: Language) {
        let is_after = run.state.hiding == Hiding::AfterSoftmax;
        let after = Key::AnalysisAfter.text(language);
        let note = match (places, is_after) {
            (Places::Other, true) => {
                let cross = Key::AnalysisCross.text(language);
                text::why_joined(language, &cross, &after)
            }
            (Places::Other, false) => Key::AnalysisCross.text(language).to_owned(),
            (Places::None, _) => Key::AnalysisLinformer.text(language).to_owned(),
            (Places::Same, true) => after.to_owned(),
            (Places::Same, false) => String::new(),
        };
        self.note_text.set_text(&note);
        dom::set_flag(&self.note, "hidden", note.is_empty());
    }
}

impl PanelView for Analysis {
    fn update(&mut self, sight: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            look,
            language,
            ..
        } = *sight;
        let findings = run.findings();
        let scene = Scene::from_run(run);
        self.say_note(run, findings.places, language);
        self.table.update(run, head, language);
        let name = names::head(&run.state, head, language);
        self.name.set_text(&names::unparted(&name));
        if let Some(found) = findings.heads.get(head) {
            self.reading
                .set_text(&label(language, &found.reading, scene));
            self.why.set_text(&why(language, &found.reading, scene));
        }
        self.charts.update(run, findings, head, language);
        self.similar
            .update(&findings.similarity, run.heads(), head, &look.lut, language);
        self.small.update(sight);
    }

    fn point(&mut self, sight: &ViewContext<'_>) {
        self.charts.point(sight);
        self.small.point(sight);
    }
}
