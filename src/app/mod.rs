//! The page's state and everything that changes it, without a browser.
//!
//! One record, [`State`], says everything that is on screen and travels whole in the address. Links, controls, presets
//! and messages all change it through one door, [`State::set`], which refuses what cannot be; what is refused, or moved
//! to the nearest thing that can be, comes back as data ([`Notice`], [`UrlNote`]) and is never silent.
//!
//! | module | answers |
//! |---|---|
//! | [`field`] | which settings there are, what each may be, what it is by default |
//! | [`state`] | the record, and the door |
//! | [`reduce()`] | what an action of a person makes of a state |
//! | [`url`] | state to fragment and back |
//! | [`given`] | what settings given from outside make of a state |
//! | [`message`] | what pages that embed this one may say to it, and hear from it |
//! | [`schedule`] | which run comes next: the newest wins |
//! | [`agenda`] | which panel is shown next: the map goes first |
//! | [`model`] | state to tokens, mask and request |
//! | [`files`] | what is said of files: their sizes, why one was refused |
//! | [`findings`] | what the analysis says of every head of a run |
//! | [`cost`] | what a setting costs, curves over n, the course of a measurement |
//! | [`code`] | the setting as a program in Python |
//! | [`sheet`] | the matrix on the map as text |
//! | [`brought`] | numbers that a person brought, in place of the sentence's |
//! | [`opening`] | tensors of a file to brought numbers |
//! | [`painting`] | cells of the mask painted by hand |
//! | [`picture`] | which pictures can be taken away, what their files are called and say |
//! | [`beside`] | two settings side by side: A, and B made from it |
//! | [`against`] | what the other setting of a comparison has otherwise |
//! | [`steps`] | the computation step by step: which there are, their matrices and formulas |
//! | [`seeing`] | what a mask leaves visible, in words and in numbers |
//! | [`ranking`] | the columns and the order of the table of heads |
//! | [`readings`] | what the readings of heads are in words |
//! | [`share`] | what is handed on: links, embeds, QR codes |
//! | [`tensors`] | every tensor of a setting, its numbers and its file |
//! | [`sentences`] | what notices and notes say |
//! | [`parts`] | which parts of the page there are, which of them are shown, which are locked |
//! | [`backend`] | what is said of where a picture was computed |
//! | [`device`] | what is told of a graphics device that is lost, and is back |

mod action;
pub mod against;
pub mod agenda;
pub mod backend;
pub mod beside;
pub mod brought;
mod brush;
mod choice;
pub mod code;
pub mod cost;
pub mod device;
mod door;
pub mod field;
pub mod files;
pub mod findings;
pub mod given;
mod locks;
pub mod message;
pub mod model;
pub mod opening;
mod origins;
pub mod painting;
pub mod parts;
pub mod picture;
pub mod ranking;
pub mod readings;
mod reduce;
mod rule;
pub mod schedule;
pub mod seeing;
pub mod sentences;
mod set;
pub mod share;
pub mod sheet;
pub mod state;
pub mod steps;
pub mod tensors;
pub mod url;
mod value;

pub use action::Action;
pub use against::Against;
pub use brought::Brought;
pub use choice::{
    Hiding, Library, MaskPart, Masks, Origin, Panel, Panels, PositionKind, ScoringKind, StepKind,
    Theme,
};
pub use field::Field;
pub use origins::Origins;
pub use painting::Painting;
pub use parts::{Part, Parts};
pub use reduce::{Notice, reduce};
pub use rule::Rule;
pub use set::{Named, Set};
pub use state::{Cell, State};
pub use url::UrlNote;
pub use value::Value;
