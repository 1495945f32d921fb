//! The table of settings: one truth for links, sliders and checks.

use super::{
    Hiding, Library, MaskPart, Origin, Panel, Part, PositionKind, ScoringKind, SettingError, State,
    StepKind, Theme, Value,
};
use crate::engine::BackendChoice;
use crate::i18n::Language;
use crate::state::ColourMap;
use crate::state::ColourScale;
use attention::text::MAX_TOKENS;
use attention::text::teaching::ROLES;

/// The most characters one side may have.
pub const LONGEST_TEXT: usize = 20_000;

/// The name of a choice left to browser or system.
pub(crate) const AUTO: &str = "auto";

/// The name of a theme left to the host of an embed.
pub(crate) const HOST: &str = "host";

/// One setting of [`State`], named as there ([`Data`](Self::Data) is what was brought). The order is that of links: what a setting depends on stands before it,
/// but for what was brought, which is taken first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is a field of State and documented there")]
pub enum Field {
    Text,
    Second,
    Origin,
    Seed,
    DModel,
    DK,
    Heads,
    KvHeads,
    Masks,
    Valid,
    Window,
    Stride,
    First,
    Paint,
    Hiding,
    Scoring,
    Scaled,
    Positions,
    Linformer,
    Projected,
    Temperature,
    Head,
    Cell,
    Step,
    Panels,
    Against,
    Library,
    Colours,
    Scale,
    Language,
    Theme,
    Backend,
    Embed,
    Show,
    Lock,
    Origins,
    Data,
    Kept,
}

/// What a setting may be, whatever the rest of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Value::Text`] of at most [`LONGEST_TEXT`] characters.
    Text,
    /// The same, or [`Value::Absent`].
    OptionalText,
    /// [`Value::Number`] from `min` to `max`.
    Number {
        /// The smallest.
        min: u32,
        /// The largest.
        max: u32,
        /// Where a slider stops; empty for every whole number.
        stops: &'static [u32],
    },
    /// [`Value::Hundredths`] from `min` to `max`.
    Centi {
        /// The smallest.
        min: u32,
        /// The largest.
        max: u32,
        /// Where a slider stops.
        stops: &'static [u32],
    },
    /// [`Value::Choice`] of one of these names.
    Choice(&'static [&'static str]),
    /// [`Value::Names`] with any of these names.
    Names(&'static [&'static str]),
    /// The same, or [`Value::Absent`].
    OptionalNames(&'static [&'static str]),
    /// [`Value::Switch`].
    Switch,
    /// [`Value::Cell`] or [`Value::Absent`].
    Cell,
    /// [`Value::Painting`].
    Painting,
    /// [`Value::Against`].
    Against,
    /// [`Value::Origins`].
    Origins,
    /// [`Value::Data`] or [`Value::Absent`].
    Data,
    /// [`Value::Kept`].
    Kept,
}

/// The names of an enumeration as a static list.
macro_rules! names {
    ($of:ty) => {{
        const NAMES: [&str; <$of>::ALL.len()] = {
            let mut names = [""; <$of>::ALL.len()];
            let mut i = 0;
            while i < names.len() {
                names[i] = <$of>::ALL[i].name();
                i += 1;
            }
            names
        };
        &NAMES
    }};
}

const LANGUAGES: [&str; 3] = [AUTO, Language::En.code(), Language::Zh.code()];
const THEMES: [&str; 4] = [AUTO, Theme::Light.name(), Theme::Dark.name(), HOST];
const PARTS: &[&str] = names!(Part);

const fn number(min: u32, max: u32) -> Kind {
    Kind::Number {
        min,
        max,
        stops: &[],
    }
}

