//! `obelus schema`: the JSON Schemas of what other programs parse, generated from the types.

use obelus_record::{
    CONTRACT_VERSION, Contract, Diagnostic, ExitStatus, FIX_REPORT_VERSION, FixReport,
    LOOP_VERSION, LoopReport, REPORT_VERSION, REVIEW_VERSION, Report, Review,
};
use schemars::{JsonSchema, schema_for};
use serde_json::Value;

use crate::args::{Schema, SchemaOf};
use crate::error::CommandError;
use crate::output;

/// Prints the schema that was asked for.
pub fn run(args: &Schema) -> Result<ExitStatus, CommandError> {
    let schema = text(args.of).map_err(|error| CommandError::Write(error.into()))?;
    output::print_text(&schema)?;
    Ok(ExitStatus::Pass)
}

/// The schema as it is printed, and as it lies in `schema/`.
fn text(of: SchemaOf) -> Result<String, serde_json::Error> {
    let version = match of {
        SchemaOf::Report | SchemaOf::Record => REPORT_VERSION,
        SchemaOf::Review => REVIEW_VERSION,
        SchemaOf::Loop => LOOP_VERSION,
        SchemaOf::Fix => FIX_REPORT_VERSION,
        SchemaOf::Contract => CONTRACT_VERSION,
    };
    let mut schema = match of {
        SchemaOf::Report => titled::<Report>("report", version),
        SchemaOf::Record => titled::<Diagnostic>("record", version),
        SchemaOf::Review => titled::<Review>("review", version),
        SchemaOf::Loop => titled::<LoopReport>("loop", version),
        SchemaOf::Fix => titled::<FixReport>("fix", version),
        SchemaOf::Contract => titled::<Contract>("contract", version),
    };
    if let Some(property) = schema.pointer_mut("/properties/version") {
        // Another version is another shape, and another schema.
        property["const"] = version.into();
    }
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}

fn titled<T: JsonSchema>(name: &str, version: u32) -> Value {
    let mut schema = schema_for!(T);
    schema.insert("$id".to_owned(), format!("urn:obelus:{name}:{version}").into());
    schema.insert("title".to_owned(), format!("Obelus {name}, version {version}").into());
    schema.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Set, this writes the files anew in place of comparing them.
    const UPDATE: &str = "OBELUS_UPDATE_SCHEMAS";

    #[test]
    fn the_files_are_fresh() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema");
        let all = [
            ("report.json", SchemaOf::Report),
            ("record.json", SchemaOf::Record),
            ("review.json", SchemaOf::Review),
            ("fix.json", SchemaOf::Fix),
            ("contract.json", SchemaOf::Contract),
            ("review.json", SchemaOf::Review),
            ("loop.json", SchemaOf::Loop),
        ];
        for (name, of) in all {
            let fresh = text(of).unwrap();
            if std::env::var_os(UPDATE).is_some() {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(folder.join(name), &fresh).unwrap();
            }
            let lying = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
            assert!(
                lying == fresh,
                "schema/{name} is stale; update it by: {UPDATE}=1 cargo test -p obelus schema"
            );
        }
    }
}
