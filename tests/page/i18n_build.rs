//! The checks that the build makes of `content/` and `index.html`, each of them seen to fail.

#[path = "../../build/html.rs"]
mod html;
#[path = "../../build/tables.rs"]
mod tables;
#[path = "../../build/usage.rs"]
mod usage;

use std::collections::BTreeSet;

use tables::Table;

fn table(language: &str, source: &str) -> Table {
    Table::parse(language, source).expect("a good table")
}

fn languages(en: &str, zh: &str) -> [Table; 2] {
    [table("en", en), table("zh", zh)]
}

fn page(source: &str) -> Vec<html::Element> {
    html::elements(source).expect("a good page")
}

fn page_problems(source: &str) -> Vec<String> {
    let languages = languages("a = 'One & two'\nb = 'Three'", "a = '一'\nb = '三'");
    usage::page_problems(&page(source), &languages)
}

#[test]
fn languages_that_agree_pass() {
    let languages = languages("a-b = 'x {n} y'\nc = 'z'", "a-b = '{n} 甲'\nc = '乙'");
    assert!(tables::disagreements(&languages).is_empty());
}

#[test]
fn a_key_missing_in_either_language_is_named() {
    let problems = tables::disagreements(&languages("a = 'x'\nb = 'y'", "a = '甲'\nc = '乙'"));
    assert_eq!(
        problems,
        [
            "content/zh/ui.toml: b is missing",
            "content/en/ui.toml: c is missing"
        ]
    );
}

#[test]
fn other_placeholders_are_named() {
    let problems = tables::disagreements(&languages("a = '{n} of {m}'", "a = '{n} / {k}'"));
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("a: "), "{problems:?}");
}

#[test]
fn tables_refuse_what_is_not_flat_text() {
    for bad in [
        "a = 3",
        "a = ''",
        "[a]\nb = 'x'",
        "A = 'x'",
        "a--b = 'x'",
        "1a = 'x'",
        "a = 'x",
    ] {
        assert!(Table::parse("en", bad).is_err(), "{bad}");
    }
}

#[test]
fn two_keys_with_one_rust_name_are_refused() {
    let problems = tables::disagreements(&languages(
        "a1b = 'x'\na1-b = 'y'",
        "a1b = '甲'\na1-b = '乙'",
    ));
    assert!(problems.is_empty(), "A1b and A1B differ: {problems:?}");
    let problems =
        tables::disagreements(&languages("a-1 = 'x'\na1 = 'y'", "a-1 = '甲'\na1 = '乙'"));
    assert_eq!(problems, ["a-1 and a1 become the same Rust name"]);
}

#[test]
fn unused_keys_are_named() {
    let languages = languages(
        "one = 'x'\ntwo-words = 'y'\nthree = 'z'",
        "one = '甲'\ntwo-words = '乙'\nthree = '丙'",
    );
    let elements = page("<p data-t=\"one\">x</p>");
    let rust = "let a = say(l, Key::TwoWords); let b = MyKey::Three;";
    let used: BTreeSet<String> = usage::keys_of_page(&elements)
        .chain(usage::keys_of_rust(rust))
        .collect();
    let problems = usage::problems(&used, &languages);
    assert_eq!(
        problems,
        ["three is used neither in index.html nor as Key::Three in src/"]
    );
}

#[test]
fn a_page_that_says_what_the_table_says_passes() {
    let source = "<!doctype html><!-- words --><html lang=\"en\"><body><script>let words;</script>
        <p data-t=\"a\">One &amp;\n  two</p><input data-t-label=\"b\" aria-label=\"Three\" disabled>
        <p data-t=\"a\" lang=\"zh-Hans\">一</p><var>d</var><span translate=\"no\">中文</span>1 / 2</body></html>";
    assert_eq!(page_problems(source), [""; 0]);
}

#[test]
fn other_text_than_the_table_says_is_named() {
    let problems = page_problems("<p data-t=\"a\">One and two</p>");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(
        problems[0].contains("One and two") && problems[0].contains("One & two"),
        "{problems:?}"
    );
    assert_eq!(
        page_problems("<p data-t=\"a\" lang=\"zh-Hans\">二</p>").len(),
        1
    );
    assert_eq!(
        page_problems("<input data-t-label=\"b\" aria-label=\"Tree\">").len(),
        1
    );
    assert_eq!(page_problems("<input data-t-placeholder=\"b\">").len(), 1);
}

#[test]
fn a_key_that_no_language_has_is_named() {
    let problems = page_problems("<p data-t=\"d\">One</p>");
    assert_eq!(
        problems,
        ["index.html: d is not a key of content/en/ui.toml"]
    );
}

#[test]
fn words_without_a_key_are_named() {
    assert_eq!(page_problems("<p>Hello</p>").len(), 1);
    assert_eq!(
        page_problems("<p data-t=\"b\">Three</p> lost words").len(),
        1
    );
    assert_eq!(page_problems("<button title=\"Hello\">+</button>").len(), 1);
}

#[test]
fn a_page_that_does_not_close_is_refused() {
    for bad in ["<p", "<p class=\"x>", "<!-- never", "<script>let a;"] {
        assert!(html::elements(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_tables_become_rust_in_the_order_of_the_names() {
    let rust = tables::rust(&languages(
        "b-c = 'x \"q\"'\na = 'y'",
        "b-c = '甲'\na = '乙'",
    ));
    assert!(rust.contains("A,\n") && rust.contains("BC,\n"), "{rust}");
    assert!(
        rust.contains("const NAMES: [&str; 2] = [\"a\", \"b-c\"];"),
        "{rust}"
    );
    assert!(
        rust.contains("const EN: [&str; 2] = [\"y\", \"x \\\"q\\\"\"];"),
        "{rust}"
    );
    assert!(
        rust.contains("const ZH: [&str; 2] = [\"乙\", \"甲\"];"),
        "{rust}"
    );
}
