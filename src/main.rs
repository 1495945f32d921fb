//! Web entry; calls the library.

fn main() {
    #[cfg(target_arch = "wasm32")]
    if let Some(client) = attention_playground::bindings::start() {
        attention_playground::browser::open(client);
    }
}
