//! The measures of the chosen head.

use web_sys::Element;

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::i18n::{Language, text};
use crate::present::run::Run;
use attention::analysis::Places;

/// The numbers of a head, and of its selected row.
pub(crate) struct Measures {
    entropy: Text,
    share: Text,
    self_weight: Text,
    diagonal: Text,
    off_diagonal: Text,
    /// What says something only where keys are the queries' own tokens.
    of_places: Vec<Element>,
    are_places: Option<bool>,
}

impl Measures {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            entropy: Text::find(root, "#entropy")?,
            share: Text::find(root, "#entropy-share")?,
            self_weight: Text::find(root, "#self-weight")?,
            diagonal: Text::find(root, "#diagonal")?,
            off_diagonal: Text::find(root, "#off-diagonal")?,
            of_places: root.all(".reading .of-places"),
            are_places: None,
        })
    }

    /// Shows the numbers of `head`, and those of the diagonal where keys are the queries' own tokens.
    pub(crate) fn update(&mut self, run: &Run, head: usize, query: usize, language: Language) {
        let Some(stats) = run.reply.stats.get(head) else {
            return;
        };
        let are_places = run.places() == Places::Same;
        if self.are_places.replace(are_places) != Some(are_places) {
            for part in &self.of_places {
                dom::set_flag(part, "hidden", !are_places);
            }
        }
        let own = stats.self_weight.get(query);
        self.entropy
            .set_text(&text::nats(language, &fixed(stats.entropy_mean)));
        self.share.set_text(
            &run.entropy_share(head)
                .map_or_else(none, |share| format!("{:.0} %", 100.0 * share)),
        );
        self.self_weight
            .set_text(&own.map_or_else(none, |weight| fixed(f64::from(*weight))));
        self.diagonal.set_text(&fixed(stats.diagonal_mean));
        self.off_diagonal.set_text(&fixed(stats.off_diagonal_mean));
    }
}

fn fixed(value: f64) -> String {
    // A mean of a few nothings may come out below zero by a rounding error.
    format!("{:.3}", value.max(0.0))
}

fn none() -> String {
    "–".to_owned()
}
