//! The numbers of the large map as a file.

use std::rc::Rc;

use web_sys::{HtmlElement, HtmlSelectElement};

use super::Deed;
use crate::app::files;
use crate::formats::{Kind, Tensor, write};
use crate::ui::dom::{MissingPart, Root, Text};
use crate::ui::download::Download;
use crate::ui::listen::Listener;
use crate::words::{Key, Language, fill, say};

/// The group for numbers.
pub struct Numbers {
    kind: HtmlSelectElement,
    size: Text,
    take: Text,
    said: Text,
    download: Download,
    _listeners: [Listener; 2],
}

impl Numbers {
    /// `act` hears what is done with the group.
    pub fn new(root: &Root, act: &Rc<dyn Fn(Deed)>) -> Result<Self, MissingPart> {
        let kind: HtmlSelectElement = root.find("#numbers-kind")?;
        let button: HtmlElement = root.find("#numbers-take")?;
        let on = |target: &HtmlElement, event, deed| {
            let act = Rc::clone(act);
            Listener::new(target, event, move |_| act(deed))
        };
        Ok(Self {
            _listeners: [
                on(&kind, "change", Deed::Changed),
                on(&button, "click", Deed::TakeNumbers),
            ],
            kind,
            size: Text::find(root, "#numbers-size")?,
            take: Text::new(button),
            said: Text::find(root, "#numbers-said")?,
            download: Download::new(root.element()),
        })
    }

    fn kind(&self) -> Kind {
        let chosen = self.kind.value();
        let kind = Kind::ALL
            .into_iter()
            .find(|kind| kind.extension() == chosen);
        kind.unwrap_or(Kind::Csv)
    }

    /// Shows what can be saved: a matrix of so many rows and columns under this name.
    pub fn show(&mut self, what: &str, (rows, columns): (usize, usize), language: Language) {
        let (rows, columns) = (rows.to_string(), columns.to_string());
        let values = [("what", what), ("rows", &rows), ("columns", &columns)];
        self.size.say(&fill(language, Key::NumbersSize, &values));
        let format = files::kind(self.kind());
        self.take
            .say(&fill(language, Key::SaveAs, &[("format", format)]));
        self.said.say("");
    }

    /// Gives the numbers to the reader as a file; `stem` is its name without an ending.
    pub fn take(&mut self, tensor: Tensor, stem: &str, language: Language) {
        let kind = self.kind();
        let name = format!("{stem}.{}", kind.extension());
        let is_saved = self
            .download
            .give(&name, kind.media_type(), &write(kind, &[tensor]));
        self.said.say(&match is_saved {
            true => fill(language, Key::SaveSaved, &[("name", &name)]),
            false => say(language, Key::SaveFailed).to_owned(),
        });
    }
}
