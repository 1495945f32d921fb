//! Initial content of a page without a link, as far as the engine generates it: the build writes it
//! into the page, so that it is there before the engine has loaded.

mod set_up;

use maud::html;

use super::{Markup, coach, head_thumbnails, learned as answers, reading, symbols, token_spans};
use crate::i18n::Language;
use crate::present::coach::Coach;
use crate::present::displayed_matrix::DisplayedMatrix;
use crate::present::mask_effect::MaskEffect;
use crate::present::opening::row;
use crate::present::reading::{self as present_reading, Measures, largest, left_out, top_keys};
use crate::present::readout::Readout;
use crate::present::run::Run;
use crate::present::steps::Walk;
use crate::present::thumbnails::thumbnails;
use crate::present::{head_charts, learned, names, roles, token_tints};
use crate::scene::arc::thickness;
use crate::scene::head_sharing_diagram::sharing;
use crate::state::{Panel, State, StepKind, presets, steps};
use engine::learned::{LearnedLayer, LearnedStep};

/// A part of the page, by its selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagePart {
    /// Where it stands.
    pub selector: String,
    /// Content of the element.
    pub markup: String,
}

/// An attribute of an element, or a property of its style where its name begins with `--`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The element.
    pub selector: String,
    /// The attribute.
    pub name: &'static str,
    /// `None` takes it away.
    pub value: Option<String>,
}

impl Attribute {
    fn set(selector: impl Into<String>, name: &'static str, value: impl Into<String>) -> Self {
        Self {
            selector: selector.into(),
            name,
            value: Some(value.into()),
        }
    }

    fn removed(selector: impl Into<String>, name: &'static str) -> Self {
        Self {
            selector: selector.into(),
            name,
            value: None,
        }
    }
}

/// Generated contents of elements.
pub fn parts(run: &Run, language: Language) -> Vec<PagePart> {
    let (head, row) = (run.state.head, row(run));
    let displayed = DisplayedMatrix::new(run, StepKind::Weights, head);
    let readout = Readout::new(&displayed, [Some(row), None], (run.state.scale, language));
    let list = largest(run, head, row);
    let role = roles::caption(run, head, language);
    let step = steps::shown(&run.state);
    let walk = Walk::new(run, step, row, language);
    let title = names::unparted(&names::map(run, step, head, language));
    let queries = &run.sides.queries.words;
    let mut parts = vec![
        (
            "#text-shade",
            token_spans::token_spans(&run.state.text, queries),
        ),
        (
            "#all-heads",
            head_thumbnails::head_thumbnails(run, head, row, language),
        ),
        ("#head-name", words(&title)),
        (
            "#reading-title",
            words(&present_reading::title(run, Some(row), language)),
        ),
        ("#story", reading::row(run, head, row, language)),
        (
            "#story-head",
            words(&role.unwrap_or_else(|| names::head(run, head, language))),
        ),
        ("#player-at", words(&walk.at)),
        ("#player-says", symbols(&walk.says)),
        ("#cell", reading::readout(&readout)),
        (
            "#range-in-force",
            words(&names::range_in_force(run, run.state.range, language).1),
        ),
        (
            "#sharing-sentence",
            words(&names::sharing(&run.state, language)),
        ),
        (
            "#mask-rule",
            words(&MaskEffect::new(run, head, language).rule),
        ),
        ("#bars", reading::bars(&list.bars, run, None)),
        ("#bars-rest", words(&left_out(&list, language))),
        (
            "#most",
            reading::top_keys(&top_keys(run, head, row, language), row),
        ),
        ("#presets option", words(example(&run.state, language))),
        (
            "#exchange",
            answers::exchange(
                &run.state.text,
                &learned::exchangeable(&run.state),
                language,
            ),
        ),
        ("#learned-note", words(&learned::note(&run.state, language))),
        (
            "#learning-at",
            words(&learned::step(taken(run), run.state.trained, language)),
        ),
    ];
    let answer = learned::answer(run, head, false, language);
    parts.push(("#learned-answer", answers::answer(answer.as_ref())));
    let mut hints = Coach::default();
    hints.follow(&run.state, &run.state);
    if let Some(line) = hints.line(&run.state, language) {
        parts.push(("#coach", coach::line(&line, language)));
    }
    if let Some(measures) = Measures::new(run, head, row, language) {
        let measures = measures.0.iter().map(|measure| words(measure));
        parts.extend(reading::MEASURES.into_iter().zip(measures));
    }
    let parts = parts.into_iter();
    let parts = parts.map(|(selector, markup)| (selector.to_owned(), markup));
    let part = |(selector, markup): (_, Markup)| PagePart {
        selector,
        markup: markup.into_string(),
    };
    parts.chain(set_up::ends(&run.state)).map(part).collect()
}

/// The steps that the model has taken.
fn taken(run: &Run) -> &[LearnedStep] {
    run.learned().map_or(&[], LearnedLayer::history)
}

fn words(text: &str) -> Markup {
    html! { (text) }
}