impl Field {
    /// Every field, in the order of links.
    pub const ALL: [Self; 38] = [
        Self::Text,
        Self::Second,
        Self::Origin,
        Self::Seed,
        Self::DModel,
        Self::DK,
        Self::Heads,
        Self::KvHeads,
        Self::Masks,
        Self::Valid,
        Self::Window,
        Self::Stride,
        Self::First,
        Self::Paint,
        Self::Hiding,
        Self::Scoring,
        Self::Scaled,
        Self::Positions,
        Self::Linformer,
        Self::Projected,
        Self::Temperature,
        Self::Head,
        Self::Step,
        Self::Cell,
        Self::Panels,
        Self::Against,
        Self::Library,
        Self::Colours,
        Self::Scale,
        Self::Language,
        Self::Theme,
        Self::Backend,
        Self::Embed,
        Self::Show,
        Self::Lock,
        Self::Origins,
        Self::Data,
        Self::Kept,
    ];

    /// The name in links.
    pub const fn key(self) -> &'static str {
        self.row().0
    }

    /// What it may be, whatever the rest of the state; see [`State::limits`] for the rest.
    pub const fn kind(self) -> Kind {
        self.row().1
    }

    /// Whether it changes only what is shown of the numbers. Which numbers are wanted may change with it: see
    /// [`super::request_builder::computes_alike`].
    pub const fn is_shown_only(self) -> bool {
        matches!(
            self,
            Self::Head
                | Self::Cell
                | Self::Step
                | Self::Panels
                | Self::Against
                | Self::Library
                | Self::Colours
                | Self::Scale
                | Self::Language
                | Self::Theme
                | Self::Embed
                | Self::Show
                | Self::Lock
                | Self::Origins
                | Self::Kept
        )
    }

    /// The field with this name in links.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.key() == key)
    }

    /// The field's own copy of one of its names; `None` for a name that it has not.
    pub fn name_of(self, name: &str) -> Option<&'static str> {
        let (Kind::Choice(names) | Kind::Names(names) | Kind::OptionalNames(names)) = self.kind()
        else {
            return None;
        };
        names.iter().copied().find(|own| *own == name)
    }

    /// The table.
    const fn row(self) -> (&'static str, Kind) {
        match self {
            Self::Text => ("text", Kind::Text),
            Self::Second => ("source", Kind::OptionalText),
            Self::Origin => ("weights", Kind::Choice(names!(Origin))),
            Self::Seed => ("seed", number(0, u32::MAX)),
            Self::DModel => (
                "d_model",
                Kind::Number {
                    min: 4,
                    max: 512,
                    stops: &[4, 8, 16, 32, 64, 128, 256, 512],
                },
            ),
            Self::DK => (
                "d_k",
                Kind::Number {
                    min: 1,
                    max: 128,
                    stops: &[1, 2, 4, 8, 16, 32, 64, 128],
                },
            ),
            Self::Heads => ("heads", number(1, 16)),
            Self::KvHeads => ("kv_heads", number(1, 16)),
            Self::Masks => ("mask", Kind::Names(names!(MaskPart))),
            Self::Valid => ("valid", number(0, MAX_TOKENS as u32)),
            Self::Window => ("window", number(0, 64)),
            Self::Stride => ("stride", number(1, 64)),
            Self::First => ("first", number(1, 64)),
            Self::Paint => ("paint", Kind::Painting),
            Self::Hiding => ("hiding", Kind::Choice(names!(Hiding))),
            Self::Scoring => ("scoring", Kind::Choice(names!(ScoringKind))),
            Self::Scaled => ("scaled", Kind::Switch),
            Self::Positions => ("positions", Kind::Choice(names!(PositionKind))),
            Self::Linformer => ("linformer", Kind::Switch),
            Self::Projected => ("projected", number(1, 256)),
            Self::Temperature => (
                "temperature",
                Kind::Centi {
                    min: 5,
                    max: 1000,
                    stops: &[5, 10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000],
                },
            ),
            Self::Head => ("head", number(1, 16)),
            Self::Cell => ("cell", Kind::Cell),
            Self::Step => ("step", Kind::Choice(names!(StepKind))),
            Self::Panels => ("open", Kind::Names(names!(Panel))),
            Self::Against => ("against", Kind::Against),
            Self::Library => ("code", Kind::Choice(names!(Library))),
            Self::Colours => ("colours", Kind::Choice(names!(ColourMap))),
            Self::Scale => ("scale", Kind::Choice(names!(ColourScale))),
            Self::Language => ("lang", Kind::Choice(&LANGUAGES)),
            Self::Theme => ("theme", Kind::Choice(&THEMES)),
            Self::Backend => ("backend", Kind::Choice(names!(BackendChoice))),
            Self::Embed => ("embed", Kind::Switch),
            Self::Show => ("show", Kind::OptionalNames(PARTS)),
            Self::Lock => ("lock", Kind::Names(PARTS.split_at(Part::LOCKABLE).0)),
            Self::Origins => ("origins", Kind::Origins),
            Self::Data => ("data", Kind::Data),
            Self::Kept => ("before", Kind::Kept),
        }
    }
}

