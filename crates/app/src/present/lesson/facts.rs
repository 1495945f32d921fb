//! Facts that conditions of lessons refer to: the settings and numbers of a run
//! (`docs/lessons.md`).

use crate::present::learned;
use crate::present::run::Run;
use crate::state::learned::grammar;
use crate::state::{Field, State};
use attention::analysis::entropy;
use engine::learned::Answer;
use lessons::{Facts, Value};

/// A run, for the conditions of lessons.
pub struct RunFacts<'a> {
    /// The page's state, to which the numbers of the run belong.
    pub state: &'a State,
    /// The numbers.
    pub run: &'a Run,
}

impl Facts for RunFacts<'_> {
    fn setting(&self, name: &str) -> Option<Value> {
        setting(self.state, name)
    }

    fn call(&self, name: &str, values: &[Value]) -> Option<Value> {
        Some(match (name, values) {
            ("weight", [query, key]) => self.row(query)?.get(self.key(key)?).map(number)?,
            ("weight", [query, key, layer, head]) => {
                let cell = self.query(query)? * self.run.keys.len() + self.key(key)?;
                number(self.map(layer, head)?.get(cell)?)
            }
            ("rows", []) => Value::Number(self.run.queries.len() as f64),
            ("columns", []) => Value::Number(self.run.keys.len() as f64),
            ("shown", [row, column]) => {
                let matrix = self.run.matrix(self.state.step, self.state.head)?;
                let place = |value| counted(value, usize::MAX);
                number(&matrix.at(place(row)?, place(column)?)?)
            }
            ("max", [query]) => number(self.row(query)?.get(self.largest(query)?)?),
            ("best", [query]) => Value::Text(self.run.key(self.largest(query)?).to_owned()),
            ("entropy", [query]) => Value::Number(entropy(self.row(query)?)),
            ("entropy", []) => {
                let stats = self.run.reply.stats.get(self.state.head)?;
                Value::Number(stats.entropy_mean)
            }
            ("sum", [query]) => {
                let weights = self.row(query)?.iter().map(|weight| f64::from(*weight));
                Value::Number(weights.sum())
            }
            ("hidden", [query, key]) => {
                let hidden = self.run.hidden();
                Value::Bool(hidden.is_hidden(self.query(query)?, self.key(key)?))
            }
            ("ahead", []) => self.ahead(),
            ("answer", [query]) => {
                let answers = learned::answers(self.run, self.query(query)?);
                self.word(answers.first()?)?
            }
            ("answer_without", [query, head @ ..]) => self.word(&self.without(query, head)?)?,
            ("share_without", [query, head @ ..]) => number(&self.without(query, head)?.share),
            ("share", [query]) => {
                let answers = learned::answers(self.run, self.query(query)?);
                number(&answers.first()?.share)
            }
            _ => return None,
        })
    }
}

impl RunFacts<'_> {
    fn query(&self, named: &Value) -> Option<usize> {
        place(named, self.run.words()[0])
    }

    fn key(&self, named: &Value) -> Option<usize> {
        place(named, self.run.words()[1])
    }

    /// The weights of a row of the chosen head.
    fn row(&self, query: &Value) -> Option<&[f32]> {
        Some(self.run.row(self.state.head, self.query(query)?))
    }

    /// The key with the largest weight of a row, the first of several.
    fn largest(&self, query: &Value) -> Option<usize> {
        let row = self.row(query)?;
        let keys = 0..row.len();
        keys.rev()
            .max_by(|one, other| row[*one].total_cmp(&row[*other]))
    }

    /// The map of a head of any layer: what is on the page for the layer that is looked at, what the model computes for another.
    fn map(&self, layer: &Value, head: &Value) -> Option<&[f32]> {
        let (layer, head) = self.layer_and_head(layer, head)?;
        Some(match self.run.learned() {
            Some(learned) if layer + 1 != self.state.layer => {
                learned.map(layer * self.state.heads + head)
            }
            _ => self.run.head(head),
        })
    }

    /// Answer of a learned model at a row without the chosen head, or without a given head of a
    /// given layer.
    fn without(&self, query: &Value, head: &[Value]) -> Option<Answer> {
        let (layer, head) = match head {
            [] => (self.state.layer - 1, self.state.head),
            [layer, head] => self.layer_and_head(layer, head)?,
            _ => return None,
        };
        let head = layer * self.state.heads + head;
        learned::answer_without(self.run, head, self.query(query)?)
    }

    fn layer_and_head(&self, layer: &Value, head: &Value) -> Option<(usize, usize)> {
        let layers = self.run.learned().map_or(1, |_| self.state.layers);
        let head = counted(head, self.state.heads)?;
        Some((counted(layer, layers)?, head))
    }

    fn word(&self, answer: &Answer) -> Option<Value> {
        let words = grammar(&self.state.text).words();
        Some(Value::Text((*words.get(answer.word)?).to_owned()))
    }

    /// The largest weight above the diagonal.
    fn ahead(&self) -> Value {
        let rows = 0..self.run.queries.len();
        let later = rows.flat_map(|row| {
            let weights = self.run.row(self.state.head, row);
            weights.get(row + 1..).unwrap_or_default()
        });
        number(&later.copied().fold(0.0, f32::max))
    }
}

/// A setting as a link has it.
fn setting(state: &State, name: &str) -> Option<Value> {
    let written = state.get(Field::from_key(name)?).to_param();
    Some(written.parse().map_or(Value::Text(written), Value::Number))
}

