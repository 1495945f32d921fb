use super::*;
use crate::present::cost::{Choice, CostSetting, GrowthChart, GrowthSource};
use crate::present::displayed_matrix::DisplayedMatrix;
use crate::present::run::Run;
use crate::present::run::tests::computed;
use crate::scene::colour::{Background, Lut};
use crate::scene::figure::Figure;
use crate::scene::heatmap::Hatch;
use crate::scene::role::Role;
use crate::scene::scale::Scale;
use crate::scene::shape::{Shape, TextRun};
use crate::scene::svg::{self, Unit};
use crate::state::{ColourScale, url};

mod drawn;

const CAUSAL: &str = "text=one+two+three+four&heads=3&d_model=48&mask=causal";

const CHOICES: Choices = Choices {
    subject: Subject::Map,
    format: Format::Svg,
    ground: Background::Light,
    width: 640.0,
    unit: Unit::Px,
    scale: 2,
    has_words: true,
    has_outline: true,
};

fn measure(text: &str, size: f64) -> f64 {
    0.55 * size * text.chars().count() as f64
}

fn cost_of(run: &Run) -> CostSetting {
    CostSetting::from_state(&run.state, run.queries.len(), run.keys.len())
}

fn growth<'a>(setting: &'a CostSetting, choice: &'a Choice) -> GrowthSource<'a> {
    GrowthSource {
        choice,
        setting,
        measured: &[],
        length: 128,
        language: Language::En,
    }
}

/// The figure of `run`, beside the other setting `b`.
fn composed(run: &Run, b: Option<&Run>, choices: &Choices) -> Option<NamedFigure> {
    composed_in(Language::En, run, b, choices)
}

fn composed_in(
    language: Language,
    run: &Run,
    b: Option<&Run>,
    choices: &Choices,
) -> Option<NamedFigure> {
    composed_measured(language, run, b, choices, &measure)
}

fn composed_measured(
    language: Language,
    run: &Run,
    b: Option<&Run>,
    choices: &Choices,
    measure: Measure<'_>,
) -> Option<NamedFigure> {
    let displayed = DisplayedMatrix::new(run, StepKind::Weights, 1.min(run.heads() - 1));
    let view = FigureView {
        state: &run.state,
        run,
        head: 1.min(run.heads() - 1),
        displayed: &displayed,
        scale: Scale::new(ColourScale::Linear, 1.0),
        language,
        pointed: [Some(2), None],
        row: 2,
    };
    let (setting, choice) = (cost_of(run), Choice::default());
    let growth = Some(growth(&setting, &choice));
    let sources = FigureSources { b, growth };
    compose(&view, &sources, choices, measure)
}

fn figure(run: &Run, subject: Subject) -> Figure {
    let choices = Choices { subject, ..CHOICES };
    let composed = composed(run, Some(run), &choices);
    composed.expect("a figure").figure
}

/// Every shape, those of groups among them.
fn flat(shapes: &[Shape]) -> Vec<&Shape> {
    fn parts(shape: &Shape) -> Vec<&Shape> {
        match shape {
            Shape::Group { items, .. } => flat(items),
            shape => vec![shape],
        }
    }
    shapes.iter().flat_map(parts).collect()
}

fn words(figure: &Figure, wanted: Role) -> Vec<&str> {
    let all = flat(&figure.items).into_iter();
    all.filter_map(|shape| match shape {
        Shape::Words(TextRun { text, role, .. }) if *role == wanted => Some(&**text),
        _ => None,
    })
    .collect()
}

fn path(figure: &Figure, wanted: Role) -> Option<&str> {
    let all = flat(&figure.items).into_iter();
    all.filter_map(|shape| match shape {
        Shape::Path { path, role } if *role == wanted => Some(&**path),
        _ => None,
    })
    .next()
}

