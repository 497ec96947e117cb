//! One page that is read in a browser: a single file, which fetches nothing from anywhere.
//!
//! Without its script everything is there to be read; the script adds the filter alone. What strangers
//! wrote goes through [`mod@escape`], and the page's own policy lets no other script or style run than
//! the two that it brings. The size of the page is bounded: what is left out is counted.

mod change;
mod chart;
mod code;
mod diff;
mod escape;
mod finding;
mod findings;
mod head;
mod runs;
mod syntax;

#[cfg(test)]
mod tests;

use std::io::{self, Write};

use obelus_record::Report;

use self::escape::escape;
use super::{Output, Style, verdict};
use crate::Sources;

/// How the page looks.
const STYLE: &str = include_str!("page.css");
/// What filters the findings.
const SCRIPT: &str = include_str!("page.js");
/// The SHA-256 of the two, as a Content Security Policy names them; a test computes them anew.
const STYLE_HASH: &str = "U6UKZ95mrpQi29BEhLMXsfOnouU9TDmNJzSNAskr+C0=";
const SCRIPT_HASH: &str = "iXtIEhhoHMsicsh9K1QHdcH7gIy5KhT/Q0IOJpWMAcs=";

/// A page for a browser.
pub struct Html;

impl Output for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn summary(&self) -> &'static str {
        "one page to read in a browser, which fetches nothing; columns in code points"
    }

    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let title = escape(&verdict::line(report));
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'sha256-{STYLE_HASH}'; script-src 'sha256-{SCRIPT_HASH}'; \
             base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title} – Obelus</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n"
        )?;
        head::write(report, out)?;
        out.write_all(b"<main>\n")?;
        chart::write(report, out)?;
        findings::write(report, sources, out)?;
        change::write(report, out)?;
        runs::write(report, out)?;
        write!(
            out,
            "</main>\n<footer><p>Written by Obelus {}. Lines and columns count from 1, columns in \
             code points.</p></footer>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION")
        )
    }
}
