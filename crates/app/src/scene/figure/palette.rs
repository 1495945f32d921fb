//! Colours and fonts of figures, written out; a light set for paper and a dark one.

use crate::scene::colour::Background;
use crate::scene::role::{Role, Tone};
use crate::scene::shape::Colour;

/// The faces of the system, those for Chinese among them, as in `style/tokens.css`.
pub const SANS: &str = "\"Segoe UI\", -apple-system, BlinkMacSystemFont, Roboto, \"Noto Sans\", Cantarell, \"PingFang SC\", \"Hiragino Sans GB\", \"Microsoft YaHei\", \"Noto Sans CJK SC\", system-ui, sans-serif";

/// The same with serifs.
pub const SERIF: &str = "\"Iowan Old Style\", \"Palatino Linotype\", Palatino, \"Noto Serif\", \"Source Serif 4\", \"Songti SC\", \"STSong\", \"SimSun\", \"Noto Serif CJK SC\", Georgia, serif";

/// The colours of everything that is no data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inks {
    /// The ground.
    pub paper: Colour,
    /// Words and rings.
    pub ink: Colour,
    /// Labels.
    pub soft: Colour,
    /// Notes.
    pub faint: Colour,
    /// Frames and grids.
    pub rule: Colour,
    /// Ticks and bars.
    pub edge: Colour,
    /// Queries.
    pub query: Colour,
    /// Keys.
    pub key: Colour,
    /// Rows where nothing is visible.
    pub warn: Colour,
}

impl Inks {
    /// The colours on a ground. The light one is white, as paper is.
    pub const fn on(ground: Background) -> Self {
        match ground {
            Background::Light => Self {
                paper: [0xff, 0xff, 0xff],
                ink: [0x1c, 0x1b, 0x18],
                soft: [0x4f, 0x4c, 0x45],
                faint: [0x6c, 0x68, 0x5f],
                rule: [0xde, 0xda, 0xd0],
                edge: [0x8a, 0x86, 0x7b],
                query: [0xad, 0x3f, 0x09],
                key: [0x0b, 0x5c, 0x9c],
                warn: [0xa3, 0x17, 0x48],
            },
            Background::Dark => Self {
                paper: [0x14, 0x16, 0x1c],
                ink: [0xed, 0xeb, 0xe6],
                soft: [0xbb, 0xb8, 0xb0],
                faint: [0x98, 0x95, 0x8d],
                rule: [0x35, 0x38, 0x42],
                edge: [0x7d, 0x80, 0x8a],
                query: [0xff, 0xa0, 0x6b],
                key: [0x7b, 0xbd, 0xf4],
                warn: [0xff, 0x92, 0xb4],
            },
        }
    }

    /// The colour of a tone.
    pub const fn tone(&self, tone: Tone) -> Colour {
        match tone {
            Tone::Ink => self.ink,
            Tone::Soft => self.soft,
            Tone::Faint => self.faint,
            Tone::Rule => self.rule,
            Tone::Edge => self.edge,
            Tone::Query => self.query,
            Tone::Key => self.key,
            Tone::Paper => self.paper,
            Tone::Warn => self.warn,
            Tone::Black => [0, 0, 0],
            Tone::White => [0xff, 0xff, 0xff],
        }
    }

    /// Fill colour of a role. The frame of a map is darker than on the page, since a figure has no
    /// other edges.
    pub fn fill(&self, role: Role) -> Option<Colour> {
        match role {
            Role::Frame => Some(self.edge),
            _ => role.fill().map(|tone| self.tone(tone)),
        }
    }
}
