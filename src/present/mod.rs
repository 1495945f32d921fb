//! View models: what to show and say about a state and its run, without a browser.

pub mod address_history;
pub mod backend_status;
pub mod comparison;
pub mod cost;
pub mod device_notice;
pub mod displayed_matrix;
pub mod findings;
pub mod frame_schedule;
pub mod head_patterns;
pub mod head_table;
pub mod imported_text;
pub mod mask_bits;
pub mod mask_summary;
pub mod matrix_style;
pub mod names;
pub mod notice_text;
pub mod panel_scheduler;
pub mod run;
pub mod steps;
