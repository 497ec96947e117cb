//! The contract of Obelus: the record of a finding, the outcome of a run, the report.
