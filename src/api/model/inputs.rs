//! `tokens`, `text`, `targets` and `task`.

use super::reads::Reads;
use super::{Fields, limits};
use app::js_tree::JsTree;
use attention::{Code, Error};
use model::task::Task;
use model::{Examples, ModelConfig, Words};

/// `tokens`, or `text` where the model has words.
pub(super) fn words(
    fields: &mut Fields,
    config: &ModelConfig,
    reads: &Reads,
) -> Result<Words, Error> {
    let rows = match (fields.take("tokens"), fields.take("text")) {
        (Some(tokens), None) => rows("tokens", &tokens, 0, |word| word as usize)?,
        (None, Some(raw)) => vec![reads.read(text(&raw)?)?],
        (None, None) => {
            let rule = "numbers of words, [batch][n], are needed";
            return Err(Error::missing("tokens", rule));
        }
        (Some(_), Some(text)) => {
            let rule = "tokens are given, so there is nothing to read";
            return Err(Error::new(
                Code::NotApplicable,
                "text",
                text.describe(),
                rule,
            ));
        }
    };
    let length = rows.first().map_or(0, Vec::len);
    limits::check_model(config, rows.len(), length)?;
    Words::new(config, &rows)
}

/// `tokens` and `targets`.
pub(super) fn examples(
    fields: &mut Fields,
    config: &ModelConfig,
    reads: &Reads,
) -> Result<Examples, Error> {
    let words = words(fields, config, reads)?;
    let Some(targets) = fields.take("targets") else {
        let rule = "numbers of words to be predicted, [batch][n], are needed; -1 takes no part";
        return Err(Error::missing("targets", rule));
    };
    let targets = rows("targets", &targets, -1, |word| usize::try_from(word).ok())?;
    Examples::new(config, words, &targets)
}

/// `[batch][n]` whole numbers of at least `least`.
fn rows<T>(
    field: &str,
    raw: &JsTree,
    least: i64,
    take: impl Fn(i64) -> T,
) -> Result<Vec<Vec<T>>, Error> {
    let refuse = |raw: &JsTree| {
        let rule = "must be a list of lists of whole numbers, [batch][n]";
        Error::new(Code::ShapeMismatch, field, raw.describe(), rule)
    };
    let list = match raw {
        JsTree::List(rows) => rows.as_slice(),
        JsTree::Doubles(numbers) if numbers.is_empty() => &[],
        other => return Err(refuse(other)),
    };
    let number = |(b, i): (usize, usize), number: f64| {
        if number.fract() == 0.0 && (least as f64..=f64::from(u32::MAX)).contains(&number) {
            return Ok(take(number as i64));
        }
        let rule = format!("must be a whole number of at least {least}");
        let field = format!("{field}[{b}][{i}]");
        Err(Error::new(Code::UnknownOption, field, number, rule))
    };
    let row = |(b, raw): (usize, &JsTree)| {
        let numbers: Vec<f64> = match raw {
            JsTree::Doubles(numbers) => numbers.clone(),
            JsTree::Singles(numbers) => numbers.iter().map(|x| f64::from(*x)).collect(),
            other => return Err(refuse(other)),
        };
        let numbers = numbers.into_iter().enumerate();
        numbers.map(|(i, x)| number((b, i), x)).collect()
    };
    list.iter().enumerate().map(row).collect()
}

/// The text of a field.
pub(super) fn text(raw: &JsTree) -> Result<&str, Error> {
    match raw {
        JsTree::Text(text) => Ok(text),
        other => {
            let (found, rule) = (other.describe(), "must be a text");
            Err(Error::new(Code::UnknownOption, "text", found, rule))
        }
    }
}

/// `task`: a name, or `{ name: "text", text }`.
pub(super) fn task(raw: JsTree) -> Result<Task, Error> {
    match raw {
        JsTree::Text(name) => Task::named(&name),
        JsTree::Record(_) => {
            let mut fields = Fields::parse("task", raw, &["name", "text"])?;
            match (fields.take("name"), fields.take("text")) {
                (Some(JsTree::Text(name)), None) => Task::named(&name),
                (Some(JsTree::Text(name)), Some(JsTree::Text(text))) if name == "text" => {
                    Task::next_character(&text)
                }
                (_, None) => Err(Error::missing("task.name", "a task has a name")),
                (_, Some(text)) => {
                    let rule = "belongs to the task \"text\", and must be one";
                    let found = text.describe();
                    Err(Error::new(Code::UnknownOption, "task.text", found, rule))
                }
            }
        }
        other => {
            let rule = "must be the name of a task, or { name: \"text\", text }";
            Err(Error::new(
                Code::UnknownOption,
                "task",
                other.describe(),
                rule,
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_too_many_characters_is_refused_by_name() {
        let of = |count: u32| -> String {
            let characters = (0..count).filter_map(|at| char::from_u32(0x4e00 + at));
            characters.collect()
        };
        let made = |count| {
            let text = JsTree::text(&of(count));
            task(JsTree::record([
                ("name", JsTree::text("text")),
                ("text", text),
            ]))
        };
        assert!(made(1500).is_ok());
        let error = made(1501).err().expect("one too many");
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::TooLarge, "task.text")
        );
    }
}
