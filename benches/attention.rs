//! How long a run of the page takes natively, and what the fast path, tiles and streams are worth; how fast products and a layer
//! are: `cargo bench`.
//!
//! Times depend on the machine; the ratios in the last columns do so much less. Nothing is asserted.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use app::state::{Field, State, Value, request_builder};
use attention::{
    CallOptions, Layer, LayerOptions, Linear, Mask, Outputs, Request, Source, Weights, reference,
};
use engine::{BackendChoice, run};
use kernels::{Packed, multiply};
use ndarray::{Array2, Axis};

mod shapes;
use shapes::SHAPES;

const WORDS: [&str; 8] = [
    "the", "animal", "crossed", "a", "street", "because", "it", "could",
];
/// How long each thing is repeated.
const PATIENCE: Duration = Duration::from_millis(600);

fn main() {
    println!("One run of the page (d_model 64, d_k 16, 4 heads), median:\n");
    println!("| tokens | request | engine | 64-bit reference | faster by |");
    println!("|---|---|---|---|---|");
    for tokens in [11, 64, 256] {
        fast_and_reference(tokens);
    }
    println!("\n1024 tokens, by what is wanted, median:\n");
    println!("| wanted | engine | against everything |");
    println!("|---|---|---|");
    by_what_is_wanted(1024);
    println!(
        "\nProducts `[rows, inner]·[inner, columns]`, GFLOP/s, median. Natively `kernels` has its portable body, which this profile"
    );
    println!("does not vectorise, and ndarray AVX2; in wasm both have SIMD.\n");
    println!("| rows | inner | columns | kernels | packing, of the time | ndarray |");
    println!("|---|---|---|---|---|---|");
    SHAPES.into_iter().for_each(product);
    println!("\nX `[n, 512]` → weights `[8, n, n]` and output, GFLOP/s of all cells, median:\n");
    println!("| n | full | causal | |");
    println!("|---|---|---|---|");
    [16, 128, 512, 1024].into_iter().for_each(layer_call);
}

fn product([rows, inner, columns]: [usize; 3]) {
    let (a, b) = (numbers(rows, inner), numbers(inner, columns));
    let rows_of_b = b.as_slice().expect("rows lie one after the other");
    let pack = || Packed::from_rows(rows_of_b, columns, 0, columns);
    let packed = pack();
    let mut out = vec![0.0; rows * columns];
    let left = a.as_slice().expect("rows lie one after the other");
    let ours = median(|| multiply(black_box(left), &packed, &mut out));
    let packing = ratio(median(pack), ours);
    let theirs = median(|| black_box(&a).dot(&b));
    let [ours, theirs] = [ours, theirs].map(|time| rate(2 * rows * inner * columns, time));
    println!("| {rows} | {inner} | {columns} | {ours:.1} | {packing:.2} | {theirs:.1} |");
}

/// Calls of one layer, whose weights are packed by the first.
fn layer_call(n: usize) {
    let (width, heads) = (512, 8);
    let linear = || Linear::without_bias(numbers(width, width) / (width as f32).sqrt());
    let weights = Weights {
        query: linear(),
        key: linear(),
        value: linear(),
        output: Some(linear()),
        additive: None,
    };
    let options = LayerOptions {
        heads,
        ..LayerOptions::default()
    };
    let layer = Arc::new(Layer::new(weights, options).expect("a valid layer"));
    let x = numbers(n, width).insert_axis(Axis(0));
    let times = [Mask::Full, Mask::Causal].map(|mask| {
        let want = Outputs {
            weights: true,
            output: true,
            ..Outputs::NOTHING
        };
        let call = CallOptions {
            mask,
            want,
            ..CallOptions::default()
        };
        let request = Request::new(layer.clone(), x.clone(), None, call).expect("valid");
        let request = Arc::new(request);
        median(|| run(request.clone(), BackendChoice::Cpu))
    });
    let operations = 2 * (4 * n * width * width + 2 * n * n * width);
    let [full, causal] = times.map(|time| format!("{:.1}", rate(operations, time)));
    let faster = ratio(times[0], times[1]);
    println!("| {n} | {full} | {causal} | causal is {faster:.2} × as fast |");
}

/// Numbers in −1 … 1, the same for the same shape.
fn numbers(rows: usize, columns: usize) -> Array2<f32> {
    let at = |(i, j)| ((i * columns + j) as f32 * 0.618_034).fract() * 2.0 - 1.0;
    Array2::from_shape_fn((rows, columns), at)
}

/// GFLOP/s.
fn rate(operations: usize, time: Duration) -> f64 {
    operations as f64 / time.as_secs_f64() / 1e9
}

/// Request of the page for a sentence with `tokens` tokens.
fn request(tokens: usize) -> Request {
    let words: Vec<&str> = WORDS.into_iter().cycle().take(tokens).collect();
    let mut state = State::default();
    let taken = state.set(Field::Text, Value::Text(words.join(" ")));
    assert!(taken.is_ok(), "{taken:?}");
    request_builder::request(&state).expect("a valid state gives a valid request")
}

fn fast_and_reference(tokens: usize) {
    let ready = request(tokens);
    let made = median(|| request(tokens));
    let fast = median(|| run(ready.clone(), BackendChoice::Cpu));
    let slow = median(|| reference::compute(&ready));
    let [made, fast_written, slow_written] = [made, fast, slow].map(written);
    println!(
        "| {tokens} | {made} | {fast_written} | {slow_written} | {:.1} × |",
        ratio(slow, fast)
    );
}

fn by_what_is_wanted(tokens: usize) {
    let (stats, output) = (true, true);
    let page = Outputs {
        weights: true,
        stats,
        ..Outputs::NOTHING
    };
    let kinds = [
        ("everything", Outputs::ALL),
        ("weights and measures, as the page does", page),
        (
            "measures only, streamed",
            Outputs {
                stats,
                ..Outputs::NOTHING
            },
        ),
        (
            "output only, streamed",
            Outputs {
                output,
                ..Outputs::NOTHING
            },
        ),
    ];
    let mut whole = None;
    for (name, want) in kinds {
        let asked = wanting(&request(tokens), want);
        let time = median(|| run(asked.clone(), BackendChoice::Cpu));
        let share = ratio(time, *whole.get_or_insert(time));
        println!("| {name} | {} | {share:.2} × |", written(time));
    }
}

/// The same request for other results.
fn wanting(request: &Request, want: Outputs) -> Request {
    let Source::Layer {
        layer,
        queries,
        keys_values,
    } = request.source()
    else {
        unreachable!("the page has a layer");
    };
    let call = CallOptions {
        want,
        ..request.call().clone()
    };
    Request::new(layer.clone(), queries.clone(), keys_values.clone(), call)
        .expect("the same sizes as before")
}

/// Median time of `work`, after one run that does not count.
fn median<T>(mut work: impl FnMut() -> T) -> Duration {
    black_box(work());
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.len() < 5 || (begin.elapsed() < PATIENCE && times.len() < 1000) {
        let start = Instant::now();
        black_box(work());
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2]
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

fn written(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1e3)
}
