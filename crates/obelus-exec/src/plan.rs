//! What is to be run: which checkers apply here, in which projects, by which command lines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use obelus_core::checker::{Checker, Evidence, Grouping, off_by_default};
use obelus_record::NotRun;

use crate::discover::{Found, folder_of, is_below};
use crate::invocation::{self, Invocation, Unrunnable};
use crate::locate::{Environment, NotFound, Program, install_command, locate};

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The checkers that were named; none means those that apply.
    pub checkers: Vec<String>,
    /// The folders and files, relative to the root, to which the check is limited; none means all.
    pub scope: Vec<String>,
}

/// Why a checker is taken to apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applies {
    /// The user named it.
    Asked,
    /// The repository declares it.
    Declared(Evidence),
    /// There are files of its kind.
    Possible(Evidence),
}

/// One entry of a plan.
#[derive(Clone, Debug)]
pub enum Step {
    /// A run that can begin.
    Run(Box<Invocation>),
    /// A run that should be and can't.
    Blocked(Unrunnable),
}

/// What is to be run, and what is not.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Runs, in the order in which their records stand.
    pub steps: Vec<Step>,
    /// Checkers that may apply here and are not run.
    pub not_run: Vec<NotRun>,
}

/// What a plan is made from.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The repository root.
    pub root: &'a Path,
    /// What the walk found.
    pub found: &'a Found,
    /// Where programs are.
    pub environment: &'a Environment,
    /// Where shipped scripts are laid.
    pub assets: &'a Path,
    /// Tells a program's version where its package does not; only asked where a command line
    /// depends on it.
    pub version: &'a dyn Fn(&Checker, &Program) -> Option<String>,
}

/// Whether and why `checker` applies, without regard to what the user asked for.
pub fn applies(checker: &Checker, found: &Found) -> Option<Applies> {
    if let Some(evidence) = found.declared.get(&checker.name).and_then(|all| all.first()) {
        return Some(Applies::Declared(evidence.clone()));
    }
    let detect = &checker.detect;
    if !checker.builtin && detect.declared.is_empty() && detect.possible.is_empty() {
        // Whoever writes a table without rules wants it run.
        let path = crate::repository::CONFIG_FILE.to_owned();
        return Some(Applies::Declared(Evidence {
            path,
            holds: Some(format!("[checker.{}]", checker.name)),
        }));
    }
    let first = found.possible.get(&checker.name).and_then(|all| all.first());
    first.map(|evidence| Applies::Possible(evidence.clone()))
}

/// Plans the check that `request` asks for.
pub fn plan(
    checkers: &[Checker],
    request: &Request,
    only: Option<&[String]>,
    ground: Ground<'_>,
) -> Plan {
    let mut plan = Plan::default();
    let chosen = choose(checkers, request, only, ground.found, &mut plan.not_run);
    let running: BTreeSet<&str> = chosen.iter().map(|(checker, _)| checker.name.as_str()).collect();
    let mut covered = BTreeMap::new();
    for (checker, applies) in &chosen {
        let installed =
            !matches!(applies, Applies::Possible(_)) || is_installed(checker, request, ground);
        for name in
            checker.covers.iter().filter(|name| installed && running.contains(name.as_str()))
        {
            covered.insert(name.as_str(), checker.name.as_str());
        }
    }
    for (checker, applies) in &chosen {
        match covered.get(checker.name.as_str()) {
            Some(by) if *applies != Applies::Asked => plan.not_run.push(NotRun {
                checker: checker.name.clone(),
                reason: format!("{by} reports what it would report"),
            }),
            _ => add(checker, applies, request, ground, &mut plan),
        }
    }
    plan
}

