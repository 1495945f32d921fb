//! Strokes of the brush, to be taken back one by one.

use super::Painting;

/// The most strokes that can be taken back.
const MOST: usize = 64;

/// What was painted before each stroke and after it.
#[derive(Clone, Debug, Default)]
pub struct Strokes(Vec<[Painting; 2]>);

impl Strokes {
    /// A stroke has ended.
    pub fn push(&mut self, before: Painting, after: &Painting) {
        if before != *after {
            self.0.push([before, after.clone()]);
        }
        let surplus = self.0.len().saturating_sub(MOST);
        self.0.drain(..surplus);
    }

    /// Whether the last stroke is what is painted now.
    pub fn can_undo(&self, now: &Painting) -> bool {
        self.0.last().is_some_and(|[_, after]| after == now)
    }

    /// What was painted before the last stroke. A stroke that something else has painted over is forgotten.
    pub fn undo(&mut self, now: &Painting) -> Option<Painting> {
        let [before, after] = self.0.pop()?;
        (after == *now).then_some(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::url;

    fn painting(param: &str) -> Painting {
        url::parse(&format!("text=a+b+c+d+e+f&paint={param}"))
            .0
            .paint
    }

    #[test]
    fn strokes_are_taken_back_as_long_as_nothing_else_was_painted() {
        let [none, one, other] = ["", "AAAA", "AAAB"].map(painting);
        assert!(none != one && one != other);
        let mut strokes = Strokes::default();
        strokes.push(none.clone(), &one);
        strokes.push(one.clone(), &one);
        assert!(strokes.can_undo(&one) && !strokes.can_undo(&other));
        assert_eq!(strokes.undo(&one), Some(none.clone()));
        strokes.push(none.clone(), &one);
        assert_eq!(strokes.undo(&other), None);
        assert_eq!(strokes.undo(&one), None);
        for _ in 0..2 * MOST {
            strokes.push(none.clone(), &one);
        }
        let count = std::iter::from_fn(|| strokes.undo(&one)).count();
        assert_eq!(count, MOST);
    }
}
