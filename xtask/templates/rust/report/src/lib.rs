//! Reports.

pub mod table;
pub mod thing_report; //*
