//! From a configuration to printable steps with shapes.
