//! Names of the parts of the page, for the list in the Share dialog.

use crate::i18n::Key;
use crate::state::{Field, Part};

/// The parts that can be chosen, as they stand together, with the name of each group.
pub const GROUPS: [(Key, &[Part]); 5] = [
    (
        Key::ShareGroupPage,
        &[
            Part::Sentence,
            Part::Presets,
            Part::Title,
            Part::Undo,
            Part::Language,
            Part::Theme,
            Part::Backend,
            Part::Save,
            Part::Share,
        ],
    ),
    (
        Key::FieldMask,
        &[
            Part::Mask,
            Part::Valid,
            Part::Window,
            Part::Stride,
            Part::First,
            Part::Rule,
            Part::Paint,
            Part::Hiding,
        ],
    ),
    (
        Key::SetUp,
        &[
            Part::Heads,
            Part::KvHeads,
            Part::DK,
            Part::DModel,
            Part::Layers,
            Part::Trained,
            Part::Scaled,
            Part::Positions,
            Part::Alignment,
            Part::Scoring,
            Part::Temperature,
            Part::Linformer,
            Part::Projected,
            Part::Weights,
            Part::Seed,
        ],
    ),
    (
        Key::ShareGroupMap,
        &[
            Part::Small,
            Part::Reading,
            Part::Legend,
            Part::Scale,
            Part::Range,
            Part::Colours,
            Part::Pager,
            Part::Curves,
            Part::Table,
        ],
    ),
    (
        Key::ShareGroupPanels,
        &[
            Part::Steps,
            Part::Streaming,
            Part::Training,
            Part::Draw,
            Part::Compare,
            Part::Analysis,
            Part::Cost,
            Part::Code,
            Part::Data,
        ],
    ),
];

/// Label of a part that can be shown or locked: that of its setting if it is a control. `None` for
/// parts without a choice of their own.
pub fn label(part: Part) -> Option<Key> {
    Some(match part {
        Part::Presets => Key::Examples,
        Part::Pager => Key::PartPager,
        Part::Small => Key::PartSmall,
        Part::Title => Key::PartTitle,
        Part::Legend => Key::PartLegend,
        Part::Table => Key::PartTable,
        Part::Reading => Key::PartReading,
        Part::Steps => Key::PanelSteps,
        Part::Curves => Key::PartCurves,
        Part::Streaming => Key::PanelStreaming,
        Part::Training => Key::PanelTraining,
        Part::Draw => Key::PanelDraw,
        Part::Compare => Key::PanelCompare,
        Part::Analysis => Key::PanelAnalysis,
        Part::Cost => Key::PanelCost,
        Part::Code => Key::PanelCode,
        Part::Data => Key::PanelData,
        Part::Undo => Key::UndoGroup,
        Part::Save => Key::Save,
        Part::Share => Key::Share,
        part => {
            let mut fields = Field::ALL.into_iter();
            let own = fields.find(|field| field.part() == Some(part))?;
            own.row().label
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_with_a_name_stands_in_one_group() {
        let named = Part::ALL.into_iter().filter(|part| label(*part).is_some());
        let mut grouped: Vec<Part> = GROUPS
            .iter()
            .flat_map(|(_, parts)| *parts)
            .copied()
            .collect();
        grouped.sort_by_key(|part| *part as usize);
        assert_eq!(grouped, named.collect::<Vec<_>>());
    }
}