impl State {
    /// The smallest and the largest number that `field` can have beside the other settings, in hundredths where it has
    /// them, or `None` for a field that is not a number. Key/value heads must divide the heads besides.
    pub fn limits(&self, field: Field) -> Option<(u32, u32)> {
        let (Kind::Number { min, max, .. } | Kind::Centi { min, max, .. }) = field.kind() else {
            return None;
        };
        if let Some(given) = self.given(field).and_then(|given| given.amount()) {
            return Some((given, given));
        }
        let max = match (field, self.origin) {
            (Field::Heads, Origin::Teaching) => max.min(ROLES.len() as u32),
            (Field::KvHeads | Field::Head, _) => self.heads as u32,
            _ => max,
        };
        Some((min, max))
    }

    /// Where a slider for `field` stops beside the other settings; nothing for a field that is not a number, and for
    /// one with more than 1,025 places, such as the seed.
    pub fn stops(&self, field: Field) -> Vec<u32> {
        let (Kind::Number { stops, .. } | Kind::Centi { stops, .. }) = field.kind() else {
            return vec![];
        };
        let Some((min, max)) = self.limits(field) else {
            return vec![];
        };
        match (field, stops) {
            _ if min == max => vec![max],
            (Field::KvHeads, _) => (1..=max)
                .filter(|kv_heads| max.is_multiple_of(*kv_heads))
                .collect(),
            (_, []) if max - min <= MAX_TOKENS as u32 => (min..=max).collect(),
            _ => stops.to_vec(),
        }
    }

    /// What `field` is where nothing else is said, given the fields before it in [`Field::ALL`].
    ///
    /// Key/value heads are as many as heads; no cell is chosen in a text that is not the opening one.
    pub fn default_of(&self, field: Field) -> Value {
        let default = Self::default();
        let brought = self.imported.as_ref();
        if let Some(value) = brought.and_then(|brought| brought.default_of(field)) {
            return value;
        }
        match field {
            Field::KvHeads => Value::Number(self.heads as u32),
            Field::Cell if (&self.text, &self.second) != (&default.text, &default.second) => {
                Value::Absent
            }
            _ => default.get(field),
        }
    }

    /// What brought numbers decide of `field`; `None` where it can be set.
    pub fn given(&self, field: Field) -> Option<Value> {
        self.imported.as_ref()?.fixed_value(field)
    }

    /// Whether brought numbers decide the control of `part`.
    pub fn is_given(&self, part: Part) -> bool {
        let mut own = Field::ALL
            .into_iter()
            .filter(|field| Part::of_field(*field) == Some(part));
        part != Part::Sentence && own.any(|field| self.given(field).is_some())
    }

    /// Whether every field is something that [`State::set`] would accept.
    ///
    /// # Errors
    /// The first field that is not, and the rule that it breaks.
    pub fn check_all(&self) -> Result<(), (Field, SettingError)> {
        Field::ALL.into_iter().try_for_each(|field| {
            self.check(field, &self.get(field))
                .map_err(|rule| (field, rule))
        })
    }
}
