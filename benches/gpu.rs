//! The WebGPU shaders natively, on whatever adapter Vulkan offers: `cargo bench --bench gpu`.
//!
//! One layer with d_model 512 and 8 heads, causal, X → weights and output, results read back. FLOP/s count the whole
//! mechanism densely, as the cost panel does; a causal run leaves some of it out. Nothing is asserted.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use attention::complexity;
use attention::plan::{Plan, RowSink, WeightRows};
use attention::{CallOptions, Layer, LayerOptions, Linear, Mask, Outputs, Request, Weights};
use attention_playground::engine::{BackendChoice, run};
use gpu::{Gpu, GpuError, Run};
use ndarray::{Array2, Array3};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const D_MODEL: usize = 512;
const HEADS: usize = 8;
/// How long each size is repeated.
const PATIENCE: Duration = Duration::from_secs(3);

struct Nobody;

impl RowSink for Nobody {
    fn take(&mut self, _: WeightRows) {}
}

fn main() {
    let gpu = match pollster::block_on(Gpu::open()) {
        Ok(gpu) => gpu,
        Err(absence) => return println!("Not measured: {absence}."),
    };
    println!(
        "{}, kernels for {:?}, median:\n",
        gpu.adapter().name,
        gpu.tier()
    );
    println!("| n | wanted | on this adapter | FLOP/s | on the processor | faster by |");
    println!("|---|---|---|---|---|---|");
    let layer = layer();
    let output = Outputs {
        output: true,
        ..Outputs::NOTHING
    };
    let weights = Outputs {
        weights: true,
        ..output
    };
    for n in [128, 512, 2048] {
        for (name, want) in [("weights, output", weights), ("output", output)] {
            let request = Arc::new(request(&layer, n, want));
            line(&gpu, &request, name);
        }
    }
}

fn line(gpu: &Gpu, request: &Arc<Request>, wanted: &str) {
    let there = median(|| pollster::block_on(compute(gpu, request)).expect("the device computes"));
    let here = median(|| run(request.as_ref().clone(), BackendChoice::Cpu));
    let flops = complexity::total(&Plan::full(request.config())).flops as f64;
    println!(
        "| {} | {wanted} | {:.2} ms | {:.1} G | {:.2} ms | {:.2} × |",
        request.sizes().n,
        1e3 * there.as_secs_f64(),
        1e-9 * flops / there.as_secs_f64(),
        1e3 * here.as_secs_f64(),
        here.as_secs_f64() / there.as_secs_f64(),
    );
}

async fn compute(gpu: &Gpu, request: &Arc<Request>) -> Result<(), GpuError> {
    let mut run = Run::new(gpu, request.clone())?;
    while run.advance(&mut Nobody).await? {}
    black_box(run.finish());
    Ok(())
}

fn layer() -> Arc<Layer> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut matrix = || {
        let scale = (3.0 / D_MODEL as f32).sqrt();
        Linear::without_bias(Array2::from_shape_simple_fn((D_MODEL, D_MODEL), || {
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
        heads: HEADS,
        ..LayerOptions::default()
    };
    Arc::new(Layer::new(weights, options).expect("the weights agree"))
}

fn request(layer: &Arc<Layer>, n: usize, want: Outputs) -> Request {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let x = Array3::from_shape_simple_fn((1, n, D_MODEL), || number(&mut random));
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
fn median<T>(mut work: impl FnMut() -> T) -> Duration {
    black_box(work());
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.len() < 3 || (begin.elapsed() < PATIENCE && times.len() < 200) {
        let start = Instant::now();
        black_box(work());
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2]
}
