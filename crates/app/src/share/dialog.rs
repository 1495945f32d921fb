//! State of the Share dialog: what was chosen in it, the texts for that, and the frame of its preview.

use super::written::FRAME_HEIGHT;
use super::{
    Extent, Form, GROUPS, OneFile, Qr, ShareOptions, ThemeChoice, TooLong, Written, read_origins,
};
use crate::i18n::{Key, Language};
use crate::state::{Panel, Part, Parts, State};

/// Widths of the preview, in CSS pixels.
pub const WIDTHS: [u16; 3] = [320, 640, 960];

/// Heights that a page in a frame may ask for, in CSS pixels.
const HEIGHTS: std::ops::RangeInclusive<f64> = 80.0..=4000.0;

/// Height of a preview before its page has reported its own.
const HEIGHT: u32 = 480;

/// The dialog.
#[derive(Clone, Debug)]
pub struct ShareDialog {
    pub is_open: bool,
    /// The QR code is shown as large as the screen.
    pub is_large: bool,
    /// Chosen options; its parts to lock do not count while all are locked.
    pub options: ShareOptions,
    pub locks_all: bool,
    /// Sites as they were typed, and the rule that they break.
    pub sites: String,
    pub problem: Option<Key>,
    is_previewed: bool,
    /// Width of the preview.
    pub width: u16,
    /// The first width was chosen by the room there is.
    is_fitted: bool,
    pub frame: Option<Frame>,
    frames: u32,
    pub said: Option<Key>,
    pub written: Written,
    /// QR code of the link.
    pub code: Result<Qr, TooLong>,
}

/// The frame of the preview, with the page that is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Number of the frame; another one has a page of its own.
    pub number: u32,
    /// The address to show.
    pub link: String,
    pub width: u16,
    /// Height that its page has reported.
    measured: Option<u32>,
    /// What is copied is a frame, whose height does not follow its page.
    is_fixed: bool,
}

/// A request of the dialog to the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareRequest {
    /// Copies the text.
    Copy,
    /// Selects the text, for the user to copy.
    Select,
    /// Saves the page as a file.
    Save,
    /// Opens the editor of lessons.
    Write,
}

impl Frame {
    /// Its height on the page.
    pub fn height(&self) -> u32 {
        if self.is_fixed {
            FRAME_HEIGHT
        } else {
            self.measured.unwrap_or(HEIGHT)
        }
    }

    /// Whether its page has reported its height.
    pub fn is_measured(&self) -> bool {
        self.measured.is_some()
    }
}

impl ShareDialog {
    /// The dialog before it is first opened.
    pub fn new(state: &State) -> Self {
        Self {
            is_open: false,
            is_large: false,
            options: ShareOptions::from_state(state),
            locks_all: false,
            sites: String::new(),
            problem: None,
            is_previewed: false,
            width: WIDTHS[1],
            is_fitted: false,
            frame: None,
            frames: 0,
            said: None,
            written: Written::default(),
            code: Qr::encode(""),
        }
    }

    /// Opens it on how the page is shown now. Form and panel stay as they were chosen.
    pub fn open(&mut self, state: &State) {
        let begun = ShareOptions::from_state(state);
        let listed = |part: &Part| GROUPS.iter().any(|(_, parts)| parts.contains(part));
        let listed = |parts: Parts| parts.iter().filter(listed).collect();
        self.locks_all = begun.lock.contains(Part::All);
        self.sites = begun.origins.to_param();
        self.options = ShareOptions {
            form: self.options.form,
            panel: self.options.panel,
            parts: listed(begun.parts),
            lock: listed(begun.lock),
            ..begun
        };
        (self.problem, self.said) = (None, None);
        self.is_open = true;
    }

    /// It was closed, by whatever means; `is_large`: the large QR code above it was.
    pub fn close(&mut self, is_large: bool) {
        self.is_large = false;
        if !is_large {
            self.is_open = false;
        }
    }

    /// A button was pressed.
    pub fn press(&mut self, name: &str) -> Option<ShareRequest> {
        match name {
            "close" => self.close(false),
            "enlarge" => self.is_large = true,
            "shrink" => self.is_large = false,
            "copy" => return Some(ShareRequest::Copy),
            "save" => return Some(ShareRequest::Save),
            "write" => {
                self.close(false);
                return Some(ShareRequest::Write);
            }
            _ => {}
        }
        None
    }

