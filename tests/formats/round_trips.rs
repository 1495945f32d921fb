//! Written files are read back bit for bit.

use formats::{Kind, Labels, Limits, Tensor, pieces, read, write};

/// Numbers that are easily lost: both zeros, the smallest and the largest, and what needs every digit.
const HARD: [f32; 12] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::MIN_POSITIVE,
    1e-45,
    f32::MAX,
    f32::MIN,
    0.1,
    16_777_217.0,
    1.000_000_1,
    -3.141_592_7e-20,
];

fn tensor(name: &str, shape: &[usize]) -> Tensor {
    let count = shape.iter().product();
    let value = |at: usize| match HARD.get(at % 17) {
        Some(hard) => *hard,
        // Any bits that are a finite number.
        None => f32::from_bits((at as u32).wrapping_mul(2_654_435_761) & 0xbf7f_ffff),
    };
    Tensor::new(name, shape.to_vec(), (0..count).map(value).collect())
}

fn same(left: &Tensor, right: &Tensor) {
    assert_eq!(left.shape, right.shape);
    let bits = |tensor: &Tensor| -> Vec<u32> { tensor.data.iter().map(|v| v.to_bits()).collect() };
    assert_eq!(bits(left), bits(right));
    assert_eq!(left.labels, right.labels);
}

const SHAPES: [&[usize]; 12] = [
    &[],
    &[1],
    &[7],
    &[0],
    &[1, 1],
    &[3, 5],
    &[5, 1],
    &[1, 5],
    &[0, 5],
    &[3, 0],
    &[2, 3, 5],
    &[2, 1, 3, 7],
];

#[test]
fn every_shape_comes_back_from_every_format() {
    for kind in Kind::ALL {
        for shape in SHAPES {
            let tensor = tensor("w_q", shape);
            let file = format!("w_q.{}", kind.extension());
            let bytes = write(kind, std::slice::from_ref(&tensor));
            let back = read(&file, &bytes, &Limits::default())
                .unwrap_or_else(|error| panic!("{kind:?} {shape:?}: {error}"));
            assert_eq!(back.len(), 1);
            assert_eq!(back[0].name, "w_q", "{kind:?}");
            same(&back[0], &tensor);
        }
    }
}

/// Rows end in the middle of a piece, and pieces in the middle of a row.
#[test]
fn a_large_file_comes_in_small_pieces_that_are_the_whole() {
    let names: Vec<String> = (0..137).map(|at| format!("t{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut large = tensor("w_q", &[2, 91, 137]);
    large.labels = ["head", "query", "key"]
        .iter()
        .zip(&large.shape)
        .map(|(title, length)| labels(title, &names[..*length]))
        .collect();
    for kind in Kind::ALL {
        let made: Vec<Vec<u8>> = pieces(kind, std::slice::from_ref(&large)).collect();
        let longest = made.iter().map(Vec::len).max();
        assert!(longest.is_some_and(|longest| longest < 80_000), "{kind:?}");
        assert!(made.len() > 6, "{kind:?}");
        let back = read("w_q", &made.concat(), &Limits::default()).expect("it is ours");
        let carried = match kind {
            Kind::Csv => large.labels.clone(),
            Kind::Json => vec![
                labels("", &[]),
                labels("", &names[..91]),
                labels("", &names),
            ],
            _ => Vec::new(),
        };
        same(
            &back[0],
            &Tensor {
                labels: carried,
                ..large.clone()
            },
        );
    }
}

#[test]
fn many_tensors_come_back_with_their_names() {
    let names = ["x", "w_q", "a \"quoted\\\" name", "词", "data", "shape"];
    let tensors: Vec<_> = names
        .iter()
        .zip(SHAPES.iter().rev())
        .map(|(name, shape)| tensor(name, shape))
        .collect();
    for kind in Kind::ALL.into_iter().filter(|kind| kind.holds_many()) {
        // An object with these two is a tensor, and an archive has no room for a backslash.
        let taken: Vec<_> = match kind {
            Kind::Json => tensors[..5].to_vec(),
            Kind::Npz => tensors
                .iter()
                .filter(|t| !t.name.contains('\\'))
                .cloned()
                .collect(),
            _ => tensors.clone(),
        };
        let back = read("all", &write(kind, &taken), &Limits::default()).expect("it is ours");
        assert_eq!(back.len(), taken.len());
        for (back, tensor) in back.iter().zip(&taken) {
            assert_eq!(back.name, tensor.name, "{kind:?}");
            same(back, tensor);
        }
    }
}

fn labels(title: &str, names: &[&str]) -> Labels {
    Labels {
        title: title.to_owned(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
    }
}

#[test]
fn labels_come_back_from_a_table() {
    let hard = ["the", "1", "=A1+\"2\"", "", "a, b", "#", "两\n行"];
    let cases = [
        vec![
            labels("query", &["1", "2", "3"]),
            labels("key", &["1", "2"]),
        ],
        vec![labels("query", &hard[..4]), labels("key", &hard[2..])],
        vec![labels("q", &hard), labels("key", &hard)],
        vec![labels("", &["0"]), labels("", &["nan"])],
        vec![
            labels("head", &["head 1", "head 2"]),
            labels("query", &hard[..3]),
            labels("key", &hard[1..5]),
        ],
        vec![labels("", &hard[1..4])],
    ];
    for labels in cases {
        let shape: Vec<_> = labels.iter().map(|axis| axis.names.len()).collect();
        let tensor = Tensor {
            labels,
            ..tensor("weights", &shape)
        };
        let bytes = write(Kind::Csv, std::slice::from_ref(&tensor));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let back = read("weights.csv", &bytes, &Limits::default());
        same(
            &back.unwrap_or_else(|error| panic!("{error}\n{text}"))[0],
            &tensor,
        );
    }
}
