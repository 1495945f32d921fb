//! The training panel: its buttons, heads and rows (`data-do`), its own fields (`data-field`), those of the state (`data-sets`), and
//! the map whose cells are hidden.

wasm_chunks::chunk!("models");

use super::painted_cell::painted_cell;
use super::{Markup, html, named_charts, symbols};
use crate::i18n::{Key, Language, text};
use crate::present::continuation::DrawnCharacter;
use crate::present::panel::PanelContext;
use crate::present::training::{self, HeadLine, TrainingView, about, about_variant};
use crate::present::training_panel::TrainingPanel;
use crate::state::{Field, LabTask, State};
use engine::variant::Variant;

/// Ends of the temperature's slider.
const COLDEST: f64 = 0.1;
const HOTTEST: f64 = 2.0;

/// Speeds to choose from: their values, and their names.
const SPEEDS: [(&str, Key); 3] = [
    ("5", Key::TrainingSlow),
    ("20", Key::TrainingSteady),
    ("", Key::TrainingFast),
];

/// The body of the panel.
pub fn panel(panel: &TrainingPanel, state: &State, context: PanelContext<'_>) -> Markup {
    let language = context.language;
    let view = panel.view(context);
    let lab = view.as_ref();
    let other = panel
        .variant()
        .map_or("", |variant| about_variant(variant).text(language));
    html! {
        p class="about" { (symbols(Key::TrainingAbout.text(language))) }
        (set_up(panel, state, context))
        (own_text(panel, state, language))
        p id="training-see" { (about(state.task.name()).text(language)) }
        p id="training-variant-see" { (other) }
        div id="training-lab" class="training-lab" hidden[lab.is_none()] {
            @if let Some(view) = lab {
                div { (steps(view)) (all_heads(view)) }
                div { (text_and_answer(panel, state, view)) (map_of_head(panel, view)) }
            }
        }
    }
}

/// Task, seed, variant and speed, and the buttons that learn.
fn set_up(panel: &TrainingPanel, state: &State, context: PanelContext<'_>) -> Markup {
    let language = context.language;
    let is_done = panel.lab().is_some_and(|lab| lab.run().is_done());
    let play = match (panel.is_playing(), is_done) {
        (true, _) => Key::PlayerPause,
        (false, true) => Key::TrainingAgain,
        (false, false) => Key::TrainingPlay,
    };
    let variant = panel.variant().map_or("", Variant::name);
    let speed = panel
        .pace()
        .map_or_else(String::new, |pace| pace.to_string());
    html! {
        div class="training-setup" {
            label {
                span { (Key::TrainingTask.text(language)) }
                select id="training-task" autocomplete="off" data-sets=(Field::Task.key()) data-value=(state.task.name()) {
                    @for task in LabTask::ALL { option value=(task.name()) { (training::task(task).text(language)) } }
                }
            }
            label {
                span { (Key::TrainingSeed.text(language)) }
                input class="number" id="training-seed" type="number" min="0" max=(u32::MAX) step="1" autocomplete="off"
                    data-sets=(Field::TaskSeed.key()) data-value=(state.task_seed);
            }
            label {
                span { (Key::TrainingVariant.text(language)) }
                select id="training-variant" autocomplete="off" data-field="variant" data-value=(variant) {
                    option value="" { (Key::TrainingNone.text(language)) }
                    @for variant in Variant::ALL { option value=(variant.name()) { (training::variant(variant).text(language)) } }
                }
            }
            (button("training-play", "play", play, language, context.is_motion_reduced))
            label id="training-pace" hidden[context.is_motion_reduced] {
                span { (Key::TrainingSpeed.text(language)) }
                select id="training-speed" autocomplete="off" data-field="speed" data-value=(speed) {
                    @for (value, name) in SPEEDS { option value=(value) { (name.text(language)) } }
                }
            }
            (button("training-at-once", "at-once", Key::TrainingAtOnce, language, false))
            (button("training-reset", "reset", Key::TrainingReset, language, false))
        }
    }
}

fn button(id: &str, does: &str, name: Key, language: Language, is_hidden: bool) -> Markup {
    html! { button type="button" class="plain" id=(id) data-do=(does) hidden[is_hidden] { (name.text(language)) } }
}

/// The training text of the task with the user's own text, and why no model can be trained on it.
fn own_text(panel: &TrainingPanel, state: &State, language: Language) -> Markup {
    html! {
        div class="training-own" id="training-own" hidden[state.task != LabTask::Text] {
            label for="training-own-text" { (Key::TrainingOwn.text(language)) }
            textarea id="training-own-text" rows="4" autocomplete="off" spellcheck="false" translate="no"
                data-sets=(Field::TaskText.key()) data-value=(state.task_text) {}
            p id="training-own-problem" aria-live="polite" { (panel.refusal(language)) }
        }
    }
}

