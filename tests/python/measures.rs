//! Every measure that the page shows of its heads beside one made without it: the setting as a program, run by Python, which measures the
//! weights that it leaves.

use app::export::codegen::program;
use app::i18n::Language;
use app::present::head_charts;
use app::present::head_table::{HeadTable, SortOrder};
use app::present::reading::Measures;
use app::present::run::Run;
use app::present::similar_heads::SimilarHeads;
use app::scene::colour::{Background, Lut};
use app::state::request_builder::request;
use app::state::{ColourMap, Library, State, url};
use attention::analysis::BINS;
use engine::{BackendChoice, PageRun, Reason, RunCost, RunInfo, run};
use serde_json::Value;

use super::interpreter::{self, flat};

const SELF: [&str; 8] = [
    "mean self-attention",
    "mean attention to others",
    "mean entropy",
    "… of the maximum",
    "sink",
    "previous token",
    "next token",
    "mean distance",
];
const CROSS: [&str; 3] = ["mean entropy", "… of the maximum", "sink"];
const MIXED: [&str; 2] = ["mean entropy", "… of the maximum"];

/// Settings as links write them, with the measures that there are.
const CASES: [(&str, &[&str]); 11] = [
    (
        "text=The+animal+didn't+cross+the+street+because+it+was+too+tired&heads=8&head=8",
        &SELF,
    ),
    (
        "weights=random&heads=7&head=5&text=a+b+c+d+e&d_k=3&d_model=11&mask=causal",
        &SELF,
    ),
    (
        "weights=random&mask=causal,padding,local&valid=3&window=1&heads=3&head=2",
        &SELF,
    ),
    ("heads=2&mask=padding&valid=0", &SELF),
    (
        "weights=random&heads=2&mask=padding&valid=0&hiding=written",
        &SELF,
    ),
    ("heads=4&head=2&mask=causal&hiding=written", &SELF),
    (
        "weights=random&heads=3&head=3&mask=causal,local&window=1&hiding=after",
        &SELF,
    ),
    ("text=alone&weights=random&heads=3", &SELF),
    (
        "text=x+y+z&source=a+b+c+d+e+f+g+h&weights=random&heads=5&head=4",
        &CROSS,
    ),
    ("source=a+b+c&mask=padding&valid=2&heads=8&head=3", &CROSS),
    (
        "linformer=1&projected=3&weights=random&heads=5&head=4&d_model=16",
        &MIXED,
    ),
];

fn state(link: &str) -> State {
    let (state, notes) = url::parse(&format!(
        "v=1&{link}&text=the+cat+saw+that+it+was&d_model=32"
    ));
    // The first of two texts is taken, and what is said twice is remarked on.
    let notes: Vec<_> = notes
        .iter()
        .filter(|note| note.key != "text" && note.key != "d_model")
        .collect();
    assert!(notes.is_empty(), "{link}: {notes:?}");
    state
}

fn computed(state: &State) -> Run {
    let request = request(state).expect("a state through the door");
    let result = run(request, BackendChoice::Cpu).expect("it fits");
    let ran = RunInfo::on_cpu(Reason::Checking);
    let reply = PageRun::from_result(result, state.head, RunCost::NOTHING, ran, 0.0);
    Run::new(state.clone(), reply, None).expect("as many weights as cells")
}

/// Holds what is written to a number, as far as its digits go.
fn same(written: &str, number: &Value, what: &str) {
    let Some(number) = number.as_f64() else {
        return assert_eq!(written, "–", "{what}");
    };
    let digits: String = written
        .chars()
        .take_while(|character| character.is_ascii_digit() || *character == '.')
        .collect();
    let found: f64 = digits
        .parse()
        .unwrap_or_else(|_| panic!("{what}: {written} is no number, and not {number}"));
    let decimals = digits.split_once('.').map_or(0, |(_, after)| after.len());
    let tolerance = 0.51 * 10_f64.powi(-(decimals as i32));
    assert!(
        (found - number).abs() < tolerance,
        "{what}: {written}, and {number}"
    );
}

/// As precise as weights of 32 bits make it.
fn close(found: &[f64], wanted: &Value, what: &str) {
    let wanted = flat(wanted);
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-4, "{what}: {found}, {wanted}");
    }
}

