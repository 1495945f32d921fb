//! Programs as texts. What they find is tried in `tests/python/`.

#[path = "../python/cases.rs"]
mod cases;

use app::export::codegen::{FILE, Mark, Program, marked, notebook, program, writes_alike};
use app::i18n::Language;
use app::state::{Library, State, request_builder, url};
use cases::{HOSTILE, cases};
use formats::{self, Limits};

fn of(state: &State, library: Library, language: Language) -> Option<Program> {
    let request = request_builder::request(state).expect("a state through the door");
    program(state, &request, library, language)
}

fn of_link(link: &str) -> State {
    url::parse(&format!("v=1&{link}")).0
}

#[test]
fn marks_are_all_of_a_program() {
    for case in cases() {
        for library in Library::ALL {
            let text = of(&case.state, library, Language::Zh)
                .expect("there are tokens")
                .text();
            let marks = marked(&text);
            let all: String = marks.iter().map(|one| one.text).collect();
            assert_eq!(all, text, "{}", case.name);
            assert!(marks.iter().all(|one| !one.text.is_empty()));
        }
    }
}

#[test]
fn settings_that_a_program_does_not_hold_write_no_other() {
    let of = |rest: &str| of_link(&format!("text=a+b&heads=2{rest}"));
    let is_alike = |rest| writes_alike(&of(""), &of(rest));
    assert!(["&theme=dark", "&open=cost", "&scale=log", "&cell=1,1"].map(is_alike) == [true; 4]);
    assert!(["&head=2", "&code=pytorch", "&mask=causal"].map(is_alike) == [false; 3]);
}

#[test]
fn words_are_marked_as_what_they_are() {
    let line = "Q = f(\"a \\\" # b\")  # Q, K";
    let found: Vec<_> = marked(line)
        .iter()
        .map(|one| (one.mark, one.text))
        .collect();
    assert_eq!(
        found,
        [
            (Mark::Query, "Q"),
            (Mark::Plain, " = f("),
            (Mark::Text, "\"a \\\" # b\""),
            (Mark::Plain, ")  "),
            (Mark::Remark, "# Q, K"),
        ]
    );
    let kinds = |text: &str| marked(text)[0].mark;
    assert_eq!(kinds("def f"), Mark::Keyword);
    assert_eq!(kinds("W_K @"), Mark::Key);
    assert_eq!(kinds("key"), Mark::Plain);
    assert_eq!(kinds(&format!("\"{}\"", "A".repeat(300))), Mark::Data);
    assert_eq!(kinds("\"open"), Mark::Text);
}

/// Nothing of a text reaches the program but characters that are seen where they stand, inside the quotes of a list.
#[test]
fn hostile_texts_stay_inside_their_quotes() {
    for text in HOSTILE {
        let case = cases()
            .into_iter()
            .find(|case| case.name == format!("text {text:?}"));
        let state = case.expect("it is a case").state;
        let written = of(&state, Library::NumPy, Language::En)
            .expect("there are tokens")
            .text();
        let words = vec!["x"; request_builder::tokens(&state).queries.words.len()].join("+");
        let plain = of_link(&format!(
            "d_model=8&d_k=4&heads=2&weights=random&text={words}&source={words}"
        ));
        let other = of(&plain, Library::NumPy, Language::En)
            .expect("there are tokens")
            .text();
        let frame = |text: &str| {
            let lines = text.lines().filter(|line| {
                !line.contains(" = [") && !line.contains("numbers(") && !line.starts_with('#')
            });
            let kept: Vec<String> = lines
                .filter(|line| !line.starts_with("n, m = "))
                .map(str::to_owned)
                .collect();
            let is_data = |line: &&String| {
                !line.starts_with("    [")
                    && *line != "])  # [n, d_model]"
                    && *line != "])  # [m, d_model]"
            };
            kept.iter().filter(is_data).cloned().collect::<Vec<_>>()
        };
        assert_eq!(frame(&written), frame(&other), "{text:?}");
        let strange = |c: char| {
            c != '\n'
                && (c.is_control()
                    || "\u{202e}\u{2066}\u{200b}\u{200d}\u{feff}\u{2028}\u{2029}".contains(c))
        };
        assert!(!written.contains(strange), "{text:?}");
    }
}

/// The texts of a list, read as Python reads them; `None` where it would stop.
fn read(list: &str) -> Option<Vec<String>> {
    let mut rest = list.strip_prefix('[')?.chars();
    let mut words = Vec::new();
    loop {
        match rest.next()? {
            ']' => return rest.next().is_none().then_some(words),
            ',' | ' ' => {}
            '"' => words.push(word(&mut rest)?),
            _ => return None,
        }
    }
}

