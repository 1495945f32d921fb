//! The presets: reading, checking, and writing as Rust.

/// The presets as a Rust table, in the order of the file.
///
/// # Errors
/// A sentence per problem: not TOML, a missing or unknown key, a name missing in one of `languages`, a repeated id.
pub fn presets(source: &str, languages: &[&str]) -> Result<String, Vec<String>> {
    let file: toml::Table = source
        .parse()
        .map_err(|e: toml::de::Error| vec![e.to_string()])?;
    let list = file
        .get("preset")
        .and_then(toml::Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let mut out = String::from("static PRESETS: &[Preset] = &[\n");
    let mut problems = Vec::new();
    let mut ids = Vec::new();
    for entry in list.iter().filter_map(toml::Value::as_table) {
        let id = entry
            .get("id")
            .and_then(toml::Value::as_str)
            .unwrap_or_default();
        match preset(entry, languages) {
            Ok(_) if ids.contains(&id) => {
                problems.push(format!("preset {id:?}: the id stands twice"))
            }
            Ok(text) => out.push_str(&text),
            Err(problem) => problems.push(format!("preset {id:?}: {problem}")),
        }
        ids.push(id);
    }
    if ids.is_empty() {
        problems.push("no [[preset]]".to_owned());
    }
    if problems.is_empty() {
        Ok(out + "];\n")
    } else {
        Err(problems)
    }
}

fn preset(entry: &toml::Table, languages: &[&str]) -> Result<String, String> {
    const KEYS: [&str; 5] = ["id", "name", "text", "source", "settings"];
    if let Some(key) = entry.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("{key}: unknown; a preset has {KEYS:?}"));
    }
    let optional = |key: &str| entry.get(key).and_then(toml::Value::as_str);
    let wanted = |key: &str| optional(key).ok_or_else(|| format!("{key}: missing"));
    let mut names = Vec::new();
    for language in languages {
        let name = entry
            .get("name")
            .and_then(|all| all.get(language))
            .and_then(toml::Value::as_str);
        names.push((
            *language,
            name.ok_or_else(|| format!("name.{language}: missing"))?,
        ));
    }
    Ok(format!(
        "    Preset {{ id: {:?}, names: &{names:?}, text: {:?}, source: {:?}, settings: {:?} }},\n",
        wanted("id")?,
        wanted("text")?,
        optional("source"),
        optional("settings").unwrap_or_default(),
    ))
}
