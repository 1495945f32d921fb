//! Questions get what their methods give.

use interpret::{Answer, Change, Interpreter, Question};
use model::HiddenCells;
use model::attribute::ScoreCell;

use ::attention::Error;

use crate::common::open;

const TEXT: &str = "the hi one end";
const CELL: ScoreCell = ScoreCell {
    layer: 1,
    head: 2,
    query: 3,
    key: 1,
};

fn change() -> Change {
    Change {
        off: vec![(0, 1)],
        hide: vec![HiddenCells {
            layer: 2,
            head: 3,
            cells: vec![(2, 1)],
        }],
        patch: None,
    }
}

fn questions() -> [Question; 9] {
    let (text, place, asked) = (TEXT.to_owned(), 2, 5);
    [
        Question::Read { text: text.clone() },
        Question::Repeats,
        Question::Layer {
            text: text.clone(),
            layer: 1,
        },
        Question::Next {
            text: text.clone(),
            place,
            asked: Some(asked),
            change: change(),
        },
        Question::Without {
            text: text.clone(),
            place,
            asked,
            off: (1, 3),
        },
        Question::Write {
            text: text.clone(),
            temperature: 150,
            seed: 4,
        },
        Question::Why {
            text: text.clone(),
            cell: CELL,
        },
        Question::Parts {
            text: text.clone(),
            place,
            asked,
        },
        Question::Lens { text, place },
    ]
}

fn by_method(own: &mut Interpreter) -> Result<[Answer; 9], Error> {
    Ok([
        Answer::Read(own.read(TEXT)?),
        Answer::Repeats(own.repeats()?),
        Answer::Layer(Box::new(own.layer(TEXT, 1)?)),
        Answer::Next(own.next(TEXT, 2, Some(5), &change())?),
        Answer::Without(own.without(TEXT, 2, 5, (1, 3))?),
        Answer::Written(own.written(TEXT, 1.5, 4)?),
        Answer::Why(own.why(TEXT, CELL)?),
        Answer::Parts(own.parts(TEXT, 2, 5)?),
        Answer::Lens(own.lens(TEXT, 2)?),
    ])
}

/// As text: measures that are no numbers equal none.
#[test]
fn every_question_has_its_answer() {
    let wanted = by_method(&mut open("gemma2")).expect("answers");
    let mut own = open("gemma2");
    for (question, wanted) in questions().iter().zip(wanted) {
        let found = own.answer(question).expect("an answer");
        assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "{question:?}");
    }
}

#[test]
fn refusals_are_those_of_the_methods() {
    let mut own = open("bert");
    let [_, repeats, .., lens] = questions();
    for (question, field) in [(repeats, "repeats"), (lens, "logits")] {
        let error = own.answer(&question).expect_err("not causal");
        assert_eq!(error.field, field);
    }
}
