//! Browser storage. If it is not available, nothing is stored and nothing else is affected.

use app::Memory;
use web_sys::{Storage, Window};

/// The texts that a window keeps for the app.
pub(super) struct KeptTexts(pub(super) Window);

impl Memory for KeptTexts {
    fn recall(&self, name: &str) -> Option<String> {
        recall(&self.0, name)
    }

    fn remember(&self, name: &str, text: Option<&str>) {
        remember(&self.0, name, text);
    }
}

fn storage(window: &Window) -> Option<Storage> {
    window.local_storage().ok().flatten()
}

/// Reads the stored value of `name`.
pub(super) fn recall(window: &Window, name: &str) -> Option<String> {
    storage(window)?.get_item(name).ok().flatten()
}

/// Remembers `value`, or forgets where there is none.
pub(super) fn remember(window: &Window, name: &str, value: Option<&str>) {
    let Some(storage) = storage(window) else {
        return;
    };
    let _ = match value {
        Some(value) => storage.set_item(name, value),
        None => storage.remove_item(name),
    };
}