/// The checkers that take part, each with the reason.
fn choose<'c>(
    checkers: &'c [Checker],
    request: &Request,
    only: Option<&[String]>,
    found: &Found,
    not_run: &mut Vec<NotRun>,
) -> Vec<(&'c Checker, Applies)> {
    if !request.checkers.is_empty() {
        let named = checkers.iter().filter(|checker| request.checkers.contains(&checker.name));
        return named.map(|checker| (checker, Applies::Asked)).collect();
    }
    let mut chosen = Vec::new();
    for checker in checkers {
        let Some(applies) = applies(checker, found) else { continue };
        let mut leave_out =
            |reason: String| not_run.push(NotRun { checker: checker.name.clone(), reason });
        if !checker.enabled {
            leave_out(match off_by_default(&checker.name) {
                true => "it runs only where it is named, or switched on in obelus.toml".to_owned(),
                false => "switched off in obelus.toml".to_owned(),
            });
        } else if only.is_some_and(|only| !only.contains(&checker.name)) {
            leave_out("not among `only` in obelus.toml".to_owned());
        } else if let Applies::Possible(evidence) = &applies
            && checker.detect.needs_declaration
        {
            leave_out(format!("there are files for it ({evidence}), but no configuration of it"));
        } else {
            chosen.push((checker, applies));
        }
    }
    chosen
}

fn is_installed(checker: &Checker, request: &Request, ground: Ground<'_>) -> bool {
    projects(checker, request, ground)
        .iter()
        .any(|project| find(checker, project, true, ground).is_ok())
}

/// The program of `checker` for `project`; where nothing declares the checker (`undeclared`), only
/// one that really is that checker.
fn find(
    checker: &Checker,
    project: &Project,
    undeclared: bool,
    ground: Ground<'_>,
) -> Result<Program, NotFound> {
    let program = locate(&checker.binary, ground.root, &project.folder, ground.environment)?;
    if undeclared && checker.binary.probe && (ground.version)(checker, &program).is_none() {
        let asked = checker.binary.version.join(" ");
        return Err(NotFound {
            searched: vec![format!("the answer to `{} {asked}`", checker.binary.name)],
        });
    }
    Ok(program)
}

/// One project of one checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its folder relative to the root, `""` for the root.
    pub folder: String,
    /// Its marker file relative to the root, if a marker made it one.
    pub marker: Option<String>,
    /// The parts of it, relative to the root, to which the check is limited; none means all of it.
    pub parts: Vec<String>,
}

impl Project {
    fn new(folder: &str, marker: Option<&str>) -> Self {
        Project { folder: folder.to_owned(), marker: marker.map(str::to_owned), parts: Vec::new() }
    }
}

/// The projects of `checker` that the request touches.
fn projects(checker: &Checker, request: &Request, ground: Ground<'_>) -> Vec<Project> {
    let at_root = Project::new("", None);
    if checker.project.grouping == Grouping::Root {
        return touched(vec![at_root], &request.scope);
    }
    let none = Vec::new();
    let markers = ground.found.markers.get(&checker.name).unwrap_or(&none);
    let mut projects: Vec<Project> = Vec::new();
    for marker in markers {
        let folder = folder_of(marker);
        // With several markers in one folder (a .ini and a .toml) it is still one project.
        let again = projects.last().is_some_and(|last| last.folder == folder)
            && checker.project.grouping == Grouping::Each;
        if !again {
            projects.push(Project::new(folder, Some(marker)));
        }
    }
    if let Some(key) = &checker.project.owner_key {
        drop_owned(&mut projects, key, ground.root);
    }
    if projects.is_empty() && markers.is_empty() {
        let declared = ground.found.declared.get(&checker.name).into_iter().flatten();
        let folders: BTreeSet<&str> = declared.map(|evidence| folder_of(&evidence.path)).collect();
        projects.extend(folders.into_iter().map(|folder| Project::new(folder, None)));
        if projects.is_empty() {
            projects.push(at_root);
        }
    }
    touched(projects, &request.scope)
}

/// Leaves out projects below one whose marker holds `key`: they are its members and are checked
/// with it, unless it names their folder in the list `exclude` beside its members.
fn drop_owned(projects: &mut Vec<Project>, key: &str, root: &Path) {
    let owners: Vec<(String, Vec<String>)> = projects
        .iter()
        .filter_map(|project| {
            let text = std::fs::read_to_string(root.join(project.marker.as_ref()?)).ok()?;
            let tree: toml::Table = toml::from_str(&text).ok()?;
            let owner = tree.get(key)?;
            let excluded =
                owner.get("exclude").and_then(toml::Value::as_array).into_iter().flatten();
            let excluded = excluded
                .filter_map(toml::Value::as_str)
                .map(|path| join(&project.folder, path))
                .collect();
            Some((project.folder.clone(), excluded))
        })
        .collect();
    projects.retain(|project| {
        let owned = owners.iter().any(|(owner, excluded)| {
            project.folder != *owner
                && is_below(&project.folder, owner)
                && !excluded.iter().any(|path| is_below(&project.folder, path))
        });
        let owns = owners.iter().any(|(owner, _)| *owner == project.folder);
        owns || !owned
    });
}

