//! Choose a backend, run a request, say what happened.
