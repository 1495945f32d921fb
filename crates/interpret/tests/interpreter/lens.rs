//! What each layer would say.

use interpret::Change;
use model::infer::Inference;

use crate::common::{assert_close, ids, infer, largest, softmax, with_logits};

#[test]
fn layers_say_what_their_rows_are_unembedded_to() {
    for (name, text, mut own) in with_logits() {
        let ids = ids(name, text);
        for place in [0, 3, ids.len() - 1] {
            let said = own.lens(text, place).expect(name);
            let next = own.next(text, place, None, &Change::default()).expect(name);
            let answer = &next.likeliest[0];
            let (model, config) = (own.model(), *own.model().config());
            assert_eq!(said.len(), config.layers + 1, "{name}");
            let last = said.last().expect("layers");
            assert_eq!(
                (&last.likeliest, last.answer),
                (answer, answer.share),
                "{name}"
            );
            let how = Inference {
                hidden: (0..config.layers).collect(),
                ..Inference::default()
            };
            let hidden = infer(model, &ids, &how).hidden;
            for (layer, (said, rows)) in said.iter().zip(hidden).enumerate() {
                let row = &rows[place * config.d_model..][..config.d_model];
                let wanted = softmax(model.unembed(row).expect(name).into_iter());
                let word = largest(&wanted);
                let what = format!("{name}: place {place}, layer {layer}");
                assert_eq!(said.likeliest.id, word, "{what}");
                let found = [said.likeliest.share, said.answer];
                assert_close(&what, &found, &[wanted[word], wanted[answer.id]], 1e-12);
            }
        }
    }
}

/// Before the first layer a word says the same wherever it stands and whatever came before it, where places are no part of its row.
#[test]
fn the_first_row_is_the_embedding() {
    for (name, _, mut own) in with_logits().filter(|own| own.0 == "gemma2") {
        let one = own.lens("hi the end", 2).expect(name).remove(0);
        let other = own.lens("end", 0).expect(name).remove(0);
        assert_eq!(one.likeliest, other.likeliest);
        let later = own.lens("hi the end", 2).expect(name).remove(1);
        assert_ne!(one, later);
    }
}
