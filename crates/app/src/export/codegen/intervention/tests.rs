//! What a program says; and what it finds, where there is a Python with transformers.

mod run;

use model::HiddenCells;

use interpret::Change;

use super::*;

fn hidden(layer: usize, head: usize, cells: &[(usize, usize)]) -> HiddenCells {
    HiddenCells {
        layer,
        head,
        cells: cells.to_vec(),
    }
}

fn intervention() -> Intervention {
    Intervention {
        name: "tiny".to_owned(),
        family: "llama".to_owned(),
        is_causal: true,
        text: "one two".to_owned(),
        tokens: vec![7, 5],
        heads: 3,
        place: 1,
        answer: 11,
        word: "␣three".to_owned(),
        change: Change {
            off: vec![(2, 1), (0, 2), (2, 0)],
            hide: (0..3)
                .map(|head| hidden(1, head, &[(1, 0), (1, 1)]))
                .collect(),
            patch: None,
        },
        before: 0.25,
        after: 0.125,
    }
}

fn code(program: &Program) -> Vec<String> {
    let text = program.text();
    let code = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    code.map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn only_remarks_are_in_the_language_of_the_page() {
    let [en, zh] = [Language::En, Language::Zh]
        .map(|language| program(&intervention(), language).expect("a family"));
    assert_eq!(code(&en), code(&zh));
    assert_ne!(en.text(), zh.text());
}

#[test]
fn it_says_what_is_changed_from_0_and_the_numbers_of_the_page() {
    let text = program(&intervention(), Language::En)
        .expect("a family")
        .text();
    for line in [
        "ids = [7, 5]\n",
        "place = 1\n",
        "answer = 11  # \"␣three\"\n",
        "heads = 3\n",
        "off = {0: [2], 2: [1, 0]}\n",
        "hide = [\n    (1, [0, 1, 2], {\n        1: [0, 1],\n    }),\n]\n",
        "page: 0.250000\nbefore = say(\"before\")\n",
        "page: 0.125000\nafter = say(\"after\")\n",
        "    return model.base_model.layers[layer].self_attn.o_proj\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn what_is_not_changed_is_not_in_it() {
    let mut own = intervention();
    let hide = std::mem::take(&mut own.change.hide);
    let text = program(&own, Language::En).expect("a family").text();
    assert!(text.contains("switch_off(layer, of_layer)"));
    assert!(
        !text.contains("hide") && !text.contains("scores(layer)"),
        "{text}"
    );
    own.change = Change {
        hide,
        ..Change::default()
    };
    let text = program(&own, Language::En).expect("a family").text();
    assert!(text.contains("hide_cells(layer, of_heads, keys)"));
    assert!(!text.contains("off"), "{text}");
}

#[test]
fn heads_with_other_hidden_cells_stand_apart() {
    let mut own = intervention();
    own.change.hide[1] = hidden(1, 1, &[(1, 0)]);
    let text = program(&own, Language::En).expect("a family").text();
    assert!(
        text.contains("    (1, [1], {\n        1: [0],\n    }),\n"),
        "{text}"
    );
    assert!(
        text.contains("    (1, [0, 2], {\n        1: [0, 1],\n    }),\n"),
        "{text}"
    );
}

#[test]
fn long_lists_stand_on_several_lines() {
    let mut own = intervention();
    own.tokens = (0..17).collect();
    let text = program(&own, Language::En).expect("a family").text();
    assert!(
        text.contains("ids = [\n    0, 1, 2,") && text.contains(" 15,\n    16,\n]\n"),
        "{text}"
    );
}

/// Nothing in a name, a text or a word ends a string or a remark.
#[test]
fn hostile_texts_stay_texts() {
    let plain = program(&intervention(), Language::En)
        .expect("a family")
        .text();
    let hostile = "\"\"\" + '''\\\n{place}\r%s\u{2028}\u{85}\0\u{202e}# \\\"\nimport os";
    let mut own = intervention();
    for field in [&mut own.name, &mut own.text, &mut own.word] {
        hostile.clone_into(field);
    }
    let text = program(&own, Language::En).expect("a family").text();
    let written = r#""\"\"\" + '''\\\n{place}\r%s\u2028\u0085\u0000\u202e# \\\"\nimport os""#;
    assert_eq!(text.matches(written).count(), 3, "{text}");
    assert!(text.contains(&format!("\ntext = {written}\n")));
    let is_break = |c: char| c.is_control() || "\u{2028}\u{2029}".contains(c);
    assert_eq!(
        text.matches(is_break).count(),
        plain.matches(is_break).count()
    );
}

#[test]
fn a_family_says_its_class_and_what_transformers_opens() {
    let mut own = intervention();
    own.family = "bert".to_owned();
    own.is_causal = false;
    let text = program(&own, Language::En).expect("a family").text();
    assert!(text.contains("import AutoModelForMaskedLM, AutoTokenizer\n"));
    assert!(text.contains("opens no GGUF file"));
    assert!(
        !program(&intervention(), Language::En)
            .expect("a family")
            .text()
            .contains("opens no GGUF file")
    );
    assert_eq!(Modules::of_family("t5"), None);
}
