//! Bytes of checkers in, records and outcomes out; no process, file, clock or environment.
