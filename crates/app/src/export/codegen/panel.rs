//! The code panel: the setting as a program, to read, copy and save.

wasm_chunks::chunk!("more");

use super::{FILE, Program, notebook, program, writes_alike};
use crate::effect::File;
use crate::i18n::{Key, Language, text};
use crate::present::panel::{PageOfPanel, PanelEvent, PanelRequest, PanelState};
use crate::state::State;

/// The panel.
#[derive(Default)]
pub struct CodePanel {
    /// State and language of the program.
    of: Option<(State, Language)>,
    program: Option<Program>,
    /// What became of the last press, in the language of the program.
    said: String,
    requests: Vec<PanelRequest>,
}

impl PanelState for CodePanel {
    fn new(_: &PageOfPanel<'_>) -> Self {
        Self::default()
    }

    fn update(&mut self, event: PanelEvent, page: &PageOfPanel<'_>) -> Vec<PanelRequest> {
        match event {
            PanelEvent::Follow => self.follow(page),
            PanelEvent::Press(name) => self.press(&name),
            PanelEvent::Copied(true) => self.say(Key::CodeCopied.text(page.language)),
            PanelEvent::Copied(false) => {
                self.requests.push(PanelRequest::Select("code-text"));
                self.say(Key::CodeNotCopied.text(page.language));
            }
            PanelEvent::Saved(name, true) => self.say(&text::code_saved(page.language, &name)),
            PanelEvent::Saved(_, false) => self.say(Key::CodeNotSaved.text(page.language)),
            _ => {}
        }
        std::mem::take(&mut self.requests)
    }
}

impl CodePanel {
    /// The program; `None` where the setting has none.
    pub fn program(&self) -> Option<&Program> {
        self.program.as_ref()
    }

    /// What became of the last press.
    pub fn said(&self) -> &str {
        &self.said
    }

    fn say(&mut self, said: &str) {
        self.said = said.to_owned();
        self.requests.push(PanelRequest::Show);
    }

    fn follow(&mut self, page: &PageOfPanel<'_>) {
        let Some(run) = page.run else { return };
        let (state, language) = (run.state.shown_as(page.state), page.language);
        let is_same = |(of, own): &(State, Language)| *own == language && writes_alike(of, &state);
        if self.of.as_ref().is_some_and(is_same) {
            return;
        }
        let request = run.request();
        self.program =
            request.and_then(|request| program(&state, request, state.library, language));
        self.of = Some((state, language));
        self.say("");
    }

    fn press(&mut self, name: &str) {
        let Some(program) = &self.program else { return };
        let file = |name: &str, kind, bytes| {
            let name = name.to_owned();
            PanelRequest::Download(File { name, kind, bytes })
        };
        self.requests.extend(match name {
            "copy" => Some(PanelRequest::Copy(program.text())),
            "save" => {
                let bytes = program.text().into_bytes();
                Some(file("attention.py", "text/x-python", bytes))
            }
            "notebook" => {
                let bytes = notebook(program).into_bytes();
                Some(file("attention.ipynb", "application/x-ipynb+json", bytes))
            }
            "numbers" => (program.npz()).map(|bytes| file(FILE, "application/zip", bytes)),
            _ => None,
        });
    }
}
