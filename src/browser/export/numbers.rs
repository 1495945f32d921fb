//! Saves the numbers of the large map as a file.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlElement, HtmlSelectElement};

use super::{ExportAction, set_message, show_saved};
use crate::browser::activity::Activity;
use crate::browser::dom::{MissingPart, Root, Text};
use crate::browser::download::{Download, File};
use crate::browser::event_listener::Listener;
use app::i18n::{Language, text};
use formats::{Kind, Tensor};

/// The group for numbers.
pub(crate) struct Numbers {
    kind: HtmlSelectElement,
    size: Text,
    take: Text,
    status: Rc<ExportStatus>,
    _listeners: [Listener; 2],
}

/// Status shown while a file is being made.
struct ExportStatus {
    said: RefCell<Text>,
    activity: Activity,
    download: Download,
    /// Number of requested files: only the last one is completed.
    asked: Cell<u32>,
}

impl Numbers {
    /// `act` is called with each action of the group.
    pub(crate) fn new(root: &Root, act: &Rc<dyn Fn(ExportAction)>) -> Result<Self, MissingPart> {
        let kind: HtmlSelectElement = root.find("#numbers-kind")?;
        let button: HtmlElement = root.find("#numbers-take")?;
        let on = |target: &HtmlElement, event, action| {
            let act = Rc::clone(act);
            Listener::new(target, event, move |_| act(action))
        };
        Ok(Self {
            _listeners: [
                on(&kind, "change", ExportAction::Changed),
                on(&button, "click", ExportAction::TakeNumbers),
            ],
            kind,
            size: Text::find(root, "#numbers-size")?,
            take: Text::new(button),
            status: Rc::new(ExportStatus {
                said: RefCell::new(Text::find(root, "#numbers-said")?),
                activity: root.activity().clone(),
                download: Download::new(root.element()),
                asked: Cell::new(0),
            }),
        })
    }

    fn kind(&self) -> Kind {
        Kind::from_extension(&self.kind.value()).unwrap_or(Kind::Csv)
    }

    /// Shows what can be saved: a matrix of so many rows and columns under this name.
    pub(crate) fn update(
        &mut self,
        what: &str,
        (rows, columns): (usize, usize),
        language: Language,
    ) {
        self.size
            .set_text(&text::numbers_size(language, &what, &rows, &columns));
        let format = self.kind().name();
        self.take.set_text(&text::save_as(language, &format));
        set_message(&self.status.said, "");
    }

    /// Saves the numbers as a file; `stem` is its name without an ending.
    pub(crate) fn download_tensor(&self, tensor: Tensor, stem: &str, language: Language) {
        let (kind, window) = (self.kind(), self.status.download.window());
        let name = format!("{stem}.{}", kind.extension());
        let asked = self.status.asked.get().wrapping_add(1);
        self.status.asked.set(asked);
        let (status, pending) = (Rc::downgrade(&self.status), self.status.activity.begin());
        spawn_local(async move {
            let is_wanted = || {
                let status = status.upgrade();
                status.is_some_and(|status| status.asked.get() == asked)
            };
            let file = File::of_tensors(window, kind, &[tensor], is_wanted).await;
            let Some((status, file)) = status.upgrade().zip(file) else {
                return;
            };
            let is_saved = status.download.give_file(&name, kind.media_type(), &file);
            show_saved(&status.said, is_saved, &name, language);
            drop(pending);
        });
    }
}
