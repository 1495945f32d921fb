//! The enums of settings with named values.

use super::enum_set::{Named, Set};
use crate::i18n::Language;
use engine::BackendChoice;

/// An enumeration whose variants have names in links, and the list of them in the order of the page.
macro_rules! named {
    ($(#[$doc:meta])* $of:ident { $($(#[$about:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $of { $($(#[$about])* $variant,)+ }

        impl $of {
            /// Every one, in the order of the page.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name in links.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The one with this name in links.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }

        impl $crate::state::Named for $of {
            const EVERY: &'static [Self] = &Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }

            fn place(self) -> usize {
                self as usize
            }
        }
    };
}

pub(crate) use named;

named! {
    /// Where embeddings and weights come from.
    #[derive(Default)]
    Origin {
        /// Built by hand: [`attention::text::teaching`].
        #[default]
        Teaching = "teaching",
        /// Drawn from the seed: [`attention::text::embedding`] and [`attention::text::xavier`].
        Random = "random",
        /// Of a model that has learned what its pronouns mean: [`super::learned`].
        Learned = "learned",
    }
}

named! {
    /// A rule of the structured mask. [`super::request_builder::structured`] documents how they
    /// combine.
    MaskPart {
        /// No query sees a later key.
        Causal = "causal",
        /// Keys from [`valid`](super::State::valid) on are hidden.
        Padding = "padding",
        /// Keys within [`window`](super::State::window) places are visible.
        Local = "local",
        /// Keys at multiples of [`stride`](super::State::stride) are visible.
        Strided = "strided",
        /// The [`first`](super::State::first) keys stay visible beside local and strided.
        First = "first",
    }
}

named! {
    /// Treatment of hidden cells.
    #[derive(Default)]
    Hiding {
        /// They are left out of the softmax; a row with nothing visible has zero weights.
        #[default]
        LeftOut = "out",
        /// −10⁹ is written over their scores; a row with nothing visible becomes uniform.
        Written = "written",
        /// The softmax sees them, and their weights are set to zero afterwards: a mistake to look at.
        AfterSoftmax = "after",
        /// The mask is added to the scores as 1 and 0, and hides nothing: a mistake to look at.
        Added = "added",
    }
}

named! {
    /// How a query and a key are compared.
    #[derive(Default)]
    ScoringKind {
        /// `q·k`.
        #[default]
        Dot = "dot",
        /// `w_a·tanh(q + k)`, never scaled.
        Additive = "additive",
    }
}

named! {
    /// How the computation learns of positions.
    #[derive(Default)]
    PositionKind {
        /// Not at all.
        None = "none",
        /// Sines and cosines are added to the inputs.
        #[default]
        Sinusoidal = "sinusoidal",
        /// Queries and keys are turned by their positions, two neighbouring components at a time.
        Rotary = "rotary",
        /// The same, with each component of the first half and its partner in the second.
        RotaryHalves = "rotary_halves",
        /// Distance lowers the scores.
        Alibi = "alibi",
    }
}

named! {
    /// Where queries stand among the keys, of which there may be more or fewer.
    #[derive(Default)]
    Alignment {
        /// The first query at the first key.
        #[default]
        First = "first",
        /// The last query at the last key, as in decoding with kept keys.
        Last = "last",
    }
}

named! {
    /// Content of the large picture.
    #[derive(Default)]
    MapView {
        /// The matrix of a step, as a heatmap.
        #[default]
        Map = "map",
        /// The weights of the head as curves between tokens.
        Curves = "curves",
    }
}

named! {
    /// A panel below the map that opens and closes.
    Panel {
        /// The computation step by step.
        Steps = "steps",
        /// Softmax tile by tile.
        Streaming = "streaming",
        /// A model that learns.
        Training = "training",
        /// Wanted attention, and the projections that give it.
        Draw = "draw",
        /// Two settings side by side.
        Compare = "compare",
        /// Measures of heads.
        Analysis = "analysis",
        /// Costs in FLOPs and memory.
        Cost = "cost",
        /// The setting as a program.
        Code = "code",
        /// The numbers themselves: export and import.
        Data = "data",
        /// A model that was opened from files.
        Model = "model",
    }
}

named! {
    /// A library of Python that the setting is written for.
    #[derive(Default)]
    Library {
        /// Arrays on the processor.
        #[default]
        NumPy = "numpy",
        /// Tensors with gradients.
        PyTorch = "pytorch",
        /// Functions of arrays, compiled.
        Jax = "jax",
    }
}

named! {
    /// Light or dark, chosen by the user.
    Theme {
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

/// Which structured masks are on.
pub type Masks = Set<MaskPart>;

/// Which panels are open.
pub type Panels = Set<Panel>;

impl Named for BackendChoice {
    const EVERY: &'static [Self] = &Self::ALL;

    fn name(self) -> &'static str {
        self.name()
    }

    fn place(self) -> usize {
        self as usize
    }
}

named! {
    /// Tasks of the training lab: [`model::task::TASKS`], and the user's own text.
    #[derive(Default)]
    LabTask {
        /// Finding the antecedent of *it*.
        #[default]
        Pronoun = "pronoun",
        /// The same in Chinese.
        PronounZh = "pronoun-zh",
        /// Complete what repeats.
        Repeat = "repeat",
        /// Write digits backwards.
        Reverse = "reverse",
        /// Write digits once more.
        Copy = "copy",
        /// Sort digits.
        Sort = "sort",
        /// Find the bracket that is closed.
        Brackets = "brackets",
        /// English to French.
        Translation = "translation",
        /// The next character of the user's own text.
        Text = "text",
    }
}

impl LabTask {
    /// The task that the lab begins with in a language: what its pronoun means.
    pub const fn about_pronouns(language: Language) -> Self {
        match language {
            Language::En => Self::Pronoun,
            Language::Zh => Self::PronounZh,
        }
    }
}

named! {
    /// Sequential colour maps.
    #[derive(Default)]
    ColourMap {
        /// Our own: even steps of lightness and of colour difference in OKLab, over green and teal to deep blue.
        ///
        /// It avoids the red–green axis, so it keeps its meaning for the common colour-vision deficiencies.
        #[default]
        Tide = "tide",
        /// ColorBrewer `Blues`, nine classes.
        Blues = "blues",
        /// ColorBrewer `YlOrRd`, nine classes: pale yellow over orange to dark red.
        YlOrRd = "ylorrd",
        /// ColorBrewer `Greys` up to a dark grey: for print.
        Greys = "greys",
    }
}

named! {
    /// How weights are spread over the colours.
    #[derive(Default)]
    ColourScale {
        /// Equal differences above the weight of an even row look equal; that weight and smaller ones
        /// have the background's colour.
        #[default]
        Above = "above",
        /// Equal differences look equal.
        Linear = "linear",
        /// Equal ratios look equal; weights at or below the floor look like zero.
        Log = "log",
        /// Equal ratios to the weight of an even row look equal; the even weight has the
        /// background's colour, and smaller weights a hue of their own.
        Even = "even",
    }
}

named! {
    /// Heads whose largest weight ends the colour range.
    #[derive(Default)]
    ColourRange {
        /// That of all heads on a small map, that of the chosen head on a large one.
        #[default]
        Auto = "auto",
        /// That of the chosen head.
        Head = "head",
        /// That of all heads, so that a colour means the same on the map of each.
        All = "all",
    }
}

/// Rows or columns up to which all heads share their colour range by default: in longer texts
/// weights are so small that one sharp head leaves the others blank.
const FEW_TOKENS: usize = 32;

impl ColourRange {
    /// Resolves [`Auto`](Self::Auto) for a map whose longer side has `tokens` tokens.
    #[must_use]
    pub fn in_force(self, tokens: usize) -> Self {
        match self {
            Self::Auto if tokens > FEW_TOKENS => Self::Head,
            Self::Auto => Self::All,
            chosen => chosen,
        }
    }
}
