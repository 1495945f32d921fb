use super::*;

#[test]
fn a_layer_goes_through_a_message_as_it_is() {
    let sizes = StackSizes {
        layers: 1,
        d_model: 32,
        d_k: 8,
        heads: 3,
        kv_heads: 1,
    };
    let model = ModelKey {
        is_chinese: false,
        seed: 3,
        sizes,
    };
    let text = "The fox didn't enter the tunnel because it was too deep.";
    let key = LearnedKey::new(model, 11, 0, text).expect("known words");
    let made = models::layer(&key).expect("finite");
    let numbers = made.to_numbers();
    let read = LearnedLayer::from_numbers(&key, &numbers);
    assert_eq!(read.as_ref(), Some(&made));
    assert_eq!(made.behaviour(3), None);
    assert_eq!(made.history().len(), 11);
    for wrong in [
        &numbers[..numbers.len() - 1],
        &[],
        &[&numbers[..], &[0.0]].concat(),
    ] {
        assert_eq!(LearnedLayer::from_numbers(&key, wrong), None);
    }
}
