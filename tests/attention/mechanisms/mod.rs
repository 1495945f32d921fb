//! Laws and known values of rotary positions, ALiBi, temperature, the mask after the softmax and shared heads.

mod positions;
mod softmax;

use crate::common::cases::{Case, Numbers};
use crate::common::place::Place;
use attention::{CallOptions, HeadInputs, LayerOptions, Position, Request, Slopes};
use ndarray::{Array3, Array4};

fn alibi(strength: f32) -> Position {
    Position::Alibi {
        strength,
        slopes: Slopes::Paper,
    }
}

fn positioned(position: Position) -> Case {
    Case {
        position,
        ..Case::default()
    }
}

/// One head on rows given by position: scores are plain products.
fn one_head(q: Array3<f32>, k: Array3<f32>, position: Position, call: CallOptions) -> Request {
    let v = Numbers::new(3).rows(k.dim().0, k.dim().1, 2);
    let options = LayerOptions {
        heads: q.dim().0,
        kv_heads: Some(k.dim().0),
        scale: Some(1.0),
        position,
        ..LayerOptions::default()
    };
    let inputs = HeadInputs {
        q,
        k,
        v,
        additive: None,
        output: None,
    };
    Request::from_heads(inputs, options, call).expect("valid")
}

fn scores(place: Place, request: &Request) -> Array4<f32> {
    place.compute(request).trace.scores.expect("wanted")
}

fn weights(place: Place, request: &Request) -> Array4<f32> {
    place.compute(request).trace.weights.expect("wanted")
}
