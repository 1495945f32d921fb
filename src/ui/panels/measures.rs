//! The chosen head in numbers.

use crate::ui::dom::{MissingPart, Root, Text};
use crate::ui::run::Run;
use crate::words::{Key, Language, fill};

/// The numbers of a head, and of its selected row.
pub struct Measures {
    entropy: Text,
    share: Text,
    self_weight: Text,
    diagonal: Text,
    off_diagonal: Text,
}

impl Measures {
    pub fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            entropy: Text::find(root, "#entropy")?,
            share: Text::find(root, "#entropy-share")?,
            self_weight: Text::find(root, "#self-weight")?,
            diagonal: Text::find(root, "#diagonal")?,
            off_diagonal: Text::find(root, "#off-diagonal")?,
        })
    }

    /// Shows the numbers of `head`, and the self weight of `query` where it has a key of its own place.
    pub fn show(&mut self, run: &Run, head: usize, query: usize, language: Language) {
        let Some(stats) = run.reply.stats.get(head) else {
            return;
        };
        // Linformer's columns are no places, so no cell is a token's look at itself.
        let has_diagonal = !run.state.linformer;
        let own = stats
            .self_weight
            .get(query)
            .filter(|_| run.state.second.is_none() && has_diagonal);
        let on_places = |value: f64| if has_diagonal { fixed(value) } else { none() };
        self.entropy.say(&fill(
            language,
            Key::Nats,
            &[("value", &fixed(stats.entropy_mean))],
        ));
        self.share.say(
            &run.entropy_share(head)
                .map_or_else(none, |share| format!("{:.0} %", 100.0 * share)),
        );
        self.self_weight
            .say(&own.map_or_else(none, |weight| fixed(f64::from(*weight))));
        self.diagonal.say(&on_places(stats.diagonal_mean));
        self.off_diagonal.say(&on_places(stats.off_diagonal_mean));
    }
}

fn fixed(value: f64) -> String {
    // A mean of a few nothings may come out below zero by a rounding error.
    format!("{:.3}", value.max(0.0))
}

fn none() -> String {
    "–".to_owned()
}
