//! Files of other programs, recognised in order to reject them by name.

/// Recognized formats that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreign {
    /// Written by `torch.save`.
    PyTorch,
    /// Written by Python's pickle and joblib.
    Pickle,
    /// HDF5, and models of Keras.
    Hdf5,
    /// A model in GGUF.
    Gguf,
    /// A model in ONNX.
    Onnx,
    /// Parquet, Feather or Arrow.
    Columns,
    /// A file of MATLAB.
    Matlab,
    /// A file of R.
    R,
    /// A spreadsheet.
    Spreadsheet,
    /// A text document or slides.
    Document,
    /// A web page.
    WebPage,
    /// A document in PDF.
    Pdf,
    /// A picture.
    Picture,
    /// A notebook of Jupyter.
    Notebook,
    /// A compressed file or an archive of something else than arrays.
    Compressed,
}

/// Bytes of an archive in which the names of its files are looked for, from its beginning and from its end.
const LOOKED_AT: usize = 8192;

/// Beginnings of files.
const BEGINNINGS: [(&[u8], Foreign); 29] = [
    (b"\x89HDF\r\n\x1a\n", Foreign::Hdf5),
    (b"GGUF", Foreign::Gguf),
    (b"PAR1", Foreign::Columns),
    (b"ARROW1", Foreign::Columns),
    (b"FEA1", Foreign::Columns),
    (b"MATLAB ", Foreign::Matlab),
    (b"%PDF", Foreign::Pdf),
    (b"\x89PNG", Foreign::Picture),
    (b"\xff\xd8\xff", Foreign::Picture),
    (b"GIF8", Foreign::Picture),
    (b"RIFF", Foreign::Picture),
    (b"II*\0", Foreign::Picture),
    (b"MM\0*", Foreign::Picture),
    (b"\xd0\xcf\x11\xe0", Foreign::Spreadsheet),
    (b"RDX", Foreign::R),
    (b"RDA", Foreign::R),
    (b"X\n\0\0", Foreign::R),
    (b"\x1f\x8b", Foreign::Compressed),
    (b"BZh", Foreign::Compressed),
    (b"\xfd7zXZ", Foreign::Compressed),
    (b"\x28\xb5\x2f\xfd", Foreign::Compressed),
    (b"7z\xbc\xaf", Foreign::Compressed),
    (b"Rar!", Foreign::Compressed),
    (b"<!doctype html", Foreign::WebPage),
    (b"<html", Foreign::WebPage),
    (b"<head", Foreign::WebPage),
    (b"<table", Foreign::WebPage),
    (b"<svg", Foreign::Picture),
    (b"<?xml", Foreign::WebPage),
];

/// Names of archive members that identify a format.
const MEMBERS: [(&[u8], Foreign); 9] = [
    (b"data.pkl", Foreign::PyTorch),
    (b".weights.h5", Foreign::Hdf5),
    (b"xl/workbook", Foreign::Spreadsheet),
    (b"opendocument.spreadsheet", Foreign::Spreadsheet),
    (b"Index/Tables", Foreign::Spreadsheet),
    (b"opendocument.", Foreign::Document),
    (b"word/document", Foreign::Document),
    (b"ppt/presentation", Foreign::Document),
    (b"[Content_Types].xml", Foreign::Spreadsheet),
];

/// Ends of names, for what its bytes do not tell.
const ENDS: [(&str, Foreign); 21] = [
    (".rds", Foreign::R),
    (".rda", Foreign::R),
    (".rdata", Foreign::R),
    (".pt", Foreign::PyTorch),
    (".pth", Foreign::PyTorch),
    (".ckpt", Foreign::PyTorch),
    (".bin", Foreign::PyTorch),
    (".pkl", Foreign::Pickle),
    (".pickle", Foreign::Pickle),
    (".joblib", Foreign::Pickle),
    (".h5", Foreign::Hdf5),
    (".hdf5", Foreign::Hdf5),
    (".keras", Foreign::Hdf5),
    (".gguf", Foreign::Gguf),
    (".onnx", Foreign::Onnx),
    (".parquet", Foreign::Columns),
    (".feather", Foreign::Columns),
    (".arrow", Foreign::Columns),
    (".mat", Foreign::Matlab),
    (".xls", Foreign::Spreadsheet),
    (".ods", Foreign::Spreadsheet),
];

impl Foreign {
    /// Detects a format by its bytes, or by its name if those are inconclusive. `None` for files
    /// that may be text or tensors.
    pub(crate) fn detect(name: &str, bytes: &[u8]) -> Option<Self> {
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let start = start.trim_ascii_start();
        let begins = |(mark, _): &&(&[u8], Self)| {
            let start = if mark.starts_with(b"<") { start } else { bytes };
            start.len() >= mark.len() && start[..mark.len()].eq_ignore_ascii_case(mark)
        };
        if bytes.starts_with(b"PK") {
            return Self::in_archive(bytes);
        }
        if let [0x80, 2..=5, ..] = bytes {
            // What torch.save wrote before it wrote archives begins with this number.
            let is_torch = bytes
                .get(2..)
                .is_some_and(|rest| rest.starts_with(b"\x8a\nl\xfc"));
            return Some(if is_torch {
                Self::PyTorch
            } else {
                Self::Pickle
            });
        }
        let found = BEGINNINGS.iter().find(begins).map(|(_, found)| *found);
        match (found, Self::by_name(name)) {
            // R's files are compressed.
            (Some(Self::Compressed), Some(Self::R)) => Some(Self::R),
            (Some(Self::Compressed), Some(Self::Pickle)) => Some(Self::Pickle),
            (found, _) => found,
        }
    }

    /// Detects a format by its name, for a file that is not text and has no known first bytes.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let mut ends = ENDS.iter();
        ends.find(|(end, _)| name.ends_with(end))
            .map(|(_, found)| *found)
    }

    /// Detects the content of an archive; `None` if it may contain arrays.
    fn in_archive(bytes: &[u8]) -> Option<Self> {
        let head = &bytes[..bytes.len().min(LOOKED_AT)];
        let tail = &bytes[bytes.len().saturating_sub(LOOKED_AT)..];
        let holds = |part: &[u8], mark: &[u8]| part.windows(mark.len()).any(|own| own == mark);
        let has = |mark: &[u8]| holds(head, mark) || holds(tail, mark);
        if has(b".npy") {
            return None;
        }
        let found = MEMBERS.iter().find(|(mark, _)| has(mark));
        found.map(|(_, found)| *found)
    }

    /// Whether JSON is a notebook: its cells come first, or its metadata behind them.
    pub(crate) fn is_notebook(name: &str, text: &str) -> bool {
        let start = text.trim_start().strip_prefix('{').map(str::trim_start);
        name.to_ascii_lowercase().ends_with(".ipynb")
            || start.is_some_and(|start| {
                start.starts_with("\"cells\"") && text.contains("\"cell_type\"")
            })
    }
}