fn number(weight: &f32) -> Value {
    Value::Number(f64::from(*weight))
}

/// Index of a number that counts from 1, out of `of`.
fn counted(named: &Value, of: usize) -> Option<usize> {
    let Value::Number(number) = named else {
        return None;
    };
    // Numbers that are none become 0, which is no place.
    let place = *number as usize;
    ((1..=of).contains(&place) && place as f64 == *number).then(|| place - 1)
}

/// Index of a word (`"the"` is the first and `"the#2"` the second of them), or of a number that
/// counts from 1.
fn place(named: &Value, words: &[String]) -> Option<usize> {
    match named {
        Value::Number(_) => counted(named, words.len()),
        Value::Text(text) => {
            let (word, count) = match text.rsplit_once('#') {
                Some((word, count)) => (word, count.parse().ok()?),
                None => (text.as_str(), 1_usize),
            };
            let word = word.to_lowercase();
            let places = words.iter().enumerate();
            let mut places = places.filter(|(_, own)| own.to_lowercase() == word);
            places.nth(count.checked_sub(1)?).map(|(place, _)| place)
        }
        Value::Bool(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use lessons::{EvalError, Expression};

    fn value(link: &str, source: &str) -> Result<Value, EvalError> {
        let run = computed(link);
        Expression::parse(source).expect(source).value(&RunFacts {
            state: &run.state,
            run: &run,
        })
    }

    #[test]
    fn every_function_says_what_is_on_the_map() {
        let link = "text=the+cat+sees+the+dog&heads=3&head=2&mask=causal&temperature=0.5";
        for condition in [
            "temperature == 0.5 and heads == 3 and head == 2 and mask == \"causal\" and scaled",
            "weight(1, 1) == 1 and max(1) == 1 and best(1) == \"the\" and entropy(1) == 0",
            "weight(\"The\", \"cat\") == 0 and hidden(\"the\", \"cat\")",
            "not hidden(\"the#2\", \"cat\") and weight(\"the#2\", \"cat\") == weight(4, 2)",
            "weight(5, 1) + weight(5, 2) + weight(5, 3) + weight(5, 4) + weight(5, 5) == sum(\"dog\")",
            "sum(\"dog\") == 1 and ahead() == 0 and entropy() > 0 and entropy() < entropy(5)",
            "max(3) == weight(3, best(3)) and best(3) != \"dog\"",
            "weight(3, 2, 1, 2) == weight(3, 2) and weight(3, 2, 1, 1) != weight(3, 2)",
            "shown(3, 2) == weight(3, 2) and rows() == 5 and columns() == 5",
        ] {
            assert_eq!(value(link, condition), Ok(Value::Bool(true)), "{condition}");
        }
        let ahead = value("text=the+cat+sees+the+dog&head=3", "ahead() > 0.1");
        assert_eq!(ahead, Ok(Value::Bool(true)));
    }

    #[test]
    fn what_is_not_on_the_map_has_no_value() {
        for source in [
            "weight(\"it\", 1)",
            "weight(6, 1)",
            "weight(0, 1)",
            "weight(1.5, 1)",
            "weight(1, 1, 2)",
            "weight(1, 1, 1, 9)",
            "weight(1, 1, 2, 1)",
            "shown(1, 99)",
            "shown(0 / 0, 1)",
            "right()",
            "share_without(1)",
            "weight(\"the#3\", 1)",
            "weight(\"the#0\", 1)",
            "weight(1 == 1, 1)",
            "answer(1)",
            "share(1)",
            "colour",
        ] {
            let found = value("text=the+cat+sees+the+dog", source);
            assert!(
                matches!(found, Err(EvalError::Unknown(_))),
                "{source}: {found:?}"
            );
        }
    }

    #[test]
    fn the_head_is_the_one_that_is_looked_at() {
        let run = computed("text=the+cat+sees+the+dog&heads=3&head=1");
        let state = State {
            head: 2,
            ..run.state.clone()
        };
        let facts = RunFacts {
            state: &state,
            run: &run,
        };
        let weight = Expression::parse("weight(2, 1)").expect("an expression");
        let found = weight.number(&facts).expect("a number");
        assert_eq!(found as f32, run.row(2, 1)[0]);
        assert_ne!(found as f32, run.row(0, 1)[0]);
        let head = Expression::parse("head == 3").expect("an expression");
        assert_eq!(head.holds(&facts), Ok(true));
    }

    #[test]
    fn a_learned_model_answers() {
        let link = "weights=learned&d_model=32&d_k=8&trained=60&seed=1&text=The+dog+didn't+cross+the+road+because+it+was+too+long+.";
        let found = value(
            link,
            "(answer(\"it\") == \"dog\" or answer(\"it\") == \"road\") and share(\"it\") > 0.1",
        );
        assert_eq!(found, Ok(Value::Bool(true)));
        for condition in [
            "answer_without(\"it\") != \"\" and share_without(\"it\") < 1",
            "share_without(\"it\", 2, 1) != share_without(\"it\", 1, 1)",
            "share_without(\"it\", layer, head) == share_without(\"it\")",
            "weight(3, 2, layer, head) == weight(3, 2) and weight(3, 2, 2, 1) != weight(3, 2, 1, 1)",
        ] {
            assert_eq!(value(link, condition), Ok(Value::Bool(true)), "{condition}");
        }
    }
}