fn join(folder: &str, path: &str) -> String {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}

/// The projects in the scope: those below a part of it as a whole, and of those around a part the
/// innermost, limited to that part.
fn touched(mut projects: Vec<Project>, scope: &[String]) -> Vec<Project> {
    if scope.is_empty() {
        return projects;
    }
    let mut whole = vec![false; projects.len()];
    for part in scope {
        let depth = |project: &Project| project.folder.len();
        let around = projects.iter().filter(|project| is_below(part, &project.folder));
        let innermost = around.map(depth).max();
        for (project, whole) in projects.iter_mut().zip(&mut whole) {
            if is_below(&project.folder, part) {
                *whole = true;
            } else if is_below(part, &project.folder) && Some(depth(project)) == innermost {
                project.parts.push(part.clone());
            }
        }
    }
    let mut whole = whole.into_iter();
    projects.retain_mut(|project| {
        if whole.next() == Some(true) {
            project.parts.clear();
            return true;
        }
        !project.parts.is_empty()
    });
    projects
}

/// Adds the runs of `checker`.
fn add(
    checker: &Checker,
    applies: &Applies,
    request: &Request,
    ground: Ground<'_>,
    plan: &mut Plan,
) {
    let projects = projects(checker, request, ground);
    if projects.is_empty() {
        let reason = "nothing of it lies in what was asked about".to_owned();
        plan.not_run.push(NotRun { checker: checker.name.clone(), reason });
        return;
    }
    let mut missing: Vec<(Project, NotFound)> = Vec::new();
    let mut groups: BTreeMap<(PathBuf, usize), (Program, Vec<Project>)> = BTreeMap::new();
    for (number, project) in projects.into_iter().enumerate() {
        let undeclared = matches!(applies, Applies::Possible(_));
        match find(checker, &project, undeclared, ground) {
            Ok(program) => {
                let key = match checker.project.grouping {
                    Grouping::Together => (program.path.clone(), 0),
                    Grouping::Each | Grouping::Root => (PathBuf::new(), number),
                };
                groups.entry(key).or_insert_with(|| (program, Vec::new())).1.push(project);
            }
            Err(not_found) => missing.push((project, not_found)),
        }
    }
    // Where the program is there for some projects, it is used for these: the others count as
    // missing it, however the checker came to apply.
    report_missing(checker, applies, &missing, groups.is_empty(), ground.root, plan);
    for (program, projects) in groups.into_values() {
        plan.steps.push(match invocation::build(checker, program, &projects, ground) {
            Ok(invocation) => Step::Run(Box::new(invocation)),
            Err(unrunnable) => Step::Blocked(unrunnable),
        });
    }
}

/// Says of projects whose program is not there that it is not.
fn report_missing(
    checker: &Checker,
    applies: &Applies,
    missing: &[(Project, NotFound)],
    nowhere: bool,
    root: &Path,
    plan: &mut Plan,
) {
    let Some((project, not_found)) = missing.first() else { return };
    let install = install_command(&checker.binary, root, &project.folder);
    let searched = not_found.searched.join(", ");
    let name = if checker.binary.probe { &checker.name } else { &checker.binary.name };
    let why = match applies {
        Applies::Possible(_) if nowhere => {
            plan.not_run.push(NotRun {
                checker: checker.name.clone(),
                reason: format!(
                    "{name} is not installed (searched {searched}); to install it: {install}"
                ),
            });
            return;
        }
        Applies::Possible(evidence) => format!("there is {evidence}"),
        Applies::Declared(evidence) => format!("{evidence} declares it"),
        Applies::Asked => "it was asked for".to_owned(),
    };
    let others = match missing.len() {
        1 => String::new(),
        many => format!(" for {many} projects"),
    };
    plan.steps.push(Step::Blocked(Unrunnable::new(
        checker,
        &project.folder,
        format!("{name} is not installed{others}, although {why} (searched {searched}); to install it: {install}"),
    )));
}
