//! The page without a browser: state, links, view models, pictures, files and the public request.

mod api;
mod around_layer;
mod case_links;
mod codegen;
#[path = "../common/mod.rs"]
mod common;
mod controls;
mod element;
mod explain;
mod figures;
mod icons;
mod import;
mod import_roles;
mod import_round;
mod imported;
mod layering;
mod learned;
mod lessons;
mod lexicon_build;
mod matrix_text;
mod model_code;
mod notes;
mod scene;
mod settings;
mod steps;
mod tensors;
mod terms;
mod training;
mod url;
#[path = "../common/words.rs"]
mod words;
