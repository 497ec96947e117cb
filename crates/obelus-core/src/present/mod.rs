//! Outputs: one file each. They see records and sources, never a capture, and decide nothing.
