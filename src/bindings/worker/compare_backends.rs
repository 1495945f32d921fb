//! Runs the page's state on both backends and compares the results.

wasm_chunks::chunk!("more");

use std::sync::Arc;

use js_sys::Array;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::queued_run::advance_until;
use super::{SLICE_MS, Service, platform, with_service};
use crate::bindings::Comparison;
use crate::bindings::message::InMessage as _;
use crate::bindings::state_message;
use app::Refusal;
use app::state::request_builder;
use attention::{Error, Request};
use engine::{Attempt, Failure, Job, Reason, RunResult, VerifiedGpu, Workload, differ};

impl Service {
    /// Computes the state of a message on both backends, in slices like other runs.
    pub(super) fn compare(&self, id: u32, message: &JsValue) -> Result<(), Error> {
        let state = state_message::from_message(message)?;
        let device = &self.runs.device;
        let Some(graphics) = device.ready().cloned() else {
            let reason = device.absence().unwrap_or(&Reason::Checking);
            return Err(reason.refusal());
        };
        let request = request_builder::request(&state)?;
        let attempt = device.present();
        spawn_local(async move {
            let compared = both(&graphics, attempt, Arc::new(request)).await;
            with_service(|service| match compared {
                Ok(comparison) => service.answer(id, &comparison.to_js(&Array::new())),
                Err(refusal) => service.refuse(id, &refusal),
            });
        });
        Ok(())
    }
}

async fn both(
    graphics: &VerifiedGpu,
    attempt: Attempt,
    request: Arc<Request>,
) -> Result<Comparison, Refusal> {
    let (cpu, cpu_ms) = on_cpu(request.clone()).await?;
    let load = Workload::from_request(&request);
    let (webgpu, webgpu_ms) = match on_gpu(graphics, request).await {
        Ok(finished) => finished,
        Err(failure) => {
            with_service(|service| {
                service.act(|runs| runs.failed_on_gpu(attempt, &failure, load));
            });
            return Err(failure.into_refusal().into());
        }
    };
    let most = match (&cpu.trace.weights, &webgpu.trace.weights) {
        (Some(cpu), Some(webgpu)) => differ(cpu, webgpu),
        _ => None,
    };
    let most = most.unwrap_or_default();
    let ([head, row, column], [cpu, webgpu]) = (most.at, most.values);
    Ok(Comparison {
        difference: most.difference,
        allowed: most.allowed,
        head,
        row,
        column,
        cpu,
        webgpu,
        cpu_ms,
        webgpu_ms,
    })
}

/// In slices, as every run on the processor.
async fn on_cpu(request: Arc<Request>) -> Result<(RunResult, f64), Error> {
    let mut job = Job::new(request)?;
    let mut elapsed_ms = 0.0;
    loop {
        let start = platform::now();
        let goes_on = advance_until(&mut job, start + SLICE_MS);
        elapsed_ms += platform::now() - start;
        if !goes_on {
            return Ok((job.finish()?, elapsed_ms));
        }
        platform::sleep(0.0).await;
    }
}

async fn on_gpu(
    graphics: &VerifiedGpu,
    request: Arc<Request>,
) -> Result<(RunResult, f64), Failure> {
    let start = platform::now();
    let outcome = graphics.run(request).await?;
    Ok((outcome, platform::now() - start))
}
