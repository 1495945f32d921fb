//! The checks that the build makes of `content/` and `index.html`, each of them seen to fail.

use super::tables::Table;
use super::{functions, html, tables, usage};

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
    let languages = languages(
        "a = 'One & two'\nb = 'Three'\nc = '{n} rows'",
        "a = '一'\nb = '三'\nc = '{n} 行'",
    );
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
    assert_eq!(
        tables::disagreements(&languages("a = '{n} rows'", "a = '行'")).len(),
        1
    );
}

#[test]
fn the_order_of_placeholders_is_free() {
    let problems = tables::disagreements(&languages("a = '{n} of {m}'", "a = '{m} {n} {m}'"));
    assert_eq!(problems, [""; 0]);
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
        "a = \"x\\ny\"",
        "a = 'x",
        "a = 'x {'",
        "a = 'x }'",
        "a = '{n'",
        "a = '{n}}'",
        "a = '{{n}}'",
        "a = '{}'",
        "a = '{two words}'",
        "a = '{N}'",
        "a = '{0}'",
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

fn unused(page_source: &str, rust: &str) -> Vec<String> {
    let languages = languages(
        "one = 'x'\ntwo-words = 'y'\nthree = 'z'\nfour-of = '{n}'\nfour = '{n}'",
        "one = '甲'\ntwo-words = '乙'\nthree = '丙'\nfour-of = '{n}'\nfour = '{n}'",
    );
    let of_page = usage::keys_of_page(&page(page_source)).collect();
    let of_rust = usage::texts_of_rust(rust).collect();
    usage::problems(&of_page, &of_rust, &languages)
}

#[test]
fn unused_keys_are_named() {
    let rust =
        "let a = Key::TwoWords.text(l); let b = MyKey::Three; text::four_of(l, n); text::four;";
    assert_eq!(
        unused("<p data-t=\"one\">x</p>", rust),
        ["three is used neither in index.html nor as Key::Three in src/"]
    );
}

#[test]
fn unused_functions_are_named() {
    let keys = "Key::One, Key::TwoWords, Key::Three";
    let both = format!("{keys}; let sentence = text::four; text::four_of(l, &1)");
    assert_eq!(unused("", &both), [""; 0]);
    let longer_names = format!("{keys}; text::four_of_all(l), context::four(l), Key::Four");
    assert_eq!(
        unused("<p data-t=\"four\"></p>", &longer_names),
        [
            "four is not used as text::four in src/",
            "four-of is not used as text::four_of in src/"
        ]
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
fn a_page_that_names_a_text_with_placeholders_is_refused() {
    let problems = page_problems("<p data-t=\"c\">{n} rows</p>");
    assert_eq!(
        problems,
        ["index.html: data-t=\"c\" names a text with placeholders: \"{n} rows\""]
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
fn texts_without_placeholders_become_keys_in_the_order_of_the_names() {
    let rust = tables::rust(&languages(
        "b-c = 'x \"q\"'\na = 'y'\na-n = '{n}'",
        "b-c = '甲'\na = '乙'\na-n = '{n}'",
    ));
    assert!(rust.contains("A,\n") && rust.contains("BC,\n"), "{rust}");
    for line in [
        "const KEYS: [Key; 2] = [Key::A, Key::BC];",
        "static NAMES: [&str; 2] = [\"a\", \"b-c\"];",
    ] {
        assert!(rust.contains(line), "{line}\n{rust}");
    }
}

#[test]
fn texts_with_placeholders_become_functions_with_the_parameters_of_the_first_language() {
    let rust = functions::rust(&languages(
        "b-of = '{n} of {all}, {n}'\na = 'y'\na-n = '{n} \"q\"'",
        "b-of = '{all} 中 {n}'\na = '乙'\na-n = '{n}'",
    ));
    for line in [
        "#[doc = \"{n} of {all}, {n}\"]",
        "pub fn b_of(language: Language, n: &dyn Display, all: &dyn Display) -> String {",
        "self::format(language, 1, &[n, all])",
        "pub fn a_n(language: Language, n: &dyn Display) -> String {",
        "self::format(language, 0, &[n])",
    ] {
        assert!(rust.contains(line), "{line}\n{rust}");
    }
    assert!(!rust.contains("pub fn a("), "{rust}");
}

#[test]
fn a_file_of_texts_has_those_of_keys_before_the_templates_and_values_by_their_place_in_the_first_language()
 {
    let languages = languages(
        "b-of = '{n} of {all}, {n}'\na = 'y'\na-n = '{n} \"q\"'\nb = 'z'",
        "b-of = '{all} 中 {n}'\na = '乙'\na-n = '{n}'\nb = '丙'",
    );
    let files = languages
        .each_ref()
        .map(|table| functions::file(table, &languages[0]));
    assert_eq!(
        files,
        [
            "y\nz\n{0} \"q\"\n{0} of {1}, {0}",
            "乙\n丙\n{0}\n{1} 中 {0}"
        ]
    );
}
