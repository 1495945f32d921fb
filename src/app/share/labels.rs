//! What parts of the page are called where they are chosen.

use crate::app::Part;
use crate::words::Key;

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
