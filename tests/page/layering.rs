//! Who may know whom. The table is ARCHITECTURE.md's; this test keeps it true.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Module of a package → the modules of it that it may name. What packages may know is kept by their manifests.
#[rustfmt::skip]
const MAY_KNOW: &[(&str, &[&str])] = &[
    // crates/app/src
    ("i18n",     &[]),
    ("js_tree",  &[]),
    ("state",    &["i18n"]),
    ("scene",    &["state", "i18n"]),
    ("present",  &["scene", "state", "i18n"]),
    ("views",    &["import", "export", "share", "present", "scene", "state", "i18n"]),
    ("export",   &["present", "scene", "state", "i18n"]),
    ("import",   &["export", "state", "i18n"]),
    ("share",    &["state", "i18n"]),
    ("protocol", &["state", "js_tree"]),
    ("update",   &["import", "export", "share", "views", "protocol", "present", "scene", "state", "i18n"]),
    // src
    ("api",      &[]),
    ("bindings", &["api"]),
    ("browser",  &["bindings"]),
];

/// Crates that only one module of `src` may use.
const OUTSIDE: &[(&str, &str)] = &[("serde_wasm_bindgen", "bindings")];

/// The files of each module of the page.
fn modules() -> BTreeMap<String, Vec<PathBuf>> {
    let mut all = folders("src");
    all.extend(folders("crates/app/src"));
    all
}

/// The Rust files of each folder under `top`.
fn folders(top: &str) -> BTreeMap<String, Vec<PathBuf>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join(top);
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
        .filter(|(name, user)| text.contains(&format!("{name}::")) && *user != module);
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
        offences("state", "use crate::present::cost;"),
        ["state names present"]
    );
    assert_eq!(
        offences("js_tree", "use crate::{state::{Cell, State}, i18n::Key};"),
        ["js_tree names state", "js_tree names i18n"]
    );
    assert_eq!(
        offences("browser", "fn f() { serde_wasm_bindgen::to_value(&0); }"),
        ["browser names serde_wasm_bindgen"]
    );
    assert_eq!(
        offences("nowhere", ""),
        ["nowhere stands in no row of the table"]
    );
    assert!(
        offences(
            "present",
            "use crate::scene::chart;\nuse crate::state::State;"
        )
        .is_empty()
    );
}

#[test]
fn only_the_kernels_have_unsafe_code() {
    let packages = folders("crates").into_iter();
    let others = packages.filter(|(package, _)| package != "kernels");
    let found: Vec<_> = others
        .chain(folders("src"))
        .flat_map(|(_, paths)| paths)
        .filter(|path| code(path).contains("unsafe"))
        .collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn markup_that_is_not_escaped_has_few_sources() {
    let modules = modules().into_values().flatten();
    let mut found: Vec<_> = modules
        .filter(|path| code(path).contains("PreEscaped"))
        .collect();
    found.sort();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // What the build has made of lessons, drawings, and pieces of these within a text.
    let allowed = [
        "crates/app/src/views/lesson.rs",
        "crates/app/src/views/mod.rs",
    ];
    assert_eq!(found, allowed.map(|path| root.join(path)));
}

#[test]
fn files_stay_small_enough_to_read() {
    let long: Vec<_> = folders("src")
        .into_values()
        .chain(folders("crates").into_values())
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
        // The table of settings is looked up by row, and is one file so that a setting is one row.
        .filter(|(lines, path)| *lines > 600 && !path.ends_with("state/settings.rs"))
        .collect();
    assert!(long.is_empty(), "{long:?}");
}
