//! All heads of the model as one field, and the strongest of them.

wasm_chunks::chunk!("model");

use super::{Markup, html, line, name};
use crate::i18n::{Key, Language, text};
use crate::present::model_panel::{Choice, LEFT, OpenModel, TOP};
use crate::present::panel::PanelContext;
use crate::present::percent::percent;
use crate::scene::colour::Lut;
use crate::state::State;
use interpret::measure::Measure;

/// Heads in the list of the strongest.
const STRONGEST: usize = 5;

/// Room between two cells, in CSS pixels.
const GAP: f64 = 2.0;

/// The field with what it is coloured by.
pub(super) fn heads(open: &OpenModel, state: &State, context: PanelContext<'_>) -> Markup {
    let language = context.language;
    let (width, height) = open.field().size();
    let said = pointed(open, state, language);
    html! {
        div class="model-title" {
            h2 { (text::model_heads(language, &open.heads())) }
        }
        div class="model-by" role="group" aria-label=(Key::ModelBy.text(language)) {
            @for choice in open.choices() {
                button type="button" class="bare" data-do={ "by-" (choice.name()) } aria-pressed=(choice == open.choice) title=(choice.meaning().text(language)) {
                    (choice.key().text(language))
                }
            }
        }
        div class="model-field" data-plot="heads" data-keys="ArrowUp ArrowDown ArrowLeft ArrowRight Home End Enter Space" tabindex="0" role="application"
            aria-label=(Key::ModelFieldKeys.text(language)) aria-describedby="model-pointed" {
            svg viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) aria-hidden="true" { (cells(open, state, &context.colours.lut)) }
        }
        p class="model-pointed" id="model-pointed" aria-live="polite" { (said) }
        @if let Some(head) = open.pointed.filter(|_| open.reading.as_ref().is_some_and(|own| !own.maps.is_empty())) {
            canvas class="model-small" data-heatmap=(head) aria-hidden="true" {}
        }
    }
}

fn cells(open: &OpenModel, state: &State, lut: &Lut) -> Markup {
    let field = open.field();
    let values = open.values(open.choice);
    let strongest = open.strongest(open.choice);
    let side = field.pitch - GAP.min(field.pitch / 4.0);
    let at = |cell: usize| {
        (
            LEFT + (cell % field.heads) as f64 * field.pitch,
            TOP + (cell / field.heads) as f64 * field.pitch,
        )
    };
    let shade = |value: Option<f64>| {
        let share = value.map_or(0.0, |own| own / strongest).clamp(0.0, 1.0);
        let [r, g, b, _] = lut.colour((share * 255.0).round() as u8);
        (share > 0.02).then(|| format!("#{r:02x}{g:02x}{b:02x}"))
    };
    let frame = |class: &str, cell: Option<usize>| {
        html! {
            @if let Some((x, y)) = cell.map(at) {
                rect class=(class) x=(x - 1.5) y=(y - 1.5) width=(side + 3.0) height=(side + 3.0) rx="2" {}
            }
        }
    };
    html! {
        @for number in numbered(field.heads, field.pitch) {
            text class="number" x=(LEFT + (number as f64 - 0.5) * field.pitch) y="12" text-anchor="middle" { (number) }
        }
        @for number in numbered(field.layers, field.pitch) {
            text class="number" x=(LEFT - 8.0) y=(TOP + (number as f64 - 0.5) * field.pitch + 4.0) text-anchor="end" { (number) }
        }
        @for (cell, value) in values.iter().enumerate() {
            rect class=(if value.is_some() { "cell" } else { "cell is-unknown" }) x=(at(cell).0) y=(at(cell).1) width=(side) height=(side) rx="1.5" fill=[shade(*value)] {}
        }
        (frame("chosen", open.chosen(state)))
        (frame("pointed", open.pointed))
    }
}

/// The numbers from 1 on that there is room for: each, or the first and every fifth or so.
fn numbered(count: usize, pitch: f64) -> Vec<usize> {
    let step = [1, 5, 10, 20, 50]
        .into_iter()
        .find(|step| *step as f64 * pitch >= 18.0);
    let step = step.unwrap_or(100);
    (1..=count)
        .filter(|number| *number == 1 || number % step == 0)
        .collect()
}

/// The head that is pointed at, or the chosen one, with its value.
fn pointed(open: &OpenModel, state: &State, language: Language) -> String {
    let Some(head) = open.pointed.or_else(|| open.chosen(state)) else {
        return String::new();
    };
    let name = name(open, head, language);
    match open.values(open.choice).get(head).copied().flatten() {
        Some(value) => format!("{name}: {}", written(open.choice, value, language)),
        None => name,
    }
}

/// A value with its unit.
fn written(choice: Choice, value: f64, language: Language) -> String {
    match choice {
        Choice::Measure(Measure::Reach) => {
            text::model_reach_value(language, &format!("{value:.1}"))
        }
        Choice::Need if value < 0.0 => format!("+{}", percent(-value)),
        Choice::Need => format!("−{}", percent(value)),
        Choice::Measure(_) => format!("{value:.2}"),
    }
}

/// The strongest heads of the measure.
pub(super) fn most(open: &OpenModel, state: &State, context: PanelContext<'_>) -> Markup {
    let language = context.language;
    let strongest = open.strongest(open.choice).max(f64::MIN_POSITIVE);
    let chosen = open.chosen(state);
    html! {
        h3 { (Key::ModelMost.text(language)) }
        p class="note" { (open.choice.meaning().text(language)) }
        ol class="model-list" {
            @for own in open.ranked(open.choice, STRONGEST) {
                li {
                    button type="button" data-do={ "head-" (own.head) } aria-pressed=(chosen == Some(own.head)) {
                        (line(&html! { span class="of" { (name(open, own.head, language)) } }, own.value / strongest, &written(open.choice, own.value, language)))
                    }
                }
            }
        }
    }
}
