//! Programs of every family, and what transformers finds with them.
//!
//! `TRANSFORMERS_PYTHON=… cargo test -p app intervention -- --ignored` names a Python with PyTorch, transformers and gguf;
//! `REAL_GGUF=FILE` adds a real model.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use checkpoint_reader::{FileInfo, Opened, Reader};
use interpret::Interpreter;

use super::*;

/// How far a program's probabilities may be from the page's.
const SHARES: f64 = 1e-4;

/// Runs programs, each with its model, and says what they found before and after.
const RUNNER: &str = r#"
import json, runpy, sys
for pair in sys.argv[1:]:
    path, model = pair.split("|")
    sys.argv = [path, model]
    left = runpy.run_path(path)
    own = left["tokenizer"](left["text"]).input_ids == left["ids"]
    print("FOUND", json.dumps([left["before"], left["after"], own]), flush=True)
"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Names of the folders of tiny models.
fn folders() -> Vec<String> {
    let all = fs::read_dir(root().join("tests/golden/checkpoints")).expect("goldens");
    let paths = all.map(|entry| entry.expect("an entry").path());
    let of_models = paths.filter(|path| path.join("model.safetensors").exists());
    let name = |path: PathBuf| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let mut names: Vec<String> = of_models.filter_map(name).collect();
    names.sort();
    names
}

/// The tokenizer of a tiny model; of those that have none, one of a word for each row.
fn tokenizer(name: &str) -> Vec<u8> {
    let path = format!("crates/tokenizer/tests/golden/{name}.tokenizer.json");
    fs::read(root().join(path)).unwrap_or_else(|_| words())
}

fn words() -> Vec<u8> {
    let words = ["one", "two", "three", "gave", "to"].map(str::to_owned);
    let rest = (words.len()..29).map(|row| format!("w{row}"));
    let all = words.iter().cloned().chain(rest).enumerate();
    let vocabulary: serde_json::Map<String, serde_json::Value> =
        all.map(|(row, word)| (word, row.into())).collect();
    let file = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": { "type": "WhitespaceSplit" }, "post_processor": null, "decoder": null,
        "model": { "type": "WordLevel", "vocab": vocabulary, "unk_token": "w28" },
    });
    file.to_string().into_bytes()
}

fn opened(files: &[(&str, Vec<u8>)]) -> Opened {
    let info = |(name, bytes): &(&str, Vec<u8>)| FileInfo {
        name: (*name).to_owned(),
        bytes: bytes.len() as u64,
    };
    let mut reader = Reader::new(files.iter().map(info).collect(), 1 << 32).expect("a model");
    while let Some(piece) = reader.wants() {
        let span = piece.span.start as usize..piece.span.end as usize;
        reader.take(&files[piece.file].1[span]).expect("its bytes");
    }
    reader.opened().expect("a whole model")
}

/// The files of a tiny model in a folder for transformers, and the model.
fn tiny(name: &str, folder: &Path) -> Opened {
    let golden = root().join("tests/golden/checkpoints").join(name);
    let read = |file: &str| fs::read(golden.join(file)).expect("a golden file");
    let files = [
        ("config.json", read("config.json")),
        ("model.safetensors", read("model.safetensors")),
        ("tokenizer.json", tokenizer(name)),
    ];
    fs::create_dir_all(folder).expect("a folder");
    for (file, bytes) in &files {
        fs::write(folder.join(file), bytes).expect("a file");
    }
    let class = r#"{ "tokenizer_class": "PreTrainedTokenizerFast" }"#;
    fs::write(folder.join("tokenizer_config.json"), class).expect("a file");
    opened(&files)
}

