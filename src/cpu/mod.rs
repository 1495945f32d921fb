//! The fast 32-bit kernels and the executor that follows a plan.
