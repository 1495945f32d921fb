//! Numbers that stay as the file stores them: every type of blocks, and what is refused of a tensor.

use attention::{Code, Error};
use checkpoint::{Checkpoint, FileTensor, Origin, StoredBlocks, Value};
use formats::blocks::{BlockType, dequantize};
use model::Words;
use model::infer::{Inference, WantedLogits};

use crate::files::{Tensors, text};
use crate::gguf::{Metadata, number, sizes};

/// A tensor of a Llama that is wide enough for blocks of 256.
fn tensor(name: &str, dtype: &str, shape: &[usize]) -> FileTensor {
    FileTensor {
        name: name.to_owned(),
        dtype: dtype.to_owned(),
        shape: shape.to_vec(),
    }
}

fn wide(kind: BlockType) -> (Metadata, Vec<FileTensor>) {
    let sizes = sizes(
        "llama",
        &[
            ("embedding_length", number(256)),
            ("block_count", number(1)),
            ("feed_forward_length", number(512)),
            ("attention.head_count_kv", number(2)),
            ("attention.layer_norm_rms_epsilon", Value::Number(1e-5)),
            ("rope.freq_base", number(70)),
        ],
    );
    let of = |name: &str, rows, width| tensor(name, kind.name(), &[rows, width]);
    let norm = |name: &str| tensor(name, "F32", &[256]);
    let list = vec![
        of("token_embd.weight", 13, 256),
        norm("output_norm.weight"),
        norm("blk.0.attn_norm.weight"),
        of("blk.0.attn_q.weight", 256, 256),
        of("blk.0.attn_k.weight", 128, 256),
        of("blk.0.attn_v.weight", 128, 256),
        of("blk.0.attn_output.weight", 256, 256),
        norm("blk.0.ffn_norm.weight"),
        of("blk.0.ffn_gate.weight", 512, 256),
        of("blk.0.ffn_up.weight", 512, 256),
        of("blk.0.ffn_down.weight", 256, 512),
    ];
    (sizes, list)
}

fn kind(tensor: &FileTensor) -> BlockType {
    let mut all = BlockType::ALL.into_iter();
    all.find(|kind| kind.name() == tensor.dtype)
        .expect("a type of blocks")
}

