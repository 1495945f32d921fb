//! Calls of models with `backend: "webgpu"`: what they answer, and where they are answered if the device cannot.

use std::cell::{OnceCell, RefCell};
use std::time::Instant;

use app::js_tree::JsTree;
use attention::Error;
use attention_playground::api::{Devices, ModelAnswer, StoredModel};
use engine::{Backend, BackendChoice, Failure, Sample, VerifiedGpu, Workload};
use gpu::{Gpu, Tier};
use pollster::block_on;

use crate::common::gpu::{on_gpu, on_own_gpu};

/// A machine whose device gets what asks for it, and what leaves the choice open.
struct Machine {
    gpu: VerifiedGpu,
    start: Instant,
    learned: RefCell<Vec<(Backend, Sample)>>,
    failures: RefCell<Vec<Failure>>,
}

impl Devices for Machine {
    fn device(&self, choice: BackendChoice, _: Workload) -> Result<Option<VerifiedGpu>, Error> {
        Ok(Some(self.gpu.clone()).filter(|_| choice != BackendChoice::Cpu))
    }

    fn learn(&self, backend: Backend, pass: Sample) {
        self.learned.borrow_mut().push((backend, pass));
    }

    fn failed(&self, failure: &Failure, _: Workload) {
        self.failures.borrow_mut().push(failure.clone());
    }

    fn now_ms(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1e3
    }
}

impl Machine {
    fn new(gpu: &Gpu) -> Self {
        let start = Instant::now();
        let gpu = gpu.clone().with_tier(Tier::Hardware);
        let verified = VerifiedGpu::verify(gpu, None, || start.elapsed().as_secs_f64() * 1e3);
        Self {
            gpu: block_on(verified).unwrap_or_else(|reason| panic!("{reason}")),
            start,
            learned: RefCell::default(),
            failures: RefCell::default(),
        }
    }

    fn call(&self, model: &mut StoredModel, name: &str, request: JsTree) -> Result<JsTree, Error> {
        match block_on(model.call(name, request, self))? {
            ModelAnswer::Tree(tree) => Ok(tree),
            ModelAnswer::Bytes(_) => Ok(JsTree::Absent),
        }
    }

    /// Where the last pass was computed, and nothing of the passes before it.
    fn last(&self) -> Option<Backend> {
        let last = self.learned.borrow_mut().drain(..).next_back();
        last.map(|(backend, sample)| {
            assert!(sample.ms >= 0.0 && sample.load.flops > 0, "{sample:?}");
            backend
        })
    }
}

thread_local! {
    static MACHINE: OnceCell<Machine> = const { OnceCell::new() };
}

/// Does something with a machine, on the thread of its device.
fn on_machine(act: impl FnOnce(&Machine) + Send + 'static) {
    on_gpu(|gpu| MACHINE.with(|own| act(own.get_or_init(|| Machine::new(gpu)))));
}

fn number(number: f64) -> JsTree {
    JsTree::Number(number)
}

