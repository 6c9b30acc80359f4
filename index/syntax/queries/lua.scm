; Definitions

(function_statement name: (identifier) @name (function_body)? @body) @definition.function
(function_statement name: (function_name . (identifier) @name .) (function_body)? @body) @definition.function
(function_statement
  name: (function_name (identifier) @container . [(table_dot) (table_colon)] . (identifier) @name .)
  (function_body)? @body) @definition.method

(variable_declaration
  name: (variable_declarator . (identifier) @name .)
  value: (function (function_body)? @body)) @definition.function
(variable_declaration
  name: (variable_declarator (identifier) @container . (identifier) @name .)
  value: (function (function_body)? @body)) @definition.method

(variable_declaration name: (variable_declarator . (identifier) @name .) value: (tableconstructor)) @scope.class
(field name: (identifier) @name value: (function (function_body)? @body)) @definition.function

(comment) @comment
(emmy_documentation) @comment

; Uses

(function_call prefix: (identifier) @call . [(function_call_paren) (function_arguments) (string_argument)])
(function_call [(self_call_colon) "."] . (identifier) @call)

(function_call
  prefix: (identifier) @_require
  args: [(string_argument) @import.path (function_arguments . (string) @import.path)]
  (#eq? @_require "require"))

; Symbols

(variable_declaration name: (variable_declarator . (identifier) @name .)) @symbol.variable
(variable_declaration name: (variable_declarator (identifier) . (identifier) @name .)) @symbol.field
(variable_declaration value: (tableconstructor (fieldlist (field name: (identifier) @name) @symbol.field)))
(module_return_statement (tableconstructor (fieldlist (field name: (identifier) @name) @symbol.field)))
(function_call
  prefix: (identifier) @_test
  args: (function_arguments . (string) @name)
  (#match? @_test "^\\s*(describe|it|context)$")) @symbol.test
