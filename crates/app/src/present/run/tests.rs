//! Runs computed here, for the tests of whatever reads one.

use super::*;
use crate::i18n::Language;
use engine::{BackendChoice, PageRun, Reason, RunCost, RunInfo, RunResult, run};

/// The state of a link and what the page would be given for it.
pub(crate) fn reply(link: &str) -> (State, PageRun) {
    let (state, notes) = crate::state::url::parse(link);
    assert!(notes.is_empty(), "{link}: {notes:?}");
    let numbers = numbers(&state).expect("a state that can be computed");
    (state, numbers)
}

/// Run that the page would receive for a state.
pub(crate) fn numbers(state: &State) -> Result<PageRun, attention::Error> {
    let result = match request_builder::finished(state) {
        Some(weights) => RunResult::of_weights(weights),
        None => run(request_builder::request(state)?, BackendChoice::Cpu)?,
    };
    let ran = RunInfo::on_cpu(Reason::Checking);
    Ok(PageRun::from_result(
        result,
        state.head,
        RunCost::NOTHING,
        ran,
        0.0,
    ))
}

/// The run of a link.
pub(crate) fn computed(link: &str) -> Run {
    let (state, reply) = reply(link);
    Run::new(state, reply, None).expect("numbers that fit the state")
}

fn after(link: &str, before: &Run) -> Run {
    let (state, reply) = reply(link);
    Run::new(state, reply, Some(before)).expect("numbers that fit the state")
}

/// The first query sees no key; the others see all.
const FIRST_SEES_NOTHING: &str = "text=a+b+c&mask=padding&valid=0&source=x+y";

#[test]
fn rows_and_heads_are_cut_at_every_size() {
    for (link, rows, columns) in [
        ("text=", 0, 0),
        ("text=one", 1, 1),
        ("text=a+b+c+d+e&heads=3&d_model=48", 5, 5),
        ("text=a+b+c&source=v+w+x+y+z", 3, 5),
        ("text=a+b+c&source=", 3, 0),
        ("text=a+b+c&linformer=1&projected=2", 3, 2),
    ] {
        let run = computed(link);
        assert_eq!(
            (run.queries.len(), run.keys.len()),
            (rows, columns),
            "{link}"
        );
        for head in 0..run.heads() {
            assert_eq!(run.head(head).len(), rows * columns, "{link}");
            let joined: Vec<f32> = (0..rows)
                .flat_map(|row| run.row(head, row).to_vec())
                .collect();
            assert_eq!(joined, run.head(head), "{link}");
            assert!(run.grid(head).is_some(), "{link}");
            assert!(run.row(head, rows).is_empty(), "{link}");
        }
        assert!(run.head(run.heads()).is_empty(), "{link}");
        assert_eq!(run.findings().heads.len(), run.heads(), "{link}");
    }
}

/// Words that differ far behind their beginning are called alike, and mean different things.
#[test]
fn long_tokens_are_called_by_their_beginning() {
    let [one, other] = ["b", "c"].map(|end| format!("{}{end}", "a".repeat(999)));
    let run = computed(&format!(
        "text={one}+{other}&source=x+{one}&positions=rotary"
    ));
    let name = format!("{}…", "a".repeat(60));
    assert_eq!(run.queries, [&name, &name].map(String::clone));
    assert_eq!(run.keys, ["x", &name].map(str::to_owned));
    let keys = ["x".to_owned(), one.clone()];
    assert_eq!(run.words(), [&[one, other][..], &keys]);
    let [queries, keys] = meanings(run.words());
    assert!(queries[0] == keys[1] && queries[0] != queries[1]);
    for axis in [Axis::N, Axis::M, Axis::Keys, Axis::Positions] {
        let names = run.tokens(axis).expect("tokens");
        let longest = names.iter().map(|name| name.chars().count()).max();
        assert!(longest <= Some(61), "{axis:?}: {longest:?}");
    }
    assert_eq!(
        computed("text=a+b&linformer=1&projected=1").words()[1],
        ["1"]
    );
}

#[test]
fn numbers_of_another_size_are_refused() {
    for (link, other) in [
        ("text=a+b", "text=a+b+c"),
        ("heads=2", "heads=4"),
        ("text=a", "text="),
    ] {
        let ((state, _), (_, reply)) = (reply(link), reply(other));
        assert!(
            Run::new(state, reply, None).is_none(),
            "{link} with {other}"
        );
    }
}