fn word(rest: &mut std::str::Chars<'_>) -> Option<String> {
    let mut word = String::new();
    loop {
        let c = match rest.next()? {
            '"' => return Some(word),
            '\\' => {
                let sign = rest.next()?;
                let digits = match sign {
                    'u' => 4,
                    'U' => 8,
                    _ => 0,
                };
                let hex: String = rest.by_ref().take(digits).collect();
                match sign {
                    'u' | 'U' => char::from_u32(u32::from_str_radix(&hex, 16).ok()?)?,
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    '"' | '\\' => sign,
                    _ => return None,
                }
            }
            c => c,
        };
        word.push(c);
    }
}

#[test]
fn tokens_are_read_as_they_are() {
    for case in cases() {
        let text = of(&case.state, Library::NumPy, Language::En)
            .expect("there are tokens")
            .text();
        let list = |name| text.lines().find_map(|line| line.strip_prefix(name));
        let sides = request_builder::tokens(&case.state);
        assert_eq!(
            list("queries = ").and_then(read),
            Some(sides.queries.words),
            "{}",
            case.name
        );
        let keys = list("keys = ").filter(|line| *line != "queries").map(read);
        assert_eq!(
            keys,
            sides.source.map(|source| Some(source.words)),
            "{}",
            case.name
        );
    }
}

#[test]
fn a_notebook_has_the_same_cells() {
    for case in cases() {
        let program = of(&case.state, Library::Jax, Language::En).expect("there are tokens");
        let file: serde_json::Value =
            serde_json::from_str(&notebook(&program)).expect("it is JSON");
        let cells = file["cells"].as_array().expect("a list of cells");
        let sources: Vec<&str> = cells
            .iter()
            .map(|cell| cell["source"].as_str().expect("a text"))
            .collect();
        assert_eq!(sources, program.cells, "{}", case.name);
        assert_eq!(file["nbformat"], 4);
        assert!(cells.iter().all(|cell| cell["cell_type"] == "code"
            && cell["outputs"].as_array().is_some_and(Vec::is_empty)));
    }
}

#[test]
fn many_numbers_stand_in_a_file_and_few_in_the_text() {
    let small = of(&State::default(), Library::NumPy, Language::En).expect("there are tokens");
    assert_eq!((small.npz(), small.text().contains(FILE)), (None, false));
    assert!(small.text().len() < 300_000);
    let large =
        of(&of_link("d_model=512&d_k=64"), Library::NumPy, Language::En).expect("there are tokens");
    assert!(large.text().contains(FILE) && large.text().len() < 5_000);
    let file = large.npz().expect("a file");
    let tensors = formats::read(FILE, &file, &Limits::default()).expect("it can be read");
    let names: Vec<&str> = tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    assert_eq!(names, ["x", "w_q", "b_q", "w_k", "w_v", "w_o"]);
    let given: Vec<_> = large
        .beside
        .iter()
        .map(|given| given.values.clone())
        .collect();
    let read: Vec<_> = tensors.into_iter().map(|tensor| tensor.data).collect();
    assert_eq!(read, given, "the very numbers");
}

#[test]
fn padded_rows_are_part_of_the_condition() {
    let state = of_link("text=a+b+c&mask=padding&valid=2&pad_rows=1");
    let program = of(&state, Library::NumPy, Language::En).expect("there are tokens");
    assert!(program.text().contains("M = (j < 2) & (i < 2)  # [n, m]"));
}

#[test]
fn without_tokens_there_is_no_program() {
    for link in [
        "text=",
        "text=&linformer=1",
        "text=a&source=",
        "text=&source=a",
    ] {
        assert_eq!(
            of(&of_link(link), Library::PyTorch, Language::En),
            None,
            "{link}"
        );
    }
}

#[test]
fn remarks_are_in_the_language_of_the_page() {
    let state = of_link("text=a+b&heads=4&kv_heads=2&mask=padding&valid=0&temperature=2");
    let [en, zh] = [Language::En, Language::Zh].map(|language| {
        of(&state, Library::NumPy, language)
            .expect("there are tokens")
            .text()
    });
    let remark = |text: &str| {
        text.chars()
            .filter(|c| ('\u{4e00}'..'\u{9fff}').contains(c))
            .count()
    };
    assert_eq!(remark(&en), 0);
    assert!(remark(&zh) > 50);
    let without = |text: &str| -> Vec<String> {
        let code = text.lines().map(|line| {
            line.split('#')
                .next()
                .unwrap_or_default()
                .trim_end()
                .to_owned()
        });
        code.collect()
    };
    assert_eq!(without(&en), without(&zh));
}
