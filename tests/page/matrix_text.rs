//! The matrix on the map as text: what a spreadsheet, Python, a mail and a paper get.

use app::export::matrix_text::{Form, MOST_IN_TABLE, MOST_NUMBERS, Refusal, Selection, TextMatrix};
use formats::{Limits, Tensor, read};

const WHOLE: Selection = Selection {
    row: None,
    column: None,
};

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

fn written(
    rows: &[&str],
    columns: &[&str],
    values: &[f32],
    taken: Selection,
    form: Form,
) -> Result<String, Refusal> {
    let (rows, columns) = (names(rows), names(columns));
    let sheet = TextMatrix {
        titles: ["query", "key"],
        rows: &rows,
        columns: &columns,
        values,
        is_hidden: &|row, column| (row, column) == (0, 2),
        caption: "weights, 100% of head_1",
        formula: "$d_k = 4$.",
    };
    sheet.written(taken, form)
}

const SMALL: [f32; 6] = [0.1, 0.9, 0.0, 1.0 / 3.0, -0.000_04, 2e-9];

fn small(taken: Selection, form: Form) -> String {
    written(&["it", "猫"], &["The", "动物", "x"], &SMALL, taken, form).expect("it is small")
}

#[test]
fn a_spreadsheet_gets_tabs_and_every_digit() {
    assert_eq!(
        small(WHOLE, Form::Tabs),
        "query \\ key\tThe\t动物\tx\nit\t0.1\t0.9\t\n猫\t0.33333334\t-4e-5\t2e-9\n"
    );
    let row = Selection {
        row: Some(1),
        column: None,
    };
    assert_eq!(
        small(row, Form::Tabs),
        "query \\ key\tThe\t动物\tx\n猫\t0.33333334\t-4e-5\t2e-9\n"
    );
    let cell = |row, column| Selection {
        row: Some(row),
        column: Some(column),
    };
    assert_eq!(small(cell(1, 0), Form::Tabs), "0.33333334");
    assert_eq!(small(cell(0, 2), Form::Tabs), "");
}

#[test]
fn what_would_be_a_formula_in_a_spreadsheet_is_a_text() {
    let hostile = ["=1+1", "+x", "-x", "@x", "\"q\"", "a\tb\nc", "plain"];
    let text = written(&hostile, &["k"], &[0.5; 7], WHOLE, Form::Tabs).expect("it is small");
    let first: Vec<&str> = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').next().unwrap_or_default())
        .collect();
    assert_eq!(
        first,
        [
            "'=1+1",
            "'+x",
            "'-x",
            "'@x",
            "\"\"\"q\"\"\"",
            "a b c",
            "plain"
        ]
    );
    assert!(text.lines().all(|line| line.split('\t').count() == 2));
}

#[test]
fn python_gets_lists() {
    assert_eq!(
        small(WHOLE, Form::Python),
        "[\n    [0.1, 0.9, None],\n    [0.33333334, -4e-5, 2e-9]\n]"
    );
    let row = Selection {
        row: Some(0),
        column: None,
    };
    assert_eq!(small(row, Form::Python), "[0.1, 0.9, None]");
    let cell = Selection {
        row: Some(1),
        column: Some(1),
    };
    assert_eq!(small(cell, Form::Python), "-4e-5");
}

/// A hidden cell, whose weight is 0, comes back as that.
#[test]
fn what_is_copied_is_read_again() {
    let all: Vec<f32> = SMALL
        .iter()
        .map(|value| if value.is_nan() { 0.0 } else { *value })
        .collect();
    for form in [Form::Python, Form::Tabs] {
        let text = small(WHOLE, form);
        let back = read("pasted", text.as_bytes(), &Limits::default()).expect("our own");
        assert_eq!(
            (&back[0].shape[..], &back[0].data),
            (&[2, 3][..], &all),
            "{text}"
        );
    }
    let plain = small(WHOLE, Form::Plain);
    let back = read("pasted", plain.as_bytes(), &Limits::default()).expect("our own");
    assert_eq!(back[0].data, [0.1, 0.9, 0.0, 0.333, 0.0, 0.0]);
    let names: Vec<&[String]> = back[0].labels.iter().map(|axis| &axis.names[..]).collect();
    assert_eq!(names, [&["it", "猫"][..], &["The", "动物", "x"]]);
    let row = Selection {
        row: Some(1),
        column: None,
    };
    let alone = Tensor::new("pasted", vec![3], SMALL[3..].to_vec());
    let back = read(
        "pasted",
        small(row, Form::Python).as_bytes(),
        &Limits::default(),
    );
    assert_eq!(back.expect("our own")[0].data, alone.data);
}

