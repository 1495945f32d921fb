use super::*;

fn lab(text: &str) -> DrawLab {
    let tokens: Vec<String> = text.split(' ').map(str::to_owned).collect();
    DrawLab::new(&tokens)
}

fn painted(lab: &DrawLab) -> Vec<usize> {
    let cells = lab.grid().cells().iter().enumerate();
    cells.filter(|(_, is)| **is).map(|(at, _)| at).collect()
}

#[test]
fn a_stroke_makes_the_pattern_the_readers_own() {
    let mut lab = lab("a b c d e");
    assert_eq!(painted(&lab), [5, 11, 17, 23]);
    lab.take(GridEvent::Focus(3));
    assert_eq!(lab.pattern(), Pattern::Previous);
    lab.take(GridEvent::Press(5));
    assert_eq!(
        (painted(&lab), lab.pattern()),
        (vec![11, 17, 23], Pattern::Own)
    );
    lab.choose(Pattern::Own);
    assert_eq!(painted(&lab).len(), 3, "it begins with what is there");
    lab.clear();
    assert!(lab.grid().is_empty() && lab.is_done());
    assert_eq!(lab.step().ok(), Some(false));
}

#[test]
fn another_sentence_keeps_what_was_painted_by_hand_and_redraws_a_pattern() {
    let mut lab = lab("a b c");
    lab.read(&["a", "b", "c", "a"].map(str::to_owned));
    assert_eq!(painted(&lab), [4, 9, 14]);
    lab.take(GridEvent::Key(12, " "));
    lab.read(&["x", "y"].map(str::to_owned));
    assert_eq!((painted(&lab), lab.pattern()), (vec![2], Pattern::Own));
    lab.read(&[]);
    assert!(lab.is_done() && !lab.is_begun());
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
