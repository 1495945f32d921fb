//! Web entry; calls the library.

fn main() {
    #[cfg(target_arch = "wasm32")]
    attention_playground::bindings::start();
}
