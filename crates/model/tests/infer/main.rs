//! Inference beside the forward pass, stored numbers beside widened ones, and passes that go on from others beside whole ones.

mod configs;
mod kept;
mod laws;
mod layer_inputs;
mod patch;
mod refusals;
mod resume;
mod stored;
