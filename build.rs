//! Build-time checks of `content/`.

fn main() {}
