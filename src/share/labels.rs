//! Names of the parts of the page, for the list in the Share dialog.

use crate::i18n::Key;
use crate::state::Part;

/// The parts that can be chosen, as they stand together, with the name of each group.
pub const GROUPS: [(Key, &[Part]); 5] = [
    (
        Key::ShareGroupPage,
        &[
            Part::Sentence,
            Part::Presets,
            Part::Title,
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
            Part::Scaled,
            Part::Positions,
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
            Part::Colours,
            Part::Pager,
            Part::Table,
        ],
    ),
    (
        Key::ShareGroupPanels,
        &[
            Part::Steps,
            Part::Curves,
            Part::Streaming,
            Part::Compare,
            Part::Analysis,
            Part::Cost,
            Part::Code,
            Part::Data,
        ],
    ),
];

/// The name of a part that can be chosen to be shown or locked; `None` for what is not chosen by itself.
pub const fn label(part: Part) -> Option<Key> {
    Some(match part {
        Part::Sentence => Key::FieldText,
        Part::Presets => Key::Examples,
        Part::Heads => Key::FieldHeads,
        Part::KvHeads => Key::FieldKvHeads,
        Part::DK => Key::FieldDK,
        Part::DModel => Key::FieldDModel,
        Part::Mask => Key::FieldMask,
        Part::Valid => Key::FieldValid,
        Part::Window => Key::FieldWindow,
        Part::Stride => Key::FieldStride,
        Part::First => Key::FieldFirst,
        Part::Paint => Key::FieldPaint,
        Part::Hiding => Key::FieldHiding,
        Part::Scaled => Key::FieldScaled,
        Part::Positions => Key::FieldPositions,
        Part::Scoring => Key::FieldScoring,
        Part::Temperature => Key::FieldTemperature,
        Part::Linformer => Key::FieldLinformer,
        Part::Projected => Key::FieldProjected,
        Part::Weights => Key::FieldOrigin,
        Part::Seed => Key::FieldSeed,
        Part::Pager => Key::PartPager,
        Part::Small => Key::PartSmall,
        Part::Scale => Key::FieldScale,
        Part::Colours => Key::FieldColours,
        Part::Backend => Key::FieldBackend,
        Part::Language => Key::FieldLanguage,
        Part::Theme => Key::FieldTheme,
        Part::Title => Key::PartTitle,
        Part::Legend => Key::PartLegend,
        Part::Table => Key::PartTable,
        Part::Reading => Key::PartReading,
        Part::Steps => Key::PanelSteps,
        Part::Curves => Key::PanelCurves,
        Part::Streaming => Key::PanelStreaming,
        Part::Compare => Key::PanelCompare,
        Part::Analysis => Key::PanelAnalysis,
        Part::Cost => Key::PanelCost,
        Part::Code => Key::PanelCode,
        Part::Data => Key::PanelData,
        Part::Save => Key::Save,
        Part::Share => Key::Share,
        Part::All | Part::Map => return None,
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
