//! What the panel asks of the runtime, and what comes back.

wasm_chunks::chunk!("model");

use crate::Refusal;
use interpret::{Answer, Question};

/// A call that takes time; calls are answered one after the other.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelCall {
    /// Lists the models that the site offers, and those that were opened before.
    Offers,
    /// Opens a model in place of the one before, which stays where that fails.
    Open(ModelSource),
    /// Asks the open model.
    Ask(Question),
    /// Gives up what is being opened; what is open stays. Has no answer.
    Cancel,
    /// Frees what is open. Has no answer.
    Close,
    /// Forgets what was opened before. Has no answer.
    Forget,
}

/// Where a model comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelSource {
    /// The files that were chosen or dropped last.
    Files,
    /// An offer of the site, counted from 0.
    Offer(usize),
    /// One that was opened before, counted from 0.
    Remembered(usize),
}

/// What comes back from a call.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelEvent {
    /// What the site offers, and the names of what was opened before.
    Offers(Vec<Offer>, Vec<String>),
    /// Bytes that were read so far, and of all; it goes on.
    Read(f64, f64),
    /// The model is open.
    Opened(Box<AboutModel>),
    /// The model has answered.
    Answered(Box<Answer>),
    /// It was refused.
    Refused(Refusal),
}

/// A model that the site offers.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Its name.
    pub name: String,
    /// Size of its files.
    pub bytes: f64,
    /// Its licence.
    pub licence: String,
}

/// An open model.
#[derive(Clone, Debug, PartialEq)]
pub struct AboutModel {
    /// The name of its file or folder, or of the offer.
    pub name: String,
    /// Its family: "llama".
    pub family: String,
    /// Size of its files.
    pub bytes: f64,
    /// Number of layers.
    pub layers: usize,
    /// Heads of a layer.
    pub heads: usize,
    /// Whether a token sees those before it alone.
    pub is_causal: bool,
    /// Whether it says words.
    pub has_logits: bool,
}
