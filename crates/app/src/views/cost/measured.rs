//! The benchmark: its controls, its course, and its times.

use super::{Markup, html, scrolled};
use crate::i18n::{Key, Language};
use crate::present::cost::panel::CostPanel;
use crate::views::raw;

/// Longest lengths to choose from.
const MOST: [usize; 4] = [128, 1024, 4096, 16_384];

/// Marks of the times of both backends in the chart.
const PROCESSOR: &str = r#"<svg class="mark" viewBox="0 0 12 12" aria-hidden="true"><circle class="time" cx="6" cy="6" r="4"></circle></svg>"#;
const GRAPHICS: &str = r#"<svg class="mark" viewBox="0 0 12 12" aria-hidden="true"><rect class="time" x="2" y="2" width="8" height="8"></rect></svg>"#;

pub(super) fn measured(panel: &CostPanel, language: Language) -> Markup {
    let text = |key: Key| key.text(language);
    let timings = panel.timings(language);
    let is_running = panel.is_running();
    html! {
        div class="cost-try" {
            h3 { (text(Key::CostTry)) }
            p class="note" id="cost-try-note" { (timings.intro) }
            p class="cost-tools" {
                label {
                    span { (text(Key::CostUpTo)) } " "
                    select id="cost-most" autocomplete="off" data-field="most" data-value=(panel.most()) {
                        @for most in MOST { option value=(most) { (most) } }
                    }
                }
                " "
                button type="button" class="plain" id="cost-run" data-do="run" data-next-focus="cost-stop" hidden[is_running] { (text(Key::CostRun)) }
                " "
                button type="button" class="plain" id="cost-stop" data-do="stop" data-next-focus="cost-run" hidden[!is_running] { (text(Key::CostStop)) }
            }
            div role="status" { ul class="cost-said" id="cost-said" { (sentences(&timings.stands)) } }
            div id="cost-measured" hidden[timings.times.is_empty()] {
                (scrolled(text(Key::CostTimes), html! {
                    table class="cost-table" {
                        caption class="unseen" { (text(Key::CostTimes)) }
                        thead { tr {
                            th scope="col" { var { "n" } }
                            th scope="col" { (raw(PROCESSOR)) span { (text(Key::BackendProcessor)) } }
                            th scope="col" { (raw(GRAPHICS)) span { (text(Key::BackendGraphics)) } }
                        } }
                        tbody id="cost-times" {
                            @for (n, times) in &timings.times {
                                tr { th scope="row" { (n) } @for time in times { td { (time) } } }
                            }
                        }
                    }
                }))
                ul class="cost-said" id="cost-grew" { (sentences(&timings.grew)) }
                p class="note" id="cost-scaled" { (timings.rate) }
                p class="note" id="cost-stale" { (timings.stale) }
            }
        }
    }
}

fn sentences(sentences: &[String]) -> Markup {
    html! { @for sentence in sentences { li { (sentence) } } }
}
