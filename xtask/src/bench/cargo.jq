# A cargo stream as records. What it leaves out makes it faster, not slower: it does not follow macros to their
# calls, tell alternatives in one list of spans apart, drop repetitions or put the records in order.
def place:
  {path: (.file_name | ltrimstr("/repo/")), line: .line_start, column: .column_start,
   end_line: .line_end, end_column: .column_end};
def applicability:
  if . == "MachineApplicable" then "safe" elif . == "HasPlaceholders" then "incomplete" else "unsafe" end;
def suggestion($message):
  map(select(.suggested_replacement != null)) | select(. != [])
  | {applicability: (.[0].suggestion_applicability | applicability), $message,
     edits: map(place + {text: .suggested_replacement})};

select(.reason == "compiler-message") | .message
| (first(.spans[] | select(.is_primary)) // {}) as $span
| [.children[] | select(.spans | all(.suggested_replacement == null))] as $notes
| [(.spans | suggestion(null)), (.children[] | .message as $message | .spans | suggestion($message))] as $suggestions
| {tool: "rustc", severity: .level, code: .code.code}
  + ($span | place)
  + {message,
     related: [
       (.spans[] | select(.label // "" != "" or (.is_primary | not)) | place + {message: (.label // "")}),
       ($notes[] | .message as $message | .spans[]
        | place + {message: (if .is_primary then $message else .label // "" end)})
     ],
     suggestion: ($suggestions[0] | if . then . + {alternatives: $suggestions[1:]} else . end)}
