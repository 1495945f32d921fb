//! The code panel: the setting as a program, to read, copy and save.

wasm_chunks::chunk!("code");

use super::{FILE, Program, notebook, program, writes_alike};
use crate::effect::File;
use crate::export::mask_programs::{self, MaskPrograms};
use crate::i18n::{Key, Language, text};
use crate::present::panel::{PageOfPanel, PanelEvent, PanelRequest, PanelState};
use crate::present::pasted_mask::PastedMask;
use crate::present::pasted_mask::file::{self, MaskFile};
use crate::state::{State, request_builder};

/// The panel.
#[derive(Default)]
pub struct CodePanel {
    /// State and language of the program.
    of: Option<(State, Language)>,
    program: Option<Program>,
    /// What became of the last press, in the language of the program.
    said: String,
    /// The mask in each library's way, while it is asked for.
    libraries: Option<MaskPrograms>,
    /// A mask that was pasted.
    pasted: PastedMask,
    requests: Vec<PanelRequest>,
}

/// The mask of a state for its own lengths.
fn written(state: &State) -> MaskPrograms {
    mask_programs::of_state(state, request_builder::lengths(state))
}

impl PanelState for CodePanel {
    fn new(_: &PageOfPanel<'_>) -> Self {
        Self::default()
    }

    fn update(&mut self, event: PanelEvent, page: &PageOfPanel<'_>) -> Vec<PanelRequest> {
        match event {
            PanelEvent::Follow => self.follow(page),
            PanelEvent::Press(name) => self.press(&name),
            PanelEvent::Enter(_, pasted, _) => self.paste(pasted, page),
            PanelEvent::File(name, file) => self.open(&name, &file, page),
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

    /// The mask in each library's way, while it is asked for.
    pub fn libraries(&self) -> Option<&MaskPrograms> {
        self.libraries.as_ref()
    }

    /// The mask that was pasted.
    pub const fn pasted(&self) -> &PastedMask {
        &self.pasted
    }

    fn paste(&mut self, text: String, page: &PageOfPanel<'_>) {
        self.pasted = PastedMask::read(text, page.state, page.language);
        self.requests.push(PanelRequest::Show);
    }

    /// Opens a file; one that is refused leaves the pasted text.
    fn open(&mut self, name: &str, file: &MaskFile, page: &PageOfPanel<'_>) {
        let mut opened = file::open(name, file, page.state, page.language);
        if opened.readings.is_err() && opened.text.is_empty() {
            opened.text = std::mem::take(&mut self.pasted.text);
        }
        self.pasted = opened;
        self.requests.push(PanelRequest::Show);
    }

    /// Sets the page to one of the readings.
    fn take(&mut self, at: &str) {
        let readings = self.pasted.readings.as_deref().unwrap_or_default();
        let reading = at.parse().ok().and_then(|at: usize| readings.get(at));
        let set = reading.map_or_else(Vec::new, |reading| reading.shown_by.clone());
        let set = set.into_iter();
        let set = set.map(|(field, value)| PanelRequest::Set(field, value));
        self.requests.extend(set);
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
        if self.libraries.is_some() {
            self.libraries = Some(written(&state));
        }
        self.of = Some((state, language));
        self.say("");
    }

    fn press(&mut self, name: &str) {
        if name == "libraries" {
            let state = self.of.as_ref().map(|(state, _)| state);
            let shown = state.filter(|_| self.libraries.is_none()).map(written);
            self.libraries = shown;
            return self.say("");
        }
        if let Some(at) = name.strip_prefix("take-") {
            return self.take(at);
        }
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
