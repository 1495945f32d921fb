//! Who may know whom. The table is ARCHITECTURE.md's; this test keeps it true.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Module → the modules of ours that it may name.
#[rustfmt::skip]
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("attention",  &[]),
    ("coding",     &[]),
    ("view",       &["coding"]),
    ("words",      &[]),
    ("formats",    &["coding"]),
    ("plan",       &["attention"]),
    ("analysis",   &["attention", "plan"]),
    ("complexity", &["attention", "plan"]),
    ("text",       &["attention", "plan"]),
    ("cpu",        &["attention", "plan"]),
    ("gpu",        &["attention", "plan"]),
    ("engine",     &["attention", "plan", "cpu", "gpu", "analysis", "complexity"]),
    ("api",        &["attention", "plan", "engine"]),
    ("app",        &["attention", "plan", "analysis", "complexity", "text", "view", "words", "engine", "formats", "coding"]),
    ("ui",         &["attention", "plan", "analysis", "complexity", "text", "view", "words", "engine", "app", "bindings", "formats"]),
    ("bindings",   &["attention", "plan", "analysis", "complexity", "text", "view", "words", "engine", "app", "api", "formats"]),
];

/// Crates that only the named modules may use.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("web_sys", &["ui", "bindings"]),
    ("js_sys", &["ui", "bindings"]),
    ("wasm_bindgen", &["ui", "bindings"]),
    ("serde_wasm_bindgen", &["bindings"]),
    ("wgpu", &["gpu"]),
];

/// The files of each module under `src/`.
fn modules() -> BTreeMap<String, Vec<PathBuf>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = fs::read_dir(&src)
        .expect("src is there")
        .flatten()
        .filter(|entry| entry.path().is_dir());
    folders
        .map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                files(&entry.path()),
            )
        })
        .collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The code of a file without comments, strings' contents kept.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source file");
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Every module of ours that `code` names as `crate::module`, also inside `use crate::{…}`.
fn named(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => names.push(word(rest)),
            Some(group) => names.extend(group_members(group)),
        }
    }
    names
}

fn word(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// The first path segments of a `{a::b, c::{d}}` group.
fn group_members(group: &str) -> Vec<String> {
    let (mut depth, mut start, mut members) = (1, 0, Vec::new());
    for (at, c) in group.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 || (depth == 1 && c == ',') {
            members.push(word(group[start..at].trim()));
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    members.retain(|member| !member.is_empty());
    members
}

fn offences(module: &str, text: &str) -> Vec<String> {
    let Some((_, allowed)) = MAY_KNOW.iter().find(|(name, _)| *name == module) else {
        return vec![format!("{module} stands in no row of the table")];
    };
    let inside = named(text).into_iter().filter(|name| {
        name != module
            && MAY_KNOW.iter().any(|(known, _)| known == name)
            && !allowed.contains(&name.as_str())
    });
    let outside = OUTSIDE
        .iter()
        .filter(|(name, users)| text.contains(&format!("{name}::")) && !users.contains(&module));
    inside
        .chain(outside.map(|(name, _)| (*name).to_owned()))
        .map(|name| format!("{module} names {name}"))
        .collect()
}

#[test]
fn every_module_knows_only_what_lies_below_it() {
    let mut found = Vec::new();
    for (module, paths) in modules() {
        for path in paths {
            found.extend(
                offences(&module, &code(&path))
                    .into_iter()
                    .map(|what| format!("{}: {what}", path.display())),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_check_sees_what_it_should() {
    assert_eq!(
        offences("attention", "use crate::plan::Plan;"),
        ["attention names plan"]
    );
    assert_eq!(
        offences("cpu", "use crate::{attention::{At, Mask}, engine::Job};"),
        ["cpu names engine"]
    );
    assert_eq!(
        offences("view", "fn f() { web_sys::window(); }"),
        ["view names web_sys"]
    );
    assert_eq!(
        offences("nowhere", ""),
        ["nowhere stands in no row of the table"]
    );
    assert!(
        offences(
            "engine",
            "use crate::cpu::Run;\nuse crate::attention::Request;"
        )
        .is_empty()
    );
}

#[test]
fn files_stay_small_enough_to_read() {
    let long: Vec<_> = modules()
        .into_values()
        .flatten()
        .map(|path| {
            (
                fs::read_to_string(&path)
                    .expect("a source file")
                    .lines()
                    .count(),
                path,
            )
        })
        .filter(|(lines, _)| *lines > 400)
        .collect();
    assert!(long.is_empty(), "{long:?}");
}