/// Heads off in the first and the last layer, and in the first cells hidden, all of one row among them, so that layers behind it see what is left;
/// `None` for a model without words.
fn changed(opened: Opened, text: &str) -> Option<Intervention> {
    let (family, config) = (opened.family.name(), *opened.model.config());
    if !config.logits {
        return None;
    }
    let mut interpreter = Interpreter::new(opened.model, Arc::new(opened.tokenizer));
    let tokens = interpreter.read(text).expect("a text").tokens;
    let (n, last) = (tokens.len(), config.layers - 1);
    let row = (0..n).map(|key| (n - 2, key));
    let cells: Vec<(usize, usize)> = row.chain([(n - 1, 0), (n - 1, n - 1)]).collect();
    let change = Change {
        off: vec![(0, 0), (last, config.heads - 1)],
        hide: (0..config.heads)
            .map(|head| hidden(0, head, &cells))
            .collect(),
        patch: None,
    };
    let place = n - 1;
    let before = interpreter
        .next(text, place, None, &Change::default())
        .expect("an answer");
    let answer = before.likeliest[0].clone();
    let after = interpreter
        .next(text, place, Some(answer.id), &change)
        .expect("an answer");
    Some(Intervention {
        name: family.to_owned(),
        family: family.to_owned(),
        is_causal: config.causal,
        text: text.to_owned(),
        tokens: tokens.iter().map(|token| token.id).collect(),
        heads: config.heads,
        place,
        answer: answer.id,
        word: answer.text,
        change,
        before: answer.share,
        after: after.asked.expect("it was asked for"),
    })
}

/// Every family is known, and has another answer with something changed.
#[test]
fn every_family_is_known() {
    let folder = std::env::temp_dir().join(format!("families-{}", std::process::id()));
    let all = folders();
    let own = all
        .iter()
        .filter_map(|name| changed(tiny(name, &folder), "one two three one two"));
    for own in own {
        assert!(
            (own.before - own.after).abs() > 1e-9,
            "{}: {}",
            own.name,
            own.before
        );
    }
    fs::remove_dir_all(folder).expect("the folder");
}

#[test]
#[ignore = "runs transformers"]
fn transformers_finds_what_the_page_finds() {
    let python = std::env::var("TRANSFORMERS_PYTHON").expect("TRANSFORMERS_PYTHON");
    let folder = std::env::temp_dir().join(format!("interventions-{}", std::process::id()));
    let mut all: Vec<(String, PathBuf, Intervention)> = Vec::new();
    for name in folders() {
        let path = folder.join(&name);
        if let Some(own) = changed(tiny(&name, &path), "one two three one two") {
            all.push((name, path, own));
        }
    }
    let tiny = root().join("tests/golden/checkpoints/llama.gguf");
    let real = std::env::var("REAL_GGUF").ok().map(PathBuf::from);
    for path in [tiny].into_iter().chain(real) {
        let opened = opened(&[("model.gguf", fs::read(&path).expect("a file"))]);
        let text = "When Mary and John went to the store, John gave a drink to";
        let own = changed(opened, text).expect("it says words");
        all.push((path.display().to_string(), path, own));
    }
    let write = |(at, (_, model, own)): (usize, &(String, PathBuf, Intervention))| {
        let path = folder.join(format!("{at}.py"));
        fs::write(
            &path,
            program(own, [Language::En, Language::Zh][at % 2])
                .expect("a family")
                .text(),
        )
        .expect("a file");
        format!("{}|{}", path.display(), model.display())
    };
    let pairs: Vec<String> = all.iter().enumerate().map(write).collect();
    let ran = Command::new(python)
        .args(["-B", "-c", RUNNER])
        .args(&pairs)
        .output();
    let ran = ran.expect("Python");
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    let found: Vec<(f64, f64, bool)> = printed
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("FOUND ")?).ok())
        .collect();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(found.len(), all.len(), "{printed}\n{said}");
    for ((name, _, own), (before, after, same_tokens)) in all.iter().zip(found) {
        let far = [before - own.before, after - own.after];
        println!(
            "{name}: {before:.6} → {after:.6}, {:.1e} and {:.1e} from the page, same tokens: {same_tokens}",
            far[0], far[1]
        );
        assert!(
            far.iter().all(|far| far.abs() <= SHARES),
            "{name}: {far:?}\n{said}"
        );
    }
    fs::remove_dir_all(folder).expect("the folder");
}
