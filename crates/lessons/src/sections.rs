//! Lines of a file, cut at its headings.

/// A line of a file with its number, counted from 1.
pub(crate) type Line<'a> = (usize, &'a str);

/// A heading of the second level with the lines below it.
pub(crate) struct Section<'a> {
    /// The heading's line, counted from 1.
    pub(crate) line: usize,
    /// Without its signs.
    pub(crate) heading: &'a str,
    pub(crate) lines: Vec<Line<'a>>,
}

impl<'a> Section<'a> {
    /// `name: value` lines at the beginning, and the rest.
    pub(crate) fn settings(&self) -> (Vec<Setting<'a>>, &[Line<'a>]) {
        let settings: Vec<_> = self
            .lines
            .iter()
            .map_while(|(line, text)| Setting::read(*line, text))
            .collect();
        let rest = &self.lines[settings.len()..];
        (settings, rest)
    }
}

/// A line `name: value`.
pub(crate) struct Setting<'a> {
    pub(crate) line: usize,
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

impl<'a> Setting<'a> {
    pub(crate) fn read(line: usize, text: &'a str) -> Option<Self> {
        let (name, value) = setting(text)?;
        Some(Self { line, name, value })
    }
}

/// Name and value of a line `name: value`; `None` for any other line.
pub fn setting(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
    is_name.then(|| (name, value.trim()))
}

/// The sections of numbered lines; what stands before the first heading is passed over.
pub(crate) fn sections<'a>(lines: &[Line<'a>], sign: &str) -> Vec<Section<'a>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (line, text) in lines {
        if let Some(heading) = text.strip_prefix(sign) {
            sections.push(Section {
                line: *line,
                heading: heading.trim(),
                lines: Vec::new(),
            });
        } else if let Some(section) = sections.last_mut() {
            section.lines.push((*line, text));
        }
    }
    sections
}

/// Lines as one text.
pub(crate) fn joined(lines: &[Line<'_>]) -> String {
    let lines: Vec<_> = lines.iter().map(|(_, text)| *text).collect();
    lines.join("\n").trim().to_owned()
}
