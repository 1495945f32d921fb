//! Arrow keys in a group of controls that is one stop for Tab (the roving tabindex of the ARIA patterns).

/// Which of `count` controls a key leads to from the one at `at`; `keys` lead back and forward. The ends stay where they are.
pub fn target(key: &str, [back, forward]: [&str; 2], at: usize, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match key {
        "Home" => 0,
        "End" => last,
        _ if key == back => at.saturating_sub(1),
        _ if key == forward => (at + 1).min(last),
        _ => return None,
    })
}

/// Which of `count` controls an arrow leads to from the one at `at`, up and left being back; `None` beyond the ends.
pub fn beside(key: &str, at: usize, count: usize) -> Option<usize> {
    let to = match key {
        "ArrowRight" | "ArrowDown" => at + 1,
        "ArrowLeft" | "ArrowUp" => at.checked_sub(1)?,
        _ => return None,
    };
    (to < count).then_some(to)
}

/// Which of `count` controls in a column a key leads to.
pub fn in_column(key: &str, at: usize, count: usize) -> Option<usize> {
    target(key, ["ArrowUp", "ArrowDown"], at, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_lead_along_a_strip_and_no_further() {
        let to = |key, at| beside(key, at, 3);
        assert_eq!(
            ["ArrowRight", "ArrowDown"].map(|key| to(key, 1)),
            [Some(2); 2]
        );
        assert_eq!(["ArrowLeft", "ArrowUp"].map(|key| to(key, 1)), [Some(0); 2]);
        assert_eq!(
            [to("ArrowLeft", 0), to("ArrowRight", 2), to("End", 0)],
            [None; 3]
        );
    }

    #[test]
    fn arrows_lead_up_and_down_a_column_and_to_its_ends() {
        let to = |key| in_column(key, 3, 11);
        assert_eq!(
            ["ArrowUp", "ArrowDown", "End"].map(to),
            [Some(2), Some(4), Some(10)]
        );
        assert_eq!(to("ArrowRight"), None);
    }

    #[test]
    fn arrows_lead_to_the_neighbours_and_end_at_the_ends() {
        let to = |key, at| target(key, ["ArrowLeft", "ArrowRight"], at, 3);
        assert_eq!([to("ArrowLeft", 0), to("ArrowLeft", 2)], [Some(0), Some(1)]);
        assert_eq!([to("ArrowRight", 1), to("ArrowRight", 2)], [Some(2); 2]);
        assert_eq!([to("Home", 2), to("End", 0)], [Some(0), Some(2)]);
        assert_eq!([to("ArrowDown", 1), to("a", 1)], [None; 2]);
        assert_eq!(target("End", ["a", "b"], 0, 0), None);
    }
}