    /// A field of a name was changed; that of a part has the part after its name.
    pub fn enter(&mut self, field: &str, value: &str) {
        let (field, part) = field.split_once(' ').unwrap_or((field, ""));
        let (part, is_on) = (Part::from_name(part), value == "true");
        let options = &mut self.options;
        match field {
            "form" => self.choose_form(value),
            "extent" => options.extent = Extent::from_name(value).unwrap_or(options.extent),
            "panel" => options.panel = Panel::from_name(value).unwrap_or(options.panel),
            "shown" => part
                .iter()
                .for_each(|part| options.parts = options.parts.with(*part, is_on)),
            "locked" => part
                .iter()
                .for_each(|part| options.lock = options.lock.with(*part, is_on)),
            "lock-all" => self.locks_all = is_on,
            "language" => options.language = Language::from_tag(value),
            "theme" => options.theme = ThemeChoice::from_name(value).unwrap_or(options.theme),
            "origins" => {
                let read = read_origins(value);
                self.problem = read.as_ref().err().copied();
                options.origins = read.unwrap_or_default();
                value.clone_into(&mut self.sites);
            }
            "width" => {
                let mut widths = WIDTHS.into_iter();
                let chosen = widths.find(|width| width.to_string() == value);
                self.width = chosen.unwrap_or(self.width);
            }
            "preview" => self.is_previewed = is_on,
            _ => return,
        }
        self.said = None;
    }

    /// Where an embed begins or ends, the extent becomes one that suits it.
    fn choose_form(&mut self, name: &str) {
        let Some(form) = Form::from_name(name) else {
            return;
        };
        if form.is_inside() != self.options.form.is_inside() {
            self.options.extent = self.options.extent.suited(form.is_inside());
        }
        self.options.form = form;
    }

    /// The text was copied, or could not be.
    pub fn copied(&mut self, is_copied: bool) -> Option<ShareRequest> {
        self.said = Some(if is_copied {
            Key::ShareCopied
        } else {
            Key::ShareByHand
        });
        (!is_copied).then_some(ShareRequest::Select)
    }

    /// The file was saved, or could not be loaded.
    pub fn saved(&mut self, is_saved: bool) {
        self.said = Some(if is_saved {
            Key::ShareSaved
        } else {
            Key::ShareNotSaved
        });
    }

    /// What is written into the file for `state` at `address`.
    pub fn one_file(&self, state: &State, address: &str, language: Language) -> OneFile {
        OneFile::new(&self.wished(), state, address, language)
    }

    /// A preview that is opened has so many CSS pixels across: the first one begins with a width for which there is room.
    pub fn fit(&mut self, room: f64) {
        if !std::mem::replace(&mut self.is_fitted, true) {
            self.width = first_width(self.width, room);
        }
    }

    /// The page in the frame has reported its height.
    pub fn measure(&mut self, height: f64) {
        if let Some(frame) = &mut self.frame {
            let height = height.ceil().clamp(*HEIGHTS.start(), *HEIGHTS.end()) as u32;
            frame.measured = Some(height);
        }
    }

    /// Writes texts, code and frame of what is chosen for `state` at `address`.
    pub fn follow(&mut self, state: &State, address: &str, language: Language) {
        if !self.is_open {
            self.frame = None;
            return;
        }
        self.written = self.wished().written(state, address, language);
        self.code = Qr::encode(&self.written.code);
        self.follow_frame();
    }

    /// The options, with all parts locked where that is chosen.
    fn wished(&self) -> ShareOptions {
        let mut options = self.options.clone();
        if self.locks_all {
            options.lock = Parts::EMPTY.with(Part::All, true);
        }
        options
    }

    fn follow_frame(&mut self) {
        if !self.is_previewed {
            self.frame = None;
            return;
        }
        let (number, measured) = match self.frame.take() {
            Some(frame) => (frame.number, frame.measured),
            None => {
                self.frames += 1;
                (self.frames, None)
            }
        };
        self.frame = Some(Frame {
            number,
            link: self.written.link.clone(),
            width: self.width,
            measured,
            is_fixed: self.options.form == Form::Frame,
        });
    }
}

/// The width that a preview begins with: the chosen one where there is room for it, or else the last that there is room for, or else the first.
fn first_width(chosen: u16, room: f64) -> u16 {
    let fits = |width: &u16| f64::from(*width) <= room;
    let widest = || WIDTHS.into_iter().rfind(fits);
    Some(chosen)
        .filter(fits)
        .or_else(widest)
        .unwrap_or(WIDTHS[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_begins_as_wide_as_there_is_room() {
        for (chosen, room, width) in [
            (320, 800.0, 320),
            (640, 640.0, 640),
            (960, 800.0, 640),
            (640, 200.0, 320),
        ] {
            assert_eq!(first_width(chosen, room), width, "{chosen} of {room}");
        }
    }
}
