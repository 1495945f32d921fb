//! Reasons why a distance remains, or why none does.

use super::view::{DrawView, nats};
use crate::i18n::{Key, text};
use model::fit::{Target, least_on_a_line};

/// Remaining distance, in nats, above which descent has missed a target that could
/// be reached.
const MISSED: f64 = 0.05;

impl DrawView<'_> {
    /// Explains the remaining distance at this size, one sentence per reason.
    pub fn reasons(&self) -> Vec<String> {
        let Some(target) = self.target() else {
            return vec![Key::DrawNoWords.text(self.language).to_owned()];
        };
        if target.painted() == 0 {
            return vec![Key::DrawNothing.text(self.language).to_owned()];
        }
        let least = self.least_for_equal_words(target);
        let equal = self.equal_words(least);
        // Equal words make targets another shape, but a line stays a line.
        let has_shape = least == 0.0 || self.least_on_a_line(target) > least;
        let shape = has_shape.then(|| self.shape(target));
        let heads = (self.options.heads > 1)
            .then(|| text::draw_why_heads(self.language, &self.options.heads));
        let missed = (least == 0.0 && self.is_missed(target))
            .then(|| Key::DrawWhyMissed.text(self.language).to_owned());
        let all = [shape, equal, heads, missed];
        all.into_iter().flatten().collect()
    }

    /// Lower bound of the remaining distance, as far as one is known.
    pub(super) fn least(&self, target: &Target) -> f64 {
        let [equal, line] = [
            self.least_for_equal_words(target),
            self.least_on_a_line(target),
        ];
        equal.max(line)
    }

    /// Lower bound for a one-to-one target with one head at `d_k` 1; 0 otherwise.
    fn least_on_a_line(&self, target: &Target) -> f64 {
        let is_line = self.options.d_k == 1 && self.options.heads == 1;
        if is_line && target.is_one_to_one() {
            least_on_a_line(target.painted())
        } else {
            0.0
        }
    }

    /// Lower bound because equal words have equal rows; 0 with positions.
    fn least_for_equal_words(&self, target: &Target) -> f64 {
        if self.options.has_positions {
            return 0.0;
        }
        let least = target.least_for_equal_words(self.words);
        if least < 1e-6 { 0.0 } else { least }
    }

    fn equal_words(&self, least: f64) -> Option<String> {
        let count = |word: &usize| self.words.iter().filter(|other| *other == word).count();
        let words = self.words.iter().enumerate();
        let again = words.filter(|(at, word)| at == *word && count(word) > 1);
        let again: Vec<String> = again
            .map(|(at, _)| text::draw_quoted(self.language, &self.tokens[at]))
            .collect();
        let all = again.join(" ");
        if again.is_empty() {
            None
        } else if self.options.has_positions {
            Some(text::draw_why_placed(self.language, &all))
        } else if least > 0.0 {
            Some(text::draw_why_equal(self.language, &all, &nats(least)))
        } else {
            Some(text::draw_why_equal_free(self.language, &all))
        }
    }

    fn shape(&self, target: &Target) -> String {
        let (groups, places) = (target.most_groups(), target.count_groups());
        let language = self.language;
        let line = self.least_on_a_line(target);
        match (groups, self.options.d_k) {
            (1, _) if places <= 2 => Key::DrawWhyEnds.text(language).to_owned(),
            (1, 1) if line > 0.0 => text::draw_why_line(language, &nats(line)),
            (1, 1) => text::draw_why_ends_of_many(language, &places),
            (1, _) => Key::DrawWhyCircle.text(language).to_owned(),
            _ => text::draw_why_face(language, &groups, &(2 * groups)),
        }
    }

    /// Whether descent has ended above [`MISSED`] although `d_k` is large enough
    /// for the target.
    fn is_missed(&self, target: &Target) -> bool {
        let needed = match (target.most_groups(), target.count_groups()) {
            (1, places) if places <= 2 => 1,
            (groups, _) => 2 * groups,
        };
        let found = self.found.filter(|found| found.run.is_done());
        let missed = found.is_some_and(|found| found.run.fit().distance() > MISSED);
        missed && self.options.d_k >= needed
    }
}