#[test]
fn a_plain_table_is_aligned_where_characters_are_wide() {
    assert_eq!(
        small(WHOLE, Form::Plain),
        "query \\ key    The   动物      x\n\
         --------------------------------\n\
         it           0.100  0.900      ·\n\
         猫           0.333  0.000  0.000\n\
         \n\
         weights, 100% of head_1\n"
    );
    let turned = written(
        &["\u{202e}abc\u{200b}", "e\u{301}"],
        &["k"],
        &[0.5, 12.25],
        WHOLE,
        Form::Plain,
    )
    .expect("it is small");
    assert!(turned.starts_with("query \\ key      k\n------------------\nabc           0.50\ne\u{301}            12.25\n"), "{turned}");
}

#[test]
fn a_paper_gets_booktabs() {
    assert_eq!(
        small(WHOLE, Form::Latex),
        "% \\usepackage{booktabs}\n% XeLaTeX, LuaLaTeX; \\usepackage{ctex} for Chinese\n\
         \\begin{table}\n  \\centering\n  \\caption{weights, 100\\% of head\\_1. $d_k = 4$.}\n  \\begin{tabular}{lrrr}\n    \\toprule\n     \
         & The & 动物 & x \\\\\n    \\midrule\n    it & $0.100$ & $0.900$ & $\\cdot$ \\\\\n    猫 & $0.333$ & $0.000$ & $0.000$ \\\\\n    \
         \\bottomrule\n  \\end{tabular}\n\\end{table}\n"
    );
}

#[test]
fn a_caption_ends_before_its_formula_in_its_language() {
    for (caption, ended) in [
        ("head 1 · pronoun → noun · √d_k", "noun · √d\\_k. $x$"),
        ("头 1 · 种子：42", "种子：42。 $x$"),
        ("It is all.", "It is all. $x$"),
    ] {
        let sheet = TextMatrix {
            titles: ["query", "key"],
            rows: &names(&["a"]),
            columns: &names(&["b"]),
            values: &[1.0],
            is_hidden: &|_, _| false,
            caption,
            formula: "$x$",
        };
        let table = sheet.written(WHOLE, Form::Latex).expect("it is small");
        assert!(table.contains(&format!("{ended}}}\n")), "{table}");
    }
}

/// As many columns as words, all as wide as in a sentence of so many.
fn sentence(count: usize) -> String {
    let words = [
        "The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "too", "tired",
    ];
    let words: Vec<&str> = words.into_iter().cycle().take(count).collect();
    let values: Vec<f32> = (0..count * count)
        .map(|at| at as f32 % 9.7 / 10.0)
        .collect();
    written(&words, &words, &values, WHOLE, Form::Latex).expect("it fits")
}

#[test]
fn a_wide_table_fits_into_a_line_of_a_paper() {
    let five = sentence(5);
    assert!(
        !five.contains("\\small") && five.contains("& $0.400$"),
        "{five}"
    );
    let eleven = sentence(11);
    assert!(
        eleven.contains("  \\small\\setlength{\\tabcolsep}{3pt}\n"),
        "{eleven}"
    );
    assert!(
        eleven.contains("& $0.40$") && !eleven.contains("resizebox"),
        "{eleven}"
    );
    let most = sentence(MOST_IN_TABLE);
    assert!(
        most.starts_with("% \\usepackage{booktabs, graphicx}\n"),
        "{most}"
    );
    assert!(most.contains(" & \\rotatebox{90}{animal} & "), "{most}");
    assert!(
        most.contains("  \\resizebox{\\linewidth}{!}{%\n  \\begin{tabular}"),
        "{most}"
    );
    assert!(
        most.ends_with("  \\end{tabular}\n  }\n\\end{table}\n"),
        "{most}"
    );
}

