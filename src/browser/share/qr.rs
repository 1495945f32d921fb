//! The QR code, beside the link and full screen.

use web_sys::{Element, HtmlDialogElement};

use crate::browser::dom::{self, Attribute, MissingPart, Root, Text};
use app::i18n::{Language, text};
use app::share::{Qr, TooLong};

/// The code in both sizes, or a sentence on why there is none.
pub(super) struct Code {
    drawings: [Drawing; 2],
    part: Element,
    large: HtmlDialogElement,
    link: Text,
    instead: Text,
}

struct Drawing {
    view: Attribute,
    path: Attribute,
}

impl Drawing {
    fn new(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        let drawing: Element = root.find(selector)?;
        let path: Element = root.find(&format!("{selector} path"))?;
        Ok(Self {
            view: Attribute::new(drawing, "viewBox"),
            path: Attribute::new(path, "d"),
        })
    }
}

impl Code {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            drawings: [
                Drawing::new(root, "#share-code")?,
                Drawing::new(root, "#share-large-code")?,
            ],
            part: root.find("#share-enlarge")?,
            large: root.find("#share-large")?,
            link: Text::find(root, "#share-large-link")?,
            instead: Text::find(root, "#share-qr-instead")?,
        })
    }

    /// Draws the code of `link`.
    pub(super) fn update(&mut self, link: &str, language: Language) {
        let code = Qr::encode(link);
        dom::set_flag(&self.part, "hidden", code.is_err());
        match code {
            Ok(code) => {
                for drawing in &mut self.drawings {
                    let side = code.side;
                    drawing.view.set(&format!("0 0 {side} {side}"));
                    drawing.path.set(&code.path);
                }
                self.instead.set_text("");
            }
            Err(TooLong { bytes, most }) => {
                self.instead
                    .set_text(&text::share_qr_long(language, &bytes, &most));
            }
        }
        self.link.set_text(link);
    }

    pub(super) fn is_large(&self) -> bool {
        self.large.open()
    }

    pub(super) fn enlarge(&self) {
        // Refused only where it is open already, or not in a document.
        let _ = self.large.show_modal();
    }

    pub(super) fn shrink(&self) {
        self.large.close();
    }
}
