//! Multiply-adds, FLOPs and bytes counted from a plan.