#[test]
fn every_subject_has_a_figure_with_heading_and_caption() {
    let run = computed(CAUSAL);
    for subject in Subject::ALL {
        let figure = figure(&run, subject);
        let (headings, captions) = (
            words(&figure, Role::Heading),
            words(&figure, Role::Caption).join(" "),
        );
        assert_eq!(headings.len(), 1, "{subject:?}");
        assert!(figure.title.starts_with(headings[0]), "{subject:?}");
        assert!(captions.contains("heads: 3"), "{subject:?}: {captions}");
        let file = svg::write(&figure, Unit::Px);
        assert!(!file.contains("NaN") && !file.contains("class="), "{file}");
    }
}

#[test]
fn a_figure_is_in_the_language_of_the_page_and_says_so() {
    let run = computed("text=我+喜欢+猫&heads=3&d_model=48&mask=causal");
    let named = composed_in(Language::Zh, &run, None, &CHOICES).expect("a figure");
    let file = svg::write(&named.figure, Unit::Px);
    assert!(file.contains("lang=\"zh-Hans\""), "{file}");
    for word in ["猫", "被掩码遮住"] {
        assert!(file.contains(&format!(">{word}<")), "{word}: {file}");
    }
    assert_eq!(named.stem, "attention-head-2-weights-causal");
}

#[test]
fn a_figure_without_words_has_neither_heading_nor_caption() {
    let run = computed(CAUSAL);
    for subject in Subject::ALL {
        let choices = Choices {
            subject,
            has_words: false,
            ..CHOICES
        };
        let bare = composed(&run, Some(&run), &choices).expect("a figure");
        assert_eq!(words(&bare.figure, Role::Heading), [""; 0], "{subject:?}");
        let captions = words(&bare.figure, Role::Caption).join(" ");
        assert!(!captions.contains("heads: 3"), "{subject:?}: {captions}");
    }
}

#[test]
fn the_chosen_row_is_outlined_where_that_is_asked_for() {
    let run = computed(CAUSAL);
    let drawn = |has_outline| {
        let choices = Choices {
            has_outline,
            ..CHOICES
        };
        let named = composed(&run, None, &choices).expect("a figure");
        svg::write(&named.figure, Unit::Px).matches("<rect").count()
    };
    assert!(drawn(true) > drawn(false));
}

#[test]
fn only_what_there_is_can_be_saved() {
    let offered = |link: &str, is_open: bool, has_b: bool| -> Vec<Subject> {
        let run = computed(link);
        let (setting, choice) = (cost_of(&run), Choice::default());
        let sources = FigureSources {
            b: has_b.then_some(&run),
            growth: is_open.then(|| growth(&setting, &choice)),
        };
        let is_there = |subject: &Subject| is_available(*subject, &run, 0, &sources);
        Subject::ALL.into_iter().filter(is_there).collect()
    };
    assert_eq!(offered(CAUSAL, true, true), Subject::ALL);
    let closed = offered(CAUSAL, false, false);
    for gone in [Subject::Cost, Subject::Compare] {
        assert!(!closed.contains(&gone), "{gone:?}");
    }
    let one_head = offered("text=a+b&heads=1&d_model=16", true, true);
    assert!(!one_head.contains(&Subject::Similar));
    let apart = offered("text=a+b&source=x+y+z", true, true);
    assert!(!apart.contains(&Subject::Itself) && apart.contains(&Subject::First));
    assert_eq!(offered("text=", true, true), [Subject::Map]);
}

#[test]
fn the_chosen_query_stands_out_among_bars_and_names() {
    let run = computed(CAUSAL);
    let entropy = figure(&run, Subject::Entropy);
    let one = path(&entropy, Role::ChosenBar).expect("a bar");
    let all = path(&entropy, Role::Bars).expect("bars");
    assert!(!one.is_empty() && all.contains(one));
    assert_eq!(words(&entropy, Role::QueryLabelChosen), ["three"]);
    // The first of a causal mask sees itself alone, so that its entropy has no limit but zero.
    let limits = path(&entropy, Role::Limit).expect("limits");
    assert_eq!(limits.matches('M').count(), 3);
}

