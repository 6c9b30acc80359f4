; Definitions

(function_definition name: (_) @name body: (_) @body) @definition.function

(comment) @comment

; Uses

(command name: (command_name (word) @call) (#not-any-of? @call "source" "."))

(command
  name: (command_name (word) @_source) . argument: (_) @import.path
  (#any-of? @_source "source" "."))
