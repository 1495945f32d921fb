//! Makes a file; waits for the run it needs, which can be cancelled.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

use super::tensors::TENSOR;
use super::{Back, Inner};
use crate::bindings::{FullTrace, Refusal};
use crate::browser::download::File;
use crate::browser::event_listener::Listener;
use crate::engine::Backend;
use crate::export::tensors as app;
use crate::export::tensors::{Entry, Name};
use crate::i18n::{Key, Language, text};
use crate::import::file_messages;
use crate::present::backend_status::reason;
use crate::state::{State, request_builder, url};
use attention::Code;
use formats::{Kind, Tensor};

/// What is told of the last file.
pub(super) enum Said {
    Nothing,
    Working {
        file: String,
        size: String,
    },
    Saved {
        file: String,
        size: String,
    },
    Stopped,
    /// Without a cause where the browser has no room for the bytes.
    Refused {
        file: String,
        cause: Option<String>,
    },
}

impl Said {
    pub(super) fn text(&self, language: Language) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Working { file, size } => text::data_working(language, file, size),
            Self::Saved { file, size } => text::data_saved(language, file, size),
            Self::Stopped => Key::DataStopped.text(language).to_owned(),
            Self::Refused { file, cause } => {
                let no_room = Key::DataNoRoom.text(language);
                let cause = cause.as_deref().unwrap_or(no_room);
                text::data_refused(language, file, &cause)
            }
        }
    }
}

/// A file that is asked for.
struct PendingDownload {
    file: String,
    kind: Kind,
    entries: Vec<Entry>,
    state: State,
    asked: u32,
}

pub(super) fn listen(inner: &Rc<RefCell<Inner>>, list: &Element) -> Vec<Listener> {
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
    listeners.push(Listener::new(list, "click", move |event| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        let button = target.and_then(|target| target.closest("button").ok().flatten());
        let name = button.and_then(|button| button.get_attribute(TENSOR));
        if let Some(name) = name.as_deref().and_then(Name::from_name) {
            save(&one, Some(name));
        }
    }));
    listeners.push(Listener::new(&parts.all, "click", move |_| {
        save(&all, None)
    }));
    listeners.push(Listener::new(&parts.stop, "click", move |_| {
        act(&stop, |inner| {
            inner.end();
            inner.news = Said::Stopped;
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
            let file = File::of_tensors(window, wanted.kind, &tensors, is_wanted).await;
            act(&back, |inner| inner.finish(&wanted, file));
        }
        drop(pending);
    });
}

/// Whether the reader still waits for this file and no other.
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
        let kind = Self::kind(menu);
        let is_meant = |entry: &&Entry| name.is_none_or(|name| entry.name == name);
        let entries: Vec<Entry> = shown.entries.iter().filter(is_meant).cloned().collect();
        // The press may have come to a line that the newest picture no longer has.
        (!entries.is_empty()).then(|| PendingDownload {
            file: name.map_or_else(|| app::whole_name(kind), |name| app::file_name(name, kind)),
            kind,
            entries,
            state: shown.state.clone(),
            asked: self.asked,
        })
    }

    /// Asks the worker for what it has to compute; nothing where the window has it all.
    fn ask(
        &mut self,
        wanted: &PendingDownload,
    ) -> Option<impl Future<Output = Result<Vec<Vec<f32>>, Refusal>> + use<>> {
        self.is_at_work = true;
        self.news = Said::Working {
            file: wanted.file.clone(),
            size: file_messages::size(app::bytes(wanted.kind, &wanted.entries)),
        };
        let results = wanted.results();
        if results.is_empty() {
            return None;
        }
        let backend = self.shown.as_ref()?.backend;
        let (run, computed) = self.client.trace(&FullTrace {
            fragment: &url::to_fragment(&wanted.state),
            backend,
            names: &results,
        });
        self.run = Some(run);
        Some(computed)
    }

    /// The tensors of a file, unless another was asked for meanwhile.
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
        let made = made.and_then(|numbers| wanted.tensors(numbers).ok_or(None));
        made.map_err(|cause| self.tell(wanted, |file| Said::Refused { file, cause }))
            .ok()
    }

    /// Gives the file to the reader; `None` is one that was not made to its end.
    fn finish(&mut self, wanted: &PendingDownload, made: Option<File>) {
        let Some(made) = made.filter(|_| wanted.asked == self.asked) else {
            return;
        };
        let kind = wanted.kind.media_type();
        let is_saved = self.download.give_file(&wanted.file, kind, &made);
        self.tell(wanted, |file| {
            if is_saved {
                Said::Saved {
                    file,
                    size: file_messages::size(made.size),
                }
            } else {
                Said::Refused { file, cause: None }
            }
        });
    }

    /// What became of a file.
    fn tell(&mut self, wanted: &PendingDownload, news: impl FnOnce(String) -> Said) {
        self.is_at_work = false;
        self.news = news(wanted.file.clone());
    }
}

impl Inner {
    /// Why nothing came; `None` where there is no room for it. What is known of the graphics card is told in the page's
    /// own words.
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

impl PendingDownload {
    /// What only a run knows.
    fn results(&self) -> Vec<Name> {
        if request_builder::finished(&self.state).is_some() {
            return Vec::new();
        }
        let names = self.entries.iter().map(|entry| entry.name);
        names.filter(|name| name.want().is_some()).collect()
    }

    /// The tensors, with the numbers that were computed for them.
    fn tensors(&self, numbers: Vec<Vec<f32>>) -> Option<Vec<Tensor>> {
        if let Some(weights) = request_builder::finished(&self.state) {
            let (data, _) = weights.into_raw_vec_and_offset();
            let entry = self.entries.first()?;
            return Some(vec![app::labelled(&self.state, entry, data)]);
        }
        let request = request_builder::request(&self.state).ok()?;
        let mut numbers = numbers.into_iter();
        let mut tensor = |entry: &Entry| {
            let data = match entry.name.want() {
                Some(_) => numbers.next(),
                None => app::made(&request, entry.name),
            };
            let data = data.filter(|data| data.len() as u64 == entry.elements())?;
            Some(app::labelled(&self.state, entry, data))
        };
        self.entries.iter().map(&mut tensor).collect()
    }
}

/// Does something with the panel, then shows what it changed.
fn act<T>(back: &Back, act: impl FnOnce(&mut Inner) -> T) -> Option<T> {
    let inner: Rc<_> = back.upgrade()?;
    let mut inner = inner.try_borrow_mut().ok()?;
    let done = act(&mut inner);
    inner.update();
    Some(done)
}
