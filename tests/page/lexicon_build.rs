//! The checks that the build makes of the lexicon and the presets, each of them seen to fail.

#[path = "../../crates/attention/build/lexicon.rs"]
mod lexicon;

use texts::presets;

fn problems(source: &str) -> String {
    lexicon::lexicon(source).expect_err("a problem").join("\n")
}

fn preset(lines: &str) -> Result<String, String> {
    presets::presets(&format!("[[preset]]\n{lines}"), &["en", "zh"])
        .map_err(|problems| problems.join("\n"))
}

#[test]
fn a_lexicon_has_a_text_for_each_language() {
    let table = lexicon::lexicon(
        "[living]\ncat = 'cat cats | chat | 猫'\nchat = 'chat'\n[function]\n'*' = 'le | | ab'",
    );
    assert_eq!(
        table.expect("a table"),
        "static LEXICON: [&str; 3] = [\"f * le\\nl cat cat cats\\nl chat chat\\n\", \
         \"l cat chat\\n\", \"f * ab\\nl cat 猫\\n\"];\n"
    );
}

#[test]
fn a_bad_lexicon_is_refused() {
    assert!(problems("[animal]\ncat = 'cat'").contains("[animal]: not a class"));
    assert!(
        problems("[noun]\nours = 'ours'\n[living]\nbear = 'ours'").contains("ours: stands under")
    );
    assert!(problems("[noun]\na = 'Cat'").contains("lower case"));
    assert!(problems("[noun]\na = 'l’'").contains("straight apostrophe"));
    assert!(problems("[noun]\na = 3").contains("a: not a string"));
    assert!(problems("[noun]\na = 'a|b|c|d'").contains("more than 3 languages"));
    assert!(problems("[noun]\na = 'x|chat'\n[verb]\nb = 'y|chat'").contains("chat: stands under"));
    assert!(!problems("[noun").is_empty());
}

#[test]
fn presets_are_whole_or_refused() {
    let good = "id = 'a'\nname.en = 'A'\nname.zh = '一'\ntext = 't'\n";
    let table = preset(good).expect("a table");
    assert!(table.contains(
        r#"id: "a", names: &[("en", "A"), ("zh", "一")], text: "t", source: None, settings: """#
    ));
    let refused = |lines: &str| preset(lines).expect_err("a problem");
    assert!(refused("id = 'a'\nname.en = 'A'\ntext = 't'").contains("name.zh: missing"));
    assert!(refused("id = 'a'\nname.en = 'A'\nname.zh = '一'").contains("text: missing"));
    assert!(refused(&format!("{good}txt = 'x'")).contains("txt: unknown"));
    assert!(refused(&format!("{good}[[preset]]\n{good}")).contains("the id stands twice"));
    assert_eq!(
        presets::presets("", &["en"]),
        Err(vec!["no [[preset]]".to_owned()])
    );
}
