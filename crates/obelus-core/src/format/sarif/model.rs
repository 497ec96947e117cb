//! The parts of a SARIF 2.1.0 log that Obelus reads, by the names of the specification.
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::format::json::Text;

#[derive(Deserialize)]
pub(super) struct Log<'a> {
    /// Must be there; null where the producer has no runs (§3.13.4).
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    pub(super) runs: Option<Vec<Run<'a>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run<'a> {
    #[serde(borrow)]
    pub(super) tool: Tool<'a>,
    #[serde(borrow)]
    pub(super) column_kind: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) invocations: Option<Vec<Invocation<'a>>>,
    #[serde(borrow, default)]
    pub(super) original_uri_base_ids: Option<BTreeMap<String, ArtifactLocation<'a>>>,
    #[serde(borrow, default)]
    pub(super) artifacts: Option<Vec<Artifact<'a>>>,
    /// Absent or null where the tool did not begin to look (§3.14.23); empty where it is clean.
    #[serde(borrow)]
    pub(super) results: Option<Vec<Finding<'a>>>,
}

#[derive(Deserialize)]
pub(super) struct Tool<'a> {
    #[serde(borrow)]
    pub(super) driver: Component<'a>,
    #[serde(borrow, default)]
    pub(super) extensions: Option<Vec<Component<'a>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Component<'a> {
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow, default)]
    pub(super) rules: Option<Vec<Rule<'a>>>,
    #[serde(borrow, default)]
    pub(super) global_message_strings: Option<BTreeMap<String, MessageString<'a>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) help_uri: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) default_configuration: Option<Configuration<'a>>,
    #[serde(borrow, default)]
    pub(super) message_strings: Option<BTreeMap<String, MessageString<'a>>>,
}

#[derive(Deserialize)]
pub(super) struct Configuration<'a> {
    #[serde(borrow)]
    pub(super) level: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(super) struct MessageString<'a> {
    #[serde(borrow)]
    pub(super) text: Option<Text<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation<'a> {
    pub(super) execution_successful: Option<bool>,
    #[serde(borrow)]
    pub(super) process_start_failure_message: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) tool_execution_notifications: Option<Vec<Notification<'a>>>,
    #[serde(borrow, default)]
    pub(super) tool_configuration_notifications: Option<Vec<Notification<'a>>>,
}

#[derive(Deserialize)]
pub(super) struct Notification<'a> {
    #[serde(borrow)]
    pub(super) level: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) message: Option<Message<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Artifact<'a> {
    #[serde(borrow)]
    pub(super) location: Option<ArtifactLocation<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation<'a> {
    #[serde(borrow)]
    pub(super) uri: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) uri_base_id: Option<Text<'a>>,
    /// Which of the run's artifacts; -1 stands for none.
    pub(super) index: Option<i64>,
}

/// A `result` (§3.27).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finding<'a> {
    #[serde(borrow)]
    pub(super) rule_id: Option<Text<'a>>,
    pub(super) rule_index: Option<i64>,
    #[serde(borrow)]
    pub(super) rule: Option<RuleReference<'a>>,
    #[serde(borrow)]
    pub(super) kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) level: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) message: Message<'a>,
    #[serde(borrow, default)]
    pub(super) locations: Option<Vec<Location<'a>>>,
    #[serde(borrow, default)]
    pub(super) related_locations: Option<Vec<Location<'a>>>,
    #[serde(borrow, default)]
    pub(super) fixes: Option<Vec<Fix<'a>>>,
    #[serde(borrow, default)]
    pub(super) suppressions: Option<Vec<Suppression<'a>>>,
    #[serde(borrow)]
    pub(super) baseline_state: Option<Text<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RuleReference<'a> {
    #[serde(borrow)]
    pub(super) id: Option<Text<'a>>,
    pub(super) index: Option<i64>,
    #[serde(borrow)]
    pub(super) tool_component: Option<ComponentReference<'a>>,
}

#[derive(Deserialize)]
pub(super) struct ComponentReference<'a> {
    #[serde(borrow)]
    pub(super) name: Option<Text<'a>>,
    pub(super) index: Option<i64>,
}

#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) text: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) markdown: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) arguments: Option<Vec<Text<'a>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location<'a> {
    pub(super) id: Option<i64>,
    #[serde(borrow)]
    pub(super) physical_location: Option<PhysicalLocation<'a>>,
    #[serde(borrow)]
    pub(super) message: Option<Message<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation<'a> {
    #[serde(borrow)]
    pub(super) artifact_location: Option<ArtifactLocation<'a>>,
    pub(super) region: Option<Region>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: Option<i64>,
    pub(super) start_column: Option<i64>,
    pub(super) end_line: Option<i64>,
    pub(super) end_column: Option<i64>,
    pub(super) char_offset: Option<i64>,
    pub(super) char_length: Option<i64>,
    pub(super) byte_offset: Option<i64>,
    pub(super) byte_length: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix<'a> {
    #[serde(borrow)]
    pub(super) description: Option<Message<'a>>,
    #[serde(borrow)]
    pub(super) artifact_changes: Vec<ArtifactChange<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange<'a> {
    #[serde(borrow)]
    pub(super) artifact_location: ArtifactLocation<'a>,
    #[serde(borrow)]
    pub(super) replacements: Vec<Replacement<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement<'a> {
    pub(super) deleted_region: Region,
    #[serde(borrow)]
    pub(super) inserted_content: Option<Content<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Content<'a> {
    /// Absent where the content is binary.
    #[serde(borrow)]
    pub(super) text: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Suppression<'a> {
    #[serde(borrow)]
    pub(super) status: Option<Text<'a>>,
}
