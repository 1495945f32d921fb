//! Patterns of attention to choose from.

use attention::analysis::Pattern as HeadPattern;

/// Which words a word looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// The one before it; the first looks at none.
    Previous,
    /// The one after it; the last looks at none.
    Next,
    /// The one at the mirrored place.
    Reverse,
    /// Every place of the same word.
    SameWord,
    /// All of its block of three.
    Blocks,
    /// Those that the user has painted.
    Own,
}

/// Words in a block.
const BLOCK: usize = 3;

impl Pattern {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 6] = [
        Self::Previous,
        Self::Next,
        Self::Reverse,
        Self::SameWord,
        Self::Blocks,
        Self::Own,
    ];

    /// Its name in the menu of the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Previous => "previous",
            Self::Next => "next",
            Self::Reverse => "reverse",
            Self::SameWord => "same-word",
            Self::Blocks => "blocks",
            Self::Own => "own",
        }
    }

    /// The one of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pattern| pattern.name() == name)
    }

    /// The pattern of heads that it is, if it is one.
    pub const fn of_head(self) -> Option<HeadPattern> {
        match self {
            Self::Previous => Some(HeadPattern::PREVIOUS),
            Self::Next => Some(HeadPattern::NEXT),
            Self::SameWord => Some(HeadPattern::SameWord),
            Self::Reverse | Self::Blocks | Self::Own => None,
        }
    }

    /// Its cells, row by row, on words of which equal ones have equal numbers; `None` for those that are painted by hand.
    pub fn cells(self, words: &[usize]) -> Option<Vec<bool>> {
        let n = words.len();
        let of_head = self.of_head();
        let cell = |row: usize, key: usize| match (self, &of_head) {
            (_, Some(pattern)) => pattern.means(words, row, key),
            (Self::Reverse, None) => row + key + 1 == n,
            (Self::Blocks, None) => row / BLOCK == key / BLOCK,
            (_, None) => false,
        };
        let rows = (0..n).flat_map(|row| (0..n).map(move |key| (row, key)));
        let cells = rows.map(|(row, key)| cell(row, key)).collect();
        (self != Self::Own).then_some(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of each row.
    fn keys(pattern: Pattern, words: &[usize]) -> Vec<Vec<usize>> {
        let cells = pattern.cells(words).expect("a pattern");
        let painted = |row: &[bool]| {
            let keys = row.iter().enumerate();
            keys.filter(|(_, is)| **is).map(|(key, _)| key).collect()
        };
        cells.chunks(words.len()).map(painted).collect()
    }

    #[test]
    fn each_pattern_looks_where_it_says() {
        let words = [0, 1, 0, 2, 3];
        let none: Vec<usize> = Vec::new();
        assert_eq!(
            keys(Pattern::Previous, &words),
            [none.clone(), vec![0], vec![1], vec![2], vec![3]]
        );
        assert_eq!(
            keys(Pattern::Next, &words),
            [vec![1], vec![2], vec![3], vec![4], none]
        );
        assert_eq!(
            keys(Pattern::Reverse, &words),
            [[4], [3], [2], [1], [0]].map(Vec::from)
        );
        assert_eq!(
            keys(Pattern::SameWord, &words),
            [vec![0, 2], vec![1], vec![0, 2], vec![3], vec![4]]
        );
        assert_eq!(
            keys(Pattern::Blocks, &words),
            [
                vec![0, 1, 2],
                vec![0, 1, 2],
                vec![0, 1, 2],
                vec![3, 4],
                vec![3, 4]
            ]
        );
        assert_eq!(Pattern::Own.cells(&words), None);
        assert_eq!(Pattern::Previous.cells(&[]), Some(vec![]));
    }

    #[test]
    fn names_lead_back() {
        for pattern in Pattern::ALL {
            assert_eq!(Pattern::from_name(pattern.name()), Some(pattern));
        }
        assert_eq!(Pattern::from_name("moon"), None);
    }
}
