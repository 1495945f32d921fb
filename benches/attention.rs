//! How long a run of the page takes natively, and what the fast path, tiles and streams are worth: `cargo bench`.
//!
//! Times depend on the machine; the ratios in the last columns do so much less. Nothing is asserted.

use std::hint::black_box;
use std::time::{Duration, Instant};

use attention::{CallOptions, Outputs, Request, Source, reference};
use attention_playground::engine::{BackendChoice, run};
use attention_playground::state::{Field, State, Value, request_builder};

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
}

/// What the page asks for when its sentence has so many tokens.
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