#[cfg(test)]
mod tests {
    use crate::i18n::Language;
    use crate::present::draw::lab::DrawLab;
    use crate::present::draw::pattern::Pattern;
    use crate::present::painted_grid::GridEvent;
    use crate::scene::colour::{Background, Lut};
    use model::fit::{FitOptions, least_on_a_line};

    fn lab(text: &str, pattern: Pattern, change: impl Fn(&mut FitOptions)) -> DrawLab {
        let tokens: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let mut lab = DrawLab::new(&tokens);
        lab.choose(pattern);
        let mut options = lab.options();
        change(&mut options);
        lab.set_options(options);
        lab
    }

    fn reasons(lab: &DrawLab) -> Vec<String> {
        let lut = Lut::mask(Background::Light);
        lab.view(&lut, 300.0, Language::En).reasons()
    }

    #[test]
    fn each_shape_of_a_target_has_its_sentence() {
        let said = |pattern, d_k| {
            let lab = lab("a b c d e f g", pattern, |options| options.d_k = d_k);
            let all = reasons(&lab);
            assert_eq!(all.len(), 1, "{all:?}");
            all[0].clone()
        };
        let least = format!("{:.3} nats", least_on_a_line(7));
        assert!(said(Pattern::Reverse, 1).contains(&least));
        assert!(said(Pattern::Reverse, 2).contains("circle"));
        assert!(said(Pattern::Blocks, 1).contains("3 places"));
        assert!(said(Pattern::Blocks, 3).contains("circle"));
        let mut own = lab("a b c d e f g", Pattern::Previous, |_| {});
        for key in [0, 3, 5] {
            own.take(GridEvent::Press(7 + key));
        }
        // It looked at the first word before: that is cleared.
        assert!(
            reasons(&own)[0].contains("up to 2 words"),
            "{:?}",
            reasons(&own)
        );
        assert!(reasons(&own)[0].contains("d_k = 4"));
        let ends = lab("a b c", Pattern::Previous, |options| options.d_k = 1);
        assert!(reasons(&ends)[0].contains("two ends"));
    }

    #[test]
    fn nothing_has_sentences_as_well() {
        let mut empty = lab("a b", Pattern::Previous, |_| {});
        empty.clear();
        assert!(reasons(&empty)[0].contains("Nothing is painted"));
        assert!(reasons(&lab("", Pattern::Next, |_| {}))[0].contains("no words"));
    }

    #[test]
    fn equal_words_are_named_with_what_they_cost() {
        let text = "The cat saw the dog";
        let without = |options: &mut FitOptions| options.has_positions = false;
        let placed = reasons(&lab(text, Pattern::Previous, |_| {}));
        assert!(placed[1].contains("place: “The”.") && placed[1].contains("places apart"));
        let equal = reasons(&lab(text, Pattern::Previous, without));
        assert_eq!(equal.len(), 1);
        assert!(equal[0].contains("nats remain at any d_k"), "{equal:?}");
        let both = reasons(&lab(
            "the cat saw the big old dog",
            Pattern::Reverse,
            |options| {
                without(options);
                options.d_k = 1;
            },
        ));
        assert!(both[0].contains("on a line") && both[1].contains("equal vectors"));
        let alike = reasons(&lab(text, Pattern::SameWord, without));
        assert!(
            alike[0].contains("circle") && alike[1].contains("alike anyway"),
            "{alike:?}"
        );
    }

    #[test]
    fn what_is_missed_is_said_only_where_more_is_possible() {
        let mut hard = lab("a b c d e f g", Pattern::Reverse, |options| {
            options.d_k = 1;
            options.heads = 2;
        });
        while hard.step().expect("finite") {}
        let said = reasons(&hard);
        assert!(said[1].contains("mean of the 2 heads"), "{said:?}");
        assert_eq!(said.len(), 2, "{said:?}");
    }
}
