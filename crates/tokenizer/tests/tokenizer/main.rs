//! The crate from outside, held against reference libraries: `tests/golden/README.md`.

#[cfg(test)]
mod checks;
#[cfg(test)]
mod real;
#[cfg(test)]
mod references;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod support;
#[cfg(test)]
mod vocabularies;