#[test]
fn latex_takes_nothing_for_more_than_itself() {
    let cases = [
        (
            "\\input{/etc/passwd}",
            "\\textbackslash{}input\\{/etc/passwd\\}",
        ),
        ("a&b#c_d%e$f", "a\\&b\\#c\\_d\\%e\\$f"),
        (
            "~^<>|\"",
            "\\textasciitilde{}\\textasciicircum{}\\textless{}\\textgreater{}\\textbar{}''",
        ),
        ("[x]*", "{[}x{]}{*}"),
        ("--- `` '' ?` !` ,,", "-{}-{}- `{}` '{}' ?{}` !{}` ,{},"),
        ("a\nb\u{202e}c\u{0}", "a bc "),
        ("plain text 2.5", "plain text 2.5"),
    ];
    for (token, wanted) in cases {
        let text = written(&[token], &["k"], &[0.5], WHOLE, Form::Latex).expect("it is small");
        let line = text
            .lines()
            .find(|line| line.ends_with("$0.500$ \\\\"))
            .expect("a row");
        assert_eq!(
            line.trim_start(),
            format!("{wanted} & $0.500$ \\\\"),
            "{token:?}"
        );
    }
}

/// Braces are matched, and every character that TeX takes for a command stands behind a backslash: for any text.
#[test]
fn any_text_is_balanced_in_latex() {
    for c in (0..0x3000_u32).filter_map(char::from_u32) {
        let token = format!("{c}{c}x{c}");
        let text = written(&[&token], &["k"], &[0.5], WHOLE, Form::Latex).expect("it is small");
        let line = text
            .lines()
            .find(|line| line.contains("& $0.500$"))
            .unwrap_or_else(|| panic!("{c:?}: {text}"));
        let name = line.split(" & $0.500$").next().unwrap_or_default();
        let mut depth = 0_i32;
        let mut rest = name.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '\\' => {
                    if rest.peek().is_some_and(|next| "{}$&#_%".contains(*next)) {
                        rest.next();
                    } else {
                        let word: String =
                            std::iter::from_fn(|| rest.next_if(char::is_ascii_alphabetic))
                                .collect();
                        assert!(word.starts_with("text"), "{name}");
                    }
                }
                '{' => depth += 1,
                '}' => depth -= 1,
                '$' | '&' | '#' | '_' | '%' | '~' | '^' => panic!("{name}"),
                _ => {}
            }
            assert!(depth >= 0, "{name}");
        }
        assert_eq!(depth, 0, "{name}");
    }
}

#[test]
fn what_is_too_large_or_not_there_is_refused_by_name() {
    let many: Vec<String> = (0..=MOST_NUMBERS).map(|at| at.to_string()).collect();
    let of = |count: usize, form: Form| {
        let names: Vec<&str> = many[..count].iter().map(String::as_str).collect();
        written(&names, &["k"], &vec![0.5; count], WHOLE, form).map(|text| text.len() > count)
    };
    for (form, most) in [
        (Form::Plain, MOST_IN_TABLE),
        (Form::Latex, MOST_IN_TABLE),
        (Form::Tabs, MOST_NUMBERS),
        (Form::Python, MOST_NUMBERS),
    ] {
        assert_eq!(of(most, form), Ok(true), "{form:?}");
        assert_eq!(
            of(most + 1, form),
            Err(Refusal::TooLarge { most }),
            "{form:?}"
        );
        assert_eq!(of(0, form), Err(Refusal::Nothing), "{form:?}");
    }
    let outside = Selection {
        row: Some(2),
        column: None,
    };
    assert_eq!(
        written(&["a"], &["b"], &[1.0], outside, Form::Tabs),
        Err(Refusal::Nothing)
    );
    assert_eq!(
        written(&["a"], &["b"], &[], WHOLE, Form::Tabs),
        Err(Refusal::Nothing)
    );
}
