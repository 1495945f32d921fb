//! What is changed in the model, as a program to save.

wasm_chunks::chunk!("model");

use super::{ModelPanel, OpenModel};
use crate::effect::File;
use crate::export::codegen::intervention::{FILE, Intervention, Modules, program};
use crate::present::panel::{PageOfPanel, PanelRequest};
use crate::state::State;

impl OpenModel {
    /// What is changed now with the answers before and after, once both are known; nothing for a head whose output is taken from another text.
    pub fn intervention(&self, state: &State) -> Option<Intervention> {
        let change = Some(self.change(state)).filter(|own| own.patch.is_none())?;
        let after = self.changed(state)?.asked?;
        let answer = self.next.as_ref()?.likeliest.first()?;
        let tokens = self.reading.as_ref()?.tokens.iter();
        Some(Intervention {
            name: self.about.name.clone(),
            modules: Modules::of_family(&self.about.family)?,
            is_causal: self.about.is_causal,
            text: self.text.clone(),
            tokens: tokens.map(|token| token.id).collect(),
            heads: self.about.heads,
            place: self.answer_place(),
            answer: answer.id,
            word: answer.text.clone(),
            change,
            before: answer.share,
            after,
        })
    }
}

impl ModelPanel {
    /// Saves what is changed as a program.
    pub(super) fn save_program(&mut self, page: &PageOfPanel<'_>) {
        let open = self.open.as_ref();
        let Some(own) = open.and_then(|open| open.intervention(page.state)) else {
            return;
        };
        let file = File {
            name: FILE.to_owned(),
            kind: "text/x-python",
            bytes: program(&own, page.language).text().into_bytes(),
        };
        self.requests.push(PanelRequest::Download(file));
    }
}
