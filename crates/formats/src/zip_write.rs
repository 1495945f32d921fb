//! Writes an archive: stored files one after the other, and their directory.

use std::cell::{Cell, RefCell};
use std::iter::once_with;
use std::rc::Rc;

use crate::encoding::Crc32;
use crate::zip::{END, ENTRY, FILE, STORED, UTF8};

/// The version that reads what we write, and the day before which ZIP knows no dates.
const VERSION: u16 = 20;
const FIRST_DAY: u16 = 33;

/// The archive of files that come in pieces. Each is generated twice, since its checksum precedes it and nothing is buffered.
/// All of them together have less than 4 GiB.
pub(crate) fn pieces<P: Iterator<Item = Vec<u8>>>(
    files: impl Iterator<Item = (String, impl Fn() -> P)>,
) -> impl Iterator<Item = Vec<u8>> {
    let directory = Rc::new(RefCell::new(Directory::default()));
    let end = Rc::clone(&directory);
    let files = files.flat_map(move |(name, file)| {
        let (sum, directory) = (
            Rc::new(Cell::new((Crc32::default(), 0))),
            Rc::clone(&directory),
        );
        let summed = Rc::clone(&sum);
        let first = file().map(move |piece| {
            let (mut crc, size) = sum.get();
            crc.add(&piece);
            sum.set((crc, size + piece.len() as u32));
            Vec::new()
        });
        let head = once_with(move || directory.borrow_mut().enter(&name, summed.get()));
        first.chain(head).chain(file())
    });
    files.chain(once_with(move || end.take().end()))
}

/// Central directory of the files written so far.
#[derive(Default)]
struct Directory {
    entries: Vec<u8>,
    count: u16,
    /// Bytes of all files and their headers.
    end: u32,
}

impl Directory {
    /// The header of a file with this checksum and size.
    fn enter(&mut self, name: &str, (crc, size): (Crc32, u32)) -> Vec<u8> {
        let flags = if name.is_ascii() { 0 } else { UTF8 };
        let mut common = Vec::new();
        for field in [VERSION, flags, STORED, 0, FIRST_DAY] {
            common.extend(field.to_le_bytes());
        }
        for field in [crc.sum(), size, size] {
            common.extend(field.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        let head = [&FILE.to_le_bytes(), &common[..], name.as_bytes()].concat();
        let entries = &mut self.entries;
        entries.extend(ENTRY.to_le_bytes());
        entries.extend(VERSION.to_le_bytes());
        entries.extend(common);
        // No comment, the first disk, no attributes.
        entries.extend([0; 10]);
        entries.extend(self.end.to_le_bytes());
        entries.extend(name.bytes());
        self.count += 1;
        self.end += head.len() as u32 + size;
        head
    }

    /// The directory after all files.
    fn end(self) -> Vec<u8> {
        let (size, mut out) = (self.entries.len() as u32, self.entries);
        out.extend(END.to_le_bytes());
        out.extend([0; 4]);
        out.extend([self.count.to_le_bytes(), self.count.to_le_bytes()].concat());
        out.extend([size.to_le_bytes(), self.end.to_le_bytes()].concat());
        out.extend([0; 2]);
        out
    }
}
