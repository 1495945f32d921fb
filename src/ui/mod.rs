//! Binds `index.html` to the state and paints canvases.
