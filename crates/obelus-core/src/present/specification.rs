//! What each output keeps to, in which version, and which format reads it back.

/// What an output keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The output.
    pub output: &'static str,
    /// What it keeps to, with the version that was seen.
    pub standard: &'static str,
    /// Where that is written, a file of the repository or an address; nothing where it is for reading only.
    pub link: Option<&'static str>,
    /// What its columns count; nothing where it has none.
    pub columns: Option<&'static str>,
    /// The format that reads it back.
    pub read_by: Option<&'static str>,
}

/// What the output `name` keeps to.
pub fn specification(name: &str) -> Option<&'static Specification> {
    SPECIFICATIONS.iter().find(|one| one.output == name)
}

const fn reading(output: &'static str, standard: &'static str) -> Specification {
    Specification { output, standard, link: None, columns: Some("code points"), read_by: None }
}

const fn written(
    output: &'static str,
    standard: &'static str,
    link: &'static str,
    columns: &'static str,
    read_by: &'static str,
) -> Specification {
    let read_by = Some(read_by);
    Specification { output, standard, link: Some(link), columns: Some(columns), read_by }
}

const RDF: &str = "https://github.com/reviewdog/reviewdog/tree/master/proto/rdf";

static SPECIFICATIONS: &[Specification] = &[
    reading("human", "text for a terminal"),
    Specification { columns: None, ..reading("agent", "text for a model") },
    written("json", "Obelus report, version 1", "schema/report.json", "code points", "obelus-json"),
    written(
        "jsonl",
        "Obelus record, version 1",
        "schema/record.json",
        "code points",
        "obelus-jsonl",
    ),
    written(
        "sarif",
        "SARIF 2.1.0 with Errata 01",
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html",
        "code points (`columnKind` says so)",
        "sarif",
    ),
    written(
        "github",
        "workflow commands of GitHub Actions, November 2026",
        "https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands",
        "code points (GitHub names no unit)",
        "github-commands",
    ),
    written(
        "gitlab",
        "Code Quality report of GitLab 18",
        "https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format",
        "code points (GitLab names no unit)",
        "gitlab-codequality",
    ),
    written(
        "rdjson",
        "Reviewdog Diagnostic Format of reviewdog 0.21",
        RDF,
        "UTF-8 bytes",
        "rdjson",
    ),
    written(
        "rdjsonl",
        "Reviewdog Diagnostic Format of reviewdog 0.21",
        RDF,
        "UTF-8 bytes",
        "rdjsonl",
    ),
    written(
        "checkstyle",
        "XML of Checkstyle 10.21",
        "https://github.com/checkstyle/checkstyle/blob/checkstyle-10.21.0/src/main/java/com/puppycrawl/tools/checkstyle/XMLLogger.java",
        "code points (Checkstyle names no unit)",
        "checkstyle-xml",
    ),
    Specification {
        columns: None,
        ..written(
            "junit",
            "JUnit XML as its readers agree on it, November 2026",
            "https://github.com/testmoapp/junitxml",
            "",
            "junit-xml",
        )
    },
    written(
        "lsp",
        "Language Server Protocol 3.17",
        "https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#publishDiagnosticsParams",
        "UTF-16 units",
        "lsp-publish",
    ),
    Specification {
        link: Some("https://github.github.com/gfm/"),
        ..reading("markdown", "GitHub Flavored Markdown 0.29")
    },
    Specification {
        link: Some("https://html.spec.whatwg.org/multipage/"),
        ..reading("html", "HTML, one file that fetches nothing")
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_has_one_and_what_reads_it_back_is_there() {
        let outputs: Vec<&str> = crate::present::OUTPUTS.iter().map(|one| one.name()).collect();
        let specified: Vec<&str> = SPECIFICATIONS.iter().map(|one| one.output).collect();
        assert_eq!(specified, outputs);
        for format in SPECIFICATIONS.iter().filter_map(|one| one.read_by) {
            assert!(crate::format::find(format).is_some(), "{format}");
        }
    }
}
