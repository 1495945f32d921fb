//! The table of settings: one truth for links, controls, messages, sentences and checks.

use super::field_value::{self, FieldValue};
use super::imported::SavedSettings;
use super::setting::{Control, Limit, Scope, Setting, ValueKind, names, number, settings};
use super::{
    Alignment, Cell, ColourMap, ColourRange, ColourScale, Hiding, ImportedData, LabTask, Library,
    MapView, MaskPart, Masks, Origin, Origins, Overrides, Painting, Panel, Panels, Part, Parts,
    PositionKind, ScoringKind, StepKind, Theme, Value, presets,
};
use crate::i18n::{Key, Language};
use attention::text::MAX_TOKENS;
use engine::BackendChoice;

/// The most characters one side may have.
pub const LONGEST_TEXT: usize = 20_000;

/// Lesson name that opens the list of lessons.
pub const LESSON_LIST: &str = "list";

/// Lesson name of the lesson that the settings contain.
pub const LESSON_OWN: &str = "own";

const LANGUAGES: [&str; 3] = [field_value::AUTO, Language::En.code(), Language::Zh.code()];
const THEMES: [&str; 4] = [
    field_value::AUTO,
    Theme::Light.name(),
    Theme::Dark.name(),
    field_value::HOST,
];
const PARTS: &[&str] = names!(Part);

/// The row of *it* in the opening text.
const OPENING_CELL: Cell = Cell {
    query: 7,
    key: None,
};

/// Defaults for a row of the table.
const ROW: Setting = Setting {
    key: "",
    kind: ValueKind::Switch,
    limit: Limit::None,
    scope: Scope::Page,
    part: None,
    label: Key::FieldText,
    options: &[],
    control: Control::Own,
};

