//! Whether a file of the repository is the fact that a rule asks for.

use serde_json::Value;

use super::Rule;

/// What made a rule hold, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The file, relative to the root.
    pub path: String,
    /// What it holds, if the rule asks for more than the file.
    pub holds: Option<String>,
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.holds {
            Some(what) => write!(f, "{} ({what})", self.path),
            None => f.write_str(&self.path),
        }
    }
}

/// Whether the rule can only be answered with the file's contents.
pub fn contents_needed(rule: &Rule) -> bool {
    rule.key.is_some() || rule.dependency.is_some()
}

/// Whether the file at `path`, whose name fits `rule.file`, holds what the rule asks for.
/// `contents` are only looked at where [`contents_needed`] says so; a file that can't be read as
/// what its name says holds nothing.
pub fn holds(rule: &Rule, path: &str, contents: &[u8]) -> Option<Evidence> {
    let evidence = |holds| Some(Evidence { path: path.to_owned(), holds });
    match (&rule.key, &rule.dependency) {
        (None, None) => evidence(None),
        (Some(key), None) => has_key(path, contents, key).then(|| evidence(Some(key.clone())))?,
        (None, Some(package)) => has_dependency(path, contents, package)
            .then(|| evidence(Some(format!("dependency {package}"))))?,
        (Some(key), Some(package)) => (has_key(path, contents, key)
            && has_dependency(path, contents, package))
        .then(|| evidence(Some(format!("{key} and dependency {package}"))))?,
    }
}

/// What of the file at `path` the rule's key names; all of its text where the rule has no key, or
/// where it can't be read as what its name says. Two files that a rule's reader takes for the same
/// are equal in this.
pub fn held(rule: &Rule, path: &str, contents: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(contents);
    let whole = || Some(Value::from(&*text));
    let Some(key) = &rule.key else { return whole() };
    if path.ends_with(".cfg") || path.ends_with(".ini") {
        return Some(Value::from(ini_section(&text, key)));
    }
    match tree(path, &text) {
        Some(tree) => at(&tree, key).cloned(),
        None => whole(),
    }
}

/// The lines of the sections of an INI text whose names begin with `key` (mypy has one for each
/// module, `mypy-name`).
fn ini_section(text: &str, key: &str) -> String {
    let mut inside = false;
    let lines = text.lines().filter(|line| {
        if let Some(name) = line.strip_prefix('[') {
            inside = name.starts_with(key);
        }
        inside && !line.trim().is_empty()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn has_key(path: &str, contents: &[u8], key: &str) -> bool {
    let text = String::from_utf8_lossy(contents);
    if path.ends_with(".cfg") || path.ends_with(".ini") {
        return has_ini_key(&text, key);
    }
    tree(path, &text).is_some_and(|tree| at(&tree, key).is_some())
}

/// Whether an INI text has section `key`, or option `key` written `section.option`. Section names
/// hold dots of their own, so the two are compared whole.
fn has_ini_key(text: &str, key: &str) -> bool {
    let mut current = None;
    text.lines().any(|line| {
        if let Some(rest) = line.strip_prefix('[') {
            let section = rest.split(']').next().unwrap_or_default().trim();
            current = Some(section);
            return section == key;
        }
        // An indented line goes on with the value before it; `#` and `;` begin comments.
        if line.starts_with(|c: char| c.is_whitespace() || c == '#' || c == ';') {
            return false;
        }
        let Some((option, _)) = line.split_once(['=', ':']) else { return false };
        let wanted = current.and_then(|section| key.strip_prefix(section)?.strip_prefix('.'));
        wanted.is_some_and(|wanted| option.trim().eq_ignore_ascii_case(wanted))
    })
}

/// The contents as a tree: JSON or TOML by the file's name.
fn tree(path: &str, text: &str) -> Option<Value> {
    if path.ends_with(".json") {
        serde_json::from_str(text).ok()
    } else if path.ends_with(".toml") {
        toml::from_str(text).ok()
    } else {
        None
    }
}

fn at<'v>(tree: &'v Value, key: &str) -> Option<&'v Value> {
    key.split('.').try_fold(tree, |value, part| value.get(part))
}

fn has_dependency(path: &str, contents: &[u8], package: &str) -> bool {
    let text = String::from_utf8_lossy(contents);
    if path.ends_with(".txt") || path.ends_with(".in") {
        return text.lines().any(|line| requires(line, package));
    }
    let Some(tree) = tree(path, &text) else { return false };
    if path.ends_with("package.json") {
        return ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]
            .iter()
            .any(|table| tree.get(table).and_then(|table| table.get(package)).is_some());
    }
    // PEP 621 and PEP 735 lists of requirements, then Poetry's tables of names.
    let lists = [at(&tree, "project.dependencies"), at(&tree, "tool.uv.dev-dependencies")];
    let groups = [at(&tree, "project.optional-dependencies"), at(&tree, "dependency-groups")];
    let grouped = groups
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .flat_map(|groups| groups.values());
    let listed = lists
        .into_iter()
        .flatten()
        .chain(grouped)
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(Value::as_str)
        .any(|requirement| requires(requirement, package));
    let poetry = at(&tree, "tool.poetry");
    let poetry_groups = poetry.and_then(|poetry| poetry.get("group")).and_then(Value::as_object);
    let tables = poetry
        .into_iter()
        .flat_map(|poetry| ["dependencies", "dev-dependencies"].map(|table| poetry.get(table)))
        .chain(
            poetry_groups
                .into_iter()
                .flat_map(|groups| groups.values().map(|group| group.get("dependencies"))),
        );
    listed || tables.flatten().filter_map(Value::as_object).any(|table| table.contains_key(package))
}

