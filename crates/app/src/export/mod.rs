//! Downloads and copied texts: figures, tensors, tables and programs.

wasm_chunks::chunk!("more");

pub mod codegen;
pub mod figures;
pub mod mask_programs;
pub mod matrix_text;
pub mod picture_width;
pub mod save_menu;
pub mod tensors;