fn record(entries: Vec<(&'static str, JsTree)>) -> JsTree {
    let entries = entries.into_iter();
    JsTree::Record(entries.map(|(name, value)| (name.into(), value)).collect())
}

fn rows(rows: &[&[f64]]) -> JsTree {
    JsTree::List(
        rows.iter()
            .map(|row| JsTree::Doubles(row.to_vec()))
            .collect(),
    )
}

fn made(std: f64) -> StoredModel {
    made_for(None, std)
}

/// With the backend of its calls that say none.
fn made_for(backend: Option<&str>, std: f64) -> StoredModel {
    let config = record(vec![
        ("vocabulary", number(11.0)),
        ("length", number(8.0)),
        ("d_model", number(6.0)),
        ("layers", number(3.0)),
        ("heads", number(2.0)),
        ("mask", JsTree::text("causal")),
        ("norm", JsTree::text("layer")),
        ("mlp", number(7.0)),
    ]);
    let mut entries = vec![
        ("config", config),
        ("init", JsTree::text("normal")),
        ("std", number(std)),
    ];
    entries.extend(backend.map(|name| ("backend", JsTree::text(name))));
    StoredModel::new(record(entries), |_| String::new()).expect("a good request")
}

fn words() -> (&'static str, JsTree) {
    (
        "tokens",
        rows(&[&[1.0, 5.0, 2.0, 7.0], &[4.0, 3.0, 9.0, 0.0]]),
    )
}

fn with(backend: &str, mut entries: Vec<(&'static str, JsTree)>) -> JsTree {
    entries.push(("backend", JsTree::text(backend)));
    record(entries)
}

/// All numbers in an answer, and everything else as text.
fn flat(tree: &JsTree, numbers: &mut Vec<f64>, rest: &mut String) {
    match tree {
        JsTree::Number(number) => numbers.push(*number),
        JsTree::Doubles(list) => numbers.extend(list),
        JsTree::Singles(list) => numbers.extend(list.iter().copied().map(f64::from)),
        JsTree::List(list) => list.iter().for_each(|one| flat(one, numbers, rest)),
        JsTree::Record(entries) => entries
            .iter()
            .filter(|(name, value)| name != "backend" && *value != JsTree::Absent)
            .for_each(|(name, value)| {
                rest.push_str(name);
                flat(value, numbers, rest);
            }),
        other => rest.push_str(&other.describe()),
    }
}

#[track_caller]
fn assert_like(found: &JsTree, wanted: &JsTree, tolerance: f64) {
    let ([mut a, mut b], [mut c, mut d]) = ([vec![], vec![]], [String::new(), String::new()]);
    flat(found, &mut a, &mut c);
    flat(wanted, &mut b, &mut d);
    assert_eq!((a.len(), c), (b.len(), d));
    for (at, (found, wanted)) in a.iter().zip(&b).enumerate() {
        let gap = (found - wanted).abs();
        assert!(gap <= tolerance, "number {at}: {found} for {wanted}");
    }
}

/// Calls with one backend and the other on models alike.
fn both(machine: &Machine, name: &str, request: &dyn Fn(&str) -> JsTree) -> [JsTree; 2] {
    [("webgpu", Backend::WebGpu), ("cpu", Backend::Cpu)].map(|(backend, place)| {
        let answer = machine.call(&mut made(0.4), name, request(backend));
        let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(machine.last(), Some(place), "{name}");
        assert_eq!(answer.get("backend"), &JsTree::text(backend), "{name}");
        answer
    })
}

#[test]
fn every_call_answers_the_same_from_a_device() {
    on_machine(|machine| {
        let cell = [("layer", 1.0), ("head", 1.0), ("query", 3.0), ("key", 2.0)];
        let cell = record(cell.map(|(name, value)| (name, number(value))).into());
        let want = |names: &[&str]| {
            let names = names.iter().map(|name| JsTree::text(name)).collect();
            ("want", JsTree::List(names))
        };
        let list = |places: &[f64]| JsTree::Doubles(places.to_vec());
        let forwards = [
            vec![],
            vec![want(&["weights"])],
            vec![want(&["logits", "hidden"])],
            vec![("layers", list(&[2.0, 0.0])), ("heads", list(&[1.0]))],
            vec![("hidden_cells", JsTree::List(vec![cell]))],
        ];
        for fields in forwards {
            let request = |backend: &str| with(backend, [vec![words()], fields.clone()].concat());
            let [found, wanted] = both(machine, "forward", &request);
            assert_like(&found, &wanted, 1e-5);
        }
        let targets = (
            "targets",
            rows(&[&[5.0, -1.0, 7.0, 1.0], &[3.0, 9.0, -1.0, 2.0]]),
        );
        let request = |backend: &str| with(backend, vec![words(), targets.clone()]);
        for name in ["loss", "gradients", "step"] {
            let [found, wanted] = both(machine, name, &request);
            assert_like(&found, &wanted, 2e-5);
        }
    });
}

/// A training run on the device leaves numbers and optimizer on the host as one on the processor does.
#[test]
fn a_training_run_on_a_device_goes_on_anywhere() {
    on_machine(|machine| {
        let optimizer = record(vec![("epsilon", number(1e-3)), ("rate", number(0.01))]);
        let trained = |backends: [&str; 2]| {
            let mut model = made(0.4);
            let mut answers = Vec::new();
            for backend in backends {
                let request = vec![
                    ("task", JsTree::text("sort")),
                    ("steps", number(7.0)),
                    ("batch", number(5.0)),
                    ("optimizer", optimizer.clone()),
                ];
                let run = machine.call(&mut model, "train", with(backend, request));
                let run = run.expect("a good request");
                loop {
                    let part = machine.call(&mut model, "train_on", run.clone());
                    let part = part.expect("it goes on");
                    let is_over = part.get("left") == &number(0.0);
                    answers.push(part.get("history").clone());
                    if is_over {
                        break;
                    }
                }
                let place = machine.last().expect("passes").name();
                assert_eq!(place, backend);
                answers.push(
                    machine
                        .call(&mut model, "train_end", run)
                        .expect("it is over"),
                );
            }
            let tensors = machine.call(&mut model, "tensors", JsTree::Absent);
            (JsTree::List(answers), tensors.expect("numbers"))
        };
        let (wanted, tensors) = trained(["cpu", "cpu"]);
        for backends in [["webgpu", "webgpu"], ["webgpu", "cpu"], ["cpu", "webgpu"]] {
            let (found, own) = trained(backends);
            let (mut a, mut b) = (vec![], vec![]);
            flat(&found, &mut a, &mut String::new());
            flat(&wanted, &mut b, &mut String::new());
            assert_eq!(a.len(), b.len(), "{backends:?}");
            assert_like(&own, &tensors, 1e-4);
        }
    });
}

#[test]
fn what_a_device_cannot_do_is_done_by_the_processor_or_refused() {
    on_machine(|machine| {
        let request = |backend: &str| with(backend, vec![words()]);
        // Scores beyond what 32 bits hold.
        let mut model = made(60.0);
        machine.failures.borrow_mut().clear();
        let refused = machine.call(&mut model, "forward", request("webgpu"));
        let refused = refused.expect_err("beyond the device");
        assert_eq!(
            (refused.code.name(), &*refused.field),
            ("backend_unavailable", "scores")
        );
        // A device that has refused these numbers is not asked again.
        let answer = machine.call(&mut model, "forward", request("auto"));
        let answer = answer.expect("the processor does it");
        assert_eq!(answer.get("backend"), &JsTree::text("cpu"));
        assert_eq!(machine.last(), Some(Backend::Cpu));
        assert_eq!(machine.failures.borrow().len(), 1);

        let head = record(vec![("layer", number(0.0)), ("head", number(1.0))]);
        let without_head = vec![words(), ("off", JsTree::List(vec![head]))];
        let off = |backend: &str| with(backend, without_head.clone());
        let refused = machine.call(&mut made(0.4), "forward", off("webgpu"));
        let message = "backend: a pass with heads that are off or patched is computed on the processor; ask for \"auto\" or \"cpu\"; got \"webgpu\"";
        assert_eq!(refused.expect_err("not there").to_string(), message);
        let answer = machine.call(&mut made(0.4), "forward", off("auto"));
        assert_eq!(answer.expect("done").get("backend"), &JsTree::text("cpu"));
        let mut on_device = made_for(Some("webgpu"), 0.4);
        for (own, backend) in [(vec![words()], "webgpu"), (without_head, "cpu")] {
            let answer = machine.call(&mut on_device, "forward", record(own));
            assert_eq!(answer.expect("done").get("backend"), &JsTree::text(backend));
        }
    });
}

#[test]
fn a_layer_that_is_asked_for_twice_is_there() {
    on_machine(|machine| {
        let request = |backend: &str| {
            let layers = ("layers", JsTree::Doubles(vec![2.0, 1.0, 1.0]));
            let want = ("want", JsTree::List(vec![JsTree::text("weights")]));
            with(backend, vec![words(), layers, want])
        };
        let [found, wanted] = both(machine, "forward", &request);
        assert_like(&found, &wanted, 1e-5);
    });
}

/// Numbers that have changed on the host are uploaded anew.
#[test]
fn a_device_has_the_numbers_of_now() {
    on_machine(|machine| {
        let targets = (
            "targets",
            rows(&[&[5.0, -1.0, 7.0, 1.0], &[3.0, 9.0, -1.0, 2.0]]),
        );
        let learning = |backend: &str| with(backend, vec![words(), targets.clone()]);
        let forward = |backend: &str| with(backend, vec![words()]);
        let mut model = made(0.4);
        let call = |model: &mut StoredModel, name: &str, request| {
            machine.call(model, name, request).expect("done")
        };
        call(&mut model, "forward", forward("webgpu"));
        call(&mut model, "step", learning("cpu"));
        let found = call(&mut model, "forward", forward("webgpu"));
        let wanted = call(&mut model, "forward", forward("cpu"));
        assert_like(&found, &wanted, 1e-5);
        call(&mut model, "step", learning("webgpu"));
        let found = call(&mut model, "forward", forward("webgpu"));
        let wanted = call(&mut model, "forward", forward("cpu"));
        assert_like(&found, &wanted, 1e-5);
    });
}

/// A device that comes after one that was lost is given the model again.
#[test]
fn a_model_outlives_its_device() {
    let forward = || with("webgpu", vec![words()]);
    on_own_gpu(move |gpu| {
        let lost = Machine::new(&gpu);
        let mut model = made(0.4);
        let before = lost.call(&mut model, "forward", forward()).expect("done");
        lost.gpu.destroy();
        let gpu = block_on(Gpu::open()).expect("opened once before");
        let next = Machine::new(&gpu);
        let after = next.call(&mut model, "forward", forward());
        assert_like(&after.expect("done"), &before, 0.0);
    });
}
