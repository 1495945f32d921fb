//! Parts of the page that a link can leave out or lock.

use super::enum_set::Set;
use super::setting_enums::named;
use super::{Panel, Panels, State};

named! {
    /// A part of the page. A control has the name of its setting in links.
    Part {
        /// Everything: every part, and every control where it locks.
        All = "all",
        /// The sentences, and whether there are two.
        Sentence = "sentence",
        /// The menu of examples.
        Presets = "presets",
        /// Heads.
        Heads = "heads",
        /// Key/value heads.
        KvHeads = "kv_heads",
        /// Query and key size.
        DK = "d_k",
        /// Embedding size.
        DModel = "d_model",
        /// Layers of a model that learns.
        Layers = "layers",
        /// Training steps that it has taken.
        Trained = "trained",
        /// Which structured masks are on.
        Mask = "mask",
        /// Valid length.
        Valid = "valid",
        /// Window.
        Window = "window",
        /// Stride.
        Stride = "stride",
        /// First tokens.
        First = "first",
        /// A rule of the mask in words.
        Rule = "rule",
        /// The brush, and painting itself.
        Paint = "paint",
        /// Treatment of hidden cells.
        Hiding = "hiding",
        /// Division by `√d_k`.
        Scaled = "scaled",
        /// Positions.
        Positions = "positions",
        /// Where queries stand among the keys.
        Alignment = "align",
        /// Dot product or additive scores.
        Scoring = "scoring",
        /// Temperature.
        Temperature = "temperature",
        /// Linformer.
        Linformer = "linformer",
        /// Linformer's projected length.
        Projected = "projected",
        /// Hand-built heads, random weights or a learned model.
        Weights = "weights",
        /// The seed.
        Seed = "seed",
        /// The step navigation beside the map's name; locked, the step of the large map cannot be
        /// changed.
        Pager = "pager",
        /// Thumbnails of all heads; locked, the chosen head cannot be changed.
        Small = "small",
        /// Linear or log.
        Scale = "scale",
        /// This head or all heads.
        Range = "range",
        /// The menu of colour maps.
        Colours = "colours",
        /// Backend status and choice.
        Backend = "backend",
        /// The choice of language.
        Language = "lang",
        /// The choice of theme.
        Theme = "theme",
        /// Two settings side by side.
        Compare = "compare",
        /// Import and export of numbers.
        Data = "data",
        /// Undo, redo and reset.
        Undo = "undo",
        /// The map itself, which is always there.
        Map = "map",
        /// The page's name and introduction.
        Title = "title",
        /// Colour bar and hatching.
        Legend = "legend",
        /// The map's numbers as a table, and its size and cost in a line.
        Table = "table",
        /// Reading pane beside the map.
        Reading = "reading",
        /// The steps.
        Steps = "steps",
        /// The switch between map and curves.
        Curves = "curves",
        /// Softmax tile by tile.
        Streaming = "streaming",
        /// A model that learns.
        Training = "training",
        /// Wanted attention, and the projections that give it.
        Draw = "draw",
        /// Measures of heads.
        Analysis = "analysis",
        /// Costs.
        Cost = "cost",
        /// The setting as a program.
        Code = "code",
        /// Taking pictures and numbers away.
        Save = "save",
        /// Links and embeds.
        Share = "share",
    }
}

/// Some parts of the page.
pub type Parts = Set<Part>;

impl Part {
    /// How many of [`ALL`](Self::ALL), from the first on, can be locked.
    pub(crate) const LOCKABLE: usize = Self::Undo as usize + 1;

    /// Parts of a compact page whose link does not list any.
    pub const COMPACT: [Self; 4] = [Self::Sentence, Self::Legend, Self::Small, Self::Reading];

    /// Whether it is moved, and can be locked.
    pub const fn is_control(self) -> bool {
        0 < self as usize && (self as usize) < Self::LOCKABLE
    }

    /// The part that `panel` is.
    pub const fn of_panel(panel: Panel) -> Self {
        match panel {
            Panel::Steps => Self::Steps,
            Panel::Streaming => Self::Streaming,
            Panel::Training => Self::Training,
            Panel::Draw => Self::Draw,
            Panel::Compare => Self::Compare,
            Panel::Analysis => Self::Analysis,
            Panel::Cost => Self::Cost,
            Panel::Code => Self::Code,
            Panel::Data | Panel::Model => Self::Data,
        }
    }
}

impl State {
    /// Whether a part of the page is shown.
    pub fn is_shown(&self, part: Part) -> bool {
        match self.show {
            _ if part == Part::Map => true,
            Some(shown) => shown.contains(Part::All) || shown.contains(part),
            None => !self.embed || Part::COMPACT.contains(&part),
        }
    }

    /// Whether a control is locked.
    pub fn is_locked(&self, part: Part) -> bool {
        part.is_control() && (self.lock.contains(Part::All) || self.lock.contains(part))
    }

    /// The panels that are open and there.
    pub fn open_panels(&self) -> Panels {
        let is_there = |panel: &Panel| self.is_shown(Part::of_panel(*panel));
        self.panels.iter().filter(is_there).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Field;

    #[test]
    fn every_control_of_a_field_can_be_locked() {
        for field in Field::ALL {
            let part = field.part();
            assert!(part.is_none_or(Part::is_control), "{field:?}");
        }
        assert!(!Part::All.is_control() && !Part::Map.is_control() && !Part::Reading.is_control());
        assert!(Part::ALL.len() <= 64, "a set has room for 64");
    }

    #[test]
    fn what_is_shown_follows_from_the_link() {
        let with = |embed, show: Option<&[Part]>| State {
            embed,
            show: show.map(|parts| parts.iter().copied().collect()),
            ..State::default()
        };
        let shown = |state: &State| {
            let parts = Part::ALL.into_iter().skip(1);
            parts.filter(|part| state.is_shown(*part)).count()
        };
        let every = Part::ALL.len() - 1;
        assert_eq!(shown(&with(false, None)), every);
        assert_eq!(shown(&with(true, None)), Part::COMPACT.len() + 1);
        assert_eq!(shown(&with(true, Some(&[]))), 1);
        assert_eq!(shown(&with(false, Some(&[Part::Map, Part::Heads]))), 2);
        assert_eq!(shown(&with(true, Some(&[Part::All]))), every);
    }

    #[test]
    fn a_panel_that_is_left_out_is_not_open() {
        let state = State {
            show: Some(Parts::from_iter([Part::Map])),
            ..State::default()
        };
        assert!(state.open_panels().is_empty() && !state.panels.is_empty());
        assert_eq!(State::default().open_panels(), State::default().panels);
    }
}
