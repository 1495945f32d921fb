//! Web entry: hands over to the library.

fn main() {}
