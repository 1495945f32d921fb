//! The models that were opened last, by the handles of their files: the browser keeps where they are, not what is in them, and asks whether they
//! may be read again. Browsers without such handles remember none.

wasm_chunks::chunk!("model");

use js_sys::{Array, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Window;

use crate::bindings::js_object::{get, object, set, text};
use crate::browser::import::{PickedFiles, awaited, call};

/// So many are remembered.
const MOST: usize = 3;

const DATABASE: &str = "attention-playground";
/// The one store of it, and the one key of that.
const MODELS: &str = "models";

/// A model that was opened.
#[derive(Clone)]
pub(super) struct Remembered {
    pub(super) name: String,
    handles: Vec<JsValue>,
}

impl Remembered {
    /// Its files, once the reader has allowed it.
    ///
    /// # Errors
    /// Where that was refused, or files are no longer there.
    pub(super) async fn files(&self) -> Result<PickedFiles, JsValue> {
        for handle in &self.handles {
            let asked = call(handle, "requestPermission", &[])?;
            if awaited(asked).await? != "granted" {
                return Err(JsValue::UNDEFINED);
            }
        }
        PickedFiles::of_handles(self.handles.clone()).await
    }
}

/// Those that are remembered, the last one first; none where the browser keeps nothing.
pub(super) async fn all(window: &Window) -> Vec<Remembered> {
    let kept = async {
        let store = store(window, "readonly").await?;
        done(&call(&store, "get", &[MODELS.into()])?).await
    };
    let kept = kept.await.unwrap_or_default();
    let models = kept.dyn_ref::<Array>().map(Array::to_vec);
    let model = |own: JsValue| Remembered {
        name: text(&own, "name"),
        handles: Array::from(&get(&own, "handles")).to_vec(),
    };
    models.unwrap_or_default().into_iter().map(model).collect()
}

/// Remembers one before the others. One of the same name is forgotten.
pub(super) async fn add(window: &Window, name: &str, handles: &[JsValue]) {
    let mut models = all(window).await;
    models.retain(|own| own.name != name);
    models.insert(
        0,
        Remembered {
            name: name.to_owned(),
            handles: handles.to_vec(),
        },
    );
    models.truncate(MOST);
    keep(window, &models).await;
}

/// Forgets all of them.
pub(super) async fn forget(window: &Window) {
    keep(window, &[]).await;
}

async fn keep(window: &Window, models: &[Remembered]) {
    let entry = |own: &Remembered| {
        let handles: Array = own.handles.iter().collect();
        object([
            ("name", own.name.as_str().into()),
            ("handles", handles.into()),
        ])
    };
    let models: Array = models.iter().map(entry).collect();
    let kept = async {
        let store = store(window, "readwrite").await?;
        done(&call(&store, "put", &[models.into(), MODELS.into()])?).await
    };
    // A browser that keeps nothing, as in a private window, goes without.
    let _ = kept.await;
}

async fn store(window: &Window, mode: &str) -> Result<JsValue, JsValue> {
    let opening = call(
        &get(window, "indexedDB"),
        "open",
        &[DATABASE.into(), 1.into()],
    )?;
    let made = opening.clone();
    let make = Closure::once(move || {
        // Fails where it is there already.
        let _ = call(&get(&made, "result"), "createObjectStore", &[MODELS.into()]);
    });
    set(opening.unchecked_ref(), "onupgradeneeded", make.as_ref());
    let database = done(&opening).await?;
    let transaction = call(&database, "transaction", &[MODELS.into(), mode.into()])?;
    call(&transaction, "objectStore", &[MODELS.into()])
}

/// What a request of the database comes to.
async fn done(request: &JsValue) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        for (event, end) in [("onsuccess", resolve), ("onerror", reject)] {
            set(request.unchecked_ref(), event, &end);
        }
    });
    JsFuture::from(promise).await?;
    Ok(get(request, "result"))
}
