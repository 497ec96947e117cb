//! `obelus schema`: the JSON Schemas of what other programs parse, generated from the types.

use obelus_record::{Diagnostic, ExitStatus, LoopReport, REPORT_VERSION, Report};
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
    let mut schema = match of {
        SchemaOf::Report => titled::<Report>("report", "Obelus report"),
        SchemaOf::Record => titled::<Diagnostic>("record", "Obelus record"),
        SchemaOf::Loop => titled::<LoopReport>("loop", "Obelus loop"),
    };
    if let Some(version) = schema.pointer_mut("/properties/version") {
        // Another version is another shape, and another schema.
        version["const"] = REPORT_VERSION.into();
    }
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}

fn titled<T: JsonSchema>(name: &str, title: &str) -> Value {
    let mut schema = schema_for!(T);
    schema.insert("$id".to_owned(), format!("urn:obelus:{name}:{REPORT_VERSION}").into());
    schema.insert("title".to_owned(), format!("{title}, version {REPORT_VERSION}").into());
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
        for (name, of) in [
            ("report.json", SchemaOf::Report),
            ("record.json", SchemaOf::Record),
            ("loop.json", SchemaOf::Loop),
        ] {
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
