//! One call here that leads to findings in code that nobody here can edit, of a library or of the
//! language: the call is the cause, wherever its templates and macros object.

use std::sync::Arc;

use obelus_record::{CauseLocation, CauseRule, Diagnostic, Related};
use rustc_hash::FxHashMap;

use super::Rule;
use super::claims::Claims;
use super::ground::Ground;
use crate::reason::origin::{is_dependency, is_outside};

/// With what notes begin that lead from a finding in a macro or template to where it is used.
const USES: [&str; 3] = ["in expansion of macro ", "in instantiation of ", "required from "];

/// See the module.
pub struct CallSite;

type Place<'a> = (&'a Arc<str>, u32, Option<u32>);

impl Rule for CallSite {
    fn find(&self, ground: &Ground<'_>, claims: &mut Claims) {
        let mut sites: FxHashMap<Place<'_>, Vec<u32>> = FxHashMap::default();
        for &index in ground.with_related.iter().filter(|&&index| claims.is_free(index)) {
            if let Some(site) = site(ground.record(index), ground) {
                sites.entry(site).or_default().push(index);
            }
        }
        let mut sites: Vec<(Place<'_>, Vec<u32>)> = sites.into_iter().collect();
        sites.sort_by_key(|(_, records)| records[0]);
        for ((path, line, _), records) in sites {
            let location = CauseLocation { path: Arc::clone(path), line };
            match records[..] {
                [one] => claims.add_alone(CauseRule::CallSite, one, location),
                _ => claims.add(CauseRule::CallSite, &[], Some(location), records),
            }
        }
    }
}

/// The first place here on the way from a finding in the code of others to its use.
fn site<'a>(record: &'a Diagnostic, ground: &Ground<'_>) -> Option<Place<'a>> {
    let foreign = |path: &str| is_outside(path) || is_dependency(path, ground.sources);
    if !foreign(record.path.as_deref()?) {
        return None;
    }
    let leads_out =
        |related: &&Related| USES.iter().any(|words| related.message.starts_with(words));
    let here = |related: &'a Related| {
        let path = related.path.as_ref().filter(|path| !foreign(path))?;
        Some((path, related.line?, related.column))
    };
    record.related.iter().filter(leads_out).find_map(here)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tests::grouped;
    use super::*;
    use crate::NoSources;

    fn at(path: &str, line: u32, used_at: &[(&str, u32)]) -> Value {
        let notes: Vec<Value> = used_at
            .iter()
            .map(|(path, line)| json!({"path": path, "line": line, "column": 3, "message": "in instantiation of 'f<A>' requested here"}))
            .collect();
        json!({"path": path, "line": line, "column": 1, "message": format!("no {line}"), "related": notes})
    }

    #[test]
    fn a_call_leads_what_a_library_says_of_it() {
        let given = [
            at("/usr/include/a.h", 1, &[("/usr/include/b.h", 9), ("main.cc", 4)]),
            at("/usr/include/c.h", 2, &[("main.cc", 4), ("other.cc", 1)]),
            // From another call.
            at("/usr/include/a.h", 3, &[("main.cc", 5)]),
            // Nobody here calls it; and what lies here is somebody's here.
            at("/usr/include/a.h", 4, &[("/usr/include/b.h", 9)]),
            at("own.h", 5, &[("main.cc", 4)]),
        ];
        let (causes, independent) = grouped(&given, &NoSources);
        let rule = CauseRule::CallSite;
        assert_eq!(causes, [(rule, vec![], vec![0, 1]), (rule, vec![2], vec![])]);
        assert_eq!(independent, [3, 4]);
    }
}