/// Generated attributes of elements; `conditions` are those of the page (`data-when`).
pub fn attributes(run: &Run, language: Language, conditions: &[String]) -> Vec<Attribute> {
    let set = |selector: &str, name, value: &str| Attribute::set(selector, name, value);
    let drawn = sharing(run.state.heads, run.state.kv_heads, run.state.head);
    let histogram = run.histogram(run.state.head);
    let histogram =
        histogram.map(|counts| head_charts::histogram(&counts).bars(head_charts::HISTOGRAM));
    let (mark, _) = names::range_in_force(run, run.state.range, language);
    let mut attributes = vec![
        Attribute::removed("#head-name", "data-t"),
        set("#range", "data-in-force", mark),
        set(".legend .of-hidden", "hidden", ""),
        set("#sharing .links", "d", &drawn.links),
        set("#sharing .is-key", "d", &drawn.kv_heads),
        set("#sharing .is-query", "d", &drawn.heads),
        set("#sharing .chosen", "d", &drawn.chosen),
        set("#histogram path", "d", &histogram.unwrap_or_default()),
        set("#losses path", "d", &learned::losses(taken(run))),
    ];
    let (chosen, last) = (
        run.thumbnail(run.state.head),
        thumbnails(run).len().saturating_sub(1),
    );
    for (selector, end) in [("#head-previous", 0), ("#head-next", last)] {
        if chosen == end {
            attributes.push(set(selector, "aria-disabled", "true"));
        }
    }
    if !learned::exchangeable(&run.state).is_empty() {
        attributes.push(Attribute::removed("#exchange", "hidden"));
    }
    if !run.state.panels.contains(Panel::Steps) {
        attributes.push(set("#open-steps", "aria-expanded", "false"));
        attributes.push(set("#steps-body", "hidden", ""));
    }
    attributes.extend(set_up::attributes(&run.state));
    attributes.extend(set_up::visibility(&run.state, conditions));
    attributes.extend(tints(run));
    attributes.extend(arc(run));
    attributes
}

/// The arc's thickness. Its paths need the widths of words.
fn arc(run: &Run) -> impl Iterator<Item = Attribute> {
    let link = token_tints::link(run, run.state.head, row(run));
    let set = |(_, weight)| {
        [
            Attribute::set("#arc", "data-none", "0"),
            Attribute::set("#arc", "data-opens", ""),
            Attribute::set("#arc", "--width", thickness(weight)),
        ]
    };
    link.map(set).into_iter().flatten()
}

/// The name of the example that the page opens with.
fn example(state: &State, language: Language) -> &'static str {
    presets::shown(state).map_or("", |preset| preset.name(language.code()))
}

/// The words of the sentence, tinted by their weights in the chosen row.
fn tints(run: &Run) -> Vec<Attribute> {
    let row = row(run);
    let [tints, _] = token_tints::tints(run, run.state.head, row);
    let word = |at: usize| format!("#text-shade span:nth-of-type({})", at + 1);
    let weight = |(at, weight): (usize, &f32)| {
        Attribute::set(word(at), "--weight", token_spans::tint(*weight))
    };
    let query = tints.query;
    let query = query.map(|at| Attribute::set(word(at), "class", "is-query"));
    tints
        .weights
        .iter()
        .enumerate()
        .map(weight)
        .chain(query)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::opening;
    use crate::present::run::tests::computed;

    /// A browser takes seconds for a word of thousands of letters wherever it stands; the sentence alone has it whole.
    #[test]
    fn a_very_long_word_is_shown_by_its_beginning() {
        let word = "w".repeat(1000);
        for language in Language::ALL {
            let link = format!("text={word}+{word}&cell=1,2&mask=causal&weights=random");
            let run = computed(&link);
            let (whole, beginning) = (&word[..61], format!("{}…", &word[..60]));
            let parts = parts(&run, language);
            let holds = |text: &str| {
                let found = parts.iter().filter(|part| part.markup.contains(text));
                found.map(|part| part.selector.as_str()).collect::<Vec<_>>()
            };
            assert_eq!(holds(whole), ["#text-shade"]);
            let shown = holds(&beginning);
            for selector in ["#story", "#player-says", "#cell", "#bars", "#most"] {
                assert!(shown.contains(&selector), "{selector} is not in {shown:?}");
            }
        }
    }

    #[test]
    fn the_opening_says_what_it_shows_in_the_language_of_the_page() {
        for (language, word, name) in [
            (Language::En, "animal", "head 1"),
            (Language::Zh, "动物", "头"),
        ] {
            let run = opening::run(language).expect("a run");
            let parts = parts(&run, language);
            let part = |selector| {
                &parts
                    .iter()
                    .find(|part| part.selector == selector)
                    .expect(selector)
                    .markup
            };
            assert!(part("#story").contains(word), "{}", part("#story"));
            assert!(part("#all-heads").contains(name), "{}", part("#all-heads"));
            assert!(part("#row-sum").contains("1.000"));
            let attributes = attributes(&run, language, &[]);
            let asks: Vec<_> = attributes
                .iter()
                .filter(|own| own.name == "class")
                .collect();
            assert_eq!(asks.len(), 1);
            assert!(asks[0].selector.ends_with(&format!("({})", row(&run) + 1)));
        }
    }
}