/// Bytes from a linear congruential generator, without those bits that would make a number infinite.
fn bytes(tensor: &FileTensor, seed: u32) -> Vec<u8> {
    let mut state = seed;
    let kind = kind(tensor);
    let length = tensor.shape.iter().product::<usize>() / kind.length() * kind.bytes();
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8 & 0b1011_1011
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn blocks_of_every_type_give_the_bits_of_their_widened_numbers() {
    for kind in BlockType::ALL {
        let (metadata, list) = wide(kind);
        let checkpoint = Checkpoint::from_gguf(&metadata, &list).expect("valid");
        let stored =
            checkpoint.open(|at| StoredBlocks::new(&list[at], bytes(&list[at], at as u32)));
        let widened = checkpoint.load(|at| {
            let own = &list[at];
            let mut numbers = vec![0.0; own.shape.iter().product()];
            dequantize(self::kind(own), &bytes(own, at as u32), &mut numbers)
                .expect("whole blocks");
            Ok(numbers)
        });
        let words = Words::new(&checkpoint.config, &[vec![3, 1, 12, 3, 0]]).expect("words");
        let how = Inference {
            weights: vec![(0, 0), (0, 3)],
            logits: WantedLogits::All,
            ..Inference::default()
        };
        let [found, wanted] = [stored, widened].map(|model| {
            model
                .expect("a whole model")
                .infer(&words, &how)
                .expect("finite")
        });
        assert!(found == wanted, "{}", kind.name());
        assert!(found.logits.iter().any(|logit| *logit != found.logits[0]));
    }
}

#[test]
fn what_is_added_to_a_matrix_is_added_to_its_lines() {
    let tensors = Tensors::read("llama/model.safetensors");
    let mut checkpoint =
        Checkpoint::from_hugging_face(&text("llama/config.json"), &tensors.list).expect("valid");
    let before = tensors.infer(&checkpoint, &[3, 1, 2]);
    for tensor in &mut checkpoint.tensors {
        if let Origin::File(taken) = &mut tensor.origin {
            taken.plus += f32::from(u8::from(tensor.shape.len() == 2)) / 8.0;
        }
    }
    assert!(tensors.infer(&checkpoint, &[3, 1, 2]) != before);
}

/// GPT-2's linear maps are stored input by input, three of them in one tensor.
#[test]
fn each_tensor_is_read_once() {
    let tensors = Tensors::read("gpt2/model.safetensors");
    let checkpoint = Checkpoint::from_hugging_face(&text("gpt2/config.json"), &tensors.list);
    let mut read = vec![0; tensors.list.len()];
    let mut matrices = |at: usize| {
        read[at] += 1;
        tensors.blocks(at)
    };
    checkpoint
        .expect("valid")
        .open(&mut matrices)
        .expect("a whole model");
    for (tensor, times) in tensors.list.iter().zip(read) {
        assert_eq!(times, 1, "{}", tensor.name);
    }
}

#[test]
fn numbers_that_are_not_finite_are_refused_by_name() {
    let cases: [(&str, &[usize], usize, &[u8]); 5] = [
        ("F32", &[2, 3], 20, &[0, 0, 0x80, 0x7f]),
        ("F16", &[5000], 9998, &[0, 0x7e]),
        ("BF16", &[3, 2], 4, &[0x80, 0xff]),
        // The scale of the second block of the second row.
        ("Q8_0", &[2, 64], 3 * 34, &[0, 0x7c]),
        ("Q4_1", &[2, 64], 3 * 20 + 2, &[0, 0xfe]),
    ];
    for (dtype, shape, place, value) in cases {
        let own = tensor("blk.3.some.weight", dtype, shape);
        let mut bytes = bytes(&own, 1);
        assert!(StoredBlocks::new(&own, bytes.clone()).is_ok());
        bytes[place..][..value.len()].copy_from_slice(value);
        // 0 times infinity is no number, and a row of zeros would be one.
        bytes[place + value.len()..]
            .iter_mut()
            .take(40)
            .for_each(|byte| *byte &= 0x3b);
        let error = StoredBlocks::new(&own, bytes).expect_err("not finite");
        let found = (error.code, error.field.as_str());
        assert_eq!(found, (Code::NotFinite, "blk.3.some.weight"), "{dtype}");
    }
}

#[test]
fn other_types_axes_and_bytes_are_refused_by_name() {
    let refused = |dtype: &str, shape: &[usize], length| -> Error {
        let own = tensor("own", dtype, shape);
        StoredBlocks::new(&own, vec![0; length]).expect_err("does not fit")
    };
    let cases = [
        (Code::UnknownOption, refused("I64", &[2], 16)),
        (Code::ShapeMismatch, refused("F32", &[2, 3], 23)),
        (Code::ShapeMismatch, refused("F32", &[2, 3, 1], 24)),
        (Code::ShapeMismatch, refused("Q4_0", &[2, 33], 36)),
        (Code::ShapeMismatch, refused("F32", &[usize::MAX, 4], 16)),
    ];
    for (code, error) in cases {
        assert_eq!((error.code, error.field.as_str()), (code, "own"), "{error}");
    }
    assert!(StoredBlocks::new(&tensor("own", "F32", &[0, 3]), vec![]).is_ok());
}

#[test]
fn blocks_of_several_outputs_are_refused() {
    let tensors = Tensors::read("gpt2/model.safetensors");
    let checkpoint = Checkpoint::from_hugging_face(&text("gpt2/config.json"), &tensors.list);
    let checkpoint = checkpoint.expect("valid");
    let fused = |at: usize| tensors.list[at].name.ends_with("c_attn.weight");
    let refused = |shape: fn(&[usize]) -> Vec<usize>, dtype: &str| {
        let read = |at: usize| {
            if !fused(at) {
                return tensors.blocks(at);
            }
            let own = tensor("c_attn", dtype, &shape(&tensors.list[at].shape));
            StoredBlocks::new(&own, bytes(&own, 3))
        };
        let error = checkpoint.open(read).expect_err("does not fit");
        (error.code, error.field)
    };
    let of = |code| (code, "c_attn".to_owned());
    assert_eq!(
        refused(|shape| shape.to_vec(), "Q8_0"),
        of(Code::NotApplicable)
    );
    let narrow = |shape: &[usize]| vec![shape[0], shape[1] - 1];
    assert_eq!(refused(narrow, "F32"), of(Code::ShapeMismatch));
}
