//! [`chunk!`] says in the sources which functions `split.mjs` takes out of a WebAssembly module.

/// Declares the chunk of a module's functions, or of some of them.
///
/// ```
/// mod export {
///     // The module and what is below it.
///     wasm_chunks::chunk!("later");
///     // Of a module that stays: a function, all that a type has, a method, another crate.
///     wasm_chunks::chunk!("later": save, Writer, Reader::open, ::miniz_oxide);
///     // Only what traits and the compiler write for a type, such as dropping it.
///     wasm_chunks::chunk!("engine": impl Writer);
/// }
/// ```
///
/// The longest declared path counts that is the beginning of a function's own; `"engine"` leaves a
/// function where it is. A declaration is a line of the custom section `chunks`, which the split
/// module no longer has, and nothing at all in a build for another target.
#[macro_export]
macro_rules! chunk {
    ($chunk:literal $(: $($places:tt)+)?) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            const DECLARED: &str = concat!(
                $chunk, " of ", module_path!(), ": ", $(stringify!($($places)+),)? ";",
            );
            // The section is read by the build alone, and is no memory of the program.
            #[allow(unsafe_code)]
            #[used]
            #[unsafe(link_section = "chunks")]
            static SECTION: [u8; DECLARED.len()] = $crate::bytes(DECLARED);
        };
    };
}

/// The first bytes of a text, for [`chunk!`].
///
/// # Panics
///
/// While compiling, if the text has fewer than `N`.
pub const fn bytes<const N: usize>(text: &str) -> [u8; N] {
    *text.as_bytes().first_chunk().expect("N bytes")
}
