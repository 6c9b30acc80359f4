; Definitions

(function_definition name: (_) @name body: (_) @body) @definition.function

(comment) @comment

; Uses

(command name: (command_name (word) @call) (#not-any-of? @call "source" "."))

(command
  name: (command_name (word) @_source) . argument: (_) @import.path
  (#any-of? @_source "source" "."))

; Symbols

(variable_assignment name: (variable_name) @name) @symbol.variable
(command
  name: (command_name (word) @_alias) argument: (concatenation . (word) @name)
  (#eq? @_alias "alias")) @symbol.method
