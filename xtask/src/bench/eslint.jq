# An ESLint document as records. What it leaves out makes it faster, not slower: the place of an edit stays a
# range of UTF-16 units, columns stay in those units too, repetitions stay, and nothing is put in order.
def edit($path; $applicability; $message):
  {$applicability, $message, edits: [{$path, range, text}]};

.[] | (.filePath | ltrimstr("/repo/")) as $path | .messages[]
| [(.fix // empty | edit($path; "safe"; null)),
   (.suggestions[]? | .desc as $desc | .fix | edit($path; "unsafe"; $desc))] as $suggestions
| {tool: "eslint", severity: (if .severity == 2 then "error" else "warning" end), code: .ruleId,
   $path, line, column, end_line: .endLine, end_column: .endColumn, message, related: [],
   suggestion: ($suggestions[0] | if . then . + {alternatives: $suggestions[1:]} else . end)}
