//! Inference beside the forward pass, stored numbers beside widened ones, and passes over kept keys and values beside whole ones.

mod configs;
mod kept;
mod laws;
mod layer_inputs;
mod refusals;
mod stored;