/// The step that is looked at, on the track of the loss, and curves over the steps.
fn steps(view: &TrainingView<'_>) -> Markup {
    let language = view.language;
    let (done, last) = (view.run.history().len(), view.run.recipe().steps);
    let step = |id: &str, does: &str, name: Key, sign: &str, is_end: bool| {
        html! {
            button type="button" class="plain" id=(id) data-do=(does) aria-label=(name.text(language)) aria-disabled=[is_end.then_some("true")] { (sign) }
        }
    };
    let name = Key::TrainingStep.text(language);
    let share = 100.0 * view.step as f64 / done.max(1) as f64;
    html! {
        div class="stepper" role="group" aria-label=(name) {
            (step("training-previous", "previous", Key::TrainingPrevious, "‹", view.step == 0))
            (step("training-next", "next", Key::TrainingNext, "›", view.step >= last))
            span class="at" id="training-at" { (text::player_at(language, &view.step, &last)) }
            p id="training-progress" { (view.progress()) }
        }
        div class="training-time" {
            div id="training-track" aria-hidden="true" { (track(view)) }
            input type="range" id="training-step" min="0" max=(done) step="1" autocomplete="off" aria-label=(name) data-field="step"
                data-fill=(format!("{share:.1}%")) data-value=(view.step);
        }
        div class="chart" id="training-charts" { (named_charts(&view.charts())) }
        p id="training-done" aria-live="polite" { (view.conclusion) }
    }
}

/// All heads, those of the other run below them, and what is lost without each.
fn all_heads(view: &TrainingView<'_>) -> Markup {
    let language = view.language;
    let [name, progress] = view.other_progress().unwrap_or_default();
    html! {
        h3 { (Key::TrainingHeads.text(language)) }
        ol class="training-wall" id="training-wall" { (wall(view)) }
        div id="training-other" hidden[view.other.is_none()] {
            h3 { span { (Key::TrainingOtherRun.text(language)) } ": " span id="training-other-name" { (name) } }
            p id="training-other-progress" { (progress) }
            ol class="training-wall" id="training-other-wall" { (other_wall(view)) }
            div role="group" aria-labelledby="training-take-other-name" {
                h4 id="training-take-other-name" { (Key::TrainingTakeOther.text(language)) }
                (files("training-other", "other", language))
            }
        }
        p { (button("training-measure", "measure", Key::TrainingMeasure, language, false)) }
        p id="training-needed" aria-live="polite" { (view.needed()) }
    }
}

/// The files of a run's model.
fn files(id: &str, run: &str, language: Language) -> Markup {
    html! {
        p class="training-take" {
            @for (file, name) in [("file", Key::TrainingTakeFile), ("open", Key::TrainingTakeOpen), ("train", Key::TrainingTakeTrain)] {
                (button(&format!("{id}-{file}"), &format!("{file} {run}"), name, language, false))
            }
        }
    }
}

/// What the model reads, what it answers, and what it generates.
fn text_and_answer(panel: &TrainingPanel, state: &State, view: &TrainingView<'_>) -> Markup {
    let language = view.language;
    let word = view
        .words()
        .get(view.row)
        .copied()
        .unwrap_or_default()
        .to_owned();
    let temperature = f64::from(state.task_temperature) / 100.0;
    let share = 100.0 * (temperature - COLDEST) / (HOTTEST - COLDEST);
    html! {
        div class="training-text" {
            label for="training-text" { (Key::TrainingText.text(language)) }
            textarea id="training-text" rows="2" autocomplete="off" spellcheck="false" translate="no" data-field="text" data-value=(panel.typed()) {}
            (button("training-another", "another", Key::TrainingAnother, language, false))
        }
        p id="training-problem" aria-live="polite" { (panel.problem(language)) }
        h3 id="training-answer-name" { (text::training_answer(language, &word)) }
        p class="training-answer" id="training-answer" { (answer(view)) }
        div id="training-go-on" hidden[panel.continuation().is_none()] {
            h3 { (Key::TrainingGoOn.text(language)) }
            label class="training-temperature" {
                span { (Key::TrainingTemperature.text(language)) }
                input type="range" id="training-temperature" min=(COLDEST) max=(HOTTEST) step="0.05" autocomplete="off"
                    data-sets=(Field::TaskTemperature.key()) data-fill=(format!("{share:.1}%")) data-value=(temperature);
                output id="training-temperature-at" { (temperature) }
            }
            p class="training-continuation" id="training-continuation" translate="no" { (continuation(panel.continuation().unwrap_or_default())) }
            p { (Key::TrainingGoOnNote.text(language)) }
        }
    }
}

