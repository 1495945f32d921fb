use super::*;

fn lab(text: &str) -> DrawLab {
    let tokens: Vec<String> = text.split(' ').map(str::to_owned).collect();
    DrawLab::new(&tokens)
}

fn painted(lab: &DrawLab) -> Vec<usize> {
    let cells = lab.cells.iter().enumerate();
    cells.filter(|(_, is)| **is).map(|(at, _)| at).collect()
}

#[test]
fn a_stroke_paints_or_clears_and_makes_the_pattern_the_readers_own() {
    let mut lab = lab("a b c d e");
    assert_eq!(painted(&lab), [5, 11, 17, 23]);
    lab.begin_stroke((1, 0));
    assert_eq!(
        (painted(&lab), lab.pattern()),
        (vec![11, 17, 23], Pattern::Own)
    );
    lab.end_stroke();
    lab.extend_stroke((0, 0));
    assert_eq!(painted(&lab).len(), 3, "no stroke");
    lab.begin_stroke((0, 1));
    assert!(lab.extends_stroke((0, 4)));
    lab.extend_stroke((0, 4));
    lab.extend_stroke((0, 5));
    assert!(!lab.extends_stroke((0, 4)));
    lab.end_stroke();
    assert!(!lab.extends_stroke((0, 0)));
    assert_eq!(painted(&lab), [1, 2, 3, 4, 11, 17, 23]);
    assert_eq!(lab.cell(), (0, 1), "where the focus is");
    lab.choose(Pattern::Own);
    assert_eq!(painted(&lab).len(), 7, "it begins with what is there");
    lab.clear();
    assert!(lab.is_empty() && lab.is_done());
    assert_eq!(lab.step().ok(), Some(false));
}

#[test]
fn keys_move_along_rows_and_columns_and_stop_at_the_ends() {
    let mut lab = lab("a b c");
    let cells = [
        "ArrowDown",
        "End",
        "ArrowRight",
        "ArrowUp",
        "ArrowUp",
        "Home",
    ]
    .map(|key| {
        assert!(lab.move_by(key), "{key}");
        lab.cell()
    });
    assert_eq!(cells, [(1, 0), (1, 2), (1, 2), (0, 2), (0, 2), (0, 0)]);
    assert!(!lab.move_by("a"));
    lab.set_cell(7);
    assert_eq!(lab.cell(), (2, 1));
    lab.set_cell(9);
    assert_eq!(lab.cell(), (2, 1));
}

#[test]
fn another_sentence_keeps_what_was_painted_by_hand_and_redraws_a_pattern() {
    let mut lab = lab("a b c");
    lab.read(&["a", "b", "c", "a"].map(str::to_owned));
    assert_eq!(painted(&lab), [4, 9, 14]);
    lab.begin_stroke((3, 0));
    lab.end_stroke();
    lab.read(&["x", "y"].map(str::to_owned));
    assert_eq!((painted(&lab), lab.pattern()), (vec![2], Pattern::Own));
    lab.read(&[]);
    assert!(lab.is_done() && !lab.is_begun());
    assert!(!lab.move_by("ArrowDown"));
    let many: Vec<String> = (0..30).map(|at| at.to_string()).collect();
    lab.read(&many);
    assert_eq!((lab.tokens.len(), lab.total), (MOST_WORDS, 30));
}

#[test]
fn a_change_begins_again_and_keeps_the_sweep_where_only_d_k_differs() {
    let mut lab = lab("The cat saw the dog");
    assert_eq!(lab.words, [0, 1, 2, 0, 4], "equal but for the case");
    lab.begin_sweep();
    while lab.swept() < 1 {
        assert_eq!(lab.step_sweep().ok(), Some(true));
    }
    assert_eq!(lab.step().ok(), Some(true));
    assert!(lab.is_begun());
    let options = lab.options();
    lab.set_options(FitOptions { d_k: 3, ..options });
    assert!(!lab.is_begun());
    assert_eq!(lab.swept(), 1);
    lab.set_options(FitOptions {
        has_positions: false,
        ..lab.options()
    });
    assert_eq!(lab.swept(), 0);
    lab.start_again();
    assert_eq!(lab.options().seed, 2);
}
