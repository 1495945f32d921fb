//! Sentences about what was changed or ignored, until they are dismissed.

/// More than this many at a time would push the map away.
const MOST: usize = 4;

/// A notice, shown as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// A number that no other notice of the page has had.
    pub id: u32,
    /// Text of the notice.
    pub sentence: String,
    /// How long it stays, and its button.
    pub kind: NoticeKind,
}

/// Lifetime of a notice, and its button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Disappears with the next change.
    Passing,
    /// Disappears with the next change; has a button that undoes the change it
    /// reports.
    Undoable,
    /// The same, with a button for the example of this id, which a model has learned.
    WithExample(&'static str),
    /// Stays until it is dismissed or replaced, whatever else changes.
    Kept,
}

/// The notices, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct Notices {
    shown: Vec<Notice>,
    count: u32,
}

impl Notices {
    /// The notices that are shown.
    pub fn shown(&self) -> &[Notice] {
        &self.shown
    }

    /// Adds a sentence, unless it is shown already; removes the oldest if there
    /// are too many.
    pub fn add(&mut self, sentence: &str) {
        let all = self.shown.iter();
        let passing: Vec<&Notice> = all.filter(|shown| shown.kind != NoticeKind::Kept).collect();
        if passing.iter().any(|shown| shown.sentence == sentence) {
            return;
        }
        if passing.len() == MOST {
            self.remove(passing[0].id);
        }
        self.push(sentence, NoticeKind::Passing);
    }

    /// Adds a sentence about the last step that offers to undo it.
    pub fn offer_undo(&mut self, sentence: &str) {
        self.push(sentence, NoticeKind::Undoable);
    }

    /// The same, with an example to go to.
    pub fn offer_example(&mut self, sentence: &str, id: &'static str) {
        self.push(sentence, NoticeKind::WithExample(id));
    }

    /// Replaces the kept notice.
    pub fn keep(&mut self, sentence: &str) {
        self.shown.retain(|shown| shown.kind != NoticeKind::Kept);
        self.push(sentence, NoticeKind::Kept);
    }

    /// Removes a notice and returns its text.
    pub fn remove(&mut self, id: u32) -> Option<String> {
        let at = self.shown.iter().position(|shown| shown.id == id)?;
        Some(self.shown.remove(at).sentence)
    }

    /// Removes every notice but the kept one.
    pub fn clear(&mut self) {
        self.shown.retain(|shown| shown.kind == NoticeKind::Kept);
    }

    fn push(&mut self, sentence: &str, kind: NoticeKind) {
        self.shown.push(Notice {
            id: self.count,
            sentence: sentence.to_owned(),
            kind,
        });
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(notices: &Notices) -> Vec<&str> {
        let shown = notices.shown().iter();
        shown.map(|shown| &*shown.sentence).collect()
    }

    #[test]
    fn a_sentence_is_told_once_and_the_oldest_makes_room() {
        let mut notices = Notices::default();
        for sentence in ["a", "b", "a", "c", "d", "e"] {
            notices.add(sentence);
        }
        assert_eq!(sentences(&notices), ["b", "c", "d", "e"]);
    }

    #[test]
    fn what_is_kept_stays_and_takes_no_room() {
        let mut notices = Notices::default();
        notices.keep("lost");
        for sentence in ["a", "b", "c", "d", "e", "lost"] {
            notices.add(sentence);
        }
        assert_eq!(sentences(&notices), ["lost", "c", "d", "e", "lost"]);
        notices.clear();
        assert_eq!(sentences(&notices), ["lost"]);
        notices.keep("back");
        assert_eq!(sentences(&notices), ["back"]);
    }

    #[test]
    fn the_one_that_is_dismissed_goes_alone() {
        let mut notices = Notices::default();
        notices.keep("lost");
        notices.offer_undo("changed");
        let ids: Vec<u32> = notices.shown().iter().map(|shown| shown.id).collect();
        assert_eq!(notices.remove(ids[1]).as_deref(), Some("changed"));
        assert_eq!(notices.remove(ids[1]), None);
        assert_eq!(sentences(&notices), ["lost"]);
    }

    #[test]
    fn no_two_notices_have_had_one_number() {
        let mut notices = Notices::default();
        notices.add("a");
        let before = notices.shown()[0].id;
        notices.clear();
        notices.add("a");
        assert_ne!(notices.shown()[0].id, before);
    }
}
