//! Pure pixels and marks: what is drawn, before any canvas.