#[test]
fn the_mask_is_shared_with_the_run_before_while_it_is_the_same() {
    let first = computed("text=a+b+c&mask=causal&hiding=out");
    let is_shared = |link| Rc::ptr_eq(&after(link, &first).seen, &first.seen);
    assert!(is_shared("text=a+b+c&mask=causal&temperature=2"));
    assert!(!is_shared("text=a+b+c"));
    assert!(!is_shared("text=a+b+c+d&mask=causal"));
    assert!(!is_shared("text=a+b+c&mask=causal&hiding=written"));
    assert!(!is_shared("text=a+b+c&mask=causal&hiding=added"));
}

#[test]
fn a_run_is_numbered_after_the_one_before() {
    let first = computed("text=a");
    let second = after("text=b", &first);
    assert_eq!((first.number, second.number), (0, 1));
}

#[test]
fn the_numbers_of_a_head_are_there_for_that_head_alone() {
    let run = computed("text=a+b+c&open=steps&head=2");
    let head = run.state.head;
    let numbers = run.numbers(head).expect("the steps are open");
    assert_eq!((numbers.head, numbers.weights), (head, run.head(head)));
    assert!(run.numbers(head + 1).is_none());
    assert!(computed("text=a+b+c&open=none").numbers(0).is_none());
}

#[test]
fn every_step_of_an_open_step_view_has_a_matrix() {
    for link in [
        "text=one&open=steps",
        "text=a+b+c+d+e&open=steps&mask=causal&heads=4&kv_heads=2",
        "text=a+b+c&source=x+y&open=steps&mask=padding&valid=1",
        "text=a+b+c&linformer=1&projected=2&open=steps",
    ] {
        let run = computed(link);
        for &step in &run.steps {
            let matrix = run.matrix(step, run.state.head);
            let matrix = matrix.unwrap_or_else(|| panic!("{link}: {step:?}"));
            assert_eq!(
                matrix.values.len(),
                matrix.rows * matrix.columns,
                "{link}: {step:?}"
            );
        }
    }
}

#[test]
fn a_prepared_matrix_is_the_one_that_would_be_made() {
    let mut run = computed("text=a+b+c&open=steps&step=scaled");
    let head = run.state.head;
    for step in [StepKind::Scaled, StepKind::Weights, StepKind::Output] {
        let made = run
            .matrix(step, head)
            .map(|matrix| matrix.values.into_owned());
        run.prepare(step, head);
        let prepared = run
            .matrix(step, head)
            .map(|matrix| matrix.values.into_owned());
        assert!(made.is_some() && made == prepared, "{step:?}");
        // Only one is held, and only for its head.
        assert!(
            run.matrix(step, head + 1)
                .is_none_or(|_| step == StepKind::Weights)
        );
    }
}

#[test]
fn the_mask_is_ones_where_a_key_is_seen() {
    let run = computed("text=a+b+c&mask=causal");
    let mask = run.matrix(StepKind::Mask, 0).expect("a mask");
    assert_eq!(*mask.values, [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]);
    assert!(computed("text=a+b+c").matrix(StepKind::Mask, 0).is_none());
}

#[test]
fn the_share_of_entropy_is_of_the_keys_that_a_row_can_reach() {
    // A temperature so high that all that is seen weighs the same: each row has all the entropy that it can have.
    let even = computed("text=a+b+c+d&mask=causal&temperature=10");
    let share = even.entropy_share(0).expect("rows with a choice");
    assert!((share - 1.0).abs() < 0.01, "{share}");
    assert_eq!(computed("text=one").entropy_share(0), None);
    assert_eq!(computed(FIRST_SEES_NOTHING).entropy_share(0), None);
    assert_eq!(even.entropy_share(even.heads()), None);
}

/// Captions beside the map are computed for every picture and must not compute the findings, which
/// compare every head with every other.
#[test]
fn naming_heads_beside_the_map_does_not_compare_them() {
    // No head can do its work, so each is said to do something else.
    let run = computed("text=Mary+kicked+the+ball&heads=4&temperature=10");
    for head in 0..run.heads() {
        assert!(!run.shows_role(head), "head {head}");
        assert!(roles::short(&run, head, Language::En).is_some());
        assert!(roles::caption(&run, head, Language::En).is_some());
    }
    assert!(run.findings.get().is_none());
    assert_eq!(run.findings().places, run.places());
}

