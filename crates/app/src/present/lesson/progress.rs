//! Progress in each lesson, as the browser stores it: `00-show-me=7 06-masks=3`.

wasm_chunks::chunk!("engine": impl Progress);

/// Steps that were done of each lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress(Vec<(String, usize)>);

/// Most lessons that are stored: the text may have been written by something else.
const MOST: usize = 200;

impl Progress {
    /// Parses stored progress; ignores entries that cannot be read.
    pub fn parse(kept: &str) -> Self {
        let pairs = kept.split(' ').filter_map(|pair| {
            let (name, steps) = pair.split_once('=')?;
            Some((name.to_owned(), steps.parse().ok()?))
        });
        Self(pairs.take(MOST).collect())
    }

    /// Formats the progress for storage.
    pub fn write(&self) -> String {
        let pairs = self.0.iter().map(|(name, steps)| format!("{name}={steps}"));
        pairs.collect::<Vec<_>>().join(" ")
    }

    /// How many steps of a lesson were done.
    pub fn done(&self, name: &str) -> usize {
        let own = self.0.iter().find(|(own, _)| own == name);
        own.map_or(0, |(_, steps)| *steps)
    }

    /// Records the number of steps done in a lesson; returns whether that is more than before.
    pub fn take(&mut self, name: &str, steps: usize) -> bool {
        let is_more = steps > self.done(name);
        if is_more {
            self.0.retain(|(own, _)| own != name);
            self.0.push((name.to_owned(), steps));
        }
        is_more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_kept_and_never_falls_back() {
        let mut progress = Progress::default();
        assert!(progress.take("06-masks", 2) && progress.take("00-show-me", 7));
        assert!(!progress.take("06-masks", 1) && progress.take("06-masks", 3));
        assert_eq!(Progress::parse(&progress.write()), progress);
        assert_eq!((progress.done("06-masks"), progress.done("01")), (3, 0));
    }

    #[test]
    fn what_cannot_be_read_is_passed_over() {
        for kept in [
            "",
            "=",
            "a",
            "a=b",
            "a=-1",
            "{\"a\": 1}",
            "a=99999999999999999999999",
        ] {
            assert_eq!(Progress::parse(kept).done("a"), 0, "{kept}");
        }
        let many = "a=1 ".repeat(9_999);
        assert!(Progress::parse(&many).write().len() < 1_000);
    }
}
