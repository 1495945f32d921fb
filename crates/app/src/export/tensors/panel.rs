//! The data panel: every tensor of the setting, to save as a file.

wasm_chunks::chunk!("more");

use super::{Entry, FileStatus, Name, TensorFile, for_state};
use crate::Refusal;
use crate::i18n::number;
use crate::present::backend_status::reason;
use crate::present::panel::{Job, Outcome, PageOfPanel, PanelEvent, PanelRequest, PanelState};
use crate::state::State;
use attention::Code;
use engine::Backend;
use formats::Kind;

/// The panel. Its own controls affect nothing else.
pub struct DataPanel {
    shown: Option<Shown>,
    /// Format of the file of a single tensor.
    one: Kind,
    /// Format of the file of all.
    all: Kind,
    /// The file that is being made.
    file: Option<TensorFile>,
    /// Status of the last file.
    status: Option<FileStatus>,
    /// Number of the last job.
    asked: u32,
    requests: Vec<PanelRequest>,
}

/// What is listed, and of what.
struct Shown {
    state: State,
    /// Where its numbers were computed: those in the file shall be the same.
    backend: Backend,
    entries: Vec<Entry>,
}

impl PanelState for DataPanel {
    fn new(_: &PageOfPanel<'_>) -> Self {
        Self {
            shown: None,
            one: Kind::Csv,
            all: Kind::Npz,
            file: None,
            status: None,
            asked: 0,
            requests: Vec::new(),
        }
    }

    fn update(&mut self, event: PanelEvent, page: &PageOfPanel<'_>) -> Vec<PanelRequest> {
        match event {
            PanelEvent::Follow => self.follow(page),
            PanelEvent::Press(name) => self.press(&name),
            PanelEvent::Enter(menu, kind, _) => {
                let kind = Kind::from_extension(&kind).unwrap_or(Kind::Npy);
                *(if menu == "one" {
                    &mut self.one
                } else {
                    &mut self.all
                }) = kind;
                self.show();
            }
            PanelEvent::Ended(number, outcome) if number == self.asked => {
                self.ended(outcome, page);
            }
            _ => {}
        }
        std::mem::take(&mut self.requests)
    }
}

impl DataPanel {
    /// What is listed; `None` before the first picture.
    pub fn entries(&self) -> Option<&[Entry]> {
        self.shown.as_ref().map(|shown| &shown.entries[..])
    }

    /// The format that single tensors are saved in, and that of all.
    pub fn kinds(&self) -> [Kind; 2] {
        [self.one, self.all]
    }

    /// Status of the last file.
    pub fn status(&self) -> Option<&FileStatus> {
        self.status.as_ref()
    }

    /// Whether a file is being made.
    pub fn is_working(&self) -> bool {
        self.file.is_some()
    }

    fn show(&mut self) {
        self.requests.push(PanelRequest::Show);
    }

    fn follow(&mut self, page: &PageOfPanel<'_>) {
        let Some(run) = page.run else { return };
        let entries = for_state(&run.state, &run.config);
        if self.entries() != Some(&entries) {
            self.show();
        }
        self.shown = Some(Shown {
            state: run.state.clone(),
            backend: run.reply.ran.backend,
            entries,
        });
    }

    fn press(&mut self, name: &str) {
        self.stop();
        match name.strip_prefix("tensor ") {
            Some(name) => match Name::from_name(name) {
                Some(name) => self.begin(Some(name)),
                None => return,
            },
            None if name == "all" => self.begin(None),
            None => self.status = Some(FileStatus::Stopped),
        }
        self.show();
    }

    /// Begins a file of one tensor, or of all.
    fn begin(&mut self, name: Option<Name>) {
        let Some(shown) = &self.shown else { return };
        let kind = if name.is_some() { self.one } else { self.all };
        // The press may have come to a line that the newest picture no longer has.
        let file = TensorFile::new(&shown.state, &shown.entries, name, kind);
        let Some(file) = file else { return };
        self.status = Some(FileStatus::Working {
            file: file.name.clone(),
            size: file.size(),
        });
        let (names, backend) = (file.results(), shown.backend);
        let names: Vec<_> = names.iter().map(|name| name.name()).collect();
        let state = Box::new(file.state.clone());
        self.file = Some(file);
        if names.is_empty() {
            self.write(Vec::new());
        } else {
            self.start(Job::Results {
                state,
                backend,
                names,
            });
        }
    }

    fn start(&mut self, job: Job) {
        self.asked += 1;
        self.requests.push(PanelRequest::Start(self.asked, job));
    }

    /// Writes the file, with the numbers of its results.
    fn write(&mut self, numbers: Vec<Vec<f32>>) {
        let Some(file) = &self.file else { return };
        match file.tensors(numbers) {
            Some(tensors) => self.start(Job::File {
                name: file.name.clone(),
                kind: file.kind,
                tensors,
            }),
            None => self.finish(|file| FileStatus::Refused { file, cause: None }),
        }
    }

    fn ended(&mut self, outcome: Result<Outcome, Refusal>, page: &PageOfPanel<'_>) {
        match outcome {
            Ok(Outcome::Results(numbers)) => self.write(numbers),
            Ok(Outcome::File(Some(size))) => self.finish(|file| {
                let size = number::bytes(size);
                FileStatus::Saved { file, size }
            }),
            Ok(Outcome::File(None) | Outcome::Time(_)) => {
                self.finish(|file| FileStatus::Refused { file, cause: None });
            }
            Err(refusal) => {
                let cause = self.cause(refusal, page);
                self.finish(|file| FileStatus::Refused { file, cause });
            }
        }
        self.show();
    }

    /// Sets the status of the file that was being made.
    fn finish(&mut self, status: impl FnOnce(String) -> FileStatus) {
        if let Some(file) = self.file.take() {
            self.status = Some(status(file.name));
        }
    }

    /// Waits for no file any more.
    fn stop(&mut self) {
        if self.file.take().is_some() {
            self.requests.push(PanelRequest::Stop);
        }
    }

    /// Explains why no result arrived; `None` if it is too large. Errors of the graphics card are
    /// explained in the page's own words.
    fn cause(&self, refusal: Refusal, page: &PageOfPanel<'_>) -> Option<String> {
        if refusal.code == Code::TooLarge.name() {
            return None;
        }
        let shown = self.shown.as_ref();
        let is_on_gpu = shown.is_some_and(|shown| shown.backend == Backend::WebGpu);
        let why = page.status.reason.as_ref().filter(|_| is_on_gpu);
        Some(why.map_or(refusal.message, |why| reason(page.language, why)))
    }
}