/// Whether a PEP 508 requirement (`mypy[reports]>=1.0 ; python_version > "3.9"`) names `package`.
fn requires(requirement: &str, package: &str) -> bool {
    let name: String = requirement
        .trim_start()
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        .collect();
    !name.is_empty() && normal(&name) == normal(package)
}

/// A Python package's name as PEP 503 compares it.
fn normal(name: &str) -> String {
    name.to_ascii_lowercase().replace(['_', '.'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(key: Option<&str>, dependency: Option<&str>) -> Rule {
        Rule {
            file: String::new(),
            key: key.map(str::to_owned),
            dependency: dependency.map(str::to_owned),
        }
    }

    #[test]
    fn keys_in_toml_json_and_ini() {
        let key =
            |path, text: &str, key| holds(&rule(Some(key), None), path, text.as_bytes()).is_some();
        assert!(key("a/pyproject.toml", "[tool.mypy]\nstrict = true\n", "tool.mypy"));
        assert!(!key("a/pyproject.toml", "[tool.ruff]\n", "tool.mypy"));
        assert!(key("package.json", r#"{"eslintConfig":{}}"#, "eslintConfig"));
        assert!(key("setup.cfg", "[metadata]\n[mypy]\n", "mypy"));
        assert!(!key("setup.cfg", "[mypy-tests.*]\n", "mypy"));
        assert!(key("mypy.ini", "[mypy]\nFiles = a.py,\n  b.py\n", "mypy.files"));
        assert!(!key("mypy.ini", "[mypy]\n# files = a\n[mypy-x]\nfiles = a\n", "mypy.files"));
        assert!(key("mypy.ini", "[mypy-a.*]\nstrict: yes\n", "mypy-a.*.strict"));
        assert!(!key("package.json", "no json", "eslintConfig"));
    }

    #[test]
    fn what_a_key_names() {
        let held = |path, text: &str, key| held(&rule(Some(key), None), path, text.as_bytes());
        let ini = "[a]\nx = 1\n[mypy]\nstrict = 1\n\n[mypy-x]\ny = 2\n";
        assert_eq!(held("setup.cfg", ini, "mypy").unwrap(), "[mypy]\nstrict = 1\n[mypy-x]\ny = 2");
        let toml = |text| held("pyproject.toml", text, "tool.mypy");
        assert_eq!(toml("[tool.mypy]\na = 1\n"), toml("[project]\n[tool.mypy]\na=1 # so\n"));
        assert_ne!(toml("[tool.mypy]\na = 1\n"), toml("[tool.mypy]\na = 2\n"));
        assert_eq!(toml("[project]\n"), None);
    }

    #[test]
    fn dependencies_wherever_they_are_declared() {
        let dep =
            |path, text: &str| holds(&rule(None, Some("mypy")), path, text.as_bytes()).is_some();
        assert!(dep(
            "requirements-dev.txt",
            "ruff==1\nmypy[reports] >= 2 ; python_version > '3'\n"
        ));
        assert!(!dep("requirements.txt", "mypy-extensions==1\n# mypy\n"));
        assert!(dep("pyproject.toml", "[dependency-groups]\ndev = [\"MyPy>=2\"]\n"));
        assert!(dep("pyproject.toml", "[project]\ndependencies = [\"mypy\"]\n"));
        assert!(dep("pyproject.toml", "[tool.poetry.group.dev.dependencies]\nmypy = \"^2\"\n"));
        assert!(!dep("pyproject.toml", "[project]\nname = \"mypy\"\n"));
        let evidence = holds(
            &rule(None, Some("eslint")),
            "web/package.json",
            br#"{"devDependencies":{"eslint":"^10"}}"#,
        );
        assert_eq!(evidence.unwrap().to_string(), "web/package.json (dependency eslint)");
    }
}
