//! Files of tensors: what is written can be read, what others wrote too, and what nobody should have written is refused.

mod round_trips;
