//! Which origins may send which commands.

use super::Command;
use crate::state::State;

/// Types of messages that any host may send.
const READING: [&str; 2] = ["hello", "get"];

/// Returns the message types that a page of `origin` may send to a page in this state.
pub fn may(state: &State, origin: &str) -> Vec<&'static str> {
    let mut types = READING.to_vec();
    if state.origins.contains(origin) {
        types.extend(["set", "select"]);
    }
    if state.host_theme {
        types.push("theme");
    }
    types
}

/// Why the page of `origin` may not do this: a code, the key in the link that it takes, and a sentence.
pub fn forbidden(
    command: &Command,
    state: &State,
    origin: &str,
) -> Option<(&'static str, &'static str, &'static str)> {
    if command.is_setting() && !state.origins.contains(origin) {
        let message = "only pages whose origin stands in the link's origins may set anything";
        return Some(("not_allowed", "origins", message));
    }
    let is_theme = matches!(command, Command::Theme(_));
    let message = "the theme is followed where the link says theme=host";
    (is_theme && !state.host_theme).then_some(("not_allowed", "theme", message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Origins;
    use crate::state::url;

    const COMMANDS: [Command; 5] = [
        Command::Hello,
        Command::Get,
        Command::Set(Vec::new()),
        Command::Restore(String::new()),
        Command::Select(None),
    ];

    fn done(state: &State, origin: &str) -> Vec<bool> {
        let may = |command| forbidden(command, state, origin).is_none();
        COMMANDS.iter().map(may).collect()
    }

    #[test]
    fn anybody_may_read_and_only_exact_origins_may_set() {
        let own = "https://course.example";
        let state = State {
            origins: Origins::parse(own).expect("an origin"),
            ..State::default()
        };
        assert_eq!(done(&state, own), [true; 5]);
        for stranger in [
            "https://course.example.evil.example",
            "https://evil-course.example",
            "https://sub.course.example",
            "http://course.example",
            "https://course.example:444",
            "https://course.example/",
            "null",
            "*",
            "",
        ] {
            let reading = [true, true, false, false, false];
            assert_eq!(done(&state, stranger), reading, "{stranger}");
            assert_eq!(done(&State::default(), stranger), reading, "{stranger}");
        }
    }

    #[test]
    fn what_is_said_to_be_allowed_is_allowed() {
        let (state, notes) = url::parse("theme=host&origins=https://a.example");
        assert_eq!(notes, []);
        for origin in ["https://a.example", "https://b.example"] {
            let types = may(&state, origin);
            for (command, name) in [
                (Command::Theme(None), "theme"),
                (Command::Select(None), "select"),
                (Command::Set(Vec::new()), "set"),
                (Command::Get, "get"),
            ] {
                let is_allowed = forbidden(&command, &state, origin).is_none();
                assert_eq!(types.contains(&name), is_allowed, "{name} {origin}");
            }
        }
        assert_eq!(
            may(&State::default(), "https://a.example"),
            ["hello", "get"]
        );
    }
}