settings! {
    /// One setting of [`State`], named as there ([`Data`](Self::Data) is the imported data). The
    /// order is that of links: a setting comes after those that it depends on, except for the
    /// imported data, which are applied first.
    enum Field;

    /// Everything on screen. Read it freely; change it with [`State::set`] or [`super::reduce()`], which keep it possible.
    ///
    /// The default is what a link means that names nothing: the first preset, hand-built heads, the row of *it*.
    struct State;

    Text {
        /// The query side, and the key side too where `second` is `None`. At most [`LONGEST_TEXT`] characters.
        text: String = presets::all()[0].text.to_owned(),
    } = Setting {
        key: "text",
        kind: ValueKind::Text,
        scope: Scope::Input,
        part: Some(Part::Sentence),
        label: Key::FieldText,
        control: Control::Text("text"),
        ..ROW
    };

    Second {
        /// The key side of a cross-attention: `text` asks, `second` is asked.
        second: Option<String> = presets::all()[0].source.map(str::to_owned),
    } = Setting {
        key: "source",
        kind: ValueKind::OptionalText,
        scope: Scope::Input,
        part: Some(Part::Sentence),
        label: Key::FieldSecond,
        control: Control::Text("second"),
        ..ROW
    };

    Origin {
        /// Where embeddings and weights come from.
        origin: Origin = Origin::Teaching,
    } = Setting {
        key: "weights",
        kind: ValueKind::Choice(names!(Origin)),
        scope: Scope::Input,
        part: Some(Part::Weights),
        label: Key::FieldOrigin,
        options: &[Key::WeightsTeaching, Key::WeightsRandom, Key::WeightsLearned],
        control: Control::Radios("origin"),
        ..ROW
    };

    Seed {
        /// Seed of the random numbers.
        seed: u32 = 42,
    } = Setting {
        key: "seed",
        kind: number(0, u32::MAX),
        scope: Scope::Input,
        part: Some(Part::Seed),
        label: Key::FieldSeed,
        control: Control::Number("seed"),
        ..ROW
    };

    Layers {
        /// Layers of a model that learns, 1…3.
        layers: usize = 2,
    } = Setting {
        key: "layers",
        kind: number(1, 3),
        scope: Scope::Mechanism,
        part: Some(Part::Layers),
        label: Key::FieldLayers,
        control: Control::Slider("layers"),
        ..ROW
    };

    Layer {
        /// Layer on display, from 1.
        layer: usize = 2,
    } = Setting {
        key: "layer",
        kind: number(1, 3),
        limit: Limit::OneOfLayers,
        scope: Scope::Mechanism,
        part: Some(Part::Small),
        label: Key::FieldLayer,
        ..ROW
    };

    Trained {
        /// Training steps that it has taken, 0…150.
        trained: usize = 150,
    } = Setting {
        key: "trained",
        kind: number(0, 150),
        scope: Scope::Mechanism,
        part: Some(Part::Trained),
        label: Key::FieldTrained,
        control: Control::Slider("trained"),
        ..ROW
    };

    DModel {
        /// Width of the embeddings, 4…512; at most 64 in a model that learns.
        d_model: usize = 64,
    } = Setting {
        key: "d_model",
        kind: ValueKind::Number {
            min: 4,
            max: 512,
            stops: &[4, 8, 16, 32, 64, 128, 256, 512],
        },
        limit: Limit::Learned { max: 64 },
        scope: Scope::Input,
        part: Some(Part::DModel),
        label: Key::FieldDModel,
        control: Control::Slider("d-model"),
        ..ROW
    };

    DK {
        /// Width of one head's queries and keys, 1…128; at most 32 in a model that learns.
        d_k: usize = 16,
    } = Setting {
        key: "d_k",
        kind: ValueKind::Number {
            min: 1,
            max: 128,
            stops: &[1, 2, 4, 8, 16, 32, 64, 128],
        },
        limit: Limit::Learned { max: 32 },
        scope: Scope::Mechanism,
        part: Some(Part::DK),
        label: Key::FieldDK,
        control: Control::Slider("d-k"),
        ..ROW
    };

    Heads {
        /// Query heads, 1…16; at most 8 hand-built heads, and 8 in a layer that learns.
        heads: usize = 4,
    } = Setting {
        key: "heads",
        kind: number(1, 16),
        limit: Limit::TeachingHeads,
        scope: Scope::Mechanism,
        part: Some(Part::Heads),
        label: Key::FieldHeads,
        control: Control::Slider("heads"),
        ..ROW
    };

    KvHeads {
        /// Key/value heads, a divisor of `heads`.
        kv_heads: usize = 4,
    } = Setting {
        key: "kv_heads",
        kind: number(1, 16),
        limit: Limit::DividesHeads,
        scope: Scope::Mechanism,
        part: Some(Part::KvHeads),
        label: Key::FieldKvHeads,
        control: Control::Slider("kv-heads"),
        ..ROW
    };

    Masks {
        /// Which structured masks are on; their parameters are the next four, which are kept while a mask is off.
        masks: Masks = Masks::EMPTY,
    } = Setting {
        key: "mask",
        kind: ValueKind::Names(names!(MaskPart)),
        scope: Scope::Mechanism,
        part: Some(Part::Mask),
        label: Key::FieldMask,
        options: &[Key::MaskCausal, Key::MaskPadding, Key::MaskLocal, Key::MaskStrided, Key::MaskFirst],
        control: Control::Boxes("mask"),
        ..ROW
    };

    Valid {
        /// Keys that are not padding, 0…1024; more than there are hides none.
        valid: usize = 8,
    } = Setting {
        key: "valid",
        kind: number(0, MAX_TOKENS as u32),
        scope: Scope::Mechanism,
        part: Some(Part::Valid),
        label: Key::FieldValid,
        control: Control::Slider("valid"),
        ..ROW
    };

    PadRows {
        /// Whether padding hides the rows of padded tokens too, where queries and keys are the same tokens.
        pad_rows: bool = false,
    } = Setting {
        key: "pad_rows",
        kind: ValueKind::Switch,
        scope: Scope::Mechanism,
        part: Some(Part::Valid),
        label: Key::FieldPadRows,
        control: Control::Box("pad-rows"),
        ..ROW
    };

    Window {
        /// Reach of the local window, 0…64.
        window: usize = 1,
    } = Setting {
        key: "window",
        kind: number(0, 64),
        scope: Scope::Mechanism,
        part: Some(Part::Window),
        label: Key::FieldWindow,
        control: Control::Slider("window"),
        ..ROW
    };

    Stride {
        /// Distance of visible keys, 1…64.
        stride: usize = 2,
    } = Setting {
        key: "stride",
        kind: number(1, 64),
        scope: Scope::Mechanism,
        part: Some(Part::Stride),
        label: Key::FieldStride,
        control: Control::Slider("stride"),
        ..ROW
    };

    First {
        /// First keys that stay visible beside local and strided, 1…64.
        first: usize = 1,
    } = Setting {
        key: "first",
        kind: number(1, 64),
        scope: Scope::Mechanism,
        part: Some(Part::First),
        label: Key::FieldFirst,
        control: Control::Slider("first"),
        ..ROW
    };

    Rule {
        /// A rule of the mask in words, beside the structured masks; empty for none. One that cannot be read, or does not fit, hides
        /// nothing.
        rule: String = String::new(),
    } = Setting {
        key: "rule",
        kind: ValueKind::Text,
        scope: Scope::Mechanism,
        part: Some(Part::Rule),
        label: Key::FieldRule,
        control: Control::Text("rule"),
        ..ROW
    };

    Paint {
        /// Cells painted by hand, over the structured masks.
        paint: Painting = Painting::default(),
    } = Setting {
        key: "paint",
        kind: ValueKind::Painting,
        scope: Scope::Mechanism,
        part: Some(Part::Paint),
        label: Key::FieldPaint,
        ..ROW
    };

    Hiding {
        /// Treatment of hidden cells.
        hiding: Hiding = Hiding::default(),
    } = Setting {
        key: "hiding",
        kind: ValueKind::Choice(names!(Hiding)),
        scope: Scope::Mechanism,
        part: Some(Part::Hiding),
        label: Key::FieldHiding,
        options: &[Key::HidingOut, Key::HidingWritten, Key::HidingAfter, Key::HidingAdded],
        control: Control::Radios("hiding"),
        ..ROW
    };

    Scoring {
        /// How a query and a key are compared.
        scoring: ScoringKind = ScoringKind::default(),
    } = Setting {
        key: "scoring",
        kind: ValueKind::Choice(names!(ScoringKind)),
        scope: Scope::Mechanism,
        part: Some(Part::Scoring),
        label: Key::FieldScoring,
        options: &[Key::ScoringDot, Key::ScoringAdditive],
        control: Control::Radios("scoring"),
        ..ROW
    };

    Scaled {
        /// Whether dot scores are divided by `√d_k`; additive ones never are.
        scaled: bool = true,
    } = Setting {
        key: "scaled",
        kind: ValueKind::Switch,
        scope: Scope::Mechanism,
        part: Some(Part::Scaled),
        label: Key::FieldScaled,
        control: Control::Box("scaled"),
        ..ROW
    };

    Positions {
        /// How the computation learns of positions.
        positions: PositionKind = PositionKind::default(),
    } = Setting {
        key: "positions",
        kind: ValueKind::Choice(names!(PositionKind)),
        scope: Scope::Mechanism,
        part: Some(Part::Positions),
        label: Key::FieldPositions,
        options: &[Key::PositionsNone, Key::PositionsSinusoidal, Key::PositionsRotary, Key::PositionsHalves, Key::PositionsAlibi],
        control: Control::Menu("positions"),
        ..ROW
    };

    Alignment {
        /// Where queries stand among the keys, for positions and for masks that compare places.
        alignment: Alignment = Alignment::default(),
    } = Setting {
        key: "align",
        kind: ValueKind::Choice(names!(Alignment)),
        scope: Scope::Mechanism,
        part: Some(Part::Alignment),
        label: Key::FieldAlignment,
        options: &[Key::AlignFirst, Key::AlignLast],
        control: Control::Radios("align"),
        ..ROW
    };

    Linformer {
        /// Whether keys and values are shortened along the sequence; masks and ALiBi are then kept but do not apply.
        linformer: bool = false,
    } = Setting {
        key: "linformer",
        kind: ValueKind::Switch,
        scope: Scope::Mechanism,
        part: Some(Part::Linformer),
        label: Key::FieldLinformer,
        control: Control::Box("linformer"),
        ..ROW
    };

    Projected {
        /// The length that Linformer shortens to, 1…256.
        projected: usize = 4,
    } = Setting {
        key: "projected",
        kind: number(1, 256),
        scope: Scope::Mechanism,
        part: Some(Part::Projected),
        label: Key::FieldProjected,
        control: Control::Slider("projected"),
        ..ROW
    };

    Temperature {
        /// Temperature in hundredths, 5…1000; scores are divided by it before the softmax.
        temperature: u32 = 100,
    } = Setting {
        key: "temperature",
        kind: ValueKind::Centi {
            min: 5,
            max: 1000,
            stops: &[5, 10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000],
        },
        scope: Scope::Mechanism,
        part: Some(Part::Temperature),
        label: Key::FieldTemperature,
        control: Control::Slider("temperature"),
        ..ROW
    };

    Head {
        /// The chosen head, counted from 0.
        head: usize = 0,
    } via head = Setting {
        key: "head",
        kind: number(1, 16),
        limit: Limit::OneOfHeads,
        scope: Scope::View,
        part: Some(Part::Small),
        label: Key::FieldHead,
        ..ROW
    };

    Step {
        /// Which matrix is the large map.
        step: StepKind = StepKind::default(),
    } = Setting {
        key: "step",
        kind: ValueKind::Choice(names!(StepKind)),
        scope: Scope::View,
        part: Some(Part::Pager),
        label: Key::FieldStep,
        ..ROW
    };

    View {
        /// Whether the large picture is the map or the curves, which are those of the weights.
        view: MapView = MapView::default(),
    } = Setting {
        key: "view",
        kind: ValueKind::Choice(names!(MapView)),
        scope: Scope::Page,
        label: Key::FieldView,
        control: Control::Radios("view"),
        ..ROW
    };

    Cell {
        /// The chosen cell.
        cell: Option<Cell> = Some(OPENING_CELL),
    } = Setting {
        key: "cell",
        kind: ValueKind::Cell,
        limit: Limit::OnMap,
        scope: Scope::View,
        label: Key::FieldCell,
        ..ROW
    };

    Panels {
        /// Which panels are open.
        panels: Panels = Panels::EMPTY.with(Panel::Steps, true),
    } = Setting {
        key: "open",
        kind: ValueKind::Names(names!(Panel)),
        scope: Scope::Page,
        label: Key::FieldPanels,
        ..ROW
    };

    Overrides {
        /// Settings in which the other setting of a comparison differs.
        overrides: Overrides = Overrides::default(),
    } = Setting {
        key: "against",
        kind: ValueKind::Overrides,
        scope: Scope::View,
        part: Some(Part::Compare),
        label: Key::FieldAgainst,
        ..ROW
    };

    Library {
        /// The library that the setting is written for as a program.
        library: Library = Library::default(),
    } = Setting {
        key: "code",
        kind: ValueKind::Choice(names!(Library)),
        scope: Scope::View,
        label: Key::FieldLibrary,
        ..ROW
    };

    Task {
        /// Task of the training lab.
        task: LabTask = LabTask::default(),
    } = Setting {
        key: "task",
        kind: ValueKind::Choice(names!(LabTask)),
        scope: Scope::Page,
        label: Key::FieldTask,
        ..ROW
    };

    TaskText {
        /// Training text of the task with the user's own text. At most [`LONGEST_TEXT`] characters.
        task_text: String = Key::TrainingOwnDefault.text(Language::En).to_owned(),
    } = Setting {
        key: "task_text",
        kind: ValueKind::Text,
        scope: Scope::Page,
        label: Key::FieldTaskText,
        ..ROW
    };

    TaskSeed {
        /// Seed of the model's initial weights and of its examples.
        task_seed: u32 = 1,
    } = Setting {
        key: "task_seed",
        kind: number(0, u32::MAX),
        scope: Scope::Page,
        label: Key::FieldTaskSeed,
        ..ROW
    };

    TaskTemperature {
        /// Sampling temperature of the model of the user's text, in hundredths, 10…200.
        task_temperature: u32 = 100,
    } = Setting {
        key: "task_temperature",
        kind: ValueKind::Centi {
            min: 10,
            max: 200,
            stops: &[],
        },
        scope: Scope::Page,
        label: Key::FieldTaskTemperature,
        ..ROW
    };

    TaskStep {
        /// Step of training on display; 0 is before the first. Another task, text or seed starts
        /// there.
        task_step: usize = 0,
    } = Setting {
        key: "task_step",
        kind: number(0, 500),
        scope: Scope::Page,
        label: Key::FieldTaskStep,
        ..ROW
    };

    Lesson {
        /// The lesson that is being taken, by the name of its file; [`LESSON_LIST`], [`LESSON_OWN`], or nothing where there is none.
        lesson: String = String::new(),
    } = Setting {
        key: "lesson",
        kind: ValueKind::Text,
        scope: Scope::Page,
        label: Key::FieldLesson,
        ..ROW
    };

    LessonStep {
        /// Its step, from 1; 0 before it has set the page.
        lesson_step: usize = 0,
    } = Setting {
        key: "lesson_step",
        kind: number(0, 99),
        scope: Scope::Page,
        label: Key::FieldLessonStep,
        ..ROW
    };

    LessonText {
        /// The user's own lesson, as Markdown. At most [`LONGEST_TEXT`] characters.
        lesson_text: String = String::new(),
    } = Setting {
        key: "lesson_text",
        kind: ValueKind::Text,
        scope: Scope::Page,
        label: Key::FieldLessonText,
        ..ROW
    };

    Colours {
        /// Colours of the map.
        colours: ColourMap = ColourMap::default(),
    } = Setting {
        key: "colours",
        kind: ValueKind::Choice(names!(ColourMap)),
        scope: Scope::Page,
        part: Some(Part::Colours),
        label: Key::FieldColours,
        control: Control::Menu("colours"),
        ..ROW
    };

    Scale {
        /// How weights are spread over the colours.
        scale: ColourScale = ColourScale::default(),
    } = Setting {
        key: "scale",
        kind: ValueKind::Choice(names!(ColourScale)),
        scope: Scope::Page,
        part: Some(Part::Scale),
        label: Key::FieldScale,
        control: Control::Radios("scale"),
        ..ROW
    };

    Range {
        /// Heads whose largest weight ends the colour range.
        range: ColourRange = ColourRange::default(),
    } = Setting {
        key: "range",
        kind: ValueKind::Choice(names!(ColourRange)),
        scope: Scope::Page,
        part: Some(Part::Range),
        label: Key::FieldRange,
        control: Control::Radios("range"),
        ..ROW
    };

    Language {
        /// The page's language; `None` follows the browser.
        language: Option<Language> = None,
    } via language = Setting {
        key: "lang",
        kind: ValueKind::Choice(&LANGUAGES),
        scope: Scope::Page,
        part: Some(Part::Language),
        label: Key::FieldLanguage,
        control: Control::Radios("language"),
        ..ROW
    };

    Theme {
        /// The page's theme; `None` follows the system.
        theme: Option<Theme> = None,
        /// Whether the host of an embed sets the theme; `theme` is then `None`.
        host_theme: bool = false,
    } via theme = Setting {
        key: "theme",
        kind: ValueKind::Choice(&THEMES),
        scope: Scope::Page,
        part: Some(Part::Theme),
        label: Key::FieldTheme,
        control: Control::Radios("theme"),
        ..ROW
    };

    Backend {
        /// Backend. An unavailable one is replaced, and the page says so.
        backend: BackendChoice = BackendChoice::default(),
    } = Setting {
        key: "backend",
        kind: ValueKind::Choice(names!(BackendChoice)),
        scope: Scope::Input,
        part: Some(Part::Backend),
        label: Key::FieldBackend,
        control: Control::Radios("backend"),
        ..ROW
    };

    Embed {
        /// Whether the page is compact, as inside another one.
        embed: bool = false,
    } = Setting {
        key: "embed",
        kind: ValueKind::Switch,
        scope: Scope::Page,
        label: Key::FieldEmbed,
        ..ROW
    };

    Show {
        /// Visible parts of the page; `None` for all of them, or on a compact page
        /// [`Part::COMPACT`].
        show: Option<Parts> = None,
    } = Setting {
        key: "show",
        kind: ValueKind::OptionalNames(PARTS),
        scope: Scope::Page,
        label: Key::FieldShow,
        ..ROW
    };

    Lock {
        /// Controls that the user cannot change. Links and hosts can.
        lock: Parts = Parts::EMPTY,
    } = Setting {
        key: "lock",
        kind: ValueKind::Names(PARTS.split_at(Part::LOCKABLE).0),
        scope: Scope::Page,
        label: Key::FieldLock,
        ..ROW
    };

    Origins {
        /// Which pages may set the state of an embedded one by message.
        origins: Origins = Origins::default(),
    } = Setting {
        key: "origins",
        kind: ValueKind::Origins,
        scope: Scope::Page,
        label: Key::FieldOrigins,
        ..ROW
    };

    Data {
        /// Imported data, which replace the numbers made from the sentence.
        imported: Option<ImportedData> = None,
    } via imported = Setting {
        key: "data",
        kind: ValueKind::Data,
        scope: Scope::Input,
        part: Some(Part::Data),
        label: Key::FieldData,
        ..ROW
    };

    SavedSettings {
        /// Settings that the import replaced.
        saved: SavedSettings = SavedSettings::default(),
    } = Setting {
        key: "before",
        kind: ValueKind::SavedSettings,
        scope: Scope::Page,
        label: Key::FieldData,
        ..ROW
    };
}
