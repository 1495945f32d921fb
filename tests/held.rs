//! Peak memory according to the cost panel equals the allocator's.

mod common;
#[path = "common/counting.rs"]
mod counting;

use attention::complexity::Memory;
use attention::cpu::Run;
use attention::plan::{Plan, RowSink, WeightRows};
use attention::{CallOptions, Linformer, Mask, Outputs, Position, Request, Sizes};
use common::cases::{Case, Numbers};
use counting::most_taken;

struct Nowhere;

impl RowSink for Nowhere {
    fn take(&mut self, _: WeightRows) {}
}

/// Self-attention over `n` tokens that wants its output alone.
fn request(n: usize, position: Position, call: CallOptions) -> Request {
    let keys = call
        .linformer
        .as_ref()
        .map_or(n, |linformer| linformer.e.nrows());
    let case = Case {
        cross: false,
        biases: false,
        // Small scores: large ones are held in 64 bit as well, for one tile.
        gain: 0.01,
        position,
        sizes: Sizes {
            batch: 1,
            heads: 6,
            kv_heads: 2,
            n,
            m: n,
            keys,
            d_model: Some(66),
            d_k: 18,
            d_v: 22,
            d_out: 50,
        },
        ..Case::default()
    };
    case.request(CallOptions {
        want: Outputs {
            output: true,
            ..Outputs::NOTHING
        },
        ..call
    })
}

/// Bytes that a run takes beside the request, at most.
fn taken(request: Request) -> usize {
    let (most, _) = most_taken(|| {
        let mut run = Run::new(request).expect("it fits");
        while run.advance(&mut Nowhere) {}
        run
    });
    most
}

/// One test alone: others would take memory at the same time.
#[test]
fn a_run_takes_what_its_memory_says() {
    let mut numbers = Numbers::new(3);
    let linformer = Linformer {
        e: numbers.matrix(40, 2311),
        f: numbers.matrix(40, 2311),
    };
    let cases = [
        ("plain", Position::None, CallOptions::default()),
        ("positions", Position::Sinusoidal, CallOptions::default()),
        ("rotary", Position::ROTARY, CallOptions::default()),
        (
            "causal",
            Position::None,
            CallOptions {
                mask: Mask::Causal,
                ..CallOptions::default()
            },
        ),
        (
            "Linformer",
            Position::None,
            CallOptions {
                linformer: Some(linformer),
                ..CallOptions::default()
            },
        ),
    ];
    for (name, position, call) in cases {
        let request = request(2311, position, call);
        let memory = Memory::from_plan(&Plan::full(request.config()));
        let said = (memory.activations + memory.tile) as f64;
        let taken = taken(request) as f64;
        // Packed weights are not counted, nor is the encoding while it is added.
        let most = match position {
            Position::Sinusoidal => 1.1,
            _ => 1.02,
        };
        // A mask of ranges takes no cells, but a plan does not know what kind of mask it is.
        let least = if name == "causal" { 0.95 } else { 0.98 };
        assert!(
            (least..most).contains(&(taken / said)),
            "{name}: {taken} of {said}"
        );
        assert!(
            taken < 0.3 * memory.scores as f64 || name == "Linformer",
            "{name}"
        );
    }
}
