//! The GPU of the native tests. One thread of each test program owns it; the tests hand it their work.
//!
//! `REQUIRE_GPU=1`, which `./dev test` sets, makes a missing adapter a failure. Without it, what needs one is left out,
//! and the output says so once.

use std::any::Any;
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use attention::Request;
use attention::analysis::{Collector, MeasuredRow};
use gpu::{Gpu, GpuError, OpenError, Run, Tier};
use pollster::block_on;

use super::place::Computed;

type Work = Box<dyn FnOnce(&Gpu) + Send>;

static OWNER: OnceLock<Option<Mutex<Sender<Work>>>> = OnceLock::new();

/// Whether there is a GPU; fails where there has to be one.
pub(crate) fn is_there() -> bool {
    owner().is_some()
}

/// Does something with the GPU, on its thread; nothing, where there is none. A failure there is one here.
pub(crate) fn on_gpu<R: Send + 'static>(act: impl FnOnce(&Gpu) -> R + Send + 'static) -> Option<R> {
    let (answer, answered) = channel();
    let work: Work = Box::new(move |gpu| {
        let done = catch_unwind(AssertUnwindSafe(|| act(gpu)));
        // The test that waits for it may have ended already.
        let _ = answer.send(done);
    });
    let sent = owner()?.lock().map(|owner| owner.send(work));
    assert!(matches!(sent, Ok(Ok(()))), "the GPU's thread has ended");
    let done: Result<R, Box<dyn Any + Send>> = answered.recv().expect("the GPU's thread answers");
    Some(done.unwrap_or_else(|panic| resume_unwind(panic)))
}

/// Does something with a device that no other test uses: what its pool holds then follows from `act` alone.
pub(crate) fn on_own_gpu<R: Send + 'static>(
    act: impl FnOnce(Gpu) -> R + Send + 'static,
) -> Option<R> {
    on_gpu(|_| act(block_on(Gpu::open()).expect("opened once before")))
}

fn owner() -> Option<&'static Mutex<Sender<Work>>> {
    OWNER.get_or_init(start).as_ref()
}

fn start() -> Option<Mutex<Sender<Work>>> {
    let (sender, orders) = channel::<Work>();
    let (opened, is_open) = channel();
    thread::spawn(move || {
        let gpu = block_on(Gpu::open());
        let _ = opened.send(
            gpu.as_ref()
                .map(|gpu| gpu.adapter().name.clone())
                .map_err(Clone::clone),
        );
        if let Ok(gpu) = gpu {
            orders.into_iter().for_each(|work| work(&gpu));
        }
    });
    match is_open.recv().expect("the GPU's thread answers") {
        Ok(name) => {
            say(&format!("GPU tests run on {name}"));
            Some(Mutex::new(sender))
        }
        Err(absence) => {
            missing(&absence);
            None
        }
    }
}

fn missing(absence: &OpenError) {
    let is_required = std::env::var_os("REQUIRE_GPU").is_some_and(|value| value != "0");
    assert!(
        !is_required,
        "REQUIRE_GPU is set, and there is no GPU to test on ({absence}): run ./dev setup, which installs a software one"
    );
    say(&format!(
        "GPU TESTS WERE NOT RUN: {absence}. './dev setup' installs a software GPU, './dev test native' uses it."
    ));
}

/// Past the test harness, which keeps what a passing test prints to itself.
fn say(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}

/// Runs `request` to its end with the kernels of `tier`.
pub(crate) fn compute(tier: Tier, request: &Request) -> Result<Computed, GpuError> {
    let request = Arc::new(request.clone());
    on_gpu(move |gpu| drive(&gpu.clone().with_tier(tier), request)).expect("there is a GPU")
}

/// Runs `request` to its end on this GPU.
pub(crate) fn drive(gpu: &Gpu, request: Arc<Request>) -> Result<Computed, GpuError> {
    let mut measures = Measures::new(&request);
    let mut run = Run::new(gpu, request)?;
    while measures.advance(&mut run)? {}
    Ok(measures.finish(run))
}

/// Collects measures where they are wanted, and holds the executor to the order of rows.
pub(crate) struct Measures {
    collector: Option<Collector>,
    /// How many rows of each head have come, `[batch][head]`.
    rows: Vec<Vec<usize>>,
}

impl Measures {
    pub(crate) fn new(request: &Request) -> Self {
        let (wants, sizes) = (request.call().want.stats, request.sizes());
        Self {
            collector: wants.then(|| Collector::new(sizes)),
            rows: vec![vec![0; sizes.heads]; sizes.batch],
        }
    }

    /// Lets `run` go on.
    pub(crate) fn advance(&mut self, run: &mut Run) -> Result<bool, GpuError> {
        block_on(run.advance(&mut |row| self.take(row)))
    }

    pub(crate) fn finish(self, run: Run) -> Computed {
        Computed {
            trace: run.finish(),
            stats: self.collector.map(Collector::finish),
        }
    }

    fn take(&mut self, row: &MeasuredRow) {
        let MeasuredRow { batch, head, .. } = *row;
        let next = &mut self.rows[batch][head];
        assert_eq!(
            row.query, *next,
            "rows of head {head}, batch {batch}, in order"
        );
        *next += 1;
        let collector = self.collector.as_mut().expect("measures are wanted");
        collector.measured(row);
    }
}