/// Holds everything that the page says of a setting to what was measured.
fn check(link: &str, run: &Run, columns: &[&str], measured: &Value) {
    let heads = measured["heads"].as_array().expect("heads");
    let similarity = &measured["similarity"];
    let head = run.state.head;
    let table = HeadTable::new(run, head, SortOrder::default(), Language::En);
    assert_eq!(table.rows.len(), heads.len(), "{link}");
    let titles: Vec<_> = table.columns.iter().map(|column| column.title).collect();
    let wanted: Vec<_> = [&["head", "what it does"], columns, &["most similar"]].concat();
    assert_eq!(titles, wanted, "{link}");
    for (row, measured) in table.rows.iter().zip(heads) {
        let what = |column: &str| format!("{link}: head {}, {column}", row.head + 1);
        for (cell, column) in row.cells.iter().zip(&titles).skip(2) {
            if *column == "most similar" {
                let alike = cell.text.rsplit(", ").next().unwrap_or_default();
                same(
                    alike,
                    &nearest(&similarity[row.head], row.head),
                    &what(column),
                );
            } else {
                // The sink's key stands before its number.
                let number = cell.text.rsplit("” ").next().unwrap_or_default();
                same(number, &measured[column], &what(column));
            }
        }
    }
    let lut = Lut::new(ColourMap::default(), Background::Light);
    let grid = SimilarHeads::new(
        &run.findings().similarity,
        (heads.len(), head),
        &lut,
        Language::En,
    );
    for (at, pair) in grid.cells.iter().enumerate() {
        let (one, other) = (at / heads.len(), at % heads.len());
        let what = format!("{link}: heads {one} and {other}");
        same(&pair.value, &similarity[one][other], &what);
    }
    of_head(link, run, columns, &heads[head]);
}

/// Checks the measures beside the map of the chosen head, and those in its charts.
fn of_head(link: &str, run: &Run, columns: &[&str], own: &Value) {
    let head = run.state.head;
    let Measures(beside) = Measures::new(run, head, 0, Language::En).expect("a head");
    for (at, column) in [(4, 2), (5, 3), (6, 0), (7, 1)].map(|(at, column)| (at, SELF[column])) {
        if columns.contains(&column) {
            same(&beside[at], &own[column], &format!("{link}: {column}"));
        }
    }
    let entropy = head_charts::entropy(run, head).expect("a head");
    close(&entropy.values, &own["entropy"], link);
    close(&entropy.limits, &own["limits"], link);
    if columns == SELF {
        let itself = head_charts::itself(run, head).expect("a head");
        close(&itself.values, &own["itself"], link);
    }
    if columns != MIXED {
        close(&head_charts::first(run, head).values, &own["first"], link);
    }
    let histogram: [u32; BINS] = run.histogram(head).expect("a head");
    let counts: Vec<_> = histogram.iter().map(|count| f64::from(*count)).collect();
    close(&counts, &own["histogram"], link);
}

/// How alike the most similar of the other heads is.
fn nearest(alike: &Value, head: usize) -> Value {
    let alike = alike.as_array().expect("a list").iter().enumerate();
    let others = alike.filter(|(other, _)| *other != head);
    let most = others
        .filter_map(|(_, alike)| alike.as_f64())
        .reduce(f64::max);
    most.map_or(Value::Null, Value::from)
}

#[test]
fn what_is_measured_of_heads_is_what_python_measures() {
    let folder = interpreter::folder("measures");
    let runs = CASES.map(|(link, _)| computed(&state(link)));
    let write = |(at, run): (usize, &Run)| {
        let request = request(&run.state).expect("a state through the door");
        let program = program(&run.state, &request, Library::NumPy, Language::En);
        interpreter::write(
            &folder.join(at.to_string()),
            &program.expect("there are tokens"),
        )
    };
    let paths: Vec<_> = runs.iter().enumerate().map(write).collect();
    let Some(python) = interpreter::python() else {
        return interpreter::say("WHAT IS MEASURED OF HEADS WAS NOT MEASURED BY PYTHON.");
    };
    let lines = python.lines("measures.py", &paths);
    assert_eq!(lines.len(), CASES.len());
    for (((link, columns), run), line) in CASES.iter().zip(&runs).zip(&lines) {
        let measured = serde_json::from_str(line).expect("a line of JSON");
        check(link, run, columns, &measured);
    }
}
