//! The WebGPU shaders natively, on whatever adapter Vulkan offers: `cargo bench --bench gpu`.
//!
//! One layer, causal, X → weights and output, results read back: d_model 64 with 4 heads for the few rows that the page
//! runs, then d_model 512 with 8 heads. FLOP/s count the whole mechanism densely, as the cost panel does; a causal run leaves
//! some of it out. Nothing is asserted.
//!
//! `cargo bench --bench gpu -- --quick` takes the small sizes only, and less time for each; `--hardware` takes the kernels for
//! cards, whatever the adapter is; `--card` measures nothing where there is no card; `--ceiling FILE` names FLOP/s of which calls are told the
//! share, if the file is there.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use attention::complexity;
use attention::plan::Plan;
use attention::{CallOptions, Layer, LayerOptions, Linear, Mask, Outputs, Request, Weights};
use engine::{BackendChoice, run};
use gpu::{Gpu, GpuError, Run, Tier};
use ndarray::{Array2, Array3};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// `d_model`, heads and numbers of rows.
const SMALL: (usize, usize, [usize; 3]) = (64, 4, [11, 64, 256]);
const LARGE: (usize, usize, [usize; 3]) = (512, 8, [128, 512, 2048]);

fn main() {
    let gpu = match pollster::block_on(Gpu::open()) {
        Ok(gpu) => gpu,
        Err(absence) => return println!("Not measured: {absence}."),
    };
    let gpu = if has_argument("--hardware") {
        gpu.with_tier(Tier::Hardware)
    } else {
        gpu
    };
    if has_argument("--card") && gpu.tier() != Tier::Hardware {
        eprintln!("Not measured: {} is no graphics card.", gpu.adapter().name);
        std::process::exit(1);
    }
    println!(
        "{}, kernels for {:?}, median:\n",
        gpu.adapter().name,
        gpu.tier()
    );
    let ceiling = ceiling();
    let of_ceiling = ceiling.map_or("", |_| ", of the ceiling");
    println!(
        "| d_model | n | wanted | on this adapter | FLOP/s{of_ceiling} | on the processor | faster by |"
    );
    println!("|---|---|---|---|---|---|---|");
    let (shapes, patience) = if has_argument("--quick") {
        (&[SMALL][..], Duration::from_millis(500))
    } else {
        (&[SMALL, LARGE][..], Duration::from_secs(3))
    };
    let output = Outputs {
        output: true,
        ..Outputs::NOTHING
    };
    let weights = Outputs {
        weights: true,
        ..output
    };
    for (d_model, heads, lengths) in shapes {
        let layer = layer(*d_model, *heads);
        for n in lengths {
            for (name, want) in [("weights, output", weights), ("output", output)] {
                let request = Arc::new(request(&layer, *n, want));
                line(&gpu, &request, (name, ceiling), patience);
            }
        }
    }
}

fn has_argument(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}

/// FLOP/s that the adapter reaches at best, where they were measured.
fn ceiling() -> Option<f64> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--ceiling");
    let file = arguments.nth(1)?;
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

fn line(
    gpu: &Gpu,
    request: &Arc<Request>,
    (wanted, ceiling): (&str, Option<f64>),
    patience: Duration,
) {
    let there = median(patience, || {
        pollster::block_on(compute(gpu, request)).expect("the device computes")
    });
    let here = median(patience, || {
        run(request.as_ref().clone(), BackendChoice::Cpu)
    });
    let flops = complexity::total(&Plan::full(request.config())).flops as f64;
    let rate = flops / there.as_secs_f64();
    let share = ceiling.map(|most| format!(", {:.1} %", 100.0 * rate / most));
    println!(
        "| {} | {} | {wanted} | {:.2} ms | {:.1} G{} | {:.2} ms | {:.2} × |",
        request.sizes().d_model.unwrap_or_default(),
        request.sizes().n,
        1e3 * there.as_secs_f64(),
        1e-9 * rate,
        share.unwrap_or_default(),
        1e3 * here.as_secs_f64(),
        here.as_secs_f64() / there.as_secs_f64(),
    );
}

async fn compute(gpu: &Gpu, request: &Arc<Request>) -> Result<(), GpuError> {
    let mut run = Run::new(gpu, request.clone())?;
    while run.advance(&mut |_| {}).await? {}
    black_box(run.finish());
    Ok(())
}

fn layer(d_model: usize, heads: usize) -> Arc<Layer> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut matrix = || {
        let scale = (3.0 / d_model as f32).sqrt();
        Linear::without_bias(Array2::from_shape_simple_fn((d_model, d_model), || {
            scale * number(&mut random)
        }))
    };
    let weights = Weights {
        query: matrix(),
        key: matrix(),
        value: matrix(),
        output: Some(matrix()),
        additive: None,
    };
    let options = LayerOptions {
        heads,
        ..LayerOptions::default()
    };
    Arc::new(Layer::new(weights, options).expect("the weights agree"))
}

fn request(layer: &Arc<Layer>, n: usize, want: Outputs) -> Request {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let x = Array3::from_shape_simple_fn((1, n, layer.d_model()), || number(&mut random));
    let call = CallOptions {
        mask: Mask::Causal,
        want,
        ..CallOptions::default()
    };
    Request::new(layer.clone(), x, None, call).expect("the input fits the layer")
}

/// Uniform in −1 … 1.
fn number(random: &mut ChaCha8Rng) -> f32 {
    random.next_u32() as f32 / u32::MAX as f32 * 2.0 - 1.0
}

/// Median time of `work`, after one run that does not count.
fn median<T>(patience: Duration, mut work: impl FnMut() -> T) -> Duration {
    black_box(work());
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.len() < 3 || (begin.elapsed() < patience && times.len() < 400) {
        let start = Instant::now();
        black_box(work());
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2]
}
