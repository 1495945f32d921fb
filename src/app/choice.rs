//! Settings that are one of a few named things.

/// Where embeddings and weights come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Built by hand: [`crate::text::teaching`].
    #[default]
    Teaching,
    /// Drawn from the seed: [`crate::text::embedding`] and [`crate::text::xavier`].
    Random,
}

/// Which mask is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaskKind {
    /// Every query sees every key.
    #[default]
    None,
    /// No query sees a later key.
    Causal,
    /// Keys from [`valid`](super::State::valid) on are hidden.
    Padding,
    /// Keys within [`window`](super::State::window) places are visible.
    Local,
    /// Keys at multiples of [`stride`](super::State::stride) are visible.
    Strided,
}

/// Light or dark, chosen by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Origin {
    /// Every origin, in the order of the page.
    pub const ALL: [Self; 2] = [Self::Teaching, Self::Random];

    /// The name in links.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Teaching => "teaching",
            Self::Random => "random",
        }
    }
}

impl MaskKind {
    /// Every mask, in the order of the page.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Causal,
        Self::Padding,
        Self::Local,
        Self::Strided,
    ];

    /// The name in links.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Causal => "causal",
            Self::Padding => "padding",
            Self::Local => "local",
            Self::Strided => "strided",
        }
    }
}

impl Theme {
    /// Every theme, in the order of the page.
    pub const ALL: [Self; 2] = [Self::Light, Self::Dark];

    /// The name in links.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}