/// The map of the chosen head, and what can be taken along.
fn map_of_head(panel: &TrainingPanel, view: &TrainingView<'_>) -> Markup {
    let language = view.language;
    let is_open = view.masks.total() == 0;
    let saved = match panel.saved() {
        None => String::new(),
        Some((name, true)) => text::code_saved(language, &name),
        Some((_, false)) => Key::CodeNotSaved.text(language).to_owned(),
    };
    html! {
        h3 id="training-map-name" { (view.head_name(view.head)) }
        p { (Key::TrainingHideAbout.text(language)) }
        div class="training-scroll" {
            table id="training-map" role="grid" aria-multiselectable="true" aria-label=(Key::TrainingMapHelp.text(language)) { (map(view)) }
        }
        p class="training-take" {
            button type="button" class="plain" id="training-on-map" data-do="on-map" title=(Key::TrainingOnMapTitle.text(language)) {
                (Key::TrainingOnMap.text(language))
            }
            button type="button" class="plain" id="training-unmask" data-do="unmask" aria-disabled=[is_open.then_some("true")] {
                (Key::TrainingUnmask.text(language))
            }
        }
        p id="training-masked" aria-live="polite" { (view.masked()) }
        div role="group" aria-labelledby="training-take-name" {
            h3 id="training-take-name" { (Key::TrainingTake.text(language)) }
            p { (Key::TrainingTakeAbout.text(language)) }
            (files("training-take", "own", language))
            p id="training-taken" role="status" { (saved) }
        }
    }
}

/// The loss as the track of the slider of steps: stretched over it, whatever its size.
fn track(view: &TrainingView<'_>) -> Markup {
    let places = view.track();
    let points = places
        .iter()
        .map(|(x, y)| format!("{:.2},{:.2}", 100.0 * x, 100.0 - 100.0 * y));
    let points: Vec<String> = points.collect();
    html! {
        svg viewBox="0 0 100 100" preserveAspectRatio="none" {
            polyline points=(points.join(" ")) {}
        }
    }
}

/// A canvas for each head, with its behaviour, the key with the chosen row's largest weight, and
/// the accuracy without the head.
fn wall(view: &TrainingView<'_>) -> Markup {
    html! {
        @for (head, line) in view.heads().iter().enumerate() {
            li {
                button type="button" data-do={ "head " (head) } aria-pressed=(head == view.head) { (self::head(head, line)) }
            }
        }
    }
}

/// The heads of the other run, counted on from those of the first.
fn other_wall(view: &TrainingView<'_>) -> Markup {
    let first = view.heads().len();
    html! {
        @for (at, line) in view.other_heads().iter().enumerate() { li { (head(first + at, line)) } }
    }
}

fn head(at: usize, line: &HeadLine) -> Markup {
    html! {
        canvas width="1" height="1" aria-hidden="true" data-heatmap=(at) {}
        span class="which" { (line.name) }
        span class="does" { (line.does) }
        span class="looks" { (line.looks) }
        @if !line.hidden.is_empty() { span class="hides" { (line.hidden) } }
        @if !line.without.is_empty() {
            span class=(if line.is_needed { "without is-needed" } else { "without" }) { (line.without) }
        }
    }
}

/// The map of the chosen head as a grid whose cells are hidden and shown.
fn map(view: &TrainingView<'_>) -> Markup {
    let words = view.words();
    let cells = view.cells();
    let mut cells = cells.iter().enumerate();
    html! {
        thead { tr { td {} @for word in &words { th scope="col" translate="no" { span { (word) } } } } }
        tbody {
            @for (row, word) in words.iter().enumerate() {
                tr class=(if row == view.row { "is-chosen" } else { "" }) {
                    th scope="row" translate="no" {
                        button type="button" data-do={ "row " (row) } aria-pressed=(row == view.row) { (word) }
                    }
                    @for (at, cell) in cells.by_ref().take(words.len()) { (painted_cell(at, cell)) }
                }
            }
        }
    }
}

/// Generated text, with the likelihood of each character.
fn continuation(drawn: &[DrawnCharacter]) -> Markup {
    html! {
        @for character in drawn {
            span data-likelihood=(character.likelihood) title=(character.share) { (character.text) }
        }
    }
}

/// Answer of the model at the chosen row.
fn answer(view: &TrainingView<'_>) -> Markup {
    let [word, share, next] = view.answer();
    html! {
        span class="likeliest" translate="no" { (word) }
        " "
        span class="share" { (share) }
        span class="next" { (next) }
        span class="open" { (view.open_answer()) }
    }
}
