//! Header between the first two lines of `---`.

use crate::error::{ParseError, ParseErrorKind};
use crate::sections::{Line, Setting};

/// The head of a file.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) title: String,
    pub(crate) minutes: u32,
    pub(crate) after: Vec<String>,
    pub(crate) opens: String,
    pub(crate) shows: Vec<String>,
    pub(crate) locks: Vec<String>,
}

const FENCE: &str = "---";

impl Head {
    /// The head, and the lines below it.
    pub(crate) fn read<'a, 'b>(
        lines: &'b [Line<'a>],
    ) -> Result<(Self, &'b [Line<'a>]), ParseError> {
        let no_head = || ParseErrorKind::missing(FENCE).at(1);
        let inner = match lines.split_first() {
            Some(((_, FENCE), inner)) => inner,
            _ => return Err(no_head()),
        };
        let end = inner.iter().position(|(_, text)| *text == FENCE);
        let end = end.ok_or_else(no_head)?;
        let mut head = Self::default();
        for (line, text) in inner[..end].iter().filter(|(_, text)| !text.is_empty()) {
            let setting = Setting::read(*line, text);
            let setting =
                setting.ok_or_else(|| ParseErrorKind::missing("name: value").at(*line))?;
            head.take(&setting)?;
        }
        let last = inner[end].0;
        for (name, is_missing) in [
            ("title", head.title.is_empty()),
            ("minutes", head.minutes == 0),
            ("opens", head.opens.is_empty()),
        ] {
            if is_missing {
                return Err(ParseErrorKind::missing(name).at(last));
            }
        }
        Ok((head, &inner[end + 1..]))
    }

    fn take(&mut self, setting: &Setting<'_>) -> Result<(), ParseError> {
        let Setting { line, name, value } = *setting;
        let names = || {
            let names = value.split(',').map(str::trim);
            names.filter(|name| !name.is_empty()).map(str::to_owned)
        };
        match name {
            "title" => self.title = value.to_owned(),
            "minutes" => {
                let minutes = value.parse();
                self.minutes =
                    minutes.map_err(|_| ParseErrorKind::NotANumber(value.to_owned()).at(line))?;
            }
            "after" => self.after = names().collect(),
            "opens" => self.opens = value.to_owned(),
            "shows" => self.shows = names().collect(),
            "locks" => self.locks = names().collect(),
            _ => return Err(ParseErrorKind::Unknown(name.to_owned()).at(line)),
        }
        Ok(())
    }
}
