//! What is refused of a list of tensors, by the name of the tensor.

use attention::{Code, Error};
use checkpoint::Checkpoint;

use crate::files::{Tensors, text};

fn with_tensors(change: impl Fn(&mut Tensors)) -> Error {
    let mut tensors = Tensors::read("llama/model.safetensors");
    change(&mut tensors);
    let found = Checkpoint::from_hugging_face(&text("llama/config.json"), &tensors.list);
    found.expect_err("a tensor is wrong")
}

fn place(tensors: &Tensors, name: &str) -> usize {
    let found = tensors.list.iter().position(|tensor| tensor.name == name);
    found.unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn tensors_are_refused_by_name_with_what_was_expected() {
    let up = "model.layers.1.mlp.up_proj.weight";
    let missing = with_tensors(|tensors| {
        let at = place(tensors, up);
        tensors.list.remove(at);
    });
    assert_eq!(
        (missing.code, missing.field.as_str()),
        (Code::MissingField, up)
    );
    assert!(
        missing.rule.contains("[48, 32]") && missing.rule.contains("layers.1.w_up"),
        "{missing}"
    );
    let turned = with_tensors(|tensors| {
        let at = place(tensors, up);
        tensors.list[at].shape.reverse();
    });
    assert_eq!(
        (turned.code, turned.field.as_str(), turned.value.as_str()),
        (Code::ShapeMismatch, up, "[32, 48]")
    );
    assert!(turned.rule.contains("[48, 32]"), "{turned}");
    for shape in [vec![], vec![48, 32, 1], vec![usize::MAX, 2], vec![48 * 32]] {
        let other = with_tensors(|tensors| {
            let at = place(tensors, up);
            tensors.list[at].shape.clone_from(&shape);
        });
        assert_eq!(
            (other.code, other.field.as_str()),
            (Code::ShapeMismatch, up)
        );
    }
    for dtype in ["I64", "F64", "F8_E4M3", "", "f32"] {
        let other = with_tensors(|tensors| {
            let at = place(tensors, up);
            tensors.list[at].dtype = dtype.to_owned();
        });
        assert_eq!(
            (other.code, other.field.as_str(), other.value.as_str()),
            (Code::UnknownOption, up, dtype)
        );
        assert!(other.rule.contains("F32, F16, BF16"), "{other}");
    }
    for name in [
        "model.layers.0.mlp.experts.0.weight",
        "h.0.attn.bias",
        "model.layers.x.self_attn.rotary_emb.inv_freq",
    ] {
        let more = with_tensors(|tensors| tensors.add(name, "F32", &[3]));
        assert_eq!(
            (more.code, more.field.as_str()),
            (Code::NotApplicable, name)
        );
        assert_eq!(more.value, "F32 [3]");
    }
    let twice = with_tensors(|tensors| tensors.add(up, "F32", &[48, 32]));
    assert_eq!(
        (twice.code, twice.field.as_str()),
        (Code::NotApplicable, up)
    );
}
