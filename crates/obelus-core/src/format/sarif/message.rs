//! The text of a message: looked up, with its arguments put in and its links taken out.

use std::borrow::Cow;

use super::model::{Component, Location, Message, Rule};

/// The plain text of `message`, in which `locations` may be linked to; empty where it has none.
pub(super) fn plain<'m>(
    message: &'m Message<'_>,
    rule: Option<&'m Rule<'_>>,
    component: &'m Component<'_>,
    locations: &[&Location<'_>],
) -> Cow<'m, str> {
    let stated = message.text.as_ref().or(message.markdown.as_ref()).map(|text| &*text.0);
    let text = stated.or_else(|| {
        let id = &*message.id.as_ref()?.0;
        let of_rule = rule.and_then(|rule| rule.message_strings.as_ref()?.get(id));
        let string = of_rule
            .or_else(|| component.global_message_strings.as_ref().and_then(|all| all.get(id)));
        string?.text.as_ref().map(|text| &*text.0)
    });
    let text = Cow::Borrowed(text.unwrap_or_default());
    let arguments: Vec<&str> =
        message.arguments.iter().flatten().map(|argument| &*argument.0).collect();
    // Producers that give no arguments do not double their braces either.
    let text =
        if arguments.is_empty() { text } else { Cow::Owned(with_arguments(&text, &arguments)) };
    let known = |id: i64| locations.iter().any(|location| location.id == Some(id));
    match without_links(&text, known) {
        Some(text) => Cow::Owned(text),
        None => text,
    }
}

/// Puts arguments in for `{0}`, `{1}` …; `{{` and `}}` stand for braces (§3.11.5).
fn with_arguments(text: &str, arguments: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        let brace = &rest[at..=at];
        if let Some(doubled) = tail.strip_prefix(brace) {
            out.push_str(brace);
            rest = doubled;
            continue;
        }
        let argument = tail.split_once('}').filter(|_| brace == "{").and_then(|(number, after)| {
            Some((*arguments.get(number.parse::<usize>().ok()?)?, after))
        });
        let (text, after) = argument.unwrap_or((brace, tail));
        out.push_str(text);
        rest = after;
    }
    out + rest
}

/// Takes out embedded links `[text](target)` (§3.11.6); nothing if there are none.
///
/// Most producers do not escape brackets of their own (`x[i](y)`), so a link is only what leads
/// to the `known` id of a location or to an absolute URI.
fn without_links(text: &str, known: impl Fn(i64) -> bool) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut found = false;
    while let Some(at) = rest.find("](") {
        let (head, tail) = (&rest[..at], &rest[at + 2..]);
        let open = head.rfind('[');
        if let Some(open) = open.filter(|&open| head[..open].ends_with('\\')) {
            // Escaped, it is no link, and the escape is no part of the text.
            found = true;
            out.push_str(&head[..open - 1]);
            out.push_str(&rest[open..at + 2]);
            rest = tail;
            continue;
        }
        let link = open
            .zip(tail.split_once(')'))
            .filter(|(_, (target, _))| target.contains("://") || target.parse().is_ok_and(&known));
        match link {
            Some((open, (_, after))) => {
                found = true;
                out.push_str(&head[..open]);
                out.push_str(&head[open + 1..]);
                rest = after;
            }
            None => {
                out.push_str(&rest[..at + 2]);
                rest = tail;
            }
        }
    }
    found.then(|| out + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_put_in() {
        assert_eq!(with_arguments("rate '{0}' is {1}", &["vat", "{0}"]), "rate 'vat' is {0}");
        assert_eq!(with_arguments("{{0}} {2} {x} }", &["a"]), "{0} {2} {x} }");
    }

    #[test]
    fn links_are_taken_out_and_code_is_not() {
        let known = |id| id == 1;
        let plain = |text| without_links(text, known);
        assert_eq!(plain("see [the declaration](1).").as_deref(), Some("see the declaration."));
        assert_eq!(
            plain("a[0](2), [docs](https://example.org/x) and [b](1)").as_deref(),
            Some("a[0](2), docs and b")
        );
        assert_eq!(plain("call handlers[i](event)"), None);
        assert_eq!(plain(r"see \[a](1) [b](1)").as_deref(), Some("see [a](1) b"));
        assert_eq!(plain("Callable[[int](str)"), None);
    }
}
