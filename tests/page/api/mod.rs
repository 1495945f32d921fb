//! The door of the public API: what is taken, what is refused under which name, and that nothing hostile panics.

mod attribution;
pub(crate) mod cases;
mod hostile;
mod limits;
mod models;
mod page;
mod refusals;
mod taken;
mod trees;
mod worked;
