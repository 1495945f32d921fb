//! Makes a file; waits for the run it needs, which can be cancelled.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::{Back, Inner};
use crate::bindings::{FullTrace, Refusal};
use crate::browser::download::File;
use crate::browser::event_listener::Listener;
use app::export::tensors::{FileStatus, Name, TensorFile};
use app::i18n::number;
use app::present::backend_status::reason;
use attention::Code;
use engine::Backend;
use formats::Tensor;

/// A requested file, valid until another is requested.
struct PendingDownload {
    file: TensorFile,
    asked: u32,
}

pub(super) fn listen(inner: &Rc<RefCell<Inner>>) -> Vec<Listener> {
    let Ok(parts) = inner.try_borrow() else {
        return Vec::new();
    };
    let [one, all, stop] = [(); 3].map(|()| Rc::downgrade(inner));
    let kinds = [&parts.one_kind, &parts.all_kind].map(|menu| {
        let back = Rc::downgrade(inner);
        Listener::new(menu, "change", move |_| {
            act(&back, |_| ());
        })
    });
    let mut listeners = Vec::from(kinds);
    listeners.push(
        parts
            .tensors
            .on("click", "data-tensor", move |name: String| {
                if let Some(name) = Name::from_name(&name) {
                    save(&one, Some(name));
                }
            }),
    );
    listeners.push(Listener::new(&parts.all, "click", move |_| {
        save(&all, None)
    }));
    listeners.push(Listener::new(&parts.stop, "click", move |_| {
        act(&stop, |inner| {
            inner.end();
            inner.news = Some(FileStatus::Stopped);
        });
    }));
    listeners
}

/// Begins a file of one tensor, or of all.
fn save(back: &Back, name: Option<Name>) {
    let begun = act(back, |inner| {
        let wanted = inner.wanted(name)?;
        let computed = inner.ask(&wanted);
        Some((wanted, computed, inner.activity.begin()))
    });
    let Some((wanted, computed, pending)) = begun.flatten() else {
        return;
    };
    let back = back.clone();
    spawn_local(async move {
        let numbers = match computed {
            Some(computed) => computed.await,
            None => Ok(Vec::new()),
        };
        let tensors = act(&back, |inner| {
            let tensors = inner.tensors(&wanted, numbers)?;
            Some((tensors, inner.download.window()))
        });
        if let Some((tensors, window)) = tensors.flatten() {
            let is_wanted = || is_wanted(&back, &wanted);
            let file = File::of_tensors(window, wanted.file.kind, &tensors, is_wanted).await;
            act(&back, |inner| inner.finish(&wanted, file));
        }
        drop(pending);
    });
}

/// Whether this file is still the last one requested.
fn is_wanted(back: &Back, wanted: &PendingDownload) -> bool {
    let inner = back.upgrade();
    let asked = inner.and_then(|inner| Some(inner.try_borrow().ok()?.asked));
    asked == Some(wanted.asked)
}

impl Inner {
    fn wanted(&mut self, name: Option<Name>) -> Option<PendingDownload> {
        self.end();
        let shown = self.shown.as_ref()?;
        let menu = if name.is_some() {
            &self.one_kind
        } else {
            &self.all_kind
        };
        // The press may have come to a line that the newest picture no longer has.
        let file = TensorFile::new(&shown.state, &shown.entries, name, Self::kind(menu))?;
        let asked = self.asked;
        Some(PendingDownload { file, asked })
    }

    /// Requests the results that the worker has to compute; nothing if the window has all
    /// tensors.
    fn ask(
        &mut self,
        wanted: &PendingDownload,
    ) -> Option<impl Future<Output = Result<Vec<Vec<f32>>, Refusal>> + use<>> {
        self.is_at_work = true;
        self.news = Some(FileStatus::Working {
            file: wanted.file.name.clone(),
            size: wanted.file.size(),
        });
        let results = wanted.file.results();
        if results.is_empty() {
            return None;
        }
        let backend = self.shown.as_ref()?.backend;
        let (run, computed) = self.client.trace(&FullTrace {
            state: &wanted.file.state,
            backend,
            names: &results,
        });
        self.run = Some(run);
        Some(computed)
    }

    /// Tensors of a file; `None` if another was requested meanwhile.
    fn tensors(
        &mut self,
        wanted: &PendingDownload,
        numbers: Result<Vec<Vec<f32>>, Refusal>,
    ) -> Option<Vec<Tensor>> {
        if wanted.asked != self.asked {
            return None;
        }
        self.run = None;
        let made = numbers.map_err(|refusal| self.cause(refusal));
        let made = made.and_then(|numbers| wanted.file.tensors(numbers).ok_or(None));
        made.map_err(|cause| self.set_status(wanted, |file| FileStatus::Refused { file, cause }))
            .ok()
    }

    /// Saves the file; `None` for one that was not completed.
    fn finish(&mut self, wanted: &PendingDownload, made: Option<File>) {
        let Some(made) = made.filter(|_| wanted.asked == self.asked) else {
            return;
        };
        let (name, kind) = (&wanted.file.name, wanted.file.kind.media_type());
        let is_saved = self.download.give_file(name, kind, &made);
        self.set_status(wanted, |file| {
            if is_saved {
                FileStatus::Saved {
                    file,
                    size: number::bytes(made.size),
                }
            } else {
                FileStatus::Refused { file, cause: None }
            }
        });
    }

    /// Shows the result of saving a file.
    fn set_status(&mut self, wanted: &PendingDownload, news: impl FnOnce(String) -> FileStatus) {
        self.is_at_work = false;
        self.news = Some(news(wanted.file.name.clone()));
    }

    /// Explains why no result arrived; `None` if it is too large. Errors of the graphics card are
    /// explained in the page's own words.
    fn cause(&self, refusal: Refusal) -> Option<String> {
        if refusal.code == Code::TooLarge.name() {
            return None;
        }
        let why = self.client.status().reason;
        let shown = self.shown.as_ref();
        let shown = shown.filter(|shown| shown.backend == Backend::WebGpu);
        let known = shown.zip(why);
        Some(known.map_or(refusal.message, |(shown, why)| reason(shown.language, &why)))
    }
}

/// Runs `act` on the panel, then updates it.
fn act<T>(back: &Back, act: impl FnOnce(&mut Inner) -> T) -> Option<T> {
    let inner: Rc<_> = back.upgrade()?;
    let mut inner = inner.try_borrow_mut().ok()?;
    let done = act(&mut inner);
    inner.update();
    Some(done)
}