#[test]
fn cells_that_a_mask_hides_are_in_no_bin() {
    let cells = |link: &str| -> u32 {
        let counts = computed(link).histogram(0).expect("a head");
        counts.iter().sum()
    };
    let link = "text=a+b+c+d+e&weights=random&heads=1&mask=causal";
    assert_eq!(cells(link), 15);
    assert_eq!(cells(&format!("{link}&hiding=after")), 15);
    // What is written over hidden scores gives them weight only where a row sees nothing.
    assert_eq!(cells(&format!("{link}&hiding=written")), 15);
    let blind = "text=a+b+c+d+e&heads=1&mask=padding&valid=0";
    assert_eq!(cells(blind), 0);
    assert_eq!(cells(&format!("{blind}&hiding=written")), 25);
    assert_eq!(cells("text=a+b+c+d+e&weights=random&heads=1"), 25);
    assert_eq!(computed("text=a").histogram(99), None);
}

/// Overwriting hidden scores changes no weight of a row with a visible key, and so none of its
/// measures.
#[test]
fn hidden_cells_are_measured_alike_whether_left_out_or_overwritten() {
    let link = "text=a+b+c+d+e+f+g&weights=random&mask=causal,padding&valid=3";
    let [out, written] = ["out", "written"].map(|own| computed(&format!("{link}&hiding={own}")));
    for head in 0..out.heads() {
        assert_eq!(out.histogram(head), written.histogram(head), "head {head}");
        let range = written.range(head).expect("a head");
        assert_eq!(out.range(head), Some(range), "head {head}");
        assert!(range.weights.is_some_and(|[least, _]| least > 0.0));
        let [out, written] = [&out, &written].map(|run| &run.reply.stats[head]);
        assert_eq!(out.diagonal_mean, written.diagonal_mean, "head {head}");
        assert_eq!(
            out.off_diagonal_mean, written.off_diagonal_mean,
            "head {head}"
        );
    }
}

/// A row that sees nothing has weights where hidden scores are overwritten, and they count.
#[test]
fn weights_that_a_written_number_gives_to_hidden_cells_count() {
    let run = computed("text=a+b+c+d&mask=padding&valid=0&hiding=written");
    let (range, stats) = (run.range(0).expect("a head"), &run.reply.stats[0]);
    assert_eq!((range.weights, range.sums), (Some([0.25; 2]), [1.0; 2]));
    assert_eq!((stats.diagonal_mean, stats.off_diagonal_mean), (0.25, 0.25));
    assert!((stats.entropy_mean - 4_f64.ln()).abs() < 1e-6);
    let out = computed("text=a+b+c+d&mask=padding&valid=0");
    assert_eq!(out.range(0).map(|range| range.sums), Some([0.0; 2]));
    assert_eq!(
        out.reply.stats[0].entropy_mean, 0.0,
        "no weights, no entropy"
    );
}

#[test]
fn axes_have_the_tokens_that_stand_along_them() {
    let run = computed("text=a+b+c&source=x+y&linformer=1&projected=1");
    let tokens = |axis| run.tokens(axis).map(Cow::into_owned);
    let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
    assert_eq!(tokens(Axis::N), words(&["a", "b", "c"]));
    assert_eq!(tokens(Axis::M), words(&["x", "y"]));
    assert_eq!(tokens(Axis::Keys), words(&["1"]));
    assert_eq!(tokens(Axis::DK), None);
}

#[test]
fn places_of_keys_count_in_one_text_alone() {
    assert_eq!(computed("text=a+b").places(), Places::Same);
    assert_eq!(computed("text=a+b&source=c").places(), Places::Other);
    assert_eq!(
        computed("text=a+b&source=c&linformer=1").places(),
        Places::None
    );
}

#[test]
fn a_large_map_has_the_range_of_its_head_unless_one_is_chosen() {
    let with_words = |count: usize, chosen: &str| {
        let text = vec!["word"; count].join("+");
        computed(&format!("text={text}+it&heads=2&weights=random{chosen}"))
    };
    let in_force = |run: &Run| run.range_in_force(run.state.range);
    assert_eq!(in_force(&with_words(31, "")), ColourRange::All);
    let large = with_words(32, "");
    assert_eq!(in_force(&large), ColourRange::Head);
    let [auto, head, all] = ColourRange::ALL.map(|range| large.largest(range, 1));
    assert_eq!(auto, head);
    assert_eq!(all, large.largest(ColourRange::Auto, 0).max(head));
    assert_eq!(in_force(&with_words(32, "&range=all")), ColourRange::All);
    assert_eq!(in_force(&with_words(3, "&range=head")), ColourRange::Head);
    let wide = computed(&format!("text=a&source={}", vec!["b"; 33].join("+")));
    assert_eq!(in_force(&wide), ColourRange::Head, "columns count as well");
}