#[test]
fn two_settings_are_three_maps_and_two_without_common_columns() {
    let run = computed(CAUSAL);
    let maps = |b: &Run| {
        let choices = Choices {
            subject: Subject::Compare,
            ..CHOICES
        };
        let figure = composed(&run, Some(b), &choices).expect("a figure").figure;
        words(&figure, Role::LabelChosen).join(", ")
    };
    assert!(maps(&run).contains("B − A"));
    let shorter = computed("text=one+two+three&heads=3&d_model=48");
    let apart = maps(&shorter);
    assert!(
        !apart.contains("B − A") && apart.contains("B · "),
        "{apart}"
    );
}

#[test]
fn the_growth_chart_of_a_file_is_that_of_the_page() {
    let run = computed(CAUSAL);
    let figure = figure(&run, Subject::Cost);
    let shapes = flat(&figure.items);
    let (setting, choice) = (cost_of(&run), Choice::default());
    let chart = GrowthChart::new(&growth(&setting, &choice), (640.0 - 24.0, 308.0), &measure);
    assert!(chart.shapes.iter().all(|shape| shapes.contains(&shape)));
    assert!(words(&figure, Role::Caption).contains(&chart.title));
}

#[test]
fn pictures_that_browsers_cannot_draw_are_refused_as_pixels_alone() {
    let run = computed(CAUSAL);
    let map = figure(&run, Subject::Map);
    let png = |scale| Choices {
        format: Format::Png,
        scale,
        ..CHOICES
    };
    assert_eq!(refusal(&map, &png(4), Language::En), None);
    let refused = refusal(&map, &png(100), Language::En).expect("a reason");
    assert!(refused.contains("16384"), "{refused}");
    assert_eq!(refusal(&map, &CHOICES, Language::En), None);
    assert_eq!(pixels(&map, 3).0, (3.0 * map.width) as u32);
    let said = size(&map, &png(2), Language::En);
    let (width, _) = pixels(&map, 2);
    assert!(said.contains(&width.to_string()) && said.contains("192"));
}

fn state(link: &str) -> State {
    url::parse(link).0
}

#[test]
fn names_of_files_are_safe_and_say_what_is_in_them() {
    let hostile = state("text=../..%2F%3Cscript%3E&mask=causal,first&paint=AAAA&positions=rotary");
    for subject in Subject::ALL {
        for step in StepKind::ALL {
            let stem = file_stem(subject, &hostile, step, 11);
            let is_safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(stem.chars().all(is_safe), "{stem}");
            assert!(stem.starts_with("attention-") && stem.len() < 80, "{stem}");
        }
    }
    let stem = |step| file_stem(Subject::Map, &state("mask=local,causal"), step, 2);
    assert_eq!(
        stem(StepKind::Scores),
        "attention-head-3-scores-causal-local"
    );
    assert_eq!(
        stem(StepKind::RotatedQueries),
        "attention-head-3-q-rotated-causal-local"
    );
    assert_eq!(stem(StepKind::Input), "attention-input-causal-local");
}

#[test]
fn pictures_have_different_names() {
    let stems =
        Subject::ALL.map(|subject| file_stem(subject, &State::default(), StepKind::Weights, 0));
    let set: std::collections::BTreeSet<_> = stems.iter().collect();
    assert_eq!(set.len(), stems.len());
}

#[test]
fn the_mechanism_says_what_differs_and_nothing_that_does_not_apply() {
    let said = |link| mechanism(Language::En, &state(link));
    assert_eq!(
        said("mask=local&window=3"),
        "heads: 4 · query and key size d_k: 16 · embedding size d_model: 64 · mask: local · window: 3 · scoring: dot product · positions: sine and cosine · parameters: hand-built heads · seed: 42"
    );
    let short = said("linformer=1&mask=causal&temperature=0.5&scaled=0");
    assert!(!short.contains("causal"), "{short}");
    assert!(short.contains("division by √d_k: no"), "{short}");
    for language in Language::ALL {
        assert!(!mechanism(language, &State::default()).contains(['{', '}']));
    }
}
