//! Files that are chosen or dropped, those of folders among them, with the handles by which a browser may open them again later (File System
//! Access, which Chromium has). What is called here is no part of web-sys as it is released.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DataTransfer, File, FileList, Window};

use crate::bindings::js_object::{get, object, text};

/// Files, and where they come from.
#[derive(Default)]
pub(in crate::browser) struct PickedFiles {
    pub(in crate::browser) files: Vec<File>,
    /// Handles of the files, or of their folder; empty where the browser gives none.
    pub(in crate::browser) handles: Vec<JsValue>,
    /// Name of the folder.
    pub(in crate::browser) folder: Option<String>,
}

impl From<Vec<File>> for PickedFiles {
    fn from(files: Vec<File>) -> Self {
        Self {
            files,
            ..Self::default()
        }
    }
}

impl PickedFiles {
    /// Those of a field.
    pub(super) fn of_list(list: Option<FileList>) -> Self {
        let list = list.iter();
        let files = list.flat_map(|list| (0..list.length()).filter_map(|at| list.get(at)));
        let files: Vec<File> = files.collect();
        let path = files.first().map(|file| text(file, "webkitRelativePath"));
        let folder = path.and_then(|path| Some(path.split_once('/')?.0.to_owned()));
        Self {
            files,
            folder,
            ..Self::default()
        }
    }

    /// Those of handles; of a folder the files that stand in it, not those of its folders.
    ///
    /// # Errors
    /// What the browser says where one cannot be read.
    pub(in crate::browser) async fn of_handles(handles: Vec<JsValue>) -> Result<Self, JsValue> {
        let (mut files, mut folder) = (Vec::new(), None);
        for handle in &handles {
            if is_folder(handle) {
                folder = Some(text(handle, "name"));
                files.extend(files_in(handle).await?);
            } else {
                files.push(file_of(handle).await?);
            }
        }
        Ok(Self {
            files,
            handles,
            folder,
        })
    }
}

/// A drop, as it is while its event is handled; afterwards the browser says nothing more of it.
pub(super) struct Dropped {
    files: Vec<File>,
    /// Promises of handles.
    handles: Vec<JsValue>,
    /// What other browsers have.
    entries: Vec<JsValue>,
}

impl Dropped {
    pub(super) fn new(data: Option<DataTransfer>) -> Self {
        let items = data.as_ref().map(|data| get(data, "items"));
        let items = Array::from(&items.unwrap_or_default()).to_vec();
        let files = items
            .into_iter()
            .filter(|item| text(item, "kind") == "file");
        let files: Vec<JsValue> = files.collect();
        let all = |name: &str| -> Vec<JsValue> {
            let called = files.iter().filter_map(|item| call(item, name, &[]).ok());
            called.filter(JsValue::is_object).collect()
        };
        Self {
            handles: all("getAsFileSystemHandle"),
            entries: all("webkitGetAsEntry"),
            files: PickedFiles::of_list(data.and_then(|data| data.files())).files,
        }
    }

    /// Its files.
    pub(super) async fn picked(self) -> PickedFiles {
        let handles = Promise::all(&self.handles.iter().collect::<Array>());
        let handles = JsFuture::from(handles).await.unwrap_or_default();
        let handles = Array::from(&handles).to_vec();
        // Files that a script has made have no handles.
        if !handles.is_empty()
            && handles.iter().all(JsValue::is_object)
            && let Ok(picked) = PickedFiles::of_handles(handles).await
        {
            return picked;
        }
        match self.entries.as_slice() {
            [entry] if get(entry, "isDirectory").is_truthy() => PickedFiles {
                files: files_of_entry(entry).await.unwrap_or_default(),
                folder: Some(text(entry, "name")),
                ..PickedFiles::default()
            },
            _ => self.files.into(),
        }
    }
}

/// Whether files can be chosen with handles: not in a frame, where the browser refuses to.
pub(super) fn can_pick(window: &Window) -> bool {
    let is_top = window.parent().ok().flatten().as_ref() == Some(window);
    is_top && get(window, "showOpenFilePicker").is_function()
}

/// Lets files be chosen, or a folder; nothing where that is given up.
pub(super) async fn pick(window: &Window, of_folder: bool) -> PickedFiles {
    let asked = if of_folder {
        call(window, "showDirectoryPicker", &[])
    } else {
        let many = object([("multiple", JsValue::TRUE)]);
        call(window, "showOpenFilePicker", &[many.into()])
    };
    let picked = async {
        let handles = awaited(asked?).await?;
        let handles = match handles.dyn_ref::<Array>() {
            Some(all) => all.to_vec(),
            None => vec![handles],
        };
        PickedFiles::of_handles(handles).await
    };
    picked.await.unwrap_or_default()
}

async fn file_of(handle: &JsValue) -> Result<File, JsValue> {
    awaited(call(handle, "getFile", &[])?).await?.dyn_into()
}

fn is_folder(handle: &JsValue) -> bool {
    text(handle, "kind") == "directory"
}

async fn files_in(folder: &JsValue) -> Result<Vec<File>, JsValue> {
    let (all, mut files) = (call(folder, "values", &[])?, Vec::new());
    loop {
        let next = awaited(call(&all, "next", &[])?).await?;
        if get(&next, "done").is_truthy() {
            return Ok(files);
        }
        let handle = get(&next, "value");
        if !is_folder(&handle) {
            files.push(file_of(&handle).await?);
        }
    }
}

/// Files of a folder, as Firefox and Safari give them.
async fn files_of_entry(folder: &JsValue) -> Result<Vec<File>, JsValue> {
    let (reader, mut files) = (call(folder, "createReader", &[])?, Vec::new());
    loop {
        let entries = told(&reader, "readEntries").await?;
        let entries = Array::from(&entries).to_vec();
        if entries.is_empty() {
            return Ok(files);
        }
        for entry in entries {
            if get(&entry, "isFile").is_truthy() {
                files.push(told(&entry, "file").await?.dyn_into()?);
            }
        }
    }
}

/// What a method tells the first of its two callbacks.
async fn told(of: &JsValue, method: &str) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        if let Err(error) = call(of, method, &[resolve.into(), reject.clone().into()]) {
            let _ = reject.call1(&JsValue::UNDEFINED, &error);
        }
    });
    JsFuture::from(promise).await
}

/// Calls a method.
pub(in crate::browser) fn call(
    of: &JsValue,
    method: &str,
    arguments: &[JsValue],
) -> Result<JsValue, JsValue> {
    let method: Function = get(of, method).dyn_into()?;
    Reflect::apply(&method, of, &arguments.iter().collect::<Array>())
}

/// What a promise comes to.
pub(in crate::browser) async fn awaited(promise: JsValue) -> Result<JsValue, JsValue> {
    JsFuture::from(Promise::resolve(&promise)).await
}
