//! Statements about the API in files that no compiler checks.

fn read(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_page_names_the_version_of_the_crate() {
    let (page, version) = (read("index.html"), env!("CARGO_PKG_VERSION"));
    for wanted in [
        // `boot.js` gives it to the public API.
        format!("data-version=\"{version}\""),
        // How to cite.
        format!("version = {{{version}}}"),
    ] {
        assert!(page.contains(&wanted), "index.html must say {wanted}");
    }
}

#[test]
fn the_reference_knows_every_code() {
    use attention::Code::*;
    let reference = read("docs/api.md");
    for code in [
        ShapeMismatch,
        NotFinite,
        HeadsDoNotDivide,
        KvHeadsDoNotDivide,
        UnknownOption,
        TooLarge,
        BackendUnavailable,
        NotApplicable,
        MissingField,
        Aborted,
        Freed,
    ] {
        assert!(
            reference.contains(&format!("`{}`", code.name())),
            "docs/api.md lacks {}",
            code.name()
        );
    }
}
