//! Measures read off attention weights.
