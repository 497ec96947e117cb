//! Text of strangers as HTML: nothing in it is markup, whether it stands between tags or in the quotes
//! of an attribute.

use std::fmt::Write as _;

use crate::present::text;

/// `text` as it is read, its lines kept; control characters are made visible.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        push(&mut out, c);
    }
    out
}

/// Appends one character of a text.
pub fn push(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        '\n' | '\t' => out.push(c),
        c => out.push(text::visible(c)),
    }
}

/// `name="value"` with a blank before it; nothing where there is no value.
pub fn attribute(name: &str, value: Option<&str>) -> String {
    let mut out = String::new();
    if let Some(value) = value {
        // A value of several lines would be another one to a reader that folds them.
        let _ = write!(out, " {name}=\"{}\"", escape(&text::name(value)));
    }
    out
}

/// A path that breaks where its folders end and not in the middle of a name.
pub fn path(path: &str) -> String {
    escape(path).replace('/', "/<wbr>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(
            escape("</script><b x='\"'>&\u{1b}\u{202e}\n"),
            "&lt;/script&gt;&lt;b x=&#39;&quot;&#39;&gt;&amp;␛\u{FFFD}\n"
        );
        assert_eq!(attribute("data-x", Some("a\"\nb")), " data-x=\"a&quot;␊b\"");
        assert_eq!(attribute("data-x", None), "");
    }
}
