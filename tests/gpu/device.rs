//! A GPU on its way to being trusted, and away from it. `REQUIRE_GPU=1` makes a missing adapter a failure.

use std::env;
use std::sync::Arc;
use std::time::Instant;

use crate::common::cases::Case;
use attention::{CallOptions, Request};
use engine::{
    Backend, BackendChoice, Cause, Device, Reason, Requester, Route, RunResult, VerifiedGpu,
    Workload, probe, run,
};
use gpu::{Destinations, Gpu, OpenError, Tier};
use pollster::block_on;

/// Milliseconds since the first call.
fn clock() -> impl Fn() -> f64 {
    let start = Instant::now();
    move || start.elapsed().as_secs_f64() * 1_000.0
}

fn opened() -> Option<Gpu> {
    match block_on(Gpu::open()) {
        Ok(gpu) => Some(gpu),
        Err(OpenError::NoAdapter) if env::var_os("REQUIRE_GPU").is_none() => {
            println!("left out: there is no adapter");
            None
        }
        Err(absence) => panic!("{absence}"),
    }
}

fn request() -> Arc<Request> {
    Arc::new(Case::default().request(CallOptions::default()))
}

#[test]
fn a_sound_device_passes_with_both_kinds_of_kernels() {
    let Some(gpu) = opened() else { return };
    for tier in [Tier::Software, Tier::Hardware] {
        let now = clock();
        let gpu = gpu.clone().with_tier(tier);
        let graphics = block_on(VerifiedGpu::verify(gpu.clone(), None, &now));
        let graphics = graphics.unwrap_or_else(|reason| panic!("{tier:?}: {reason}"));
        println!("{tier:?}: {:.0} ms, {:?}", now(), graphics.terms());
        assert!(graphics.name().is_some_and(|name| !name.is_empty()));
        let outcome = block_on(graphics.run(request())).expect("runs");
        assert_eq!(outcome.backend, Backend::WebGpu);
        assert_eq!(probe::gap(&outcome.trace, &request()).verdict(), Ok(()));
        let cpu = run(request(), BackendChoice::Cpu).expect("runs");
        let entropies = |outcome: &RunResult| -> Vec<f64> {
            let stats = outcome.stats.as_ref().expect("wanted");
            stats
                .iter()
                .flatten()
                .map(|head| head.entropy_mean)
                .collect()
        };
        let (own, wanted) = (entropies(&outcome), entropies(&cpu));
        assert_eq!(own.len(), wanted.len());
        for (own, wanted) in own.iter().zip(&wanted) {
            assert!((own - wanted).abs() < 1e-5, "{tier:?}: {own} for {wanted}");
        }
    }
}

/// Replays the worker without one: a loss is noticed, the device is opened again after the pause,
/// and works.
#[test]
fn a_lost_device_is_opened_again_and_again() {
    if opened().is_none() {
        return;
    }
    let now = clock();
    let (mut device, mut cause) = (Device::default(), Cause::Idle);
    for round in 0..3 {
        let attempt = device.attempt(cause).expect("an attempt is due");
        let graphics = block_on(VerifiedGpu::open(None, &now)).expect("opens");
        let terms = graphics.terms();
        assert!(
            device
                .opened(attempt, graphics.clone(), terms, now())
                .is_ok()
        );
        let load = Workload::from_request(&request());
        let route = device.route(BackendChoice::WebGpu, Requester::Caller, load);
        assert_eq!(route, Ok(Route::WebGpu));
        let mut under_way = graphics
            .job(request(), Destinations::default())
            .expect("begins");
        graphics.destroy();
        let failure = block_on(under_way.advance()).expect_err("the device is gone");
        let reason = failure
            .ends_device()
            .expect("a fault of the device")
            .clone();
        assert_eq!(reason.code(), "lost", "{reason}");
        block_on(graphics.until_lost());
        let (_, pause) = device.lost(attempt, reason, now()).expect("news");
        assert_eq!(pause.ms, 1_000.0 * f64::from(1 << round));
        cause = pause.cause;
    }
}

#[test]
fn a_device_lost_during_the_check_is_not_trusted() {
    let Some(gpu) = opened() else { return };
    gpu.destroy();
    let checked = block_on(VerifiedGpu::verify(gpu, None, clock()));
    assert!(matches!(checked.err(), Some(Reason::Lost { .. })));
}
